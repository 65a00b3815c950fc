"""What a prompt may be made of, and what of it the bot leaves out, by reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from memory import bots, library
from memory.dialects import base
from memory.dialects.base import Kind, Tier
from memory.models import Bot, Document
from memory.templatetags.desk import addresses

REASONS = 60  # why something is left out
LEFT_OUT = 20  # documents of one reason
NEWEST = 32  # daily logs of a scope that are looked at: more than any setting lets the bot read


@dataclass(frozen=True, slots=True)
class Out:
    """A document that is left out, and how old it is in words, "" for nothing."""

    path: str
    url: str
    age: str


@dataclass(frozen=True, slots=True)
class Group:
    """What is left out for one reason: some of it, and how many more there are."""

    why: str
    some: Sequence[Out]
    more: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """All of it. `older` counts daily logs beside those named."""

    groups: Sequence[Group]
    older: int


def left_out(bot: Bot, found: Sequence[base.LeftOut], older: int) -> LeftOut:
    """What is left out by reason, in the order in which the reasons come."""
    url_of = addresses("document", bot)
    by_reason: dict[str, list[Out]] = {}
    for one in found:
        by_reason.setdefault(one.why, []).append(Out(one.path, url_of(one.path), one.age))
    reasons = list(by_reason.items())[:REASONS]
    groups = [Group(why, outs[:LEFT_OUT], max(0, len(outs) - LEFT_OUT)) for why, outs in reasons]
    return LeftOut(groups, older)


def documents(bot: Bot, scope: str) -> tuple[list[str], int]:
    """What may be in the prompt of a chat ("" for none), in step with the files, and how many older logs there are beside."""
    family, today, scopes = bots.dialect(bot), bots.today(bot), dict.fromkeys(("", scope))
    paths = [family.path(kind, of) for kind, of in _wanted(scope)]
    paths += [family.path(Kind.DAILY, of, today) for of in scopes]
    wanted = [path for path in paths if path]
    logs = [list(_logs(bot, of).order_by("-day")[:NEWEST]) for of in scopes]
    others = Document.objects.filter(bot=bot, path__in=wanted)
    known = {row.path: row for found in (*logs, others) for row in found}
    unread, changed = library.look_over(bot, known, {*known, *wanted})
    if changed:
        known = {row.path: row for row in Document.objects.filter(bot=bot, path__in={*known, *wanted})}
    listed = {*known, *unread}
    newest = sum(1 for path in listed if (place := family.describe(path)) and place.day)
    there = [
        _logs(bot, of).count() if len(some) == NEWEST else len(some) for of, some in zip(scopes, logs, strict=True)
    ]
    return sorted(listed), max(0, sum(there) - newest)


def _wanted(scope: str) -> list[tuple[Kind, str]]:
    own = [(Kind.LONG_TERM, "")]
    return [*own, *((kind, scope) for kind in (Kind.LONG_TERM, Kind.CONTEXT, Kind.WORKING))] if scope else own


def _logs(bot: Bot, scope: str) -> QuerySet[Document]:
    return Document.objects.filter(bot=bot, kind=Kind.DAILY, tier=Tier.CHAT if scope else Tier.GLOBAL, scope=scope)
