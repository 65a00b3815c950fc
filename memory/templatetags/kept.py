"""Parts of a page that are the same as last time, rendered once: most of a page's cost is its frame."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation.trans_real import catalog

from memory.templatetags.desk import here

MOST = 256  # variants of one part that are remembered

register = template.Library()
_salt = secrets.token_hex(8)  # nobody can put a mark into a name
CSRF, HERE = f"csrf-{_salt}", f"here-{_salt}"
_MARKS = re.compile(f"({CSRF}|{HERE})")


class Kept(template.Node):
    """Renders its inside from the named values alone, so that what it remembers for one person can be shown to another."""

    def __init__(self, inside: NodeList, given: Mapping[str, FilterExpression]) -> None:
        self.inside = inside
        self.given = given
        self.known: dict[tuple[Any, ...], Sequence[str]] = {}

    def render(self, context: Context) -> SafeString:
        values = {name: expression.resolve(context) for name, expression in self.given.items()}
        key = (catalog(), *values.values())
        pieces = self.known.get(key)
        if pieces is None:
            if len(self.known) >= MOST:
                self.known.clear()
            pieces = self.known[key] = self._pieces(context, values)
        return mark_safe("".join(_filled(piece, context) for piece in pieces))  # noqa: S308 - rendered by a template

    def _pieces(self, context: Context, values: dict[str, Any]) -> Sequence[str]:
        marked = context.new({**values, "csrf_token": mark_safe(CSRF), "here": mark_safe(HERE)})  # noqa: S308 - two constants
        return _MARKS.split(self.inside.render(marked))


def _filled(piece: str, context: Context) -> str:
    """A piece as it is, or what stands in the place of a mark for this very request."""
    if piece == CSRF:
        return str(context.get("csrf_token", ""))
    return escape(here(context)) if piece == HERE else piece


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """`{% kept slug=bot.slug place=place %}…{% endkept %}`: inside there is nothing but the named values, which must be hashable,
    `{% csrf_token %}`, and `{{ here }}` for the address of the page."""
    given = token_kwargs(token.split_contents()[1:], parser)
    inside = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(inside, given)
