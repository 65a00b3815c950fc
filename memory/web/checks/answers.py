"""A contradiction on the page: its answers side by side, each with when it was written and where, and a press that keeps one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from memory import index
from memory.checks import contradictions, facts_alone, findings, near
from memory.checks.contradictions import Answer, Matter
from memory.checks.subjects import Subject, by_key
from memory.curation import facts as fact_edits
from memory.domain.changes import digest
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.models import Bot, Finding
from memory.text.markdown.normal import unstamped_text
from memory.text.secrets import mask
from memory.text.sentences import say
from memory.web.base import markdown
from memory.web.base.fact_rows import excerpt, fact_name, fact_ref
from memory.web.base.gauges import number_of
from memory.web.base.marks import rendered
from memory.web.base.responses import back, by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.checks.spots import Spot, Spots
from memory.web.checks.tidy import here

NO_COPIES = say("Nothing is said twice any more. Nothing was changed.")
KEPT = (contradictions.NAME, near.NAME, facts_alone.TWICE)  # of which one may be kept
LISTED = 50  # copies of one answer
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer: what it says, with the words marked that others don't say, when it was written ("" if nothing tells), where, and
    some of its `more` copies. `mark` is `newest` or `oldest`; `name` means its newest fact in forms; keeping it forgets so many
    as `goes`."""

    text: str
    cut: int
    when: str
    mark: str
    here: Spot
    more: int
    copies: Sequence[dict[str, object]]
    name: str
    goes: int

    @property
    def unlisted(self) -> int:
        return self.more - len(self.copies)


def matters(bot: Bot, rows: Iterable[Finding], facts: Mapping[FactRef, Subject]) -> dict[int, Matter]:
    """What the findings are about of which one of several facts may be kept, by their keys, as the index has it: `facts` are those
    that findings stand for."""
    found, some = {}, list(rows)
    if abouts := [row.key for row in some if row.rule == contradictions.NAME]:
        known = {(one.about, one.scope): one for one in contradictions.matters(bot, abouts)}
        found = {row.pk: known[at] for row in some if (at := (row.key, row.scope)) in known}
    firsts = {row.pk: fact for row in some if row.rule == near.NAME and (fact := facts.get(FactRef.of(row)))}
    alike = near.matters(bot, list(firsts.values())) if firsts else {}
    return found | _twice(bot, some) | {pk: alike[fact.pk] for pk, fact in firsts.items() if fact.pk in alike}


def _twice(bot: Bot, rows: Iterable[Finding]) -> dict[int, Matter]:
    """The copies in the very same words."""
    wanted = {row.pk: (row.path, row.key) for row in rows if row.rule == facts_alone.TWICE}
    there = facts_alone.copies(bot, {key for _path, key in wanted.values()}) if wanted else {}
    some = {pk: found for pk, at in wanted.items() if len(found := there.get(at, ())) > 1}
    return {pk: near.side_by_side(found) for pk, found in some.items()}


def answer_rows(matter: Matter, spots: Spots) -> list[AnswerRow]:
    """The answers of a contradiction, the newest first."""
    everything = sum(len(one.facts) for one in matter.answers)
    marks, shown = _marks(matter.answers), [_excerpt(one.facts[0]) for one in matter.answers]
    apart = _apart([text for text, _cut in shown])
    return [
        _row(one, rendered(text, spans), cut, everything - len(one.facts), marks.get(at, ""), spots)
        for at, (one, (text, cut), spans) in enumerate(zip(matter.answers, shown, apart, strict=True))
    ]


