"""Findings about documents that can be mended at once: each is one change, which can be seen and undone."""

from __future__ import annotations

from memory import index, journal
from memory.bots import open_bot
from memory.checks import permissions, removals, structure
from memory.curation import documents
from memory.domain.changes import Put, Stamp, digest, split_path
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused, refused
from memory.models import Bot, ChangeSet, Finding
from memory.text.markdown.oddities import Odd, mended
from memory.text.sentences import say

CHANGED = say("This file has changed since you looked. Nothing was changed now.")
ALL = 0o777
# What stays allowed of a file that others can change, and of one that they can read.
CLOSED = {permissions.WRITE: ~permissions.OTHERS_WRITE, permissions.READ: ~0o007}


def can_mend(finding: Finding) -> bool:
    """Whether there is a change that ends it."""
    if finding.rule == structure.NAME:
        return finding.key != structure.UNPARSED
    if finding.rule == removals.NAME:
        return True
    return finding.rule == permissions.NAME and finding.key in CLOSED


def mend(bot: Bot, finding: Finding, by: journal.By) -> ChangeSet | Refused:
    """End what is wrong with a document, or say why not."""
    try:
        done = MENDS[finding.rule](bot, finding, by)
    except (VaultError, journal.Busy) as error:
        return refused(error)
    except documents.Missing:
        return Refused(CHANGED)
    return done or Refused(CHANGED)


def _reformed(bot: Bot, finding: Finding, by: journal.By) -> ChangeSet | Refused | None:
    opened, odd = documents.opened(bot, finding.path), Odd(finding.key)
    text = mended(opened.text, odd)
    if text == opened.text:
        return None
    why = say("Closed a code fence") if odd is Odd.FENCE else say("Made a heading of a line")
    saved = documents.save(bot, opened.path, text, opened.sha256, by, why)
    if isinstance(saved, documents.Saved):
        return saved.change_set
    return saved if isinstance(saved, Refused) else None


def _narrowed(bot: Bot, finding: Finding, by: journal.By) -> ChangeSet | Refused | None:
    root, below = split_path(finding.path)
    vault = open_bot(bot).vaults.get(root)
    content = vault.read(below) if vault else None
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


MENDS = {structure.NAME: _reformed, permissions.NAME: _narrowed, removals.NAME: _brought_back}
