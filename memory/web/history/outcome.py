"""What an undo, going back or an import did, in words."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from memory.journal.undone import root_of
from memory.models import Bot, ChangeSet, Lineage, Revision
from memory.web.base.change_rows import not_standing
from memory.web.base.gauges import number_of
from memory.web.base.headlines import headline, undone_in
from memory.web.base.said import said
from memory.web.base.toasts import say_done


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
    words = " · ".join(filter(None, [title_of(bot, made, []), back if returned else "", said(made.note)]))
    messages.success(request, words, extra_tags=f"undo-{made.pk}{'' if is_redo else ' redo'}")


def tell_import(request: HttpRequest, made: ChangeSet) -> None:
    """The same of an import."""
    count = made.revisions.count()
    words = number_of("Imported %(count)s file", "Imported %(count)s files", count)
    say_done(request, words, made)
