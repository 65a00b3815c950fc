"""What a search found, said for a page: where each fact stands, its text with marks, why it is there; one that was edited here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import urlencode

from django.db.models import F
from django.utils import formats
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.curation import lineage, pins
from memory.domain.dialect import Dialect
from memory.domain.places import LOGS, Kind
from memory.models import Bot, Fact
from memory.search import Hit, Why
from memory.text.markdown.context import speaker
from memory.text.words.excerpt import Span, window
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import names_of, own_name
from memory.web.base.dates import near
from memory.web.base.fact_rows import cost, fact_name, status_words
from memory.web.base.file_links import leading
from memory.web.base.markdown import Leads, nowhere
from memory.web.base.marks import rendered
from memory.web.documents.editor_state import TITLES

MOST_SHOWN = 420  # characters of one hit; the rest is a link away
MOST_LINES = 8
LEAST = 0.005  # of a part of a score that is told
LINE = 110  # characters of a hit that has one line only
MOST_STAYS = 20  # hits that were edited, in an address
_STAY = re.compile(r"(\d{1,3})\.(\d{1,3}):(.+):(\w{1,32})", re.ASCII)
_OF_A_FACT = ("id", "line", "end_line", "time", "text", "heading", "key", "nth", "tokens")
_OF_A_DOCUMENT = ("path", "kind", "tier", "scope", "day")
_BREAK = re.compile(r"[^\S ]")  # space that is no blank


@dataclass(frozen=True, slots=True)
class HitRow:
    """A hit in a list. Everything is said already; what is "" is not shown. `text` is safe, `cut` if there is more of it; `stays`
    names it as one that is edited where it stands."""

    id: str
    name: str  # what forms call it
    text: SafeString
    is_long: bool  # several lines of markdown
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
    parts: tuple[dict[str, object], ...]
    editable: bool
    promotes: bool
    path: str
    key: str
    line: int
    when: str  # the time of its day
    told: str  # what its document is, or of which day
    stays: str = ""
    status: str = ""  # its word, where the bot reads it otherwise than most
    pinned: bool = False


def grouped(rows: Sequence[HitRow], url_of: Callable[[str], str]) -> list[dict[str, object]]:
    """Rows that were arranged, by their documents."""
    groups = [(path, list(some)) for path, some in groupby(rows, lambda row: row.path)]
    return [
        {
            "name": path,
            "url": url_of(path),
            "tier": some[0].tier,
            "where": some[0].where,
            "told": some[0].told,
            "rows": [replace(row, stays=Stay(group, at, row.path, row.key).address) for at, row in enumerate(some)],
        }
        for group, (path, some) in enumerate(groups)
    ]


@dataclass(frozen=True, slots=True, order=True)
class Stay:
    """A hit that was edited in the list: in which group and row it stood there, its document, and its key before."""

    group: int
    row: int
    path: str
    key: str

    @classmethod
    def named(cls, sent: Sequence[str]) -> list[Stay]:
        """As an address has them: 0.3:MEMORY.md:5d41402a."""
        found = filter(None, map(_STAY.fullmatch, sent[-MOST_STAYS:]))
        return sorted({cls(int(one[1]), int(one[2]), one[3], one[4]) for one in found})

    @property
    def address(self) -> str:
        """What an address says of it."""
        return urlencode({"stays": f"{self.group}.{self.row}:{self.path}:{self.key}"})


def arranged(bot: Bot, hits: Sequence[Hit], stays: Sequence[Stay]) -> list[Hit]:
    """The hits document after document, first that of the best one; those that were edited in their old places, whatever they
    say now."""
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.path, []).append(hit)
    for stay in stays:
        there, key = groups.get(stay.path, []), lineage.latest_wording(bot, stay.path, stay.key) or stay.key
        if edited := next((hit for hit in there if hit.key == key), None) or _hit(bot, stay.path, key):
            some = [hit for hit in there if hit is not edited]
            some.insert(stay.row, edited)
            others = [one for one in groups.items() if one[0] != stay.path]
            others.insert(stay.group, (stay.path, some))
            groups = dict(others)
    return [hit for some in groups.values() for hit in some]


def _hit(bot: Bot, path: str, key: str) -> Hit | None:
    """A fact as a hit that nothing was found of."""
    rows = Fact.objects.filter(bot=bot, document__path=path, key=key)
    values = rows.values(*_OF_A_FACT, **{name: F(f"document__{name}") for name in _OF_A_DOCUMENT}).first()
    return Hit(**values, score=0.0, why=Why(), marks=()) if values else None


def shown_hits(bot: Bot, hits: Sequence[Hit]) -> tuple[list[HitRow], dict[str, str]]:
    """Hits as rows, and what people call the chats they belong to, most of them first; four statements at most, and
    one for the files that their links name."""
    scopes = [hit.scope for hit in hits if hit.scope]
    called = names_of(bot, set(scopes)) if scopes else {}
    often = sorted(dict.fromkeys(scopes), key=scopes.count, reverse=True)
    names = {scope: called.get(scope, scope) for scope in often}
    family, today = open_bot(bot).dialect, open_bot(bot).today()
    text_at, list_at = addresses("document", bot), addresses("facts", bot)
    own = own_name(bot, scopes)
    words = _part_words()
    statuses, pinned = status_words(bot, [hit.id for hit in hits]), pins.keys(bot)
    leads = leading(bot, ((hit.path, hit.text) for hit in hits))
    rows = [
        _shown(hit, family, today, names, own, words, text_at(hit.path), list_at(hit.path), leads(hit.path))
        for hit in hits
    ]
    marked = (
        replace(row, status=statuses.get(hit.id, row.status), pinned=hit.key in pinned)
        for row, hit in zip(rows, hits, strict=True)
    )
    return list(marked), names


def _shown(
    hit: Hit,
    family: Dialect,
    today: str,
    names: Mapping[str, str],
    own: str,
    words: Mapping[str, str],
    url: str,
    list_url: str,
    leads: Leads,
) -> HitRow:
    place = family.describe(hit.path)
    start, end = window(hit.text, hit.marks, MOST_SHOWN, MOST_LINES)
    is_long = "\n" in hit.text[start:end]
    at = "?" + urlencode({"line": hit.line})
    return HitRow(
        id=str(hit.id),
        name=fact_name(hit.path, hit.key, hit.nth),
        text=_stretch(hit.text, hit.marks, start, end, blocks=is_long, leads=leads),
        is_long=is_long,
        cut=end - start < len(hit.text),
        place=f"{hit.path}:{hit.line}",
        url=url and url + at,
        list_url=list_url and list_url + at,
        about=", ".join(filter(None, [_told(hit, today), hit.time])),
        heading=hit.heading,
        tier=hit.tier,
        where=names.get(hit.scope, hit.scope) if hit.scope else own,
        cost=cost(hit.tokens),
        score=_number(round(hit.score, 2)),
        why=why_words(hit),
        parts=tuple(_parts(hit.why, words)),
        editable=place is not None and place.editable,
        promotes=hit.kind in LOGS and bool(hit.day) and family.path(Kind.LONG_TERM, hit.scope) is not None,
        path=hit.path,
        key=hit.key,
        line=hit.line,
        when=hit.time,
        told=_told(hit, today),
        status=_("archived, never loaded") if hit.kind == Kind.ARCHIVE else "",
    )


def _stretch(
    text: str,
    marks: Sequence[Span],
    start: int,
    end: int,
    after: str = "",
    *,
    links: bool = True,
    blocks: bool = False,
    leads: Leads = nowhere,
) -> SafeString:
    """A stretch of a text with what was looked for marked, and dots where it is cut off before."""
    before = "…" if start else ""
    moved = len(before) - start
    within = ((first + moved, min(last, end) + moved) for first, last in marks if start <= first < end)
    return rendered(f"{before}{text[start:end]}{after}", within, links=links, blocks=blocks, leads=leads)


def one_line(hit: Hit) -> SafeString:
    """As much of a hit as stands in one line, with marks."""
    flat = _BREAK.sub(" ", hit.text)
    start, end = window(flat, hit.marks, LINE, 1)
    return _stretch(flat, hit.marks, start, end, "…" if end < len(flat) else "", links=False)


def why_words(hit: Hit) -> str:
    """Why a hit is one, as a sentence without an end: says “boat”; under “Projects”; beside “dentist”."""
    why, said = hit.why, []
    if why.words:
        said.append(_("matches %(words)s") % {"words": _quoted(why.words)})
    if why.speaks and (name := speaker(hit.text)):
        said.append(_("about %(name)s") % {"name": name})
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
        "speaker": _("subject"),
        "date": _("date"),
        "recent": _("recency"),
        "alike": _("meaning"),
    }


def _parts(why: Why, words: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """What a score is the sum of: of each part its name among the styles, its words and number, which part of all that adds to it
    it is (percent), and after how much of that."""
    values = {name: float(getattr(why, name)) for name in words}
    total = sum(value for value in values.values() if value > 0)
    start = 0.0
    for name, value in values.items():
        if abs(value) >= LEAST:
            share = round(100 * max(value, 0.0) / total, 1) if total else 0.0
            yield {
                "name": name,
                "words": words[name],
                "number": _number(round(value, 2)),
                "share": share,
                "start": start,
            }
            start += share


def _told(hit: Hit, today: str) -> str:
    """What its document is, or of which day."""
    if hit.kind in LOGS and hit.day:
        return near(hit.day, today)
    return str(TITLES[Kind(hit.kind)]) if hit.kind in TITLES else ""


def _number(value: float) -> str:
    return formats.number_format(value, 2)