@post_only
def keep(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """One answer of a contradiction stays, or one of several copies, and the others are forgotten, as one change."""
    finding = get_object_or_404(Finding, bot=bot, pk=pk, rule__in=KEPT)
    matter = _matter(bot, finding)
    others = _others(matter, request.POST.get("one", ""))
    if matter is None or not others or request.POST.get("seen") != print_of(matter):
        messages.error(request, _("These facts have changed since you looked. Nothing was changed now."))
        return back(request, here(bot))
    outcome = fact_edits.forget(bot, others, by(request))
    if isinstance(outcome, Refused):
        messages.error(request, translate(outcome.reason))
    else:
        number = len(others)
        words = number_of("Kept one, forgot %(count)s fact", "Kept one, forgot %(count)s facts", number)
        say_done(request, words, outcome.change_set)
        index.look_all(bot, sorted({one.path for one in others}))
        if _matter(bot, finding) is None:
            findings.ended(bot, finding, others)
    return back(request, here(bot))


def print_of(matter: Matter) -> str:
    """Another one for other facts than these: what goes by a press is what was seen."""
    facts = sorted(fact_name(*FactRef.of(fact)) for one in matter.answers for fact in one.facts)
    return digest(" ".join(facts).encode("utf-8", "surrogateescape"))


def _matter(bot: Bot, finding: Finding) -> Matter | None:
    """What a finding is about, as the index has it now."""
    facts = {FactRef.of(one): one for one in by_key(bot, [finding.key])}
    return matters(bot, [finding], facts).get(finding.pk)


def copies(bot: Bot) -> list[FactRef]:
    """The facts that go where one of each is kept: all but the first."""
    found = list(Finding.objects.filter(bot=bot, rule__in=(facts_alone.TWICE, near.NAME), gone=None, ignored=None))
    there = {FactRef.of(one): one for one in by_key(bot, {row.key for row in found})}
    some = matters(bot, found, there).values()
    return list(dict.fromkeys(at for matter in some for at in _others(matter, first_of(matter))))


def first_of(matter: Matter) -> str:
    """What means its first fact in forms."""
    return fact_name(*FactRef.of(matter.answers[0].facts[0]))


def _others(matter: Matter | None, name: str) -> list[FactRef]:
    """The facts of the answers that a form does not name."""
    meant = fact_ref(name)
    answers: Mapping[FactRef, int] = {
        FactRef.of(fact): at for at, one in enumerate(matter.answers if matter else ()) for fact in one.facts
    }
    kept = answers.get(meant) if meant else None
    return [] if kept is None else [fact for fact, at in answers.items() if at != kept]


def _marks(answers: Sequence[Answer]) -> dict[int, str]:
    """Which answers are the newest and the oldest of those that say when they were written."""
    dated = sorted((one.when, at) for at, one in enumerate(answers) if one.when)
    if len(dated) < 2 or dated[0][0] == dated[-1][0]:
        return {}
    return {dated[0][1]: "oldest", dated[-1][1]: "newest"}


def _apart(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """The stretches of each text whose words the others don't share; none where they share nothing, or everything."""
    words = [{found[0].casefold() for found in _WORD.finditer(text)} for text in texts]
    common = set.intersection(*words)
    return [_stretches(text, common) if common else [] for text in texts]


def _stretches(text: str, common: set[str]) -> list[tuple[int, int]]:
    """Where the words stand that are not common; neighbours as one stretch."""
    found: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        if word[0].casefold() in common:
            continue
        if found and not text[found[-1][1] : word.start()].strip():
            found[-1] = found[-1][0], word.end()
        else:
            found.append(word.span())
    return found


def _row(one: Answer, text: str, cut: int, goes: int, mark: str, spots: Spots) -> AnswerRow:
    first = one.facts[0]
    return AnswerRow(
        text=text,
        cut=cut,
        when=one.when,
        mark=mark,
        here=spots.spot(first.scope, first.path, first.line),
        more=len(one.facts) - 1,
        copies=[_copy(fact, first, spots) for fact in one.facts[1 : 1 + LISTED]],
        name=fact_name(first.path, first.key, first.nth),
        goes=goes,
    )


def _copy(one: Subject, first: Subject, spots: Spots) -> dict[str, object]:
    """Another fact of an answer: what it says, "" for the very same, when it was written and where."""
    text, cut = _excerpt(one)
    said = "" if (text, cut) == _excerpt(first) else markdown.line(text)
    return {
        "text": said,
        "cut": cut,
        "when": contradictions.written(one),
        "here": spots.spot(one.scope, one.path, one.line),
    }


def _excerpt(one: Subject) -> tuple[str, int]:
    return excerpt(mask(unstamped_text(one.text)))
