"""What programs write through the API and a bot's settings hold: a document or a forgetting that would remove much of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction

from memory import index, journal
from memory.bots import automation, open_bot
from memory.curation import acts, documents, facts
from memory.domain.changes import Change, Put, base_of
from memory.domain.errors import Refusal
from memory.domain.memory import Memory
from memory.jobs import proposals
from memory.journal import versions
from memory.models import Bot, Proposal
from memory.text.merge.overlay import lay_over
from memory.text.merge.three_way import Clashed, merge
from memory.text.sentences import say
from memory.turns import held

DOCUMENT, FORGET = "document", "forget"


def document(bot: Bot, path: str, text: str, base: str, by: journal.By, why: str = "") -> bool:
    """Hold a text of a document as it is now, if it would remove much of it; False: it may be written. Raises VaultError."""
    now = documents.opened(bot, path)
    if now.read_only or now.data is None or now.sha256 != base:
        return False  # saving it says why not
    change = Put(path, lay_over(now.data, text), base)
    return _hold(bot, [change], by, {"act": DOCUMENT, "base": base}, text, why)


def forgetting(bot: Bot, wanted: Sequence[acts.Wanted], by: journal.By) -> bool:
    """Hold the forgetting of facts, if it would remove much of a document; False: they may go. Raises VaultError."""
    try:
        wish = facts.forgetting(bot, wanted)
    except (Refusal, ValueError):
        return False
    return _hold(bot, wish.changes, by, {"act": FORGET, "facts": [list(one) for one in wanted]}, "", wish.why)


def removes_much(bot: Bot, changes: Sequence[Change]) -> bool:
    """Whether changes would remove more of a document than a bot's settings let programs remove. Raises VaultError."""
    most = automation.automation_of(bot).most_removed
    return bool(most) and any(one.removes_much(most) for one in held.effects(bot, changes, index.BotMemory(bot)))


def _hold(bot: Bot, changes: Sequence[Change], by: journal.By, about: dict[str, Any], text: str, why: str) -> bool:
    most = automation.automation_of(bot).most_removed
    made = held.effects(bot, changes, index.BotMemory(bot)) if most else []
    if not any(one.removes_much(most) for one in made):
        return False
    about = {**about, "by": by.name}
    sources = [{"text": why}] if why else []
    row = Proposal(
        action=Proposal.Action.REPLACE,
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
            proposals.add(waits, [row])
    return True


def changes_of(bot: Bot, row: Proposal, memory: Memory) -> Iterable[Change]:
    """What one of them writes now. Raises Refusal and ValueError with a sentence, and Unreadable."""
    if row.newer["act"] == FORGET:
        return facts.forgetting(bot, [(path, key, nth) for path, key, nth in row.newer["facts"]]).changes
    return [_document(bot, row.path, row.text, row.newer, memory.read(row.path))]


def _document(bot: Bot, path: str, text: str, about: Mapping[str, Any], now: bytes | None) -> Put:
    """A text that was made from an older version, over what others wrote since."""
    try:
        base = versions.bytes_of(bot, about["base"]) if base_of(now) != about["base"] else now or b""
    except versions.Forgotten as error:
        raise ValueError(str(error)) from None
    merged = merge(base, lay_over(base, text), now) if now is not None else None
    if merged is None or isinstance(merged, Clashed):
        raise ValueError(say("%(path)s has changed in the same place since. Reject it, and edit the file.", path=path))
    if why := open_bot(bot).dialect.editing.refused(path, now or b"", merged.data):
        raise ValueError(why)
    return Put(path, merged.data, base_of(now))
