"""The tiers of a bot in sums: what there is, how old it is, what of it the bot reads."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import cast

from django.db.models import Count, Max, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext, npgettext, pgettext

from memory import index
from memory.bots import open_bot
from memory.bots.costs import Costs, costs_of
from memory.bots.directories import Access
from memory.bots.opened import DAY_NS
from memory.domain.errors import VaultError
from memory.domain.places import LOGS, Kind, Tier
from memory.domain.prompt import Limit
from memory.index import cached
from memory.index.attributes import usual
from memory.models import Bot, Chat, Day, Document, Fact
from memory.numbers import measures
from memory.prompts import build as prompts
from memory.prompts.unloaded import unloaded
from memory.text.ages import instant
from memory.web.base.calendar import known_days
from memory.web.base.counts import SidebarCounts
from memory.web.base.dates import ago, near
from memory.web.base.frame import closed_pages
from memory.web.base.gauges import Gauge, dollars, grouped, kilobytes, long_term_gauge, number_of

TIERS = 2  # beside long-term memory and the prompt
LIVELY = 7  # days; a chat that was written to since is an active one
_CLOCK = re.compile(r"[0-2]\d:[0-5]\d")


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the index. `last` is the chat that was written to last, `long_term` the bot's own MEMORY.md."""

    documents: int
    facts: int  # in those that are not archived: what moved out of an archived log stands in both
    archives: int  # documents
    archived: int  # facts in these
    unreadable: int  # documents
    old_logs: int  # of the bot's own
    old_facts: int  # in these
    doomed: int  # logs that the bot is about to delete by itself
    doomed_facts: int  # in these and nowhere else
    odd_days: int  # that no calendar has
    notes: int  # of chats
    active: int  # chats
    old_chats: int  # with old logs
    scratchpads: int  # working memories
    logs: int  # of the bot's own
    days: int  # as their page lists them
    newest_day: str  # of these
    limit: Limit | None  # what long-term memory was held against then
    written_ns: int | None  # the file that was written last
    newest: tuple[str, str]  # day and clock of the newest fact, "" for what is not known
    long_term: Document | None
    last: Chat | None

    @property
    def files(self) -> int:
        """The documents that are not archived."""
        return self.documents - self.archives


@dataclass(frozen=True, slots=True)
class Card:
    """One cell of the strip: its name, a number in large with the rest of its sentence, and below it a gauge or some words."""

    tier: str
    name: str
    number: str
    rest: str
    url: str
    words: str = ""
    gauge: Gauge | None = None
    when: datetime | None = None  # that its words tell


def sums(bot: Bot) -> Sums:
    """The sums of a bot. They are kept as long as its index stands at the same number, and no longer than its day."""
    return cached.while_indexed(bot, f"sums-{open_bot(bot).today()}", partial(_count, bot))


def _count(bot: Bot) -> Sums:
    documents, chats = Document.objects.filter(bot=bot), Chat.objects.filter(bot=bot)
    old, lively = open_bot(bot).old_before(), time.time_ns() - LIVELY * DAY_NS
    own = Q(tier=Tier.GLOBAL, scope="")
    away = Q(kind=Kind.ARCHIVE)
    doomed = Q(kind=Kind.DAILY, day__gt="", day__lt=open_bot(bot).deleted_before())
    found = documents.aggregate(
        documents=Count("pk"),
        facts=Coalesce(Sum("facts_count", filter=~away), 0),
        archives=Count("pk", filter=away),
        archived=Coalesce(Sum("facts_count", filter=away), 0),
        unreadable=Count("pk", filter=~Q(error="")),
        old_logs=Count("pk", filter=own & Q(kind=Kind.DAILY, day__lt=old)),
        old_facts=Coalesce(Sum("facts_count", filter=own & Q(kind=Kind.DAILY, day__lt=old)), 0),
        doomed=Count("pk", filter=doomed),
        logs=Count("pk", filter=own & Q(kind=Kind.DAILY)),
        newest_day=Coalesce(Max("day", filter=own & Q(kind=Kind.DAILY)), Value("")),
        written_ns=Max("mtime_ns"),
    )
    of_chats = chats.aggregate(
        notes=Coalesce(Sum("notes"), 0),
        active=Count("pk", filter=Q(written_ns__gte=lively)),
        old_chats=Count("pk", filter=Q(oldest_day__gt="", oldest_day__lt=old)),
        scratchpads=Count("working_ns"),
    )
    return Sums(
        **found,
        **of_chats,
        doomed_facts=_nowhere_else(bot, documents.filter(doomed)) if found["doomed"] else 0,
        odd_days=len(impossible := known_days(bot).impossible),
        days=Day.objects.filter(bot=bot).exclude(day__in=impossible).count(),
        limit=open_bot(bot).limit,
        newest=_newest_fact(bot),
        long_term=documents.filter(own, kind=Kind.LONG_TERM).first(),
        last=chats.order_by("-written_ns").first(),
    )


