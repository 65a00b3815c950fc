"""What a prompt may be made of, and what of it the bot leaves out, by reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from django.db.models import QuerySet

from memory import index
from memory.bots import open_bot
from memory.domain import prompt
from memory.domain.places import Kind, Tier
from memory.models import Bot, Document
from memory.web.base.addresses import addresses

REASONS = 60  # why something is left out
LEFT_OUT = 20  # documents of one reason
SEARCHED = 7  # newest logs that a bot may search whatever its settings say
WHOLE = 60  # documents on who the bot is
BESIDE = 8  # logs beyond those that it may read


@dataclass(frozen=True, slots=True)
class PromptDocuments:
    """The documents that a prompt may be made of. `older` counts daily logs beside them. Of those that are never loaded by
    themselves, `named` are listed as the first and `others` counts the rest."""

    paths: Sequence[str]
    older: int = 0
    named: frozenset[str] = frozenset()
    others: int = 0


NOTHING = PromptDocuments(())


def left_out(bot: Bot, found: Sequence[prompt.LeftOut], listed: PromptDocuments) -> dict[str, object]:
    """What is left out by reason, in the order in which the reasons come; what is not listed counts with what was named of it:
    some of each, `more` beside them, and the `count` of all.
    `older` counts daily logs beside those named."""
    url_of = addresses("document", bot)
    by_reason: dict[str, list[prompt.LeftOut]] = {}
    for one in found:
        by_reason.setdefault(one.why, []).append(one)
    alike = next((one.why for one in found if one.path in listed.named), None)
    groups = []
    for why, some in list(by_reason.items())[:REASONS]:
        count = sum(one.count for one in some) + (listed.others if why == alike else 0)
        shown = [
            {"path": one.path, "url": url_of(one.path), "age": one.age, "count": one.count} for one in some[:LEFT_OUT]
        ]
        more = count - sum(one.count for one in some[:LEFT_OUT])
        groups.append({"why": why, "some": shown, "more": more, "count": count})
    return {"groups": groups, "older": listed.older}


def documents(bot: Bot, scope: str) -> PromptDocuments:
    """What may be in the prompt of a chat ("" for none), in step with the files."""
    family, newest = open_bot(bot).dialect, _newest(bot)
    wanted = [path for path in _wanted(bot, scope) if path]
    known = {row.path: row for row in _rows(bot, scope, wanted, newest)}
    unread, changed = index.look_over(bot, known, {*known, *wanted})
    if changed:
        known = {row.path: row for row in _rows(bot, scope, wanted, newest)}
    listed = {*known, *unread}
    days = [place.scope for path in listed if (place := family.describe(path)) and place.kind is Kind.DAILY]
    full = any(days.count(of) >= newest for of in set(days))
    older = max(0, sum(logs.count() for logs in _logs(bot, scope)) - len(days)) if full else 0
    named, count = _only_named(bot)
    return PromptDocuments(sorted(listed | named), older, named, count - len(named))


def _newest(bot: Bot) -> int:
    """Daily logs of a scope that are looked at: those that the bot may read, and some that are named as left out."""
    opened = open_bot(bot)
    return max(opened.dialect.days_read(opened.settings), SEARCHED) + BESIDE


def _wanted(bot: Bot, scope: str) -> list[str | None]:
    """Where documents of a prompt lie beside its logs, and today's logs, whether or not they are there."""
    family, today = open_bot(bot).dialect, open_bot(bot).today()
    path = family.path
    own = [path(Kind.LONG_TERM), path(Kind.DAILY, "", today), *_loaded_whole(bot)]
    kinds = (Kind.LONG_TERM, Kind.CONTEXT, Kind.WORKING)
    if not scope:
        return own
    beside = (path(Kind.LONG_TERM, other) for other in family.beside(scope))
    return [*own, *(path(kind, scope) for kind in kinds), path(Kind.DAILY, scope, today), *beside]


def _loaded_whole(bot: Bot) -> Iterable[str]:
    """Where else a family that loads documents on who the bot is may keep them; its history too."""
    if open_bot(bot).dialect.directory("") is not None:
        return ()
    rows = Document.objects.filter(bot=bot, kind__in=(Kind.IDENTITY, Kind.HISTORY)).order_by("kind", "path")
    return rows.values_list("path", flat=True)[:WHOLE]


def _only_named(bot: Bot) -> tuple[frozenset[str], int]:
    """The first documents that such a family never loads by itself, which are named and not looked at, and how many there are."""
    if open_bot(bot).dialect.directory("") is not None:
        return frozenset(), 0
    on_demand = Document.objects.filter(bot=bot, tier=Tier.GLOBAL, scope="", kind__in=(Kind.TOPIC, Kind.ARCHIVE))
    return frozenset(on_demand.order_by("path").values_list("path", flat=True)[:LEFT_OUT]), on_demand.count()


def _rows(bot: Bot, scope: str, wanted: Sequence[str], newest: int) -> Iterable[Document]:
    """The rows of some documents and of the newest logs."""
    newest_logs = [logs.order_by("-day")[:newest] for logs in _logs(bot, scope)]
    return chain(Document.objects.filter(bot=bot, path__in=wanted), *newest_logs)


def _logs(bot: Bot, scope: str) -> list[QuerySet[Document]]:
    """The daily logs of the bot itself, and those of a chat."""
    logs = Document.objects.filter(bot=bot, kind=Kind.DAILY)
    own = logs.filter(tier=Tier.GLOBAL, scope="")
    return [own, logs.filter(tier=Tier.CHAT, scope=scope)] if scope else [own]
