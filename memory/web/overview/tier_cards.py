"""The tiers of a bot in sums: what there is, how old it is, what of it the bot reads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from django.db.models import Count, Max, Q, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.bots import open_bot
from memory.bots.opened import DAY_NS
from memory.domain.dialect import Kind, Tier
from memory.index import cached
from memory.models import Bot, Chat, Document
from memory.web.base.calendar import known
from memory.web.base.chat_names import name_of
from memory.web.base.counts import Beside
from memory.web.base.dates import age_label
from memory.web.base.frame import without
from memory.web.base.gauges import Gauge, grouped, kilobytes, long_term_gauge

LIVELY = 7  # days; a chat that was written to since is an active one


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the index. `last` is the chat that was written to last, `long_term` the bot's own MEMORY.md."""

    documents: int
    facts: int
    unreadable: int  # documents
    old_logs: int  # of the bot's own
    old_facts: int  # in these
    doomed: int  # logs that the bot is about to delete by itself
    doomed_facts: int  # in these
    odd_days: int  # that no calendar has
    notes: int  # of chats
    active: int  # chats
    old_chats: int  # with old logs
    scratchpads: int  # working memories
    written_ns: int | None
    long_term: Document | None
    last: Chat | None


@dataclass(frozen=True, slots=True)
class Card:
    """One tier: its name, a figure in large, a gauge and a sentence."""

    tier: str
    name: str
    figure: str
    gauge: Gauge
    url: str


def sums(bot: Bot) -> Sums:
    """The sums of a bot. They are kept as long as its index stands at the same number, and no longer than its day."""
    return cached.while_indexed(bot, f"sums-{open_bot(bot).today()}", partial(_count, bot))


def _count(bot: Bot) -> Sums:
    documents, chats = Document.objects.filter(bot=bot), Chat.objects.filter(bot=bot)
    old, lively = open_bot(bot).old_before(), time.time_ns() - LIVELY * DAY_NS
    own = Q(tier=Tier.GLOBAL, scope="")
    doomed = Q(kind=Kind.DAILY, day__gt="", day__lt=open_bot(bot).deleted_before())
    found = documents.aggregate(
        documents=Count("pk"),
        facts=Coalesce(Sum("facts_count"), 0),
        unreadable=Count("pk", filter=~Q(error="")),
        old_logs=Count("pk", filter=own & Q(kind=Kind.DAILY, day__lt=old)),
        old_facts=Coalesce(Sum("facts_count", filter=own & Q(kind=Kind.DAILY, day__lt=old)), 0),
        doomed=Count("pk", filter=doomed),
        doomed_facts=Coalesce(Sum("facts_count", filter=doomed), 0),
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
        odd_days=len(known(bot).impossible),
        long_term=documents.filter(own, kind=Kind.LONG_TERM).first(),
        last=chats.order_by("-written_ns").first(),
    )


def lead(found: Sums) -> str:
    """What there is, in a sentence or two."""
    facts = ngettext("%(count)s fact", "%(count)s facts", found.facts) % {"count": grouped(found.facts)}
    where = ngettext("%(count)s file", "%(count)s files", found.documents) % {"count": grouped(found.documents)}
    if not found.written_ns:
        return _("%(facts)s in %(files)s") % {"facts": facts, "files": where}
    words = {"facts": facts, "files": where, "ago": ago(found.written_ns)}
    return _("%(facts)s in %(files)s, newest %(ago)s") % words


def ago(mtime_ns: int) -> str:
    """How long ago a file was written, in words."""
    return age_label(datetime.fromtimestamp(mtime_ns / 1e9, UTC))


def cards(bot: Bot, found: Sums, numbers: Beside) -> Sequence[Card]:
    """The tiers that the bot's family has."""
    closed = without(bot.dialect, has_chats=False)
    chats = [] if "chats" in closed else [_chats(bot, found, numbers)]
    working = [] if "working" in closed else [_working(bot, found, numbers)]
    return [_global(bot, found), *chats, *working]


def _global(bot: Bot, found: Sums) -> Card:
    url, row = reverse("memory:memory", args=[bot.slug]), found.long_term
    if row is None:
        gauge = Gauge(0, _("No MEMORY.md yet. Every chat reads what you or the bot save there."))
        return Card("global", _("Long-term memory"), _("Empty"), gauge, url)
    limit = open_bot(bot).limit
    gauge = long_term_gauge(row.size, limit)
    if limit is None or limit.cuts:
        loaded = ""
    elif open_bot(bot).reads_by_message:
        loaded = ngettext(
            "Only sections that match the message are loaded (%(count)s token at most).",
            "Only sections that match the message are loaded (%(count)s tokens at most).",
            row.tokens,
        )
    else:
        loaded = ngettext(
            "All of it is loaded: %(count)s token in every message",
            "All of it is loaded: %(count)s tokens in every message",
            row.tokens,
        )
    words = f"{gauge.words} · {loaded % {'count': grouped(row.tokens)}}" if loaded else gauge.words
    return Card("global", _("Long-term memory"), kilobytes(row.size), replace(gauge, words=words), url)


def _chats(bot: Bot, found: Sums, numbers: Beside) -> Card:
    url = reverse("memory:chats", args=[bot.slug])
    if found.last is None:
        gauge = Gauge(0, _("No chat has facts yet. The bot adds them when it replies."))
        return Card("chat", _("Chats"), _("No facts"), gauge, url)
    last = _("Newest: %(chat)s, %(ago)s") % {
        "chat": name_of(bot, found.last.scope),
        "ago": ago(found.last.written_ns),
    }
    active = ngettext(
        "%(count)s active in the last %(days)s days",
        "%(count)s active in the last %(days)s days",
        found.active,
    ) % {"count": grouped(found.active), "days": LIVELY}
    facts = ngettext("%(count)s fact", "%(count)s facts", found.notes) % {"count": grouped(found.notes)}
    where = ngettext("%(count)s chat", "%(count)s chats", numbers.chats) % {"count": grouped(numbers.chats)}
    figure = _("%(facts)s in %(chats)s") % {"facts": facts, "chats": where}
    gauge = Gauge(_share(found.active, numbers.chats), f"{last} · {active}")
    return Card("chat", _("Chats"), figure, gauge, url)


def _working(bot: Bot, found: Sums, numbers: Beside) -> Card:
    url = reverse("memory:working", args=[bot.slug])
    pads = found.scratchpads
    fresh = pads - numbers.stale
    if not pads:
        gauge = Gauge(0, _("No chat has working memory. The bot starts one when a reply says what it is working on."))
        return Card("working", _("Working memory"), _("None"), gauge, url)
    days = open_bot(bot).working_days
    words = ngettext("Stale after %(days)s day.", "Stale after %(days)s days.", days)
    fate = _("The bot ignores stale ones.") if numbers.stale else _("The bot reads each one in its chat.")
    figure = _("%(fresh)s current, %(stale)s stale") % {"fresh": grouped(fresh), "stale": grouped(numbers.stale)}
    gauge = Gauge(_share(fresh, pads), f"{words % {'days': days}} {fate}")
    return Card("working", _("Working memory"), figure, gauge, url)


def _share(part: int, whole: int) -> int:
    return round(part * 100 / whole) if whole else 0
