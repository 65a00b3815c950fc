"""What programs write through the API and a bot's settings hold: all of it, or what would remove much of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from memory import index, journal
from memory.bots import automation, open_bot
from memory.curation import acts, documents, facts
from memory.domain.changes import Change, Put, base_of
from memory.domain.errors import Refusal
from memory.domain.fact_ref import FactRef
from memory.domain.memory import Memory
from memory.jobs import proposals
from memory.journal import versions
from memory.models import Bot, Proposal
from memory.text.merge.overlay import lay_over
from memory.text.merge.three_way import Clashed, merge
from memory.text.sentences import say
from memory.webhook import held

DOCUMENT, FORGET, ADD, EDIT = "document", "forget", "add", "edit"


def document(bot: Bot, path: str, text: str, base: str, by: journal.By, why: str = "") -> bool:
    """Hold a text of a document, if it has to wait; False: it may be written. Raises VaultError."""
    now = documents.open_document(bot, path)
    data, made_from = documents.apply_edit(bot, now, text, base), documents.version(bot, now, base)
    if not isinstance(data, bytes):
        return False  # saving it says why not
    joined = merge(made_from or b"", data, now.data or b"")
    if isinstance(joined, Clashed):
        return False
    change = Put(path, joined.data, now.sha256 or None)
    return _hold(bot, [change], by, {"act": DOCUMENT, "base": base}, text, why)


def forgetting(bot: Bot, wanted: Sequence[FactRef], by: journal.By) -> bool:
    """Hold the forgetting of facts, if it has to wait; False: they may go. Raises VaultError."""
    about = {"act": FORGET, "facts": [list(one) for one in wanted]}
    return _hold_act(bot, partial(facts.plan_forget, bot, wanted), by, about)


def adding(bot: Bot, path: str, text: str, by: journal.By) -> bool:
    """Hold a fact that is to be added, if it has to wait; False: it may be written. Raises VaultError."""
    return _hold_act(bot, partial(facts.plan_add, bot, path, text), by, {"act": ADD}, text)


def editing(bot: Bot, wanted: FactRef, text: str, by: journal.By) -> bool:
    """Hold other words of a fact, if they have to wait; False: they may be written. Raises VaultError."""
    return _hold_act(bot, partial(facts.plan_edit, bot, wanted, text), by, {"act": EDIT, "fact": list(wanted)}, text)


def _hold_act(bot: Bot, act: acts.Act, by: journal.By, about: dict[str, Any], text: str = "") -> bool:
    try:
        plan = act()
    except (Refusal, ValueError):
        return False  # doing it says why not
    return _hold(bot, plan.changes, by, about, text, plan.why)


def removes_much(bot: Bot, changes: Sequence[Change]) -> bool:
    """Whether changes would remove more of a document than a bot's settings let programs remove. Raises VaultError."""
    most = automation.automation_of(bot).most_removed
    return bool(most) and any(one.removes_much(most) for one in held.effects(bot, changes, index.BotMemory(bot)))


def reviews(bot: Bot) -> bool:
    """Whether people review everything that programs write."""
    return automation.automation_of(bot).api_writes == automation.ASK


def _hold(bot: Bot, changes: Sequence[Change], by: journal.By, about: dict[str, Any], text: str, why: str) -> bool:
    most = automation.automation_of(bot).most_removed
    made = held.effects(bot, changes, index.BotMemory(bot)) if most or reviews(bot) else []
    if not made or not (reviews(bot) or any(one.removes_much(most) for one in made)):
        return False
    about = {**about, "by": by.name}
    sources = [{"text": why}] if why else []
    row = Proposal(
        action=Proposal.Action.REMEMBER if about["act"] == ADD else Proposal.Action.REPLACE,
        path=made[0].path,
        text=text,
        sources=sources,
        newer=about,
        flags=held.warnings(made, most),
    )
    index.look_all(bot, [one.path for one in made])  # so that the history has the version that it was made from
    with transaction.atomic():
        waits = held.waiting(bot)
        alike = Proposal.objects.filter(job=waits, state=Proposal.State.OPEN, path=row.path, text=text, newer=about)
        if not alike.exists():  # it was sent again
            held.must_have_room(bot)
            proposals.add(waits, [row])
    return True


def changes_of(bot: Bot, row: Proposal, memory: Memory) -> Iterable[Change]:
    """What one of them writes now. Raises Refusal and ValueError with a sentence, and Unreadable."""
    told, data = row.newer, memory.read(row.path)
    if told["act"] == FORGET:
        return facts.plan_forget(bot, [FactRef(*one) for one in told["facts"]]).changes
    if told["act"] == EDIT:
        return facts.plan_edit(bot, FactRef(*told["fact"]), row.text).changes
    if told["act"] == ADD:  # as of when it was asked for, to what others of these make of the document
        now = row.created.astimezone(open_bot(bot).now().tzinfo)
        return facts.plan_add(bot, row.path, row.text, now, None if data is None else {row.path: data}).changes
    return [_document(bot, row.path, row.text, told, data)]


def _document(bot: Bot, path: str, text: str, about: Mapping[str, Any], now: bytes | None) -> Put:
    """A text that was made from an older version, over what others wrote since."""
    try:
        base = versions.bytes_of(bot, about["base"]) if about["base"] not in ("", base_of(now)) else now or b""
    except versions.Forgotten as error:
        raise ValueError(str(error)) from None
    merged = merge(base, lay_over(base, text), now or b"")
    if bool(about["base"]) != (now is not None) or isinstance(merged, Clashed):
        raise ValueError(say("%(path)s has changed in the same place since. Reject it, and edit the file.", path=path))
    if why := open_bot(bot).dialect.refused(path, now or b"", merged.data):
        raise ValueError(why)
    return Put(path, merged.data, base_of(now))
