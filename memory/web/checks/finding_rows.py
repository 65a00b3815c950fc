"""Findings as rows of a page: what is wrong with which fact or document, where, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from memory.bots import open_bot
from memory.bots.family import Check
from memory.checks import (
    contradictions,
    facts_alone,
    injection,
    leaks,
    mending,
    never_loaded,
    past_dates,
    permissions,
    references,
    removals,
    structure,
)
from memory.checks.contradictions import Matter
from memory.checks.subjects import Subject, by_key
from memory.domain.fact_ref import FactRef
from memory.domain.places import Kind
from memory.models import Bot, Finding
from memory.text.claims.due import resolve_day
from memory.text.injection import mark_invisible
from memory.text.markdown.oddities import Odd
from memory.text.markdown.stamps import stamp
from memory.web.base import markdown
from memory.web.base.authors import by_person
from memory.web.base.dates import ago, day
from memory.web.base.fact_rows import excerpt, fact_name
from memory.web.base.finding_words import how_many
from memory.web.base.translation import translate
from memory.web.checks.answers import AnswerRow, answer_rows, first_of, matters, print_of
from memory.web.checks.spots import Spot, Spots

OF_DOCUMENTS = (structure.NAME, permissions.NAME, never_loaded.NAME, removals.NAME, references.NAME)
# What the button says that mends a document.
MENDS: Mapping[str, Promise] = {
    Odd.FENCE: gettext_lazy("Close the fence"),
    Odd.HEADING: gettext_lazy("Add the space"),
    permissions.WRITE: gettext_lazy("Close it to others"),
    permissions.READ: gettext_lazy("Close it to others"),
}
UNDO = gettext_lazy("Undo")
PLACES = 4  # of what is said again that are named


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in the list. `name` means its fact in forms, "" for none; `other` where the same words stand else; `moves`: to
    which chat's own memory it can go, by its name; `dates`: a press writes the day in place of `tomorrow`. `ignored` says since
    when, by whom and why, "" for one that is open."""

    pk: int
    text: str
    why: str
    found: datetime
    here: Spot
    cut: int = 0
    other: Spot | None = None
    name: str = ""
    moves: str = ""
    dates: bool = False
    secret: bool = False
    ignored: str = ""
    since: datetime | None = None
    reason: str = ""
    answers: Sequence[AnswerRow] = ()  # of which one may be kept
    seen: str = ""  # what a press must be about: these answers and no others
    mends: str = ""  # what a press does to its document
    both: bool = False  # all of them may be so
    same: Sequence[Spot] = ()  # where it is said in the very same words, of which one may be kept
    unlisted: int = 0  # and in how many more places
    shortens: str = ""  # where the document is made short enough to be loaded whole

    @property
    def names(self) -> str:
        """All its facts in forms."""
        return " ".join(one.name for one in self.answers) or self.name


def mends(finding: Finding) -> str:
    """What the button says that ends it."""
    return str(MENDS.get(finding.key, UNDO))


def facts_of(bot: Bot, rows: Iterable[Finding]) -> dict[FactRef, Subject]:
    """The facts that findings are about, as the index has them."""
    wanted = {FactRef.of(row) for row in rows if row.key}
    return {
        FactRef.of(one): one for one in by_key(bot, {key for _path, key, _nth in wanted}) if FactRef.of(one) in wanted
    }


def rows_of(bot: Bot, found: Sequence[Finding], reader: int | None) -> list[FindingRow]:
    """The rows of findings, in their order."""
    facts = facts_of(bot, found)
    others = leaks.others(bot, list(facts.values()))
    owners = leaks.whose(bot, list(facts.values()), others)
    known = matters(bot, found, facts)
    scopes = {row.scope for row in found} | {other.scope for other in others.values()} | set(owners.values())
    scopes |= {fact.scope for matter in known.values() for one in matter.answers for fact in one.facts}
    maker = _Maker(bot, scopes - {""}, reader)
    return [
        maker.of_matter(row, known.get(row.pk))
        if row.rule == contradictions.NAME or row.pk in known
        else maker.row(row, facts.get(FactRef.of(row)), others, owners)
        for row in found
    ]


