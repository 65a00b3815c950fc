"""What needs a look: short sentences, each with a word for its kind and a way to where something can be done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.compaction import plan_cache, rules
from memory.compaction.plan_cache import Backlog
from memory.index import cached
from memory.models import Bot, Job, Pin, RefusedCalls
from memory.web.base.change_rows import headline
from memory.web.base.counts import Beside
from memory.web.base.gauges import grouped, kilobytes, long_term_gauge
from memory.web.base.said import said
from memory.web.jobs.words import KINDS
from memory.web.overview.tier_cards import Sums

QUOTED = 60  # characters of a question
REASONS = 3  # why calls were refused, the most frequent first


@dataclass(frozen=True, slots=True)
class Need:
    """Something that wants looking at. `level` is "", `warn` or `bad`; `url` "" leads nowhere."""

    words: str
    chip: str
    level: str = ""
    url: str = ""
    why: str = ""


def needs(bot: Bot, user: Visitor, sums: Sums, numbers: Beside) -> list[Need]:
    """What needs a look, the worst first."""
    found = [
        *_doomed(bot, sums),
        *_files(bot, sums),
        *_jobs(bot, numbers),
        *_recall(bot, numbers),
        *_leaks(bot, numbers),
        *_memory(bot, sums, numbers),
        *_calls(bot),
        *_rules(bot),
    ]
    return [*found, *_person(user)]


def _at(bot: Bot, name: str, behind: str = "") -> str:
    return reverse(f"memory:{name}", args=[bot.slug]) + behind


def _files(bot: Bot, sums: Sums) -> Iterator[Need]:
    if bot.trouble:
        yield Need(said(bot.trouble), _("files"), "bad")
    if broken := sums.unreadable:
        words = ngettext("%(count)s file can’t be read", "%(count)s files can’t be read", broken)
        yield Need(words % {"count": grouped(broken)}, _("unreadable"), "bad", _at(bot, "documents", "#unreadable"))
    if sums.odd_days:
        words = ngettext("%(count)s log has an invalid date", "%(count)s logs have invalid dates", sums.odd_days)
        yield Need(words % {"count": grouped(sums.odd_days)}, _("files"), "", _at(bot, "days", "#apart"))


def _doomed(bot: Bot, sums: Sums) -> Iterator[Need]:
    """What the bot itself is about to throw away: nothing else comes before it."""
    if number := sums.doomed:
        words = ngettext(
            "%(bot)s will delete %(count)s log by itself", "%(bot)s will delete %(count)s logs by itself", number
        )
        lost = ngettext(
            "%(facts)s fact is lost unless compacted or copied",
            "%(facts)s facts are lost unless compacted or copied",
            sums.doomed_facts,
        )
        told = {"bot": bot.name, "count": grouped(number)}
        why = lost % {"facts": grouped(sums.doomed_facts)}
        yield Need(words % told, _("about to be deleted"), "bad", _at(bot, "compaction"), why)


def _jobs(bot: Bot, numbers: Beside) -> Iterator[Need]:
    if number := numbers.deciding:
        words = ngettext(
            "%(count)s job has suggestions to review",
            "%(count)s jobs have suggestions to review",
            number,
        )
        yield Need(words % {"count": grouped(number)}, _("to review"), "warn", _at(bot, "jobs", "?state=planned"))
    since = timezone.now() - timedelta(days=1)
    failed = Job.objects.filter(bot=bot, state=Job.State.FAILED, finished__gte=since).defer("outcome").first()
    if failed is not None:
        words = _("%(kind)s failed: %(why)s") % {"kind": KINDS[failed.kind], "why": said(failed.trouble)}
        yield Need(words, _("job"), "bad", _at(bot, "jobs", f"{failed.pk}"))


def _recall(bot: Bot, numbers: Beside) -> Iterator[Need]:
    if not numbers.broken:
        return
    last = Pin.objects.filter(bot=bot, broken__isnull=False).select_related("since").order_by("-broken", "-id").first()
    if last is None:
        return
    words = ngettext(
        "%(count)s recall test fails: “%(question)s”",
        "%(count)s recall tests fail, most recently “%(question)s”",
        numbers.broken,
    )
    words %= {"count": grouped(numbers.broken), "question": Truncator(last.question).chars(QUOTED)}
    if last.since:
        change = headline(bot, last.since, list(last.since.revisions.all()[:3]))
        words = _("%(what)s, since: %(change)s") % {"what": words, "change": Truncator(change).chars(2 * QUOTED)}
    yield Need(words, _("recall test"), "bad", _at(bot, "pins"))


def _leaks(bot: Bot, numbers: Beside) -> Iterator[Need]:
    if number := numbers.findings:
        words = ngettext("%(count)s finding to review", "%(count)s findings to review", number)
        yield Need(words % {"count": grouped(number)}, _("findings"), "bad", _at(bot, "tidy"))


def _memory(bot: Bot, sums: Sums, numbers: Beside) -> Iterator[Need]:
    days = {"days": open_bot(bot).settings.memory_retention_days}
    limit = open_bot(bot).limit
    if sums.long_term and limit and (gauge := long_term_gauge(sums.long_term.size, limit)).level:
        words = _("MEMORY.md is at %(percent)s%% of the %(limit)s the bot loads")
        words = words if limit.cuts else _("MEMORY.md is at %(percent)s%% of the recommended 10 KB")
        words %= {"percent": grouped(gauge.percent), "limit": kilobytes(limit.size)}
        yield Need(words, _("size"), "bad" if gauge.level == "red" else "warn", _at(bot, "memory"))
    if _is_due(bot, sums):
        words = ngettext(
            "%(count)s log is older than %(days)s days",
            "%(count)s logs are older than %(days)s days",
            sums.old_logs,
        )
        words %= {"count": grouped(sums.old_logs), **days}
        yield Need(words, _("old logs"), "warn", _at(bot, "compaction"))
    if sums.old_chats and rules.moves(bot):
        words = ngettext(
            "%(count)s chat has facts older than %(days)s days",
            "%(count)s chats have facts older than %(days)s days",
            sums.old_chats,
        )
        words %= {"count": grouped(sums.old_chats), **days}
        yield Need(words, _("old logs"), "warn", _at(bot, "compaction", "?scope=all"))
    if numbers.stale:
        words = ngettext(
            "%(count)s working memory is stale",
            "%(count)s working memories are stale",
            numbers.stale,
        )
        yield Need(words % {"count": grouped(numbers.stale)}, _("stale"), "warn", _at(bot, "working", "#stale"))


def _is_due(bot: Bot, sums: Sums) -> bool:
    """Whether compaction is; found out once for each state of the index, the day and the settings, for it may need the plan."""
    opened = open_bot(bot)
    waiting = Backlog(sums.old_logs, sums.old_facts)
    state = bot.indexed, opened.today(), opened.settings
    return cached.as_of(bot, "due", state, partial(plan_cache.is_due, bot, waiting))


def _calls(bot: Bot) -> Iterator[Need]:
    since = max(timezone.now() - timedelta(days=1), bot.created)  # none was meant for a bot that was not there
    refused = RefusedCalls.objects.filter(minute__gte=since).values("reason").annotate(n=Sum("count")).order_by("-n")
    for row in refused[:REASONS]:
        words = ngettext(
            "%(count)s delivery rejected since yesterday: %(reason)s",
            "%(count)s deliveries rejected since yesterday: %(reason)s",
            row["n"],
        )
        words %= {"count": grouped(row["n"]), "reason": said(row["reason"])}
        yield Need(words, _("webhook"), "", _at(bot, "webhook_refused"))


def _rules(bot: Bot) -> Iterator[Need]:
    if open_bot(bot).family.left_behind(bot) is not None:
        words = _(
            "An older data/memory exists beside the memory in use. The bot doesn’t read it, and it isn’t shown here."
        )
        yield Need(words, _("old directory"), "warn")
    if rules := open_bot(bot).dialect.warnings(open_bot(bot).settings):
        words = ngettext(
            "This version has %(count)s rule to know about",
            "This version has %(count)s rules to know about",
            len(rules),
        )
        yield Need(words % {"count": len(rules)}, _("version"), "warn", _at(bot, "settings"))
    if bot.others:
        words = ngettext(
            "%(count)s unrecognised file",
            "%(count)s unrecognised files",
            bot.others,
        )
        yield Need(words % {"count": grouped(bot.others)}, _("not opened"), "", _at(bot, "documents"))


def _person(user: Visitor) -> Iterator[Need]:
    if isinstance(user, AbstractBaseUser) and not user.has_usable_password():
        words = _("Set a password so you can log in without a link")
        yield Need(words, _("account"), "", reverse("password"))
