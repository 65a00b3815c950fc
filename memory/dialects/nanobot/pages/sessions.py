"""The sessions of a nanobot: their state files with how many turns each notes, those in which turns died first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory.bots import open_bot
from memory.dialects.nanobot.states import exchanges
from memory.domain.changes import split_path
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.models import Bot, Document
from memory.text.words.days import moment_of
from memory.web.base.chat_frame import head_or_404
from memory.web.base.chat_names import chat_urls, names_of

AT_ONCE = 50
LOOKED_AT = 500  # state files, those that were written last
DEAD = 100  # turns of one session that died, the newest
REMEMBERED = 86_400  # seconds
PIECE = 1 << 20  # bytes that are read at a time
WAITS = timedelta(minutes=10)  # a turn that began later than this may still get its answer
ENOUGH = 4096  # bytes of a turn that are looked at

_NOTE = re.compile(rb"^### (\S+) (PRE|POST)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Counted:
    """A state file up to `end`: how many turns it notes, where those begin that died, when and where the last one began that has no
    answer yet ("" and -1 for none)."""

    size: int = 0
    mtime_ns: int = 0
    end: int = 0
    turns: int = 0
    died: tuple[int, ...] = ()
    since: str = ""
    open: int = -1


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    only = request.GET.get("only") == "died"
    files = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT, error="").order_by("-mtime_ns")
    some = list(files.values_list("path", "scope", "size", "mtime_ns")[: LOOKED_AT + 1])
    found = _sessions(bot, some[:LOOKED_AT])
    with_died = [one for one in found if one["died"]]
    paged = Paginator(with_died if only else found, AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "sessions",
        "page": paged,
        "only": only,
        "with_died": len(with_died),
        "all": len(found),
        "turns": sum(one["turns"] for one in found),
        "died": sum(one["died"] for one in found),
        "more": len(some) > LOOKED_AT,
    }
    return render(request, "nanobot/sessions.html", context)


@require_safe
def session(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    """The turns of one session that died."""
    chat, path = head_or_404(bot, scope), open_bot(bot).dialect.path(Kind.TRANSCRIPT, scope) or ""
    context: dict[str, object] = {"bot": bot, "place": "chats", "chat": chat, "chat_tab": "died"}
    try:
        counted = _counted(bot, path, Counted())
        dead = list(_dead(bot, path, _died(counted, open_bot(bot).now()), f"{chat.url}/transcript"))
        context |= {"counted": counted, "dead": dead, "number": len(_died(counted, open_bot(bot).now()))}
    except VaultError as error:
        context["refusal"] = str(error)
    return render(request, "nanobot/session.html", context)


def _sessions(bot: Bot, files: Sequence[tuple[str, str, int, int]]) -> list[dict[str, Any]]:
    """Those in which turns died first, then by when they were written. `waits`: the last turn began a moment ago."""
    now, known = open_bot(bot).now(), _known(bot, files)
    scopes = [scope for _path, scope, _size, _mtime in files]
    names, urls = names_of(bot, scopes), chat_urls(bot, scopes)
    found = []
    for path, scope, size, mtime_ns in files:
        one = known[path]
        died = len(_died(one, now))
        url = urls[scope]
        found.append(
            {
                "name": names.get(scope, scope),
                "url": f"{url}/died" if url and died else f"{url}/transcript" if url else "",
                "turns": one.turns,
                "died": died,
                "waits": one.open >= 0 and died == len(one.died),
                "size": size,
                "written_ns": mtime_ns,
            }
        )
    return sorted(found, key=lambda one: (not one["died"], -one["written_ns"]))


def _known(bot: Bot, files: Sequence[tuple[str, str, int, int]]) -> dict[str, Counted]:
    """What each file notes. Bots only add to them, so what was read once is not read again."""
    name = f"sessions-{bot.pk}-{bot.created.timestamp()}"
    before: dict[str, Counted] = cache.get(name) or {}
    found = {}
    for path, _scope, size, mtime_ns in files:
        one = before.get(path, Counted())
        if (one.size, one.mtime_ns) != (size, mtime_ns):
            try:
                one = _counted(bot, path, one if one.size <= size else Counted())
            except VaultError:
                one = Counted()
            one = replace(one, size=size, mtime_ns=mtime_ns)
        found[path] = one
    if found != before:
        cache.set(name, found, REMEMBERED)
    return found


def _counted(bot: Bot, path: str, before: Counted) -> Counted:
    """A file counted from where it was counted to before. Raises Unreadable."""
    root, below = split_path(path)
    vault = open_bot(bot).vaults[root]
    at, turns, died, since, opened = before.end, before.turns, list(before.died), before.since, before.open
    rest = b""
    while data := vault.part(below, at + len(rest), PIECE) or b"":
        rest += data
        whole = rest.rpartition(b"\n")[0] + b"\n" if b"\n" in rest else b""
        for note in _NOTE.finditer(whole):
            if note[2] == b"POST":
                turns += opened < 0  # one whose beginning is in no file
                opened, since = -1, ""
                continue
            if opened >= 0:
                died.append(opened)
            turns, opened, since = turns + 1, at + note.start(), note[1].decode("ascii", "replace")
        at, rest = at + len(whole), rest[len(whole) :]
        if len(data) < PIECE:
            break
    return Counted(before.size, before.mtime_ns, at, turns, tuple(died), since, opened)


def _died(one: Counted, now: datetime) -> tuple[int, ...]:
    """Where the turns begin that died. The last may still be answered, for a while."""
    if one.open < 0 or _is_young(one.since, now):
        return one.died
    return (*one.died, one.open)


def _is_young(since: str, now: datetime) -> bool:
    at = moment_of(since)
    return at is not None and now - at < WAITS


def _dead(bot: Bot, path: str, starts: Sequence[int], transcript: str) -> Iterator[dict[str, object]]:
    """Turns that were never finished, the newest first: when each began, or what says so, what was asked, and where in the
    transcript that is. Raises Unreadable."""
    root, below = split_path(path)
    vault = open_bot(bot).vaults[root]
    for start in starts[: -DEAD - 1 : -1]:
        turns = exchanges(vault.part(below, start, ENOUGH) or b"")
        if turns:
            at = turns[0].at
            yield {
                "at": moment_of(at),
                "noted": at,
                "asked": turns[0].asked or "",
                "url": f"{transcript}?after={start}",
            }
