"""The parts of a long document as a list: there may be a hundred."""

from __future__ import annotations

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.templatetags.desk import shown
from memory.web.base.gauges import grouped
from memory.web.documents.sections import Shown

register = template.Library()


@register.simple_tag
def part_items(part: Shown, url: str) -> SafeString:
    """The parts of the document at this address as list items with the lines that they begin with, the one that is shown marked."""
    here = ' aria-current="page"'
    words = _("from line %(line)s")
    items = (
        f'<li data-row><a href="{escape(url)}?part={number}"{here if number == part.number else ""}>'
        f"{escape(str(shown(one.title))) or number}</a> "
        f'<span class="small">{words % {"line": grouped(one.line)}}</span></li>'
        for number, one in enumerate(part.all, 1)
    )
    return mark_safe("".join(items))  # noqa: S308 - each is escaped above
