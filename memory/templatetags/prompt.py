"""The rows of a prompt. Written out here and not in a template, for the reason that facts.py has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.templatetags.desk import shown
from memory.templatetags.facts import opener
from memory.web.base.gauges import grouped
from memory.web.base.said import said
from memory.web.prompts.left_out import Group, Out
from memory.web.prompts.rows import WIDE, Head, Line
from memory.web.prompts.sums import Cut, Paper, Share

register = template.Library()


@dataclass(frozen=True, slots=True)
class _Words:
    """What all rows share, ready to stand in HTML."""

    open: str
    edit: str
    tokens: str
    all_of_it: str


@register.simple_tag
def share_items(shares: Iterable[Share]) -> SafeString:
    """The `<rect>` of each part of the bar."""
    rects = (
        f'<rect class="{one.tier or "fixed"}" x="{one.x}" width="{one.width}" height="26"></rect>' for one in shares
    )
    return mark_safe("".join(rects))  # noqa: S308 - tiers and numbers


@register.simple_tag
def legend_items(shares: Iterable[Share]) -> SafeString:
    """The `<li>` that says what each part of the bar is."""
    items = (
        f'<li class="tier {one.tier}">{escape(said(one.name))} <strong>{escape(grouped(one.tokens))}</strong></li>'
        for one in shares
    )
    return mark_safe("".join(items))  # noqa: S308 - each part is escaped


@register.simple_tag
def paper_rows(papers: Iterable[Paper]) -> SafeString:
    """The `<tr>` of each document in the prompt."""
    return mark_safe("".join(map(_paper, papers)))  # noqa: S308 - each part is escaped


def _paper(paper: Paper) -> str:
    called = f'<span class="mono">{escape(paper.called)}</span>' if paper.called else escape(_("The bot's own words"))
    if paper.url:
        called = f'<a class="mono" href="{escape(paper.url)}">{escape(paper.called)}</a>'
    numbers = (grouped(paper.facts) if paper.facts else "", grouped(paper.tokens), f"{paper.percent} %")
    return f"<tr><td>{called}</td>" + "".join(f'<td class="num">{escape(one)}</td>' for one in numbers) + "</tr>"


@register.simple_tag
def left_out_items(groups: Iterable[Group]) -> SafeString:
    """The `<li>` of each reason: one document beside it, more of them folded."""
    return mark_safe("".join(_group(group, at) for at, group in enumerate(groups, 1)))  # noqa: S308 - each part is escaped


def _group(group: Group, at: int) -> str:
    why = escape(said(group.why))
    if len(group.some) == 1:
        only = group.some[0]
        age = f'<span class="when">{escape(said(only.age))}</span>' if only.age else ""
        return f'<li><span>{_out(only)} <span class="soft">{why}</span></span>{age}</li>'
    ages = (f' <span class="soft small">{escape(said(one.age))}</span>' if one.age else "" for one in group.some)
    items = "".join(f"<li>{_out(one)}{age}</li>" for one, age in zip(group.some, ages, strict=True))
    chip = f'<span class="chip">{grouped(sum(one.count for one in group.some) + group.more)}</span>'
    papers = f'<ul class="papers">{items}{_and_more(group.more)}</ul>'
    return f'<li><details id="out-{at}"><summary>{why} {chip}</summary>{papers}</details></li>'


def _out(one: Out) -> str:
    path = escape(shown(one.path))
    count = f' <span class="chip">{grouped(one.count)}</span>' if one.count > 1 else ""
    named = f'<a class="mono" href="{escape(one.url)}">{path}</a>' if one.url else f'<span class="mono">{path}</span>'
    return named + count


def _and_more(number: int) -> str:
    if not number:
        return ""
    words = ngettext("and %(shown)s more", "and %(shown)s more", number) % {"shown": grouped(number)}
    return f'<li class="soft">{escape(words)}</li>'


@register.simple_tag(takes_context=True)
def prompt_items(context: Context, rows: Iterable[Head | Line | Cut]) -> SafeString:
    """The `<li>` of each row; everything in them is escaped here."""
    words = _Words(
        open=escape(opener(context)),
        edit=escape(_("Edit")),
        tokens=f'<span class="unseen"> {escape(_("tokens"))}</span>',
        all_of_it=escape(_("All of it")),
    )
    return mark_safe("\n".join(_item(row, words) for row in rows))  # noqa: S308 - each part is escaped


def _item(row: Head | Line | Cut, words: _Words) -> str:
    if isinstance(row, Line):
        return _line(row, words)
    return _head(row, words) if isinstance(row, Head) else _cut(row)


def _head(head: Head, words: _Words) -> str:
    text = escape(head.text)
    if head.words:
        text = f'<details id="own-{head.at}"><summary>{text}</summary><p>{escape(head.words)}</p></details>'
    cost = f'<span class="cost">{grouped(head.tokens)}{words.tokens}</span>'
    return f'<li class="part {head.tier}"><div class="said as-read">{text}</div>{cost}</li>'


def _cut(cut: Cut) -> str:
    return f'<li class="cut"><strong>{escape(cut.words)}</strong> {escape(cut.told)}</li>'


def _line(line: Line, words: _Words) -> str:
    name = escape(line.name)
    place = f'<a class="place" href="{escape(line.url)}">{escape(line.place)}</a>' if line.url else ""
    edit = f'<p class="deeds"><a href="{words.open}{name}" data-edit>{words.edit}</a></p>' if name else ""
    return (
        f'<li id="f-{line.id}" data-row{_kind(line)}><div class="said"><p class="fact">{escape(line.text)}'
        f'{_more(line, name, words)}</p></div>{_bar(line)}<span class="cost">{grouped(line.tokens)}{words.tokens}</span>'
        f"{place}{edit}</li>"
    )


def _kind(line: Line) -> str:
    kinds = (("beyond", line.beyond), ("mends", line.name), ("blank", not line.text), ("goes-on", line.goes_on))
    found = " ".join(kind for kind, holds in kinds if holds)
    return f' class="{found}"' if found else ""


def _bar(line: Line) -> str:
    if not line.weight:
        return ""
    bar = f'<rect width="{line.weight}" height="6"/>'
    return f'<svg class="weight {line.tier}" viewBox="0 0 {WIDE} 6" aria-hidden="true">{bar}</svg>'


def _more(line: Line, name: str, words: _Words) -> str:
    if not line.left:
        return ""
    link = f' <a href="{words.open}{name}" data-whole>{words.all_of_it}</a>' if name else ""
    return f' <span class="soft">{escape(line.left)}</span>{link}'
