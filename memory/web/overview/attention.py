"""What needs a look: short sentences, each with a word for its kind and a way to where something can be done."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.bots.directories import Access
from memory.bots.opened import DAY_NS
from memory.checks import facts_alone, never_loaded
from memory.compaction import runner
from memory.compaction.backlog import LOGS_AT_ONCE, Backlog, is_due
from memory.curation import pins
from memory.domain.prompt import Limit
from memory.index import cached
from memory.models import Bot, Chat, Finding, Job, Proposal, RecallTest, RefusedCalls
from memory.web.base.addresses import address
from memory.web.base.counts import SidebarCounts, ToReview
from memory.web.base.dates import ago, at, day
from memory.web.base.doomed_words import only_here, will_delete
from memory.web.base.finding_words import KINDS as FOUND, act_of, how_many, kind_of
from memory.web.base.gauges import grouped, kilobytes, long_term_gauge, number_of, surplus
from memory.web.base.headlines import headline
from memory.web.base.translation import translate
from memory.web.jobs.words import KINDS
from memory.web.overview.tier_cards import Sums, sums as sums_of

REVIEW = "review"  # by which the number is kept
QUOTED = 60  # characters of a question
REASONS = 3  # why calls were refused, the most frequent first
LEVELS = ("bad", "warn", "")  # the worst first


@dataclass(frozen=True, slots=True)
class Need:
    """Something that wants looking at, of the kind `chip`. `level` is "", `warn` or `bad`; `act` is the word on the button that
    leads to `url`, "" for none; `beside`, a word and an address, is a second one. `about` tells it from others of its kind;
    `number` is how many decisions it wants, 0 for a hint."""

    words: str
    chip: str
    level: str = ""
    url: str = ""
    why: str = ""
    act: str = ""
    about: str = ""
    number: int = 1
    is_finding: bool = False
    beside: tuple[str, str] = ("", "")
    when: datetime | None = None  # that `why` tells


def needs(bot: Bot, user: Visitor, sums: Sums, numbers: SidebarCounts) -> list[Need]:
    """What needs a look, the worst first, and hints behind it."""
    found = sorted(_of_bot(bot, sums, numbers), key=lambda need: (not need.number, LEVELS.index(need.level)))
    return [*found, *_person(user)]


def to_review(bot: Bot, numbers: SidebarCounts, counted: ToReview | None = None) -> ToReview:
    """What there is to review, whoever looks: the number that stands beside it on every page. What no number of the index tells, as
    a delivery that was rejected, is in it within a minute; `counted`: the page has just counted it itself."""
    opened = open_bot(bot)
    state = bot.indexed, bot.trouble, opened.access, opened.today(), numbers, f"{timezone.now():%H:%M}"
    if counted:
        return cached.keep(bot, REVIEW, state, counted)
    return cached.as_of(bot, REVIEW, state, lambda: reviewed(_of_bot(bot, sums_of(bot), numbers)))


def last_to_review(bot: Bot) -> ToReview:
    """The same as it was last counted, for the page of another bot, which counts nothing; empty if that is long ago."""
    return cast("ToReview | None", cached.last(bot, REVIEW)) or ToReview()


def reviewed(found: Sequence[Need]) -> ToReview:
    """How many decisions what was found wants; hints want none."""
    levels = {need.level for need in found if need.number}
    worst = next((level for level in LEVELS if level in levels), "")
    findings = sum(need.number for need in found if need.is_finding)
    return ToReview(sum(need.number for need in found), worst, findings, sum(not need.number for need in found))


def _of_bot(bot: Bot, sums: Sums, numbers: SidebarCounts) -> list[Need]:
    return [
        *_trouble(bot),
        *doomed(bot, sums),
        *_files(bot, sums),
        *_jobs(bot, numbers),
        *_recall(bot, numbers),
        *_findings(bot, sums, numbers),
        *_memory(bot, sums, numbers),
        *_calls(bot),
        *_rules(bot),
    ]


def _at(bot: Bot, name: str, behind: str = "") -> str:
    return reverse(f"memory:{name}", args=[bot.slug]) + behind


def _trouble(bot: Bot) -> Iterator[Need]:
    """What keeps Kenoweb from the files: until that is mended nothing else can be."""
    words = translate(bot.trouble)
    if not words and _is_missing(bot):
        words = _("The memory directory of %(bot)s is missing.") % {"bot": bot.name}
    if words:
        yield Need(words, _("files"), "bad")


def _is_missing(bot: Bot) -> bool:
    return open_bot(bot).access is Access.MISSING


def _files(bot: Bot, sums: Sums) -> Iterator[Need]:
    if (broken := sums.unreadable) and not any(_trouble(bot)):
        words = number_of("%(count)s file can’t be read", "%(count)s files can’t be read", broken)
        yield Need(words, _("unreadable"), "bad", _at(bot, "documents", "#unreadable"), act=_("Open"))
    if sums.odd_days:
        words = number_of("%(count)s log has an invalid date", "%(count)s logs have invalid dates", sums.odd_days)
        yield Need(words, _("files"), "", _at(bot, "days", "#apart"), act=_("Open"))


def doomed(bot: Bot, sums: Sums) -> Iterator[Need]:
    """What the bot itself is about to throw away: nothing that can be done comes before it."""
    if number := sums.doomed:
        words = will_delete(bot.name, number)
        why = only_here(number, sums.doomed_facts)
        if pinned := pins.count_doomed(bot):
            among = number_of("%(count)s pinned fact is among them", "%(count)s pinned facts are among them", pinned)
            why = f"{why}. {among}"
        chip, copy = _("about to be deleted"), (_("Keep a copy"), _at(bot, "export"))
        yield Need(words, chip, "bad", doomed_url(bot), why, _("Compact"), beside=copy)


def doomed_url(bot: Bot) -> str:
    """Where these logs can be compacted, those of chats among them."""
    return _at(bot, "compaction", "?scope=all")


def _jobs(bot: Bot, numbers: SidebarCounts) -> Iterator[Need]:
    waits = _held(bot) if numbers.deciding else None
    if waits:
        yield waits
    if number := numbers.deciding - bool(waits):
        words = number_of(
            "%(count)s job has suggestions to review", "%(count)s jobs have suggestions to review", number
        )
        url = _at(bot, "tidy", "?show=jobs&state=planned")
        yield Need(words, _("job"), "warn", url, act=_("Review"), number=number)
    since = timezone.now() - timedelta(days=1)
    failed = Job.objects.filter(bot=bot, state=Job.State.FAILED, finished__gte=since).defer("outcome").first()
    if failed is not None:
        words = _("%(kind)s failed: %(why)s") % {"kind": KINDS[failed.kind], "why": translate(failed.trouble)}
        url = reverse("memory:job", args=[bot.slug, failed.pk])
        yield Need(words, _("job"), "bad", url, act=_("Open"), about="failed")


def held(bot: Bot) -> QuerySet[Proposal]:
    """What is held until somebody accepts or rejects it."""
    waits = Proposal.objects.filter(job__bot=bot, job__kind=Job.Kind.HELD, job__state=Job.State.PLANNED)
    return waits.filter(state=Proposal.State.OPEN)


def who_asks(bot: Bot) -> str:
    """Who wants to remove much of files: the bot by its deliveries, or programs by the names of their API keys."""
    grave = held(bot).exclude(flags=[]).order_by("pk").values_list("newer__by", flat=True)
    return ", ".join(dict.fromkeys(by or bot.name for by in grave))


def _held(bot: Bot) -> Need | None:
    """What deliveries want written, and since when it waits; above all what would remove much of a file."""
    found = held(bot).aggregate(
        n=Count("pk"), grave=Count("pk", filter=~Q(flags=[])), since=Min("created"), job=Max("job")
    )
    if not found["n"]:
        return None
    if grave := found["grave"]:
        words = number_of(
            "%(bot)s wants to remove much of a file",
            "%(bot)s wants to remove much of %(count)s files",
            grave,
            bot=who_asks(bot),
        )
    else:
        words = number_of("%(count)s fact is held for review", "%(count)s facts are held for review", found["n"])
    why = number_of(
        "%(count)s thing held, %(ago)s",
        "%(count)s things held, the oldest %(ago)s",
        found["n"],
        ago=ago(found["since"], bot),
    )
    return Need(
        words,
        _("held"),
        "bad" if grave else "warn",
        reverse("memory:job", args=[bot.slug, found["job"]]),
        why,
        _("Review"),
        number=found["n"],
        when=found["since"],
    )


def _recall(bot: Bot, numbers: SidebarCounts) -> Iterator[Need]:
    if not numbers.broken:
        return
    last = (
        RecallTest.objects.filter(bot=bot, broken__isnull=False)
        .select_related("since")
        .order_by("-broken", "-id")
        .first()
    )
    if last is None:
        return
    words = number_of("Recall test fails", "%(count)s recall tests fail", numbers.broken)
    why = _("“%(question)s”") % {"question": Truncator(last.question).chars(QUOTED)}
    if last.since:
        change = headline(bot, last.since, list(last.since.revisions.all()[:3]))
        why = _("%(what)s, since: %(change)s") % {"what": why, "change": Truncator(change).chars(2 * QUOTED)}
    elif last.broken:
        words_since = _("“%(question)s” since %(when)s")
        why = words_since % {"question": Truncator(last.question).chars(QUOTED), "when": at(last.broken, bot)}
    yield Need(words, _("recall test"), "bad", _at(bot, "recall_tests"), why, _("Open"), number=numbers.broken)


def _findings(bot: Bot, sums: Sums, numbers: SidebarCounts) -> Iterator[Need]:
    if not numbers.findings:
        return
    own = {check.name: check for check in open_bot(bot).family.checks}
    there = Finding.objects.filter(bot=bot, gone=None, ignored=None).order_by()
    if _lost(bot, sums):  # its size says so already
        there = there.exclude(rule=never_loaded.NAME, path=open_bot(bot).long_term)
    counted_by = there.values_list("rule").annotate(Count("pk"), Max("note"), Max("path"), Max("line"))
    found = _by_kind(counted_by)
    for rule in (*(rule for rule in FOUND if rule in found), *sorted(found.keys() - FOUND.keys())):
        number, note, path, line = found[rule]
        if check := own.get(rule):
            url = _at(bot, check.page) if check.page else f"{address('document', bot, path)}?line={line}"
            yield Need(
                translate(note), _("findings"), "warn", url, str(check.why), str(check.act), rule, is_finding=True
            )
        else:
            level = FOUND[rule][1] if rule in FOUND else "warn"
            url = _at(bot, "tidy", f"?kind={rule}")
            words, chip = how_many(rule, number), _("findings")
            is_secret, is_alone = rule == facts_alone.SECRET, number == 1
            why = translate(note) if is_secret else path if is_alone and rule == never_loaded.NAME else ""
            place = open_bot(bot).dialect.describe(path) if is_secret and is_alone else None
            if place and place.day:
                words = _("%(kind)s in the log of %(day)s") % {
                    "kind": _("Exposed secret"),
                    "day": day(place.day),
                }
            yield Need(words, chip, level, url, why, act_of(rule), rule, number, is_finding=True)


def _by_kind(rules: Iterable[tuple[str, int, str, str, int]]) -> dict[str, tuple[int, str, str, int]]:
    """The findings of each rule as those of its kind: their number, and of one of them its note, path and line."""
    found: dict[str, tuple[int, str, str, int]] = {}
    for rule, number, note, path, line in rules:
        before = found.get(kind_of(rule), (0,))[0]
        found[kind_of(rule)] = before + number, note, path, line
    return found


def _memory(bot: Bot, sums: Sums, numbers: SidebarCounts) -> Iterator[Need]:
    days = {"days": open_bot(bot).settings.memory_retention_days}
    limit = open_bot(bot).limit
    if sums.long_term and limit:
        yield from _size(bot, sums.long_term.size, limit)
    if not _is_missing(bot):
        yield from _old_logs(bot, sums, days)
    if numbers.stale:
        words = number_of("%(count)s stale working memory", "%(count)s stale working memories", numbers.stale)
        url = _at(bot, "working", "#stale")
        yield Need(words, _("stale"), "warn", url, _oldest(bot), _("Review"), number=numbers.stale)


def _old_logs(bot: Bot, sums: Sums, days: Mapping[str, int]) -> Iterator[Need]:
    """What can be compacted; nothing can where the files are out of reach."""
    if _is_due(bot, sums):
        words = _old_words(sums, days)
        facts = number_of("%(count)s fact", "%(count)s facts", sums.old_facts)
        yield Need(words, _("old logs"), "warn", _at(bot, "compaction"), facts, _("Compact"))
    elif sums.old_logs > LOGS_AT_ONCE and open_bot(bot).compacts and not runner.moves_facts(bot):
        words = _old_words(sums, days)
        why = _("archive/, searchable, never loaded")
        yield Need(words, _("old logs"), "", _at(bot, "compaction"), why, _("Compact"), number=0)
    if sums.old_chats and runner.moves_facts(bot):
        words = number_of(
            "%(count)s chat has facts older than %(days)s days",
            "%(count)s chats have facts older than %(days)s days",
            sums.old_chats,
            **days,
        )
        yield Need(words, _("old logs"), "warn", _at(bot, "compaction", "?scope=all"), act=_("Compact"))


def _old_words(sums: Sums, days: Mapping[str, int]) -> str:
    """How many of the shared logs are old, called so where chats have old ones, too."""
    if sums.old_chats:
        return number_of(
            "%(count)s shared log is older than %(days)s days",
            "%(count)s shared logs are older than %(days)s days",
            sums.old_logs,
            **days,
        )
    return number_of(
        "%(count)s log is older than %(days)s days",
        "%(count)s logs are older than %(days)s days",
        sums.old_logs,
        **days,
    )


def _oldest(bot: Bot) -> str:
    """How old the oldest working memory is."""
    written = Chat.objects.filter(bot=bot).aggregate(oldest=Min("working_ns"))["oldest"] or time.time_ns()
    days = (time.time_ns() - written) // DAY_NS
    return number_of("The oldest is %(count)s day old", "The oldest is %(count)s days old", days)


def _lost(bot: Bot, sums: Sums) -> int:
    """How many bytes of long-term memory its bot never loads."""
    limit = open_bot(bot).limit
    return limit.lost(sums.long_term.size) if sums.long_term and limit else 0


def _size(bot: Bot, size: int, limit: Limit) -> Iterator[Need]:
    """Long-term memory that is nearly full, or longer than its bot loads."""
    gauge, chip, url = long_term_gauge(size, limit), _("size"), _at(bot, "memory")
    if not gauge.level:
        return
    if limit.lost(size):
        words = _("%(bot)s never reads %(size)s of %(file)s")
        told = {"bot": bot.name, "size": kilobytes(surplus(size, limit.taken(size))), "file": open_bot(bot).long_term}
        yield Need(words % told, chip, "bad", url, _unloaded(bot, limit), _("Shorten"), never_loaded.NAME)
        return
    words = _("MEMORY.md is at %(percent)s%% of the %(limit)s the bot loads")
    words = words if limit.cuts else _("MEMORY.md is at %(percent)s%% of the recommended 10 KB")
    words %= {"percent": grouped(gauge.percent), "limit": kilobytes(limit.size)}
    yield Need(words, chip, "bad" if gauge.level == "red" else "warn", url, act=_("Shorten"))


def _unloaded(bot: Bot, limit: Limit) -> str:
    """Which part of long-term memory that is."""
    if first := _first_unread(bot):
        words = (
            _("From line %(line)s on the middle is left out")
            if limit.keeps
            else _("Line %(line)s is the last one loaded")
        )
        return words % {"line": grouped(first if limit.keeps else first - 1)}
    words = _("Only its beginning and end are loaded") if limit.keeps else _("Only the first %(limit)s are loaded")
    return words % {"limit": kilobytes(limit.size)}


def _first_unread(bot: Bot) -> int:
    """The first line of long-term memory that is never loaded, as far as the last check knows; 0 if it does not."""
    there = Finding.objects.filter(bot=bot, rule=never_loaded.NAME, gone=None, path=open_bot(bot).long_term, line__gt=1)
    return there.values_list("line", flat=True).first() or 0


def _is_due(bot: Bot, sums: Sums) -> bool:
    """Whether compaction is; found out once for each state of the index, the day and the settings, for it may need the plan."""
    opened = open_bot(bot)
    waiting = Backlog(sums.old_logs, sums.old_facts)
    state = bot.indexed, opened.today(), opened.settings
    return cached.as_of(bot, "due", state, partial(is_due, bot, waiting))


def _calls(bot: Bot) -> Iterator[Need]:
    since = max(timezone.now() - timedelta(days=1), bot.created)  # none was meant for a bot that was not there
    refused = RefusedCalls.objects.filter(minute__gte=since).values("reason").annotate(n=Sum("count")).order_by("-n")
    for row in refused[:REASONS]:
        words = number_of("%(count)s rejected delivery", "%(count)s rejected deliveries", row["n"])
        why = _("answered “%(reason)s”") % {"reason": translate(row["reason"])}
        yield Need(words, _("since yesterday"), "warn", _at(bot, "webhook_refused"), why, _("Open"), row["reason"])


def _rules(bot: Bot) -> Iterator[Need]:
    if open_bot(bot).family.left_behind(bot) is not None:
        words = _(
            "An older data/memory exists beside the memory in use. The bot doesn’t read it, and it isn’t shown here."
        )
        yield Need(words, _("old directory"), "warn")
    if rules := open_bot(bot).dialect.warnings(open_bot(bot).settings):
        words = number_of(
            "%(count)s thing to know about this bot’s version",
            "%(count)s things to know about this bot’s version",
            len(rules),
        )
        yield Need(words, _("version"), "", _at(bot, "settings"), act=_("Open"), number=0)
    if bot.others:
        words = number_of("%(count)s unrecognised file", "%(count)s unrecognised files", bot.others)
        yield Need(words, _("not opened"), "", _at(bot, "documents"), act=_("Open"))


def _person(user: Visitor) -> Iterator[Need]:
    if isinstance(user, AbstractBaseUser) and not user.has_usable_password():
        words = _("Set a password so you can log in without a link")
        yield Need(words, _("account"), "", reverse("password"), act=_("Set a password"), number=0)