def _nowhere_else(bot: Bot, documents: QuerySet[Document]) -> int:
    """How many facts only these documents hold, in these words."""
    keys = Fact.objects.filter(bot=bot).values("key")
    there, elsewhere = keys.filter(document__in=documents), keys.exclude(document__in=documents)
    # Each side is read once: asked key by key, a large memory takes a minute.
    return there.difference(elsewhere).count()


def lead(bot: Bot, found: Sums) -> str:
    """What there is, in a sentence or two, and apart from it what is archived."""
    away = number_of("%(count)s fact in archived files", "%(count)s facts in archived files", found.archived)
    told = _in_sight(bot, found)
    return f"{told} · {away}" if found.archived else told


def _in_sight(bot: Bot, found: Sums) -> str:
    facts = number_of("%(count)s fact", "%(count)s facts", found.facts)
    where = number_of("%(count)s file", "%(count)s files", found.files)
    words = {"facts": facts, "files": where}
    if when := _newest_when(bot, found):
        return _("%(facts)s in %(files)s, newest %(ago)s") % {**words, "ago": when}
    return _("%(facts)s in %(files)s") % words


def _newest_fact(bot: Bot) -> tuple[str, str]:
    """The day and the clock (HH:MM) on which the newest fact was learned, as the facts say; "" for what is not known."""
    if open_bot(bot).attributes:
        updated = usual(bot).aggregate(newest=Max("updated"))["newest"] or ""
        return updated[:10], _clock(updated[11:16])
    filled = Day.objects.filter(bot=bot, facts__gt=0, day__lte=open_bot(bot).today()).order_by("-day")
    day = filled.values_list("day", flat=True).first() or ""
    facts = Fact.objects.filter(document__bot=bot, document__kind__in=LOGS, document__day=day)
    return day, _clock(facts.aggregate(newest=Max("since"))["newest"] or "") if day else ""


def _clock(text: str) -> str:
    return text if _CLOCK.fullmatch(text) else ""


def newest_words(bot: Bot, found: Sums) -> str:
    """From when the newest fact is; "" if nothing says so."""
    when = _newest_when(bot, found)
    return _("Newest fact %(ago)s") % {"ago": when} if when else ""


def _newest_when(bot: Bot, found: Sums) -> str:
    moment = newest_at(bot, found)
    return ago(moment, bot) if moment else near(found.newest[0], open_bot(bot).today())


def newest_at(bot: Bot, found: Sums) -> datetime | None:
    """The moment of the newest fact, if it is known, past and not long ago; a log may bear the name of a day that there is not."""
    day, clock = found.newest
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}" if clock else "").replace(tzinfo=open_bot(bot).zone)
    except ValueError:
        return None
    return moment if timedelta() <= datetime.now(UTC) - moment < timedelta(days=LIVELY) else None


def cards(bot: Bot, found: Sums, numbers: SidebarCounts) -> Sequence[Card]:
    """The tiers that the bot's family has, and what it reads of them; four at most."""
    closed = closed_pages(bot.dialect, has_chats=False)
    told = {"chats": _chats, "working": _working, "days": _days, "documents": _files}
    tiers = [tell(bot, found, numbers) for place, tell in told.items() if place not in closed]
    return [_global(bot, found), *tiers[:TIERS], *_prompt(bot, found.last)]


def _global(bot: Bot, found: Sums) -> Card:
    name, url, row = _("Long-term memory"), reverse("memory:memory", args=[bot.slug]), found.long_term
    if row is None:
        words = _("No MEMORY.md yet. Every chat reads what you or the bot save there.")
        return Card("global", name, _("Empty"), "", url, words)
    size, limit = (
        kilobytes(row.size),
        open_bot(bot).limit if open_bot(bot).access is not Access.MISSING else found.limit,
    )
    if limit is None:
        return Card("global", name, size, "", url, _("No limit known"))
    rest = _("only %(limit)s loaded") if limit.lost(row.size) else _("of %(limit)s")
    rest %= {"limit": kilobytes(limit.taken(row.size))}
    words = _("Loads matching sections only") if open_bot(bot).reads_by_message else ""
    return Card("global", name, size, rest, url, words, long_term_gauge(row.size, limit))


def _chats(bot: Bot, found: Sums, numbers: SidebarCounts) -> Card:
    name, url = _("Chats"), reverse("memory:chats", args=[bot.slug])
    if found.last is None:
        return Card(
            "chat", name, pgettext("chats", "None"), "", url, _("The bot adds one with its first message in a chat.")
        )
    rest = number_of("facts in %(count)s chat", "facts in %(count)s chats", numbers.chats)
    words = number_of("%(count)s active this week", "%(count)s active this week", found.active)
    return Card("chat", name, grouped(found.notes), rest, url, words)


