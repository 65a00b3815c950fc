"""Proposals as rows: each with its sources, what becomes of them and what is to be known of it, said already."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.core.paginator import Page
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later, pgettext_lazy

from memory import index
from memory.bots import open_bot
from memory.curation.documents import as_text
from memory.domain.errors import VaultError
from memory.domain.plan import Choice
from memory.models import Bot, Document, Fact, Proposal
from memory.text.markdown.lead import lead
from memory.text.merge.diff import Difference
from memory.text.storable import as_number, as_utf8
from memory.text.words.terms import spans, words
from memory.web.base.addresses import addresses
from memory.web.base.dates import day
from memory.web.base.differences import ROOM, Block, paged
from memory.web.base.fact_rows import excerpt
from memory.web.base.marks import marked
from memory.web.base.translation import translate
from memory.web.compaction.suggestions import Review, SuggestionGroup, SuggestionRow, SuggestionSource, folder

SOURCES_SHOWN = 20  # of one proposal
DIGITS = 9  # of its number
Where = tuple[str, str]  # path and key of a fact
UNDONE = "undone"  # beside the states: it was accepted, and that was undone
_WORD = re.compile(r"[^\W_]")
# Each action as a filter is called, and as the chip of one proposal says it.
ACTIONS: Mapping[str, tuple[str | Promise, str | Promise, str]] = {
    Proposal.Action.MERGE: (later("Merge"), later("merge"), "good"),
    Proposal.Action.SUPERSEDE: (later("Replace"), later("replace"), "warn"),
    Proposal.Action.KEEP: (later("Move"), later("move"), "good"),
    Proposal.Action.ARCHIVE: (pgettext_lazy("verb", "Archive"), later("archive"), ""),
    Proposal.Action.REMEMBER: (later("Remembered"), later("remembered"), "good"),
    Proposal.Action.REPLACE: (later("Rewritten"), later("rewritten"), ""),
}
STATES: Mapping[str, tuple[str | Promise, str | Promise, str]] = {
    Proposal.State.OPEN: (later("Needs review"), "", ""),
    Proposal.State.APPLIED: (later("Accepted"), later("accepted"), "good"),
    UNDONE: (pgettext_lazy("suggestion", "Undone"), pgettext_lazy("suggestion", "undone"), ""),
    Proposal.State.REFUSED: (pgettext_lazy("suggestion", "Skipped"), pgettext_lazy("suggestion", "skipped"), ""),
    Proposal.State.BLOCKED: (later("Would lose facts"), later("would lose facts"), "bad"),
}


def groups(
    bot: Bot,
    found: Sequence[Proposal],
    choice: Choice,
    undone: Collection[int],
    *,
    decides: bool,
    boxed: bool,
    number: str = "",
) -> list[SuggestionGroup]:
    """Proposals by the logs of their facts; `decides`: those that are open can be decided, by a box where they are `boxed`.
    `undone` are change sets that were taken back, `number` is the page of rows of the only one."""
    standing = _standing(bot, found) if decides else None
    shared = _Shared(
        bot,
        folder(str(source.get("path", "")) for one in found for source in one.sources),
        addresses("document", bot),
        standing,
        boxed,
        choice,
        undone,
        {action: (str(word), level) for action, (_label, word, level) in ACTIONS.items()},
        {state: (str(word), level) for state, (_label, word, level) in STATES.items()},
        ROOM // max(1, sum(one.action == Proposal.Action.REPLACE for one in found)),
        number,
    )
    return [_group(path, list(some), shared) for path, some in groupby(found, key=log_of)]


def asked_for(every: QuerySet[Proposal], asked: Mapping[str, str]) -> QuerySet[Proposal]:
    """The one proposal whose number is asked for, to see all of it; every one where none is."""
    number = as_number(asked.get("number", ""), DIGITS)
    return every if number is None else every.filter(number=number)


def log_of(one: Proposal) -> str:
    """The document that a proposal is listed under: the log of its first fact that was noted on a day, else where it is."""
    first = next((source for source in one.sources if source.get("day")), one.sources[0] if one.sources else {})
    return str(first.get("path", ""))


def _group(path: str, found: Sequence[Proposal], shared: _Shared) -> SuggestionGroup:
    rows = [_row(one, shared) for one in found]
    place = open_bot(shared.bot).dialect.describe(path) if path else None
    on = day(place.day) if place and place.day else ""
    left = path in shared.choice.leave
    return SuggestionGroup(path, on, rows, bool(on) and (left or any(row.is_done for row in rows)), not left)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What all rows of a page share. `standing`: the facts that are there now; None where nothing can be decided."""

    bot: Bot
    within: str
    address: Callable[[str], str]
    standing: Collection[Where] | None
    boxed: bool
    choice: Choice
    undone: Collection[int]
    actions: Mapping[str, tuple[str, str]]
    states: Mapping[str, tuple[str, str]]
    room: int
    number: str

    def call_url(self, pk: int) -> str:
        return reverse("memory:delivery", args=[self.bot.slug, pk])


