"""What rows of facts share where they are written out in Python."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape as escape_plain
from typing import Protocol
from urllib.parse import quote

from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memory.templatetags.desk import here


def escape(text: str) -> str:
    """As Django's conditional_escape does it for strings, which would ask three times what kind of text this is."""
    return text if isinstance(text, SafeString) else escape_plain(text)


class Named(Protocol):
    """What has to be known of a row so that hands can be laid on it."""

    @property
    def id(self) -> str: ...

    @property
    def promotes(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Words:
    """What all items of a list share, ready to stand in HTML: addresses and words."""

    open: str
    promote_url: str
    select: str
    edit: str
    promote: str
    promote_title: str
    forget: str
    all_of_it: str


def opener(context: Context) -> str:
    """Where a fact of this page is opened, up to its name; one comes back from there to this page."""
    entry = reverse("memory:entry", args=[context["bot"].slug])
    return f"{entry}?next={quote(here(context), safe='')}&fact="


def words_of(context: Context) -> Words:
    """What the items of a list on this page share."""
    slug = context["bot"].slug
    return Words(
        open=escape(opener(context)),
        promote_url=reverse("memory:entry_promote", args=[slug]),
        select=escape(_("Select")),
        edit=escape(_("Edit")),
        promote=escape(_("Promote")),
        promote_title=escape(_("Move it into long-term memory")),
        forget=escape(_("Forget")),
        all_of_it=escape(_("All of it")),
    )


def hands(row: Named, name: str, words: Words) -> tuple[str, str]:
    """The box that selects a row, and what can be done to it."""
    box = f'<input class="select" type="checkbox" name="fact" value="{name}" id="s-{row.id}">'
    pick = f'<label class="pick" for="s-{row.id}">{box}<span class="unseen">{words.select}</span></label>'
    promote = (
        f'<button class="link" formaction="{words.promote_url}" name="one" value="{name}" title="{words.promote_title}">'
        f"{words.promote}</button>"
    )
    forget = f'<button class="link" name="one" value="{name}">{words.forget}</button>'
    edit = f'<a href="{words.open}{name}" data-edit>{words.edit}</a>'
    return pick, f"{edit}{promote if row.promotes else ''}{forget}"
