"""What a search found, said for a page: where each fact stands, its text with marks, why it is there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils import formats
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.domain.dialect import LOGS, Dialect, Kind
from memory.models import Bot
from memory.search import Hit, Why
from memory.text.markdown.context import speaker
from memory.text.words.excerpt import Span, window
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import names_of
from memory.web.base.dates import day
from memory.web.base.fact_rows import cost, named
from memory.web.base.marks import marked
from memory.web.documents.editor_state import TITLES

MOST_SHOWN = 420  # characters of one hit; the rest is a link away
MOST_LINES = 8
LEAST = 0.005  # of a part of a score that is told
LINE = 110  # characters of a hit that has one line only
_BREAK = re.compile(r"[^\S ]")  # space that is no blank


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score: its name among the styles, its words and number, and which part of the whole it is (percent), after
    how much of it."""

    name: str
    words: str
    number: str
    share: float
    start: float


@dataclass(frozen=True, slots=True)
class Shown:
    """A hit in a list. Everything is said already; what is "" is not shown. `text` is safe, `cut` if there is more of it."""

    id: str
    name: str  # what forms call it
    text: SafeString
    cut: bool
    place: str  # MEMORY.md:7, with `url` where that line is
    url: str
    list_url: str
    about: str  # which document it is, or which day and time
    heading: str
    tier: str
    where: str
    cost: str
    score: str
    why: str
    parts: tuple[Part, ...]
    editable: bool
    promotes: bool


def shown_hits(bot: Bot, hits: Sequence[Hit]) -> tuple[list[Shown], dict[str, str]]:
    """Hits as rows, and what people call the chats they belong to, most of them first; one statement."""
    scopes = [hit.scope for hit in hits if hit.scope]
    called = names_of(bot, set(scopes)) if scopes else {}
    often = sorted(dict.fromkeys(scopes), key=scopes.count, reverse=True)
    names = {scope: called.get(scope, scope) for scope in often}
    family, text_at, list_at = open_bot(bot).dialect, addresses("document", bot), addresses("facts", bot)
    words = _part_words()
    rows = [_shown(hit, family, names, words, text_at(hit.path), list_at(hit.path)) for hit in hits]
    return rows, names


def _shown(
    hit: Hit, family: Dialect, names: Mapping[str, str], words: Mapping[str, str], url: str, list_url: str
) -> Shown:
    place = family.describe(hit.path)
    start, end = window(hit.text, hit.marks, MOST_SHOWN, MOST_LINES)
    at = "?" + urlencode({"line": hit.line})
    return Shown(
        id=str(hit.id),
        name=named(hit.path, hit.key, hit.nth),
        text=_stretch(hit.text, hit.marks, start, end),
        cut=end - start < len(hit.text),
        place=f"{hit.path}:{hit.line}",
        url=url and url + at,
        list_url=list_url and list_url + at,
        about=_about(hit),
        heading=hit.heading,
        tier=hit.tier,
        where=names.get(hit.scope, hit.scope) if hit.scope else _("shared"),
        cost=cost(hit.tokens),
        score=_number(round(hit.score, 2)),
        why=why_words(hit),
        parts=tuple(_parts(hit.why, words)),
        editable=place is not None and place.editable,
        promotes=hit.kind in LOGS and bool(hit.day) and family.path(Kind.LONG_TERM, hit.scope) is not None,
    )


def _stretch(text: str, marks: Sequence[Span], start: int, end: int, after: str = "") -> SafeString:
    """A stretch of a text with what was looked for marked, and dots where it is cut off before."""
    before = "…" if start else ""
    moved = len(before) - start
    within = ((first + moved, min(last, end) + moved) for first, last in marks if start <= first < end)
    return marked(f"{before}{text[start:end]}{after}", within)


def one_line(hit: Hit) -> SafeString:
    """As much of a hit as stands in one line, with marks."""
    flat = _BREAK.sub(" ", hit.text)
    start, end = window(flat, hit.marks, LINE, 1)
    return _stretch(flat, hit.marks, start, end, "…" if end < len(flat) else "")


def why_words(hit: Hit) -> str:
    """Why a hit is one, as a sentence without an end: says “boat”; under “Projects”; beside “dentist”."""
    why, said = hit.why, []
    if why.words:
        said.append(_("matches %(words)s") % {"words": _quoted(why.words)})
    if why.speaks and (name := speaker(hit.text)):
        said.append(_("by %(name)s") % {"name": name})
    elif why.about:
        said.append(_("under %(words)s") % {"words": _quoted(why.about)})
    if why.beside:
        said.append(_("near %(words)s") % {"words": _quoted(why.beside)})
    told = ((why.date, _("from that date")), (why.alike, _("similar meaning")))
    said += [words for value, words in told if value > 0]
    return "; ".join(said)


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(_("“%(word)s”") % {"word": word} for word in words)


def _part_words() -> Mapping[str, str]:
    """What the parts of a score are called, by their names in Why; looked up once for all hits of a page."""
    return {
        "own": _("own words"),
        "neighbours": _("nearby facts"),
        "document": _("file"),
        "speaker": _("author"),
        "date": _("date"),
        "recent": _("recency"),
        "alike": _("meaning"),
    }


def _parts(why: Why, words: Mapping[str, str]) -> Iterator[Part]:
    """What a score is the sum of; shares are of all that adds to it."""
    values = {name: float(getattr(why, name)) for name in words}
    total = sum(value for value in values.values() if value > 0)
    start = 0.0
    for name, value in values.items():
        if abs(value) >= LEAST:
            share = round(100 * max(value, 0.0) / total, 1) if total else 0.0
            yield Part(name, words[name], _number(round(value, 2)), share, start)
            start += share


def _about(hit: Hit) -> str:
    if hit.kind in LOGS and hit.day:
        return f"{day(hit.day)}, {hit.time}" if hit.time else day(hit.day)
    title = str(TITLES[Kind(hit.kind)]) if hit.kind in TITLES else ""
    return f"{title}, {hit.time}" if title and hit.time else title or hit.time


def _number(value: float) -> str:
    return formats.number_format(value, 2)
