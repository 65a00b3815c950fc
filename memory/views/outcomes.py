"""What became of a call, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory import deliveries
from memory.models import ChangeSet
from memory.views.measure import grouped

WRITTEN = (ChangeSet.State.APPLIED, ChangeSet.State.SETTLING)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call: a word, how it is meant (`good`, `warn`, `bad`, ""), and whether its files have it."""

    word: str
    level: str
    written: bool


def outcome_of(status: int, change_set: int | None, state: str | None) -> Outcome:
    """What became of a call, from its status and its change set."""
    if status == 0 or state == ChangeSet.State.WRITING:
        return Outcome(_("cut off"), "warn", False)
    if status != 200:
        return Outcome(_("not taken"), "bad", False)
    if change_set is None:
        return Outcome(_("nothing to store"), "", False)
    if state not in WRITTEN:
        return Outcome(_("never written"), "bad", False)
    return Outcome(_("stored"), "good", True)


def deeds(stored: object) -> str:
    """What an answer's `stored` says, in words; "" if it says nothing."""
    said = stored if isinstance(stored, dict) else {}
    if said.get("observed"):
        return _("Only watched: the bot writes its own files")
    return ", ".join(_deeds(said))


def _deeds(said: dict[str, Any]) -> Iterator[str]:
    if number := _number(said, "memories"):
        yield ngettext("%(number)s entry", "%(number)s entries", number) % {"number": grouped(number)}
    if number := _number(said, "chat_memories"):
        words = ngettext("%(number)s note of the chat", "%(number)s notes of the chat", number)
        yield words % {"number": grouped(number)}
    if said.get("working_memory"):
        yield _("working memory")
    if said.get("chat_context"):
        yield _("what the chat is about")
    if number := _number(said, "user"):
        words = ngettext("%(number)s line about the user", "%(number)s lines about the user", number)
        yield words % {"number": grouped(number)}
    if number := _number(said, "already"):
        words = ngettext("%(number)s stood there already", "%(number)s stood there already", number)
        yield words % {"number": grouped(number)}


def _number(said: dict[str, Any], name: str) -> int:
    value = said.get(name)
    return value if isinstance(value, int) else 0


def refusal(error: object) -> str:
    """Why a call was recorded and not taken, in words; what is not known stays as it was answered, "" for nothing."""
    known = {
        deliveries.BUSY["error"]: _("The memory was busy"),
        deliveries.NO_MODEL["error"]: _("No language model is set up to answer"),
        deliveries.NOT_WRITTEN["error"]: _("The memory could not be written"),
    }
    return known.get(str(error), str(error)) if error else ""


def took(milliseconds: float | None) -> str:
    """`12 ms`, `1.4 s`; "" if it is not known."""
    if milliseconds is None:
        return ""
    if milliseconds >= 1000:
        return _("%(number)s s") % {"number": formats.number_format(milliseconds / 1000, 1)}
    return _("%(number)s ms") % {"number": formats.number_format(milliseconds, 0 if milliseconds >= 10 else 1)}
