"""Changes meet the documents as they are now: bases are compared, and what moved on is merged or stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.bots import families, open_bot
from memory.domain.changes import Append, Change, Delete, Put, base_of, is_safe_path, split_path
from memory.domain.errors import WriteFailed
from memory.domain.places import Kind
from memory.journal import versions
from memory.journal.outside_changes import SeenDocument, observe
from memory.journal.shapes import Clash, Gate, OnMove
from memory.models import Bot
from memory.storage import Content, Stat, Vault
from memory.storage.walk import is_hidden
from memory.text.merge.three_way import Clashed, Merged, merge
from memory.text.sentences import say
from memory.text.storable import is_keepable

Vaults = dict[str, Vault]

# Roots of what was said. A turn that Kenoweb answers itself is added to them; nothing in them is ever rewritten, not by an undo
# either: it was said.
RECORDS = frozenset({"sessions"})


@dataclass(frozen=True, slots=True)
class Fitted:
    """A change that can be written as it is: its base is what stands there. `before` is the document's stat, None if missing, and
    `data` its bytes, where they were read."""

    change: Change
    before: Stat | None
    joined: bool = False
    data: bytes | None = None


def vault_of(vaults: Vaults, path: str) -> tuple[Vault, str]:
    """The vault that holds a document, and the document's path in it. Raises WriteFailed for a root the bot has not."""
    root, below = split_path(path)
    if root not in vaults:
        raise WriteFailed(say("This bot doesn’t have that directory. Nothing was changed."))
    return vaults[root], below


def is_record(bot: Bot, path: str) -> bool:
    """Whether a document is a record of what was said: it is only ever added to, and no undo takes any of it back. A transcript
    that its bot itself shortens is none: its versions are kept instead."""
    if split_path(path)[0] in RECORDS:
        return True
    # What a family says wherever its memory lies is asked first: it costs no look at the disk, and lists ask this of each row.
    place = families.dialect(bot.dialect).describe(path) or open_bot(bot).dialect.describe(path)
    return place is not None and place.kind is Kind.TRANSCRIPT and not place.keeps_history


def normal(changes: Sequence[Change], *, answered: bool = False) -> list[Change]:
    """One change a document, appends to the same one joined in order. `answered`: they are a turn that Kenoweb answered, and may
    add to the record of what was said. Raises WriteFailed for a path that leaves its root."""
    by_path: dict[str, Change] = {}
    for change in changes:
        _check_path(change.path)
        if split_path(change.path)[0] in RECORDS and not (answered and isinstance(change, Append)):
            raise WriteFailed(say("Transcripts are the bot’s own and aren’t written. Nothing was changed."))
        before = by_path.get(change.path)
        if before is None:
            by_path[change.path] = change
        elif isinstance(before, Append) and isinstance(change, Append):
            by_path[change.path] = Append(change.path, before.data + change.data)
        else:
            raise ValueError(say("One change contains two edits of the same file."))
    return [change for change in by_path.values() if not (isinstance(change, Append) and not change.data)]


def _check_path(path: str) -> None:
    if not (is_safe_path(path) and is_keepable(path)) or is_hidden(path):
        raise WriteFailed(say("Invalid file name. Nothing was changed; use a name without “..”."))


def fit(bot: Bot, vaults: Vaults, changes: Sequence[Change], moved: OnMove) -> tuple[list[Fitted], list[Clash]]:
    """Compare every base with what is there, record what others did, merge or clash. Changes that change nothing drop out."""
    contents: dict[str, Content | None] = {}
    for change in changes:
        if not isinstance(change, Append):
            vault, below = vault_of(vaults, change.path)
            contents[change.path] = vault.read(below)
    observe(bot, [SeenDocument(path, c.data if c else None, c.stat if c else None) for path, c in contents.items()])
    fitted: list[Fitted] = []
    clashes: list[Clash] = []
    for change in changes:
        if isinstance(change, Append):
            vault, below = vault_of(vaults, change.path)
            fitted.append(Fitted(change, vault.stat(below)))
            continue
        outcome = fit_one(bot, change, contents[change.path], moved)
        if isinstance(outcome, Clash):
            clashes.append(outcome)
        elif outcome is not None:
            fitted.append(as_stored(outcome, vaults))
    return fitted, clashes


