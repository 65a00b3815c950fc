"""What the palette found, as a list: written out here and not in a template, which takes some 20 µs for each word of it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.template import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.safestring import SafeString, mark_safe

from memory.templatetags.desk import shown
from memory.web.search.suggestions import Hit

register = template.Library()


@register.simple_tag(takes_context=True)
def hit_items(context: Context, hits: Iterable[Hit]) -> SafeString:
    """The `<li>` of each hit: a link, or a form with a button."""
    token = CsrfTokenNode().render(context)
    items = (
        f'<li>{_deed(hit, token) if hit.posts else _link(hit)}<span class="when">{escape(shown(hit.note))}</span>'
        f"{f'<kbd>{escape(hit.keys)}</kbd>' if hit.keys else ''}</li>"
        for hit in hits
    )
    return mark_safe("\n".join(items))  # noqa: S308 - each part is escaped


def _link(hit: Hit) -> str:
    return f'<a href="{escape(hit.url)}">{escape(shown(hit.label))}</a>'


def _deed(hit: Hit, token: str) -> str:
    button = f'<button class="link"{_value(hit)}>{escape(shown(hit.label))}</button>'
    return f'<form method="post" action="{escape(hit.url)}">{token}{button}</form>'


def _value(hit: Hit) -> str:
    return f' name="{escape(hit.field)}" value="{escape(hit.value)}"' if hit.field else ""


@register.filter
def hit_options(hits: Iterable[Hit]) -> SafeString:
    """Each hit as an option of the palette."""
    return mark_safe("\n".join(_option(number, hit) for number, hit in enumerate(hits, 1)))  # noqa: S308 - parts are escaped


def _option(number: int, hit: Hit) -> str:
    about = f'role="option" id="option-{number}" tabindex="-1" aria-selected="false"'
    keys = f" <kbd>{escape(hit.keys)}</kbd>" if hit.keys else ""
    inside = f'<span>{escape(shown(hit.label))}</span> <span class="soft">{escape(shown(hit.note))}</span>{keys}'
    if hit.posts:
        return f'<button {about} form="do" formaction="{escape(hit.url)}"{_value(hit)}>{inside}</button>'
    return f'<a {about} href="{escape(hit.url)}">{inside}</a>'
