"""An undo in words: what it would do, what it did and what is there again; going back and an import likewise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from memory import journal
from memory.bots import open_bot
from memory.curation.documents import sides_as_text
from memory.domain.changes import Delete
from memory.domain.errors import VaultError
from memory.journal import versions
from memory.journal.undone import root_of
from memory.models import Bot, ChangeSet, Lineage, Revision
from memory.text.merge.diff import Difference, end_last_line
from memory.text.storable import as_utf8
from memory.web.base.change_rows import not_standing
from memory.web.base.changed_words import LARGEST, changed
from memory.web.base.gauges import number_of
from memory.web.base.headlines import headline, undone_in
from memory.web.base.shown_text import isolated
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate

TOLD = 3  # documents of an undo whose words are told


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
        return Foresight(refusal=translate(str(error)))
    if isinstance(found, journal.Conflict):
        return Foresight(refusal=translate(found.reason))
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
    now, then = map(end_last_line, sides_as_text(open_bot(bot).dialect, path, one.now, one.change.data))
    whole = shown if shown and (shown.old, shown.new) == (then, now) else Difference(then, now)
    again, gone = whole.counts
    if not gone and not again:
        return _("%(path)s: only line endings or invisible bytes.") % {"path": name}
    out = number_of("−%(count)s line", "−%(count)s lines", gone)
    back = number_of("+%(count)s line", "+%(count)s lines", again)
    sentence = _("%(path)s: %(out)s, %(back)s.") % {"path": name, "out": out, "back": back}
    return " ".join([sentence, _("Later edits are kept.")]) if one.joined else sentence


def title_of(bot: Bot, one: ChangeSet, first: list[Revision]) -> str:
    """What a change set did; of an undo what it undid, and of its undo what is there again."""
    about, is_redo = root_of(one)
    if about is one and one.kind == ChangeSet.Kind.COMPACTION and not_standing(one):
        return _("Compaction")  # its headline says what it did
    if about is not one and about.kind == ChangeSet.Kind.COMPACTION:
        where = {"where": undone_in(bot, one)}
        if where["where"]:
            return (_("Compaction redone in %(where)s") if is_redo else _("Compaction undone in %(where)s")) % where
        return _("Compaction redone") if is_redo else _("Compaction undone")
    return headline(bot, one, first)


def tell(request: HttpRequest, bot: Bot, made: ChangeSet) -> None:
    """Say on the next page what an undo or going back did, as History does, and what went differently; with Undo or Redo."""
    is_redo = made.kind == ChangeSet.Kind.RESTORE or root_of(made)[1]
    returned = 0 if is_redo else made.lineage.filter(how=Lineage.How.RETURNED).count()
    back = number_of("%(count)s fact restored", "%(count)s facts restored", returned)
    words = " · ".join(filter(None, [title_of(bot, made, []), back if returned else "", translate(made.note)]))
    messages.success(request, words, extra_tags=f"undo-{made.pk}{'' if is_redo else ' redo'}")


def tell_import(request: HttpRequest, made: ChangeSet) -> None:
    """The same of an import."""
    count = made.revisions.count()
    words = number_of("Imported %(count)s file", "Imported %(count)s files", count)
    say_done(request, words, made)


def brought_back(one: ChangeSet, revisions: Iterable[Revision], count: int) -> dict[str, object]:
    """What an undo brought back; the words are those of its first `revisions`, of `count` files. `as_of`: when the documents were
    last what they are now to the byte, None where something else stands in them since; `others` are documents whose words are not
    told."""
    words = [told for revision in revisions if (told := _words(revision))]
    return {"as_of": _as_of(one), "words": words, "others": count - len(words)}


def _words(revision: Revision) -> dict[str, object] | None:
    """What changed in one document."""
    if max(revision.size_before or 0, revision.size_after or 0) > LARGEST:
        return None
    try:
        before, after = versions.sides(revision)
    except versions.Forgotten:
        return None
    dialect = open_bot(revision.bot).dialect
    told = changed(dialect, revision.path, before or b"", after or b"")
    return {"path": as_utf8(revision.path), "changed": told} if told else None


def _as_of(one: ChangeSet) -> datetime | None:
    """When the undone change was made, if each document is now what it was before it: nothing was written there since."""
    undone = one.undoes
    if undone is None or _changed_since(one):
        return None
    before = dict(undone.revisions.filter(done=True).order_by("-id").values_list("path", "before"))
    now = one.revisions.values_list("path", "after", "done")
    return undone.created if all(done and before.get(path) == after for path, after, done in now) else None


def _changed_since(one: ChangeSet) -> bool:
    """Whether anything was written to the documents of a change after it."""
    later = Revision.objects.filter(bot=one.bot_id, change_set__gt=one, done=True)
    return later.filter(path__in=one.revisions.values("path")).exists()
