"""The items of a list of facts. Written out here and not in a template, since a page has a hundred of them: a template takes
some 150 µs for each, this takes ten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape as escape_plain
from typing import Protocol
from urllib.parse import quote

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.desk import here
from memory.web.base.fact_rows import Row

REMEMBERED = 1024  # lines about facts that were written lately

register = template.Library()


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


@register.simple_tag(takes_context=True)
def fact_items(context: Context, rows: Iterable[Row]) -> SafeString:
    """The `<li>` of each row; everything in them is escaped here."""
    words = words_of(context)
    return mark_safe("\n".join(_item(row, words) for row in rows))  # noqa: S308 - each part is escaped


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


def _item(row: Row, words: Words) -> str:
    name = escape(row.name)
    head = (
        f'<li class="heading"><a href="{escape(row.heading_url)}">{escape(row.heading)}</a></li>' if row.heading else ""
    )
    time = f"<time>{escape(row.time)}</time>" if row.time else ""
    whole = f'… <a href="{words.open}{name}" data-whole>{words.all_of_it}</a>' if row.cut else ""
    more = f'<a class="more" href="{escape(row.more_url)}">{escape(row.more)}</a>' if row.more else ""
    pick, deeds = hands(row, name, words) if row.editable else ("", "")
    about = _about(row.tier, row.where, row.place, row.url, row.source, row.cost)
    return (
        f'{head}<li id="f-{row.id}" data-row>{pick}{time}<div class="said"><p class="fact">{escape(row.text)}{whole}</p>{more}'
        f'</div><p class="about">{about}</p><p class="deeds">{deeds}</p></li>'
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


@lru_cache(REMEMBERED)
def _about(tier: str, where: str, place: str, url: str, source: str, cost: str) -> str:
    """Escaped whatever it is: what is remembered must not tell safe text from other text that reads the same."""
    whose = f'<span class="tier {escape_plain(tier)}">{escape_plain(where)}</span>' if where else ""
    there = f'<a href="{escape_plain(url)}">{escape_plain(place)}</a>' if place else ""
    who = f"<span>{escape_plain(source)}</span>" if source else ""
    return f"{whose}{there}{who}<span>{escape_plain(cost)}</span>"
