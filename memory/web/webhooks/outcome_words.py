"""What became of a call, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.journal.reconcile import is_record
from memory.llm import Fault
from memory.models import Bot, ChangeSet
from memory.web.base.gauges import number_of
from memory.webhook import answer, deliveries

_REFUSALS = {
    deliveries.BUSY["error"]: later("The memory was busy"),
    deliveries.NOT_READ["error"]: later("The memory couldn’t be read"),
    deliveries.NOT_WRITTEN["error"]: later("The memory couldn’t be written"),
    deliveries.TOO_MANY["error"]: later("Too much waits for review"),
    answer.CHAT_BUSY: later("Another message in the chat was being answered"),
    answer.NOT_HERE: later("Messages of this bot can’t be answered here"),
    answer.FULL: later("Too many messages at once"),
    answer.SPILLED: later("The prompt included text from another chat and was not sent"),
} | {
    answer.FAULTS[fault][1]: words
    for fault, words in {
        Fault.NONE_SET: later("No language model set up to answer"),
        Fault.TIMEOUT: later("The language model didn’t answer in time"),
        Fault.UNREACHABLE: later("The language model couldn’t be reached"),
        Fault.BUSY: later("The language model was busy"),
        Fault.BROKEN: later("The language model’s server failed"),
        Fault.REFUSED: later("The language model’s server rejected the request"),
        Fault.DECLINED: later("The language model refused to answer"),
        Fault.EMPTY: later("The language model’s answer was empty"),
        Fault.CUT_OFF: later("The language model’s answer was cut off"),
        Fault.WRONG_SHAPE: later("The language model’s answer couldn’t be read"),
        Fault.CAP: later("The daily limit of the language model is reached"),
    }.items()
}
WRITTEN = (ChangeSet.State.APPLIED, ChangeSet.State.SETTLING)


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What became of a call: a word, how it is meant (`good`, `warn`, `bad`, ""), and whether its files have it."""

    word: str
    level: str
    written: bool


def outcome_of(
    status: int,
    change_set: int | None,
    state: str | None,
    kind: str | None = None,
    *,
    is_being_answered: bool = False,
    waits: bool | None = None,
) -> CallOutcome:
    """What became of a call, from its status and its change set; `is_being_answered`: a turn of its chat is just now;
    `waits`: whether anything of it waits for review, None where nothing ever did."""
    if status == 0 and change_set is None and is_being_answered:
        return CallOutcome(_("in progress"), "", False)
    if status == 0 or state == ChangeSet.State.WRITING:
        return CallOutcome(_("interrupted"), "warn", False)
    if status != 200:
        return CallOutcome(_("rejected"), "bad", False)
    written = change_set is not None and state in WRITTEN
    if waits is not None:
        return CallOutcome(_("held for review") if waits else _("reviewed"), "warn" if waits else "", written)
    if change_set is None:
        return CallOutcome(_("nothing to store"), "", False)
    if not written:
        return CallOutcome(_("not written"), "bad", False)
    return CallOutcome(_("answered") if kind == ChangeSet.Kind.ANSWER else _("stored"), "good", True)


def has_memory(bot: Bot, stored: object) -> bool:
    """Whether an answer's `stored` names a document besides the transcript: something that can be taken back."""
    documents = stored.get("documents") if isinstance(stored, dict) else None
    return not isinstance(documents, list) or any(not is_record(bot, str(path)) for path in documents)


def deeds(stored: object) -> str:
    """What an answer's `stored` says, in words; "" if it says nothing."""
    said = stored if isinstance(stored, dict) else {}
    if said.get("observed"):
        return _("Logged only: the bot writes its own files")
    return ", ".join(_deeds(said))


def told(stored: object, error: object, kind: str | None = None) -> str:
    """What came of a call, in words: what it stored, or why it was not taken; "" if there is nothing to say."""
    return deeds(stored) or refusal(error) or (_("Nothing to remember") if kind == ChangeSet.Kind.ANSWER else "")


def is_one_fact(stored: object) -> bool:
    """Whether an answer's `stored` says that one fact was written and nothing else."""
    said = stored if isinstance(stored, dict) else {}
    return sum(_number(said, name) for name in ("memories", "chat_memories", "user")) == 1 == len(list(_deeds(said)))


def _deeds(said: dict[str, Any]) -> Iterator[str]:
    if number := _number(said, "memories"):
        yield number_of("%(count)s fact", "%(count)s facts", number)
    if number := _number(said, "chat_memories"):
        yield number_of("%(count)s fact of the chat", "%(count)s facts of the chat", number)
    if said.get("working_memory"):
        yield _("working memory")
    if said.get("chat_context"):
        yield _("about the chat")
    if number := _number(said, "user"):
        yield number_of("%(count)s fact about the user", "%(count)s facts about the user", number)
    if number := _number(said, "held"):
        yield number_of("%(count)s part held for review", "%(count)s parts held for review", number)
    if number := _number(said, "already"):
        yield number_of("%(count)s already stored", "%(count)s already stored", number)


def _number(said: dict[str, Any], name: str) -> int:
    value = said.get(name)
    return value if isinstance(value, int) else 0


def refusal(error: object) -> str:
    """Why a call was recorded and not taken, in words; what is not known stays as it was answered, "" for nothing."""
    return str(_REFUSALS.get(str(error), error)) if error else ""


def took(milliseconds: float | None) -> str:
    """`12 ms`, `1.4 s`; "" if it is not known."""
    if milliseconds is None:
        return ""
    if milliseconds >= 1000:
        return _("%(number)s s") % {"number": formats.number_format(milliseconds / 1000, 1)}
    return _("%(number)s ms") % {"number": formats.number_format(milliseconds, 0 if milliseconds >= 10 else 1)}