class _Maker:
    """Makes rows; what all of them need is asked for once."""

    def __init__(self, bot: Bot, scopes: Iterable[str], reader: int | None) -> None:
        self.bot = bot
        self.reader = reader
        self.spots = Spots(bot, scopes)
        self.checks = {check.name: check for check in open_bot(bot).family.checks}

    def row(self, row: Finding, fact: Subject | None, others: dict[int, Subject], owners: dict[int, str]) -> FindingRow:
        """The row of a finding; of one whose fact is not there any more, without what can be done to it."""
        if row.rule in OF_DOCUMENTS:
            return self.of_document(row)
        if row.rule in self.checks:
            return self.of_family(row, self.checks[row.rule])
        secret = row.rule in (facts_alone.SECRET, facts_alone.PERSONAL)
        text, cut = excerpt(fact.text if fact and secret else row.text)
        text = mark_invisible(text) if row.rule == injection.NAME else text if secret else markdown.line(text)
        other = others.get(fact.pk) if fact else None
        owner = self.spots.called(owners.get(fact.pk, "")) if fact else ""
        return replace(
            self._row(row, self.spots.spot(row.scope, row.path, fact.line if fact else row.line)),
            text=text,
            cut=cut,
            other=self.spots.spot(other.scope, other.path, other.line) if other else None,
            name=fact_name(*FactRef.of(row)) if fact else "",
            secret=secret,
            moves=owner if fact and fact.is_shared and not (other and other.key == fact.key) else "",
            **_dated(row, fact),
            **_from(row, fact, owner),
        )

    def of_matter(self, row: Finding, matter: Matter | None) -> FindingRow:
        """A contradiction or copies of a fact, with its answers unless one of them went since it was found."""
        if matter and row.rule == facts_alone.TWICE:
            return self.of_copies(row, matter)
        return replace(
            self._row(row, self.spots.spot(row.scope, "", 0)),
            answers=answer_rows(matter, self.spots) if matter and not row.ignored else (),
            seen=print_of(matter) if matter and not row.ignored else "",
            both=row.rule == contradictions.NAME,
        )

    def of_copies(self, row: Finding, matter: Matter) -> FindingRow:
        """What is said again in the very same words, with where."""
        facts = [fact for one in matter.answers for fact in one.facts]
        text, cut = excerpt(row.text)
        return replace(
            self._row(row, self.spots.spot(row.scope, "", 0)),
            text=markdown.line(text),
            cut=cut,
            name=first_of(matter),
            same=[self.spots.spot(fact.scope, fact.path, fact.line) for fact in facts[:PLACES]],
            unlisted=max(len(facts) - PLACES, 0),
            seen=print_of(matter),
        )

    def of_document(self, row: Finding) -> FindingRow:
        """What is wrong with a document, or with a directory, which has no page."""
        spot = self.spots.spot(row.scope, row.path, row.line)
        here = replace(spot, url=self._url(row, spot))
        if row.rule == never_loaded.NAME:
            return replace(self._row(row, here), text=row.path, shortens=here.url)
        return replace(self._row(row, here), mends=mends(row) if mending.can_mend(row) else "")

    def _url(self, row: Finding, spot: Spot) -> str:
        """Where the line of a document is, or the edit that took much of it; "" for a directory."""
        if row.rule == removals.NAME:
            return reverse("memory:change_set", args=[self.bot.slug, row.key])
        if row.key == permissions.DIRECTORY or not spot.url:
            return ""
        return f"{spot.url}?line={row.line}" if row.line else spot.url

    def of_family(self, row: Finding, check: Check) -> FindingRow:
        """However much it is about, that has a page of its own."""
        to = reverse(f"memory:{check.page}", args=[self.bot.slug]) if check.page else ""
        url = to or f"{self.spots.url_of(row.path)}?line={row.line}"
        here = Spot("global", self.spots.own, "", str(check.act), url)
        return replace(self._row(row, here), text=translate(row.note), why=str(check.why))

    def _row(self, row: Finding, here: Spot) -> FindingRow:
        """What every finding says of itself."""
        return FindingRow(
            pk=row.pk,
            text=row.text,
            why=translate(row.note),
            found=row.found,
            here=here,
            ignored=_ignored(self.bot, row, row.ignored, self.reader) if row.ignored else "",
            since=row.ignored,
            reason=row.ignored_why,
        )


def _from(row: Finding, fact: Subject | None, owner: str) -> dict[str, Any]:
    """Whose fact it is that stands in the shared log, where that is known."""
    if row.rule != leaks.NAME or not fact or not owner or fact.kind != Kind.DAILY or not fact.is_shared:
        return {}
    whose = _("from %(chat)s, in the shared log") % {"chat": owner}
    return {"why": f"{how_many(row.rule, 1)} · {whose}"}


def _dated(row: Finding, fact: Subject | None) -> dict[str, Any]:
    """What a fact says of a day by `tomorrow`, and that it can be written."""
    text, meant = resolve_day(fact.text) if fact and row.rule == past_dates.NAME else ("", "")
    if not text or fact is None:
        return {}
    written, told = (day(one) for one in (stamp(fact.text)[:10], meant))
    noted = _("Noted %(written)s") % {"written": written}
    return {"why": f"{noted}, {_('so it means %(day)s') % {'day': told}}", "dates": True}


def _ignored(bot: Bot, row: Finding, since: datetime, reader: int | None) -> str:
    name = by_person(row.ignored_by, reader, _("someone who was removed"))
    return _("by %(name)s, %(ago)s") % {"name": name, "ago": ago(since, bot)}
