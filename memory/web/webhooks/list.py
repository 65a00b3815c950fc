"""Deliveries for reading: which are wanted, a page of them by keyset, and each as a line."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from memory.bots import open_bot
from memory.journal.reconcile import is_record
from memory.journal.recover import OPEN_SETS, SETS_AT_ONCE
from memory.journal.undone import Undone, undone
from memory.models import Bot, ChangeSet, ChatName, Delivery, Job, Proposal, Revision
from memory.models.webhooks import BEGUN, NOTHING, REJECTED, STORED
from memory.web.base.change_rows import became
from memory.web.base.chat_names import names_of
from memory.web.base.gauges import grouped
from memory.web.base.headlines import remembered
from memory.web.webhooks.outcome_words import has_memory, is_one_fact, outcome_of, told, took
from memory.webhook import chat_lock, held as held_back

AT_ONCE = 50
MANY = 20  # deliveries, from which on there are fields to filter them
MIN_CHIPS = 2  # all, and one result beside it, say nothing
MOST = 999  # deliveries that are counted for a filter: of more it says so many and a plus
NAMESAKES = 20  # chats of one name that are looked for
OUTCOMES: Mapping[str, str | Promise] = {
    "stored": pgettext_lazy("deliveries", "Stored"),
    "held": gettext_lazy("Held"),
    "nothing": gettext_lazy("Nothing to store"),
    "failed": gettext_lazy("Rejected"),
    "cut": gettext_lazy("Interrupted"),
}
_FIELDS = (
    *("pk", "received", "session_id", "status", "milliseconds", "trial", "answer__stored", "answer__error"),
    *("change_set", "change_set__state", "change_set__kind"),
)


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of deliveries, by day. `older` and `newer` are the keys to go on from; `mark` tells one state from another."""

    days: Sequence[tuple[date, Sequence[dict[str, Any]]]]
    older: str | None
    newer: str | None
    mark: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [line for _day, lines in self.days for line in lines]

    @property
    def are_many(self) -> bool:
        """Whether somebody may want to filter them."""
        return bool(self.older or self.newer) or len(self.lines) >= MANY


@dataclass(frozen=True, slots=True)
class Filters:
    """Which deliveries are asked for: an outcome, a chat's name or session id, a day of the bot's; "" and None for any."""

    outcome: str = ""
    chat: str = ""
    day: date | None = None

    @property
    def any(self) -> bool:
        return self == Filters()

    def of(self, bot: Bot) -> QuerySet[Delivery]:
        """The bot's deliveries that are asked for."""
        calls = Delivery.objects.filter(_condition(bot, self.outcome), bot=bot)
        if self.chat:
            named = ChatName.objects.filter(bot=bot, name__iexact=self.chat).values_list("scope", flat=True)
            scopes = [self.chat, *named[:NAMESAKES]]
            calls = calls.filter(session_id__in=scopes) if len(scopes) > 1 else calls.filter(session_id=self.chat)
        return calls.filter(received__range=_hours(bot, self.day)) if self.day else calls


def chips(bot: Bot, wanted: Filters) -> list[dict[str, object]]:
    """The results that there are, each with its count among the chat's and the day's; none where they are one that nobody chose."""
    labels = {"": pgettext_lazy("deliveries", "All"), **OUTCOMES}
    counts = {value: _count(bot, replace(wanted, outcome=value)) for value in labels}
    there = [value for value, number in counts.items() if number or value in ("", wanted.outcome)]
    return (
        [{"value": value, "label": labels[value], "count": _in_words(counts[value])} for value in there]
        if wanted.outcome or len(there) > MIN_CHIPS
        else []
    )


def _count(bot: Bot, wanted: Filters) -> int:
    return wanted.of(bot).order_by().values("pk")[: MOST + 1].count()


def _in_words(number: int) -> str:
    return grouped(number) if number <= MOST else f"{grouped(MOST)}+"


def listing(bot: Bot, wanted: Filters, before: int | None = None, after: int | None = None) -> Listing:
    """A page of deliveries, newest first: the newest, those before one or those after one (both by key)."""
    sent = before or after
    edge = Delivery.objects.filter(bot=bot, pk=sent).values_list("received", "pk").first() if sent else None
    calls = wanted.of(bot)
    if edge and after:
        found = list(_beyond(calls, edge, "gt").order_by("received", "pk").values(*_FIELDS)[: AT_ONCE + 1])
        if len(found) > AT_ONCE:
            return _listing(bot, found[AT_ONCE - 1 :: -1], older=True, newer=True)
        edge = None  # fewer than a page are newer: the newest page has them
    if edge:
        calls = _beyond(calls, edge, "lt")
    found = list(calls.order_by("-received", "-pk").values(*_FIELDS)[: AT_ONCE + 1])
    return _listing(bot, found[:AT_ONCE], older=len(found) > AT_ONCE, newer=edge is not None)


