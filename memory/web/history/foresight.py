"""What an undo would do, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext as _

from memory import journal
from memory.bots import open_bot
from memory.curation.documents import sides_as_text
from memory.domain.changes import Delete
from memory.domain.errors import VaultError
from memory.models import Bot, Revision
from memory.text.merge.diff import Difference, ended
from memory.web.base.gauges import number_of
from memory.web.base.said import said
from memory.web.base.shown_text import isolated


@dataclass(frozen=True, slots=True)
class Foresight:
    """What an undo would do to each document now, or why it cannot be done."""

    sentences: Sequence[str] = ()
    refusal: str = ""


def foresee(
    bot: Bot,
    revisions: Sequence[Revision],
    moved: Mapping[str, str] = MappingProxyType({}),
    shown: Difference | None = None,
) -> Foresight:
    """What taking these revisions back would do to the documents as they are now, in sentences. `moved`: where each was before that
    was only moved; `shown`: what one of them changed, if that is known."""
    try:
        found = journal.foresee(bot, revisions)
    except VaultError as error:
        return Foresight(refusal=said(str(error)))
    if isinstance(found, journal.Conflict):
        return Foresight(refusal=said(found.reason))
    home = {moved[one.change.path] for one in found if isinstance(one.change, Delete) and one.change.path in moved}
    others = [one for one in found if one.change.path not in home and moved.get(one.change.path) not in home]
    sentences = [_forecast(bot, one, shown) for one in others if one.now is not None]
    if back := len(others) - len(sentences) + len(home):
        words = number_of("%(count)s file restored", "%(count)s files restored", back)
        sentences.append(words)
    return Foresight(sentences) if sentences else Foresight(refusal=_("Nothing to undo: the files already match."))


def _forecast(bot: Bot, one: journal.UndoPreview, shown: Difference | None) -> str:
    path, name = one.change.path, isolated(one.change.path)
    if isinstance(one.change, Delete):
        return _("%(path)s will be removed; it didn’t exist before.") % {"path": name}
    now, then = map(ended, sides_as_text(open_bot(bot).dialect, path, one.now, one.change.data))
    whole = shown if shown and (shown.old, shown.new) == (then, now) else Difference(then, now)
    again, gone = whole.counts
    if not gone and not again:
        return _("%(path)s: only line endings or invisible bytes.") % {"path": name}
    out = number_of("−%(count)s line", "−%(count)s lines", gone)
    back = number_of("+%(count)s line", "+%(count)s lines", again)
    sentence = _("%(path)s: %(out)s, %(back)s.") % {"path": name, "out": out, "back": back}
    return " ".join([sentence, _("Later edits are kept.")]) if one.joined else sentence
