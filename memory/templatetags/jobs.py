"""The lines of the list of jobs. Written out here and not in a template, as those of the history are."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from memory.models import Bot
from memory.templatetags.desk import shown
from memory.templatetags.facts import escape
from memory.web.jobs.views import Line

register = template.Library()


@register.simple_tag
def job_items(bot: Bot, lines: Iterable[Line]) -> SafeString:
    """The `<li>` of each job; everything in them is escaped here."""
    above = escape(reverse("memory:jobs", args=[bot.slug]))
    return mark_safe("\n".join(_item(line, above) for line in lines))  # noqa: S308 - each part is escaped


def _item(line: Line, above: str) -> str:
    note = f'<p class="small soft">{escape(shown(line.note))}</p>' if line.note else ""
    time = f'<time datetime="{line.moment}" title="{escape(line.exactly)}">{escape(line.ago)}</time>'
    return (
        f'<li data-key="job-{line.pk}"><div><a href="{above}{line.pk}">{escape(line.kind)}</a> '
        f'<span class="soft">{escape(shown(line.about))}</span>{note}</div>'
        f'<span class="when">{escape(shown(line.by))} · {time}</span>'
        f'<span class="chip {line.level}">{escape(line.state)}</span></li>'
    )
