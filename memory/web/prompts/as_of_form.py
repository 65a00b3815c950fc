"""Which moment somebody wants to see: typed, or named by a change that was made then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import QueryDict
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.journal.undone import NEVER_WRITTEN
from memory.models import Bot, ChangeSet
from memory.prompts import as_of
from memory.prompts.as_of import Unknown
from memory.text.storable import as_number, keepable
from memory.web.base.addresses import addresses
from memory.web.base.translation import translate

EARLIEST = 1970
NAMED = 40  # documents that are not known, of one reason


@dataclass(frozen=True, slots=True)
class When:
    """A moment that is wanted. `at` None: now. `value` is what stands in the field, by the bot's clock; `problem` says to people
    why there is none."""

    at: datetime | None = None
    value: str = ""
    problem: str = ""

    @property
    def step(self) -> int:
        """The seconds that the field counts by."""
        return 1 if self.value.count(":") > 1 else 60

    @property
    def sent(self) -> str:
        """The moment as an address names it, to the microsecond; "" for now."""
        return self.at.isoformat() if self.at else ""


NOW = When()


@dataclass(frozen=True, slots=True)
class MomentLink:
    """A moment that is offered: what it is called, and the end of its address."""

    words: str
    parameters: str


@dataclass(frozen=True, slots=True)
class Gap:
    """What is not known for one reason: some documents by name, and how many more there are."""

    why: str
    some: Sequence[dict[str, object]]
    more: int

    @property
    def count(self) -> int:
        """How many documents it is about."""
        return len(self.some) + self.more


def wanted(bot: Bot, sent: QueryDict, at: str = "at", before: str = "before") -> When:
    """The moment that an address asks for: `at` as an ISO time (the bot's, unless it says which), or `before` a change set."""
    if number := sent.get(before, ""):
        return _before(bot, number)
    typed = keepable(sent.get(at, "")).strip()[:40]
    if not typed:
        return NOW
    try:
        found = datetime.fromisoformat(typed.replace(" ", "+") if "T" in typed else typed)
        return _when(bot, found if found.tzinfo else found.replace(tzinfo=open_bot(bot).zone), typed)
    except (ValueError, OverflowError):
        return When(
            value=typed, problem=_("“%(typed)s” isn’t a valid time. Write it as 2026-01-31T18:30.") % {"typed": typed}
        )


def _when(bot: Bot, found: datetime, typed: str) -> When:
    """Now, for a moment that is not over yet. Raises OverflowError for one beyond all calendars."""
    local = found.astimezone(open_bot(bot).zone)
    if local.year < EARLIEST:
        raise ValueError(typed)
    if local >= open_bot(bot).now():
        return NOW
    whole = local.replace(tzinfo=None, microsecond=0)
    return When(local, whole.isoformat(timespec="seconds" if whole.second else "minutes"))


def _before(bot: Bot, number: str) -> When:
    found = bot.change_sets.filter(pk=as_number(number) or 0).first()
    if found is None:
        return When(problem=_("History has no such change."))
    return _when(bot, as_of.moment_before(found), number)


def choices(bot: Bot) -> list[MomentLink]:
    """Moments that people ask for."""
    day = (open_bot(bot).now() - timedelta(days=1)).replace(tzinfo=None)
    offered = [MomentLink(_("yesterday"), f"at={day.isoformat(timespec='minutes')}")]
    written = (
        ChangeSet.objects.filter(bot=bot).exclude(state__in=NEVER_WRITTEN).order_by("-id").values_list("pk", flat=True)
    )
    run = written.filter(kind=ChangeSet.Kind.COMPACTION).first()
    last = written.exclude(kind=ChangeSet.Kind.FOUND).first()
    if run is not None:
        offered.append(MomentLink(_("before the last compaction"), f"before={run}"))
    if last is not None and last != run:
        offered.append(MomentLink(_("before the last change"), f"before={last}"))
    return offered


def gaps(bot: Bot, unknown: Sequence[Unknown]) -> list[Gap]:
    """What is not known of a moment, by reason."""
    url_of = addresses("document", bot)
    by_reason: dict[str, list[dict[str, object]]] = {}
    for one in unknown:
        by_reason.setdefault(one.why, []).append(
            {"path": keepable(one.path), "url": url_of(one.path), "since": one.since}
        )
    return [Gap(translate(why), found[:NAMED], max(0, len(found) - NAMED)) for why, found in by_reason.items()]
