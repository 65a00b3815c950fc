"""The rows of what a job proposes. Written out here and not in a template, since a page has fifty of them, of many sources each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.models import Bot, Proposal
from memory.templatetags.facts import escape
from memory.web.base.gauges import grouped
from memory.web.jobs.proposal_rows import Row, Source

register = template.Library()
STRUCK = (Proposal.Action.SUPERSEDE,)  # what goes is struck through


@dataclass(frozen=True, slots=True)
class _Words:
    """What all rows share, ready to stand in HTML."""

    above: str
    select: str
    becomes: str
    newer: str
    stale: str
    change: str


@register.simple_tag
def proposal_items(bot: Bot, rows: Iterable[Row], picks: bool) -> SafeString:
    """The `<li>` of each proposal, with a box to tick if it `picks`; everything in them is escaped here."""
    words = _Words(
        above=escape(reverse("memory:change_set", args=[bot.slug, 0]).removesuffix("0")),
        select=escape(_("Select")),
        becomes=escape(_("becomes")),
        newer=escape(_("because of")),
        stale=escape(
            _("It is not there any more as it was, so it cannot be accepted. Refuse it, or do the job again.")
        ),
        change=escape(_("change %(number)s")),
    )
    return mark_safe("\n".join(_item(row, words, picks and row.open) for row in rows))  # noqa: S308 - each part is escaped


def _item(row: Row, words: _Words, picked: bool) -> str:
    box = f'<input class="select" type="checkbox" name="number" value="{row.number}" id="s-{row.number}">'
    pick = f'<label class="pick" for="s-{row.number}">{box}<span class="unseen">{words.select}</span></label>'
    said = f"{_sources(row)}{_becomes(row, words)}{_notes(row, words)}"
    fate = f'<span class="chip {row.level}">{escape(row.word)}</span>{_state(row, words)}'
    return (
        f'<li id="p-{row.number}" data-row>{pick if picked else ""}<div class="said">{said}</div>'
        f'<p class="fate">{fate}</p></li>'
    )


def _sources(row: Row) -> str:
    """The facts it is about; of a document written anew the messages behind it, folded away: they may be many."""
    items = _source_items(row)
    if items and row.action == Proposal.Action.REPLACE:
        number = len(row.sources) + row.more
        words = ngettext("Made from %(count)s message", "Made from %(count)s messages", number)
        summary = escape(words % {"count": grouped(number)})
        return f'<details class="aside"><summary>{summary}</summary>{items}</details>'
    return items


def _source_items(row: Row) -> str:
    tag = "del" if row.action in STRUCK else "span"
    plain = not (row.line or row.newer or row.blocks)
    goes = f' <span class="goes mono">→ {escape(row.goes)}</span>' if row.goes and plain else ""
    items = [f"<li>{_source(source, tag, goes)}</li>" for source in row.sources]
    if row.more:
        more = ngettext("and %(count)s more", "and %(count)s more", row.more) % {"count": grouped(row.more)}
        items.append(f'<li class="soft">{escape(more)}</li>')
    return f'<ul class="sources">{"".join(items)}</ul>' if items else ""


def _source(source: Source, tag: str, after: str = "") -> str:
    place = escape(source.place)
    link = f'<a href="{escape(source.url)}">{place}</a>' if source.url else place
    return f'<span class="place mono">{link}</span> <span><{tag} class="fact">{source.text}</{tag}>{after}</span>'


def _becomes(row: Row, words: _Words) -> str:
    """The newer fact, or what the sources become, and where it goes."""
    goes = f' <span class="goes mono">{escape(row.goes)}</span>' if row.goes else ""
    if row.newer:
        return f'<p class="becomes newer"><span class="soft">{words.newer}</span> {_source(row.newer, "span")}</p>'
    if row.blocks:
        return f'<p class="becomes onto">{goes}</p>' + render_to_string(
            "memory/base/_diff.html", {"blocks": row.blocks}
        )
    if row.line:
        return f'<p class="becomes"><span class="unseen">{words.becomes}</span><span class="fact">{row.line}</span>{goes}</p>'
    return ""


def _notes(row: Row, words: _Words) -> str:
    flags = "".join(f"<li>{escape(flag)}</li>" for flag in row.flags)
    losses = "".join(f"<li>{escape(loss)}</li>" for loss in row.losses)
    stale = f'<p class="warned">{words.stale}</p>' if row.stale else ""
    return "".join(
        [
            f'<ul class="losses">{losses}</ul>' if losses else "",
            f'<ul class="flags">{flags}</ul>' if flags else "",
            stale,
        ]
    )


def _state(row: Row, words: _Words) -> str:
    if not row.state:
        return ""
    where = ""
    if row.set_pk:
        where = f' <a href="{words.above}{row.set_pk}">{words.change % {"number": row.set_pk}}</a>'
    return f' <span class="chip {row.state_level}">{escape(row.state)}</span>{where}'