def _standing(bot: Bot, found: Iterable[Proposal]) -> set[Where]:
    """The facts of what is open that are there now. Before one is said to be gone the files are looked at: a plan may be newer than
    the index."""
    wanted = {_where(source) for one in found if one.state == Proposal.State.OPEN for source in one.sources}
    wanted.discard(("", ""))
    there = _indexed(bot, wanted)
    if there == wanted:
        return there
    with suppress(VaultError):
        index.refresh(bot)
    return _indexed(bot, wanted)


def _indexed(bot: Bot, wanted: set[Where]) -> set[Where]:
    """Those of these facts that the index holds."""
    if not wanted:
        return set()
    # By the documents first: what a machine wrote again and again is a fact of the same key in thousands of them.
    paths = dict(Document.objects.filter(bot=bot, path__in={path for path, _key in wanted}).values_list("pk", "path"))
    facts = Fact.objects.filter(bot=bot, document__in=list(paths), key__in={key for _path, key in wanted})
    return {(paths[pk], key) for pk, key in facts.values_list("document_id", "key")} & wanted


def _where(source: Mapping[str, Any]) -> Where:
    """Which fact a source is; ("", "") for one that is no fact, such as a message."""
    return (str(source.get("path", "")), str(source["key"])) if source.get("key") else ("", "")


def _row(one: Proposal, shared: _Shared) -> SuggestionRow:
    chip, level = shared.actions[one.action]
    review = _review(one, shared)
    # Of what is one fact however often it was noted, one row says it; else each source has its line.
    first = _noted(one)
    text = _cut(*excerpt(str(first.get("text", "")))) if review.is_simple else review.line
    title, beginning = lead(str(first.get("text", ""))) if review.is_simple else ("", "")
    place, url = _place(first, shared)
    row = SuggestionRow(
        text=text,
        goes=_goes(one, shared),
        chip=chip,
        level=level,
        time=str(first.get("time") or ""),
        place=as_utf8(place),
        url=url,
        title=as_utf8(title),
        first=as_utf8(beginning),
        moves=one.action in (Proposal.Action.KEEP, Proposal.Action.MERGE),
        alike=len(one.sources) if review.is_simple else 1,
        value=str(one.number),
        named=as_utf8(str(title or text or first.get("text", ""))),
        review=review,
    )
    return _boxed(row, one, shared)


def is_ticked(number: int, flagged: bool, log: str, choice: Choice) -> bool:
    """Whether a proposal is accepted with the others: what has no warning unless somebody leaves it, the rest if somebody asks."""
    if log in choice.leave:
        return False
    return str(number) in choice.move if flagged else str(number) not in choice.leave


def _boxed(row: SuggestionRow, one: Proposal, shared: _Shared) -> SuggestionRow:
    """A row with its box; none where its whole day is left, so that each is as it was when that is taken back."""
    if (
        one.state != Proposal.State.OPEN
        or shared.standing is None
        or not shared.boxed
        or log_of(one) in shared.choice.leave
    ):
        return row
    ticked = is_ticked(one.number, bool(one.flags), log_of(one), shared.choice)
    return replace(row, take=ticked) if one.flags else replace(row, pick=ticked)


