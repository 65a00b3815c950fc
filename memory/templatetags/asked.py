"""The rows of what a language model was asked. Written out here and not in a template, as those of the jobs are."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe

from memory.templatetags.desk import shown
from memory.templatetags.facts import escape
from memory.web.model.calls import Call, Sum

register = template.Library()


@register.simple_tag
def spent_items(days: Iterable[tuple[str, Iterable[Sum]]]) -> SafeString:
    """The `<li>` of each day with the sums of its purposes; everything in them is escaped here."""
    return mark_safe("\n".join(_day(name, sums) for name, sums in days))  # noqa: S308 - each part is escaped


def _day(name: str, sums: Iterable[Sum]) -> str:
    return f"<li><h3>{escape(name)}</h3><ul>{''.join(map(_sum, sums))}</ul></li>"


def _sum(one: Sum) -> str:
    faults = f' <span class="faults">{escape(one.faults)}</span>' if one.faults else ""
    return (
        f'<li><span>{escape(one.purpose)}</span><span class="soft">{escape(one.calls)}{faults}</span>'
        f'<span class="soft">{escape(one.tokens)}</span><span class="num">{escape(one.money)}</span></li>'
    )


@register.simple_tag
def model_call_items(calls: Iterable[Call]) -> SafeString:
    """The `<li>` of each call; everything in them is escaped here."""
    return mark_safe("\n".join(map(_call, calls)))  # noqa: S308 - each part is escaped


def _call(call: Call) -> str:
    purpose = escape(call.purpose)
    named = f'<a href="{escape(call.url)}">{purpose}</a>' if call.url else f"<span>{purpose}</span>"
    time = f'<time datetime="{call.moment}" title="{escape(call.exactly)}">{escape(call.ago)}</time>'
    return (
        f'<li data-key="call-{call.pk}"><div>{named}<p class="small soft">{escape(shown(call.words))}</p></div>'
        f'<span class="when">{time}</span><span class="chip {call.level}">{escape(call.outcome)}</span></li>'
    )
