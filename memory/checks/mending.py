"""Findings about documents that can be mended at once: each is one change, which can be seen and undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory import index, journal
from memory.bots import open_bot
from memory.checks import permissions, removals, structure
from memory.curation import acts, documents
from memory.domain.changes import Put, Stamp, digest
from memory.domain.errors import Refusal, VaultError
from memory.domain.outcomes import Refused, refusal_of
from memory.models import Bot, ChangeSet, Finding
from memory.text.markdown.oddities import Odd, mend_oddity
from memory.text.sentences import say

CHANGED = say("This file has changed since you looked. Nothing was changed now.")
ALL = 0o777
# What stays allowed of a file that others can change, and of one that they can read.
CLOSED = {permissions.WRITE: ~permissions.OTHERS_WRITE, permissions.READ: ~0o007}


@dataclass(frozen=True, slots=True)
class Mended:
    """What would end a finding: documents, each as (path, before, after) with both as texts; `told`: what no text says."""

    documents: Sequence[tuple[str, str, str]]
    told: str = ""

    @property
    def print(self) -> str:
        """Another one for any other outcome."""
        return digest(repr((self.documents, str(self.told))).encode("utf-8", "surrogateescape"))


def can_mend(finding: Finding) -> bool:
    """Whether there is a change that ends it."""
    if finding.rule == structure.NAME:
        return finding.key != structure.UNPARSED
    if finding.rule == removals.NAME:
        return True
    return finding.rule == permissions.NAME and finding.key in CLOSED


def foresee(bot: Bot, finding: Finding) -> Mended | Refused:
    """What would end it, as its document is now."""
    try:
        return FORESEEN[finding.rule](bot, finding) or Refused(CHANGED)
    except (VaultError, Refusal) as error:
        return refusal_of(error)
    except documents.Missing:
        return Refused(CHANGED)


def mend(bot: Bot, finding: Finding, by: journal.By, print_of: str = "") -> ChangeSet | Refused:
    """End what is wrong with a document, or say why not; with the print of what was foreseen, nothing else."""
    if print_of and (seen := foresee(bot, finding)) and (isinstance(seen, Refused) or seen.print != print_of):
        return seen if isinstance(seen, Refused) else Refused(acts.MOVED)
    try:
        done = MENDS[finding.rule](bot, finding, by)
    except (VaultError, journal.Busy) as error:
        return refusal_of(error)
    except documents.Missing:
        return Refused(CHANGED)
    return done or Refused(CHANGED)


def _reform(bot: Bot, finding: Finding) -> Mended | None:
    opened = documents.open_document(bot, finding.path)
    text = mend_oddity(opened.text, Odd(finding.key))
    return Mended([(opened.path, opened.text, text)]) if text != opened.text else None


def _narrow(bot: Bot, finding: Finding) -> Mended | None:
    content = open_bot(bot).content(finding.path)
    if content is None:
        return None
    mode = content.stat.mode & ALL
    told = say(
        "Its mode %(before)s becomes %(after)s.", before=f"{mode:04o}", after=f"{mode & CLOSED[finding.key]:04o}"
    )
    return Mended([], told)


def _bring_back(bot: Bot, finding: Finding) -> Mended | Refused | None:
    edit = ChangeSet.objects.filter(bot=bot, pk=int(finding.key)).first()
    seen = journal.foresee(bot, list(edit.revisions.order_by("pk"))) if edit else []
    if isinstance(seen, journal.Conflict):
        return Refused(seen.reason)
    if not seen:
        return None
    sides = ((one.change.path, one.now or b"", acts.bytes_after(one.change, one.now)) for one in seen)
    return Mended([(path, documents.as_text(now), documents.as_text(then)) for path, now, then in sides])


def _reformed(bot: Bot, finding: Finding, by: journal.By) -> ChangeSet | Refused | None:
    opened, odd = documents.open_document(bot, finding.path), Odd(finding.key)
    text = mend_oddity(opened.text, odd)
    if text == opened.text:
        return None
    why = say("Closed a code fence") if odd is Odd.FENCE else say("Made a heading of a line")
    saved = documents.save(bot, opened.path, text, opened.sha256, by, why)
    if isinstance(saved, documents.Saved):
        return saved.change_set
    return saved if isinstance(saved, Refused) else None


def _narrowed(bot: Bot, finding: Finding, by: journal.By) -> ChangeSet | Refused | None:
    content = open_bot(bot).content(finding.path)
    if content is None:
        return None
    stamp = Stamp(content.stat.mode & CLOSED[finding.key] & ALL, content.stat.mtime_ns)
    put = Put(finding.path, content.data, digest(content.data), stamp)
    why = say("Closed %(path)s to other users of the machine", path=finding.path)
    outcome = journal.commit(bot, [put], by=by, kind=ChangeSet.Kind.EDIT, why=why)
    return Refused(outcome.reason) if isinstance(outcome, journal.Conflict) else outcome.change_set


def _brought_back(bot: Bot, finding: Finding, by: journal.By) -> ChangeSet | Refused | None:
    """What an edit from outside removed is there again; what others wrote since stays."""
    edit = ChangeSet.objects.filter(bot=bot, pk=int(finding.key)).first()
    if edit is None:
        return None
    outcome = journal.undo(bot, edit, by)
    index.look(bot, finding.path)
    return Refused(outcome.reason) if isinstance(outcome, journal.Conflict) else outcome.change_set


FORESEEN: dict[str, Callable[[Bot, Finding], Mended | Refused | None]] = {
    structure.NAME: _reform,
    permissions.NAME: _narrow,
    removals.NAME: _bring_back,
}
MENDS = {structure.NAME: _reformed, permissions.NAME: _narrowed, removals.NAME: _brought_back}
