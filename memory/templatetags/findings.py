"""The rows of what was found. Written out here and not in a template, for the reason that facts.py has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.desk import here
from memory.templatetags.facts import opener
from memory.web.checks.findings import REASON, Row, Spot

register = template.Library()
# What htmx does with a form of this page: the list and the messages come anew.
_HTMX = 'hx-target="#live" hx-select="#live" hx-select-oob="#messages" hx-swap="outerHTML" hx-sync="this:drop"'


@dataclass(frozen=True, slots=True)
class _Words:
    """What all rows share, ready to stand in HTML."""

    open: str
    above: str
    edit: str
    forget: str
    move: str
    move_title: str
    ignore: str
    why: str
    heed: str
    all_of_it: str
    found: str
    also: str


@register.simple_tag(takes_context=True)
def finding_items(context: Context, rows: Sequence[Row]) -> SafeString:
    """The `<li>` of each finding; everything in them is escaped here. They stand in a form; each has one of its own beside it,
    which `finding_forms` writes."""
    words = _words(context)
    return mark_safe("\n".join(_item(row, words) for row in rows))  # noqa: S308 - each part is escaped


@register.simple_tag(takes_context=True)
def finding_forms(context: Context, rows: Sequence[Row]) -> SafeString:
    """For each finding the form that its fields belong to: Enter in one of them must not press another row's button."""
    token, back = escape(str(context["csrf_token"])), escape(here(context))
    above = reverse("memory:findings", args=[context["bot"].slug])
    hidden = f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}"><input type="hidden" name="next" value="{back}">'
    forms = (
        f'<form id="finding-{row.pk}" method="post" action="{(url := _url(above, row))}" hx-post="{url}" {_HTMX}>{hidden}</form>'
        for row in rows
    )
    return mark_safe("\n".join(forms))  # noqa: S308 - each part is escaped


def _url(above: str, row: Row) -> str:
    return f"{above}{row.pk}/{'heed' if row.ignored else 'ignore'}"


def _words(context: Context) -> _Words:
    slug = context["bot"].slug
    return _Words(
        open=escape(opener(context)),
        above=reverse("memory:findings", args=[slug]),
        edit=escape(_("Edit")),
        forget=escape(_("Forget")),
        move=escape(_("Move to its chat")),
        move_title=escape(_("Into the chat's own memory, and away from here")),
        ignore=escape(_("Ignore")),
        why=escape(_("Why it is no trouble")),
        heed=escape(_("Take back")),
        all_of_it=escape(_("All of it")),
        found=escape(_("found")),
        also=escape(_("Also in")),
    )


def _item(row: Row, words: _Words) -> str:
    name = escape(row.name)
    whole = f'… <a href="{words.open}{name}" data-whole>{words.all_of_it}</a>' if row.cut and name else ""
    also = f"<span>{words.also} {_spot(row.other)}</span>" if row.other else ""
    about = f"{_spot(row.here)}{also}<span>{words.found} {escape(row.found)}</span>"
    if row.ignored:
        reason = f"<q>{escape(row.reason)}</q> " if row.reason else ""
        why = f"{reason}{escape(row.ignored)}"
        deeds = f'<button form="finding-{row.pk}">{words.heed}</button>'
    else:
        why, deeds = escape(row.why), _deeds(row, name, words)
    return (
        f'<li id="finding-row-{row.pk}" data-row><div class="said"><p class="fact">{escape(row.text)}{whole}</p></div>'
        f'<p class="why">{why}</p><p class="about">{about}</p><div class="deeds">{deeds}</div></li>'
    )


def _deeds(row: Row, name: str, words: _Words) -> str:
    url = f"{words.above}{row.pk}/move"
    move = (
        f'<button form="finding-{row.pk}" formaction="{url}" hx-post="{url}" {_HTMX} title="{words.move_title}">'
        f"{words.move}</button>"
    )
    hands = f'<a href="{words.open}{name}" data-edit>{words.edit}</a>'
    hands += move if row.moves else ""
    hands += f'<button name="one" value="{name}">{words.forget}</button>'
    return (
        f'{hands if name else ""}<details><summary>{words.ignore} …</summary><div class="ignoring">'
        f'<label for="why-{row.pk}">{words.why}</label>'
        f'<input id="why-{row.pk}" form="finding-{row.pk}" name="why" maxlength="{REASON}" autocomplete="off">'
        f'<button form="finding-{row.pk}">{words.ignore}</button></div></details>'
    )


def _spot(spot: Spot) -> str:
    whose = escape(spot.whose)
    whose = f'<a href="{escape(spot.whose_url)}">{whose}</a>' if spot.whose_url else whose
    place = escape(spot.place)
    place = f'<a href="{escape(spot.url)}">{place}</a>' if spot.url else place
    return f'<span class="tier {spot.tier}">{whose}</span> {place}'