def as_stored(one: Fitted, vaults: Vaults) -> Fitted:
    """The same with the bytes as they would stand there, which a merge may not know. Raises WriteFailed."""
    change = one.change
    if not isinstance(change, Put):
        return one
    vault, below = vault_of(vaults, change.path)
    data = vault.as_stored(below, change.data)
    return one if data == change.data else replace(one, change=replace(change, data=data))


def fit_one(bot: Bot, change: Put | Delete, content: Content | None, moved: OnMove) -> Fitted | Clash | None:
    """One put or delete against what is there (None: nothing): ready, in the way, or (None) nothing left to do. What a family does
    not let become of a document is in the way, whoever wants it."""
    outcome = _fit_over(bot, change, content, moved)
    if not isinstance(outcome, Fitted) or content is None:
        return outcome
    after = outcome.change.data if isinstance(outcome.change, Put) else b""
    reason = open_bot(bot).dialect.refused(change.path, content.data, after)
    return Clash(change.path, None, None, None, reason) if reason else outcome


def _fit_over(bot: Bot, change: Put | Delete, content: Content | None, moved: OnMove) -> Fitted | Clash | None:
    stat = content.stat if content else None
    theirs = content.data if content else None
    now = base_of(theirs)
    ours = change.data if isinstance(change, Put) else None
    if now == base_of(ours):
        if not _only_stamps(change, stat) or not isinstance(change, Put):
            return None
        change = replace(change, base=now)
    if now == change.base:
        return Fitted(change, stat, data=theirs)
    base = versions.bytes_or_none(bot, change.base or "")
    if moved == "refuse" or (moved == "join" and not _only_grew(change, base, theirs)):
        return Clash(change.path, base, ours, theirs, say("Someone else changed this file in the meantime."))
    if theirs is None:
        return Clash(change.path, base, ours, None, say("This file was removed in the meantime."))
    if base is None:
        return Clash(change.path, None, ours, theirs, say("The version this is based on isn’t in History."))
    outcome = merge_versions(bot, change.path, base, ours or b"", theirs)
    if isinstance(outcome, Clashed):
        return Clash(change.path, base, ours, theirs, outcome.reason)
    if isinstance(change, Delete) and not outcome.data:
        return Fitted(replace(change, base=now or ""), stat, joined=True, data=theirs)
    if outcome.data == theirs:
        return None
    return Fitted(Put(change.path, outcome.data, now), stat, joined=True, data=theirs)


def merge_versions(bot: Bot, path: str, base: bytes, ours: bytes, theirs: bytes) -> Merged | Clashed:
    """Two versions of a document in one, where it has lines."""
    place = open_bot(bot).dialect.describe(path)
    if place is None or place.is_text:
        return merge(base, ours, theirs)
    return Clashed(say("Someone else changed this file in the meantime."), "edits")


def _only_grew(change: Put | Delete, base: bytes | None, theirs: bytes | None) -> bool:
    """Whether all that others did since is to add at the end. A document that was not to be there yet is another one."""
    if change.base is None or base is None or theirs is None or not theirs.startswith(base):
        return False
    last = base[base.rfind(b"\n") + 1 :]
    goes_on = bool(last) and not theirs.startswith((b"\n", b"\r"), len(base))
    return not goes_on or (isinstance(change, Put) and last in change.data.splitlines())


def _only_stamps(change: Put | Delete, stat: Stat | None) -> bool:
    """Whether a put of the very bytes that stand there still changes the document's mode or age."""
    if not isinstance(change, Put) or stat is None:
        return False
    return change.renew or (change.stamp is not None and change.stamp != stat.stamp)


def gate_refusal(gate: Gate | None, fitted: Sequence[Fitted], vaults: Vaults) -> str:
    """Why a gate does not let these changes through, "" if it does."""
    if gate is None:
        return ""
    before: dict[str, bytes | None] = {}
    after: dict[str, bytes | None] = {}
    for one in fitted:
        path, change = one.change.path, one.change
        if isinstance(change, Append):
            vault, below = vault_of(vaults, path)
            content = vault.read(below)
            before[path] = content.data if content else None
            after[path] = (before[path] or b"") + change.data
        else:
            before[path], after[path] = one.data, change.data if isinstance(change, Put) else None
    return gate(before, after)