def _condition(bot: Bot, outcome: str) -> Q:
    if outcome == "cut":
        open_sets = _being_written(bot)
        return BEGUN | Q(change_set__in=open_sets) if open_sets else BEGUN
    if outcome == "held":
        held = Proposal.objects.filter(bot=bot, job__kind=Job.Kind.HELD, delivery__isnull=False)
        # As a query SQLite would go through all deliveries.
        return Q(pk__in=list(held.values_list("delivery", flat=True)))
    return {"stored": STORED, "nothing": NOTHING, "failed": REJECTED}.get(outcome, Q())


def _being_written(bot: Bot) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(OPEN_SETS, [bot.pk, SETS_AT_ONCE])
        found = [row[0] for row in cursor.fetchall()]
    return [one.pk for one in ChangeSet.objects.filter(pk__in=found) if one.state == ChangeSet.State.WRITING]


def _hours(bot: Bot, day: date) -> tuple[datetime, datetime]:
    """The first and the last moment of a day of the bot's."""
    zone = open_bot(bot).zone
    start = datetime.combine(day, time(), zone)
    end = (
        datetime.combine(day + timedelta(days=1), time(), zone) if day < date.max else datetime.max.replace(tzinfo=zone)
    )
    return start, end - timedelta(microseconds=1)


def _beyond(calls: QuerySet[Delivery], edge: tuple[datetime, int], way: Literal["lt", "gt"]) -> QuerySet[Delivery]:
    """Those before or after one delivery; the first condition is what an index can begin at."""
    received, pk = edge
    beyond = Q(**{f"received__{way}": received}) | Q(**{f"pk__{way}": pk})
    return calls.filter(beyond, **{f"received__{way}e": received})


def _listing(bot: Bot, found: Sequence[dict[str, Any]], *, older: bool, newer: bool) -> Listing:
    names = names_of(bot, {row["session_id"] for row in found})
    sets = [row["change_set"] for row in found if row["change_set"]]
    gone = undone(bot, sets)
    zone = open_bot(bot).zone
    undo = _("Undo what the delivery of %(clock)s from %(chat)s stored")
    taken = chat_lock.chats_answering(bot, {row["session_id"] for row in found if row["status"] == 0})
    waits = held_back.waits(row["pk"] for row in found)
    said = _said(bot, [row["change_set"] for row in found if is_one_fact(row["answer__stored"])])
    about = [{**row, "waits": waits.get(row["pk"]), "said": said.get(row["change_set"])} for row in found]
    lines = [_row(bot, row, row["received"].astimezone(zone), names, gone, undo, taken) for row in about]
    days = [(day, tuple(group)) for day, group in groupby(lines, key=itemgetter("day"))]
    return Listing(
        days,
        older=lines[-1]["pk"] if older else None,
        newer=lines[0]["pk"] if newer and lines else None,
        mark=f"{zlib.crc32(repr(lines).encode('utf-8', 'surrogatepass')):08x}",
    )


def _said(bot: Bot, sets: Sequence[int]) -> dict[int, str]:
    """What was added by change sets that added one fact each."""
    added = Revision.objects.filter(change_set__in=sets, action=Revision.Action.APPEND).only(
        "change_set", "path", "added"
    )
    return {one.change_set_id: remembered(bot, one) for one in added if not is_record(bot, one.path)}


def _row(
    bot: Bot,
    row: dict[str, Any],
    when: datetime,
    names: Mapping[str, str],
    gone: Mapping[int, Undone],
    undo: str,
    taken: Collection[str],
) -> dict[str, Any]:
    """A delivery in the list. `level` and `word` are its outcome's, `also` what else is to be known of it, `cost` its status and
    how long it took. `undo` is the change set that can be taken back, "" if there is none or it was, and `undo_label` what that
    means."""
    made = (row["change_set"], row["change_set__state"], row["change_set__kind"])
    outcome = outcome_of(row["status"], *made, is_being_answered=row["session_id"] in taken, waits=row["waits"])
    back = gone.get(row["change_set"])
    clock, chat = f"{when:%H:%M:%S}", names.get(row["session_id"], row["session_id"])
    also = [became(back)] if back else []
    can_undo = outcome.written and not (back and back.wholly) and has_memory(bot, row["answer__stored"])
    return {
        "pk": str(row["pk"]),
        "day": when.date(),
        "clock": clock,
        "chat": chat,
        "words": row["said"] or told(row["answer__stored"], row["answer__error"], row["change_set__kind"]),
        "level": outcome.level,
        "word": outcome.word,
        "also": ", ".join([*also, *([_("test")] if row["trial"] else [])]),
        "cost": " · ".join(filter(None, (str(row["status"] or ""), took(row["milliseconds"])))),
        "undo": str(row["change_set"]) if can_undo else "",
        "undo_label": undo % {"clock": clock, "chat": chat},
    }