def _noted(one: Proposal) -> Mapping[str, Any]:
    """The first of its facts."""
    found: Mapping[str, Any] = one.sources[0] if one.sources else {}
    return found


def _goes(one: Proposal, shared: _Shared) -> str:
    if one.action == Proposal.Action.SUPERSEDE:
        return _("Stays in History")
    return as_utf8(one.path.removeprefix(shared.within))


def _review(one: Proposal, shared: _Shared) -> Review:
    state, state_level = shared.states[UNDONE if one.change_set_id in shared.undone else one.state]
    is_open = one.state == Proposal.State.OPEN and shared.standing is not None
    anew = is_open and one.action == Proposal.Action.REPLACE
    blocks, page = _difference(one, shared) if anew else ((), None)
    said_here = set(words(one.text)) if one.action == Proposal.Action.MERGE else set()
    shows = one.sources[:1] if _is_one_fact(one) else one.sources[:SOURCES_SHOWN]
    return Review(
        number=one.number,
        sources=[_source(source, shared, said_here) for source in shows],
        more=0 if _is_one_fact(one) else max(0, len(one.sources) - SOURCES_SHOWN),
        line=_cut(*excerpt(one.text)),
        newer=_source(one.newer, shared, set()) if one.newer else None,
        blocks=blocks,
        flags=[translate(flag) for flag in one.flags],
        losses=[translate(loss) for loss in one.losses],
        stale=is_open and any(where[1] and where not in (shared.standing or ()) for where in map(_where, one.sources)),
        strikes=one.action == Proposal.Action.SUPERSEDE,
        anew=one.action == Proposal.Action.REPLACE,
        of_messages=bool(one.sources) and not any(where[1] for where in map(_where, one.sources)),
        state=state,
        state_level=state_level,
        set_pk=one.change_set_id,
        page=page,
    )


def _is_one_fact(one: Proposal) -> bool:
    """Whether all its sources are the same fact."""
    return bool(_noted(one).get("key")) and len({source.get("key") for source in one.sources}) == 1


def _difference(one: Proposal, shared: _Shared) -> tuple[Sequence[Block], Page[Any] | None]:
    """How the document that is proposed differs from the one there is."""
    try:
        before = index.BotMemory(shared.bot).read(one.path)
    except VaultError:
        return (), None
    sides = open_bot(shared.bot).family.compared(one.path, as_text(before or b""), one.text)
    return paged(Difference(*sides), shared.room, shared.number)


def _source(source: Mapping[str, Any], shared: _Shared, said_here: Collection[str]) -> SuggestionSource:
    place, url = _place(source, shared)
    text = _cut(*excerpt(str(source.get("text", ""))))
    found = _together(text, spans(text, said_here.__contains__)) if said_here else ()
    return SuggestionSource(place=as_utf8(place), url=url, text=marked(text, found))


def _cut(text: str, left: int) -> str:
    return as_utf8(text) + ("…" if left else "")


def _place(source: Mapping[str, Any], shared: _Shared) -> tuple[str, str]:
    """Where a source stands and the address of that: a line of a document, or the call by which a message came. Of a message only
    the line is said: all of a proposal are in one transcript, and its name may be long."""
    path, line, call = str(source.get("path", "")), source.get("line"), source.get("delivery")
    if not path:
        return (
            (_("delivery %(number)s") % {"number": call}, shared.call_url(call)) if isinstance(call, int) else ("", "")
        )
    place, url = path.removeprefix(shared.within), shared.address(path)
    if not line:
        return place, url
    words = f"{place}:{line}" if source.get("key") else _("line %(number)s") % {"number": line}
    return words, f"{url}?line={line}" if url else url


def _together(text: str, found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans with no word between them as one, so that what is *not* said elsewhere stands out."""
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and not _WORD.search(text, joined[-1][1], start):
            start = joined.pop()[0]
        joined.append((start, end))
    return joined
