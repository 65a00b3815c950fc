"""The hits of a search as items. Written out here and not in a template, as the items of `facts.py` are and for the same
reason."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.desk import shown
from memory.templatetags.facts import Words, escape, hands, words_of
from memory.web.search.filters import Chip, asked, can_be_named, with_filter
from memory.web.search.results import Part, Shown
from memory.web.search.suggestions import Hit as Place

BAR = 6  # height of the bar of a score, of a width of 100

register = template.Library()


@register.simple_tag(takes_context=True)
def found_items(context: Context, rows: Iterable[Shown]) -> SafeString:
    """The `<li>` of each hit; everything in them is escaped here."""
    words = words_of(context)
    score, listed = escape(_("score %(number)s")), escape(_("See it among the facts of its document"))
    url = reverse("memory:pin_add", args=[context["bot"].slug])
    pin = f'<button class="link" formaction="{url}" name="one" value="%s">{escape(_("Pin: this question must find it"))}</button>'
    return mark_safe("\n".join(_item(row, words, score, listed, pin) for row in rows))  # noqa: S308 - each part is escaped


def _item(row: Shown, words: Words, score: str, listed: str, pin: str) -> str:
    name = escape(row.name)
    pick, deeds = hands(row, name, words) if row.editable else ("", "")
    whole = f'… <a href="{words.open}{name}" data-whole>{words.all_of_it}</a>' if row.cut else ""
    return (
        f'<li id="f-{row.id}" data-row>{pick}<div class="said"><p class="fact">{row.text}{whole}</p></div>'
        f'<p class="about">{_about(row)}</p>{_ranked(row, score, listed, pin % name)}<p class="deeds">{deeds}</p></li>'
    )


def _about(row: Shown) -> str:
    place = escape(shown(row.place))
    link = (
        f'<a class="place mono" href="{escape(row.url)}">{place}</a>'
        if row.url
        else f'<span class="mono">{place}</span>'
    )
    heading = f"<span>{escape(shown(row.heading))}</span>" if row.heading else ""
    whose = f'<span class="tier {escape(row.tier)}">{escape(shown(row.where))}</span>'
    return f"{link}{whose}<span>{escape(row.about)}</span>{heading}<span>{escape(row.cost)}</span>"


def _ranked(row: Shown, score: str, listed: str, pin: str) -> str:
    number = score % {"number": escape(row.score)}
    parts = "".join(_part(part) for part in row.parts)
    among = f'<p><a href="{escape(row.list_url)}">{listed}</a></p>' if row.list_url else ""
    return (
        f'<details class="why"><summary><span>{escape(row.why)}</span> <span class="score">{number}</span></summary>'
        f"{_bar(row.parts)}<dl>{parts}</dl>{among}<p>{pin}</p></details>"
    )


def _part(part: Part) -> str:
    return f'<div><dt class="{part.name}">{escape(part.words)}</dt><dd>{escape(part.number)}</dd></div>'


def _bar(parts: Iterable[Part]) -> str:
    made, at = [], 0.0
    for part in parts:
        made.append(f'<rect class="{part.name}" x="{at:.1f}" width="{part.share:.1f}" height="{BAR}"/>')
        at += part.share
    return f'<svg viewBox="0 0 100 {BAR}" preserveAspectRatio="none" aria-hidden="true">{"".join(made)}</svg>'


@register.filter
def chips(some: Iterable[Chip]) -> SafeString:
    """Each filter as a link that adds it, or takes it out."""
    return mark_safe("\n".join(map(_chip, some)))  # noqa: S308 - each part is escaped


def _chip(chip: Chip) -> str:
    words = escape(shown(chip.label))
    if chip.is_on:
        title = escape(_("Take this filter out"))
        return f'<a class="on mono" href="{escape(chip.url)}" title="{title}">{words} <span aria-hidden="true">×</span></a>'
    return f'<a href="{escape(chip.url)}"><span{_tier(chip)}>{words}</span></a>'


def _tier(chip: Chip) -> str:
    return f' class="tier {escape(chip.tier)}"' if chip.tier else ""


@register.simple_tag(takes_context=True)
def search_in(context: Context, scope: str) -> str:
    """Where this chat is searched; "" if a query cannot name it."""
    address = reverse("memory:search", args=[context["bot"].slug])
    return address + asked(with_filter("", "chat", scope) + " ") if can_be_named(scope) else ""


@register.filter
def place_items(places: Iterable[Place]) -> SafeString:
    """The `<li>` of each place that is called like what was typed."""
    items = (
        f'<li><a href="{escape(one.url)}">{escape(shown(one.label))}</a> <span class="soft">{escape(shown(one.note))}</span></li>'
        for one in places
    )
    return mark_safe("\n".join(items))  # noqa: S308 - each part is escaped


@register.simple_tag
def near_options(places: Iterable[Place], facts: Iterable[tuple[Shown, SafeString]]) -> SafeString:
    """The options under the box behind the first one: places, then facts."""
    options = [(one.url, escape(shown(one.label)), one.note) for one in places]
    options += [(row.url, line, row.place) for row, line in facts]
    return mark_safe("\n".join(_near(number, *one) for number, one in enumerate(options, 1)))  # noqa: S308 - parts are escaped


def _near(number: int, url: str, words: str, note: str) -> str:
    return (
        f'<a role="option" id="near-{number}" tabindex="-1" aria-selected="false" href="{escape(url)}"><span>{words}</span> '
        f'<span class="soft">{escape(shown(note))}</span></a>'
    )