def _working(bot: Bot, found: Sums, numbers: SidebarCounts) -> Card:
    name, url = _("Working memory"), reverse("memory:working", args=[bot.slug])
    if not found.scratchpads:
        return Card(
            "working", name, _("None"), "", url, _("The bot starts one when a reply says what it is working on.")
        )
    days = open_bot(bot).working_days
    words = ngettext("Stale after %(days)s day", "Stale after %(days)s days", days) % {"days": days}
    fresh = found.scratchpads - numbers.stale
    rest = npgettext("behind their number", "current", "current", fresh)
    stale = number_of("%(count)s stale", "%(count)s stale", numbers.stale)
    return Card("working", name, grouped(fresh), f"{rest}, {stale}", url, words)


def _days(bot: Bot, found: Sums, numbers: SidebarCounts) -> Card:
    rest = npgettext("behind their number", "day", "days", found.days)
    url, words = reverse("memory:days", args=[bot.slug]), _newest(bot, found)
    return Card("", _("Days"), grouped(found.days), rest, url, words, when=newest_at(bot, found))


def _newest(bot: Bot, found: Sums) -> str:
    """From when the newest log is, by its newest fact where that is known."""
    is_it = found.newest[0] == found.newest_day
    when = _newest_when(bot, found) if is_it else near(found.newest_day, open_bot(bot).today())
    return _("Newest %(ago)s") % {"ago": when} if when else ""


def _files(bot: Bot, found: Sums, numbers: SidebarCounts) -> Card:
    others = found.files - found.logs  # for logs are counted as days beside
    rest = ngettext("that isn’t a log", "that aren’t logs", others)
    rest = rest if found.logs else npgettext("behind their number", "file", "files", others)
    when = instant(found.written_ns) if found.written_ns else None
    words = _("Last written %(ago)s") % {"ago": ago(when, bot)} if when else ""
    return Card("", _("Files"), grouped(others), rest, reverse("memory:documents", args=[bot.slug]), words, when=when)


def _prompt(bot: Bot, last: Chat | None) -> list[Card]:
    """What a message to it costs before anything is said, as the page of the prompt opens: in the chat that was written to last, by
    its memory as it was indexed; nothing where that cannot be told. Of a directory that is missing it is what was known last."""
    costs, scope = costs_of(bot), last.scope if last and open_bot(bot).reads_by_chat else ""
    state = bot.indexed, open_bot(bot).today(), repr(open_bot(bot).settings), repr(costs), scope
    if open_bot(bot).access is Access.MISSING:
        read = cast("tuple[int, int] | None", cached.last(bot, "prompt-tokens"))
    else:
        read = cached.as_of(bot, "prompt-tokens", state, partial(prompt_tokens, bot, scope))
    url = reverse("memory:prompt", args=[bot.slug])
    if read is None:
        return [_measured(bot, url)] if open_bot(bot).access is Access.MISSING else []
    tokens, lost = read
    return [Card("", _("Prompt"), *_tokens(tokens), url, _cost(tokens, costs, lost))]


def _measured(bot: Bot, url: str) -> Card:
    """The prompt as it was measured last, which is that of no chat: what was known of the last chat's goes with the process."""
    found = measures.last_prompt(bot)
    if found is None or found.tokens is None:
        return Card("", _("Prompt"), _("Not known"), "", url, _("Never measured while its directory was there"))
    words = _("Without a chat, measured %(ago)s") if open_bot(bot).reads_by_chat else _("Measured %(ago)s")
    words %= {"ago": ago(found.at, bot)}
    return Card("", _("Prompt"), *_tokens(found.tokens), url, words, when=found.at)


def _tokens(number: int) -> tuple[str, str]:
    """A number of tokens, and what stands behind it."""
    return grouped(number), npgettext("behind their number", "token", "tokens", number)


def prompt_tokens(bot: Bot, scope: str, memory: index.BotMemory | None = None) -> tuple[int, int] | None:
    """The tokens of the prompt of a chat ("": of none), and those that its documents have and it does not."""
    memory = memory or index.BotMemory(bot)
    try:
        read = prompts.build(bot, scope, memory=memory)
        lost = sum(read.counter.count(one.text) for one in unloaded(read, memory))
    except (VaultError, prompts.PromptRefused):
        return None
    return None if read.unsure and not read.tokens else (read.tokens, lost)


def _cost(tokens: int, costs: Costs, lost: int) -> str:
    if lost:
        return number_of("%(count)s more is not loaded", "%(count)s more are not loaded", lost)
    if not costs.token_price:
        return _("Set a price to see dollars")
    return _("About $%(cost)s a message") % {"cost": dollars(costs.dollars(tokens))}
