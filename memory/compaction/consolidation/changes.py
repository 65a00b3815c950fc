"""The changes that accepted proposals make, over the documents as they are now. Nothing is written here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from memory.compaction.consolidation.current_documents import (
    ARCHIVE,
    KEEP,
    MERGE,
    SUPERSEDE,
    CurrentDocuments,
    CurrentFact,
    CurrentProposal,
)
from memory.domain.changes import Change, Delete, Put, base_of, digest
from memory.domain.places import Kind
from memory.journal import How, Link
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import key, normalise, unstamped_text


class Cannot(Exception):
    """A document cannot be changed so; the message is for people. `texts`: those that cannot be added; none if it is all the same
    which."""

    def __init__(self, path: str, sentence: str, texts: Iterable[str] = ()) -> None:
        super().__init__(sentence)
        self.path, self.texts = path, frozenset(texts)

    def hits(self, step: CurrentProposal) -> bool:
        """Whether a proposal is one of those that cannot be."""
        if self.texts:
            return any(path == self.path and text in self.texts for path, text in texts(step))
        return self.path in {step.proposal.path, *(spot.path for spot in step.spots)}


@dataclass(slots=True)
class Draft:
    """What happens to each document: facts that go, facts that say something else, texts that are added."""

    going: defaultdict[str, list[CurrentFact]] = field(default_factory=lambda: defaultdict(list))
    reworded: defaultdict[str, list[tuple[CurrentFact, str]]] = field(default_factory=lambda: defaultdict(list))
    added: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    said_already: int = 0

    def paths(self) -> list[str]:
        return sorted({*self.going, *self.reworded, *self.added})


def make_draft(documents: CurrentDocuments, steps: Sequence[CurrentProposal]) -> Draft:
    """What these proposals do to each document."""
    draft = Draft()
    for step in steps:
        _take(draft, step)
    known: dict[str, set[str]] = {}
    for step in steps:
        for path, text in texts(step):
            if path not in known:
                known[path] = _known(documents, draft, path)
            if says(known[path], text):
                draft.said_already += 1
            else:
                known[path].add(normalise(text))
                draft.added[path].append(text)
    return draft


def changes(documents: CurrentDocuments, draft: Draft, keeps_logs: bool) -> list[Change]:
    """The changes of a draft. `keeps_logs`: a log in which something stays is left as it is. Raises Cannot."""
    made = []
    for path in draft.paths():
        try:
            change = _change(documents, draft, path)
        except ValueError as error:
            raise Cannot(path, str(error)) from None
        is_log = documents.place(path).kind is Kind.DAILY
        if change is not None and not (is_log and keeps_logs and isinstance(change, Put)):
            made.append(change)
    return made


def links(documents: CurrentDocuments, steps: Sequence[CurrentProposal]) -> list[Link]:
    """What facts become of which the documents alone would not tell: part of another wording, or none beside a newer fact."""
    going = {(spot.path, spot.fact.key) for step in steps for spot in step.spots}
    found: list[Link] = []
    for step in steps:
        target = documents.dialect.path(Kind.LONG_TERM, step.scope) or ""
        if step.proposal.action == MERGE:
            into = step.lasting[0].path if step.lasting else step.proposal.path, key(step.proposal.text)
        elif step.proposal.action == SUPERSEDE:
            newer = step.proposal.newer
            into = target if (newer["path"], newer["key"]) in going else newer["path"], newer["key"]
        else:
            continue
        how = How.MERGED if step.proposal.action == MERGE else How.SUPERSEDED
        found += [Link(how, spot.path, spot.fact.key, *into) for spot in step.spots]
    return found


def _take(draft: Draft, step: CurrentProposal) -> None:
    """Where the facts of a proposal stand now, they go; of a merge with long-term memory its first line there says the new text."""
    lasting = step.lasting if step.proposal.action == MERGE else []
    for spot in step.spots:
        if lasting and spot is lasting[0]:
            draft.reworded[spot.path].append((spot, step.proposal.text))
        else:
            draft.going[spot.path].append(spot)


def texts(step: CurrentProposal) -> list[tuple[str, str]]:
    """(path, text) that a proposal adds unless it is said there."""
    path = step.proposal.path
    if step.proposal.action in (KEEP, ARCHIVE):
        return [(path, spot.said) for spot in step.spots]
    if step.proposal.action == MERGE and not step.lasting:
        return [(path, step.proposal.text)]
    return []


def says(known: Collection[str], text: str) -> bool:
    """Whether a document that says this already (normalised) needs no `text`: the same at another time is another event, but words
    of no time say it at any."""
    return normalise(text) in known or normalise(unstamped_text(text)) in known


def _known(documents: CurrentDocuments, draft: Draft, path: str) -> set[str]:
    """What a document will say before anything is added, normalised."""
    leaving = {spot.fact.start for spot in draft.going[path]} | {spot.fact.start for spot, _ in draft.reworded[path]}
    staying = {normalise(fact.text) for fact in documents.facts(path) if fact.start not in leaving}
    return staying | {normalise(text) for _spot, text in draft.reworded[path]}


def _change(documents: CurrentDocuments, draft: Draft, path: str) -> Change | None:
    before, dialect = documents.data(path), documents.dialect
    data: bytes | None = before
    if documents.place(path).kind is Kind.DAILY:
        data = _after(dialect.forget(path, before or b"", [spot.fact for spot in draft.going[path]]))
    else:
        for fact, text in _from_below(draft, path):  # so that what stands above does not move
            whole = data or b""
            done = dialect.edit(path, whole, fact, text) if text else dialect.forget(path, whole, [fact])
            data = _after(done)
    if draft.added[path]:
        data = _extended(documents, path, data, draft.added[path])
    if data == before:
        return None
    if data is None:
        return Delete(path, digest(before or b""))
    return Put(path, data, base_of(before))


def _extended(documents: CurrentDocuments, path: str, data: bytes | None, added: Sequence[str]) -> bytes:
    """A document with more facts. Raises Cannot, naming those that would not read as facts there where that can be told."""
    try:
        return documents.extended(path, data, added)
    except ValueError as error:
        bad = [text for text in added if not _takes(documents, path, data, text)]
        raise Cannot(path, str(error), bad if len(bad) < len(added) else ()) from None


def _takes(documents: CurrentDocuments, path: str, data: bytes | None, text: str) -> bool:
    """Whether a text can be added, and another fact behind it."""
    try:
        documents.extended(path, data, [text, "."])
    except ValueError:
        return False
    return True


def _from_below(draft: Draft, path: str) -> list[tuple[FactAt, str]]:
    """What changes of a document's facts, the last one first, with what it says then; "" for what goes."""
    wanted = [(spot.fact, "") for spot in draft.going[path]]
    wanted += [(spot.fact, text) for spot, text in draft.reworded[path]]
    return sorted(wanted, key=lambda one: -one[0].start)


def _after(change: Put | Delete) -> bytes | None:
    return change.data if isinstance(change, Put) else None
