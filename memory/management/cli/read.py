"""Commands that read: extract, facts, context, history, show."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from memory import index
from memory.bots import open_bot
from memory.curation import lineage
from memory.management.cli.command import (
    CommandRefused,
    Invocation,
    Output,
    add,
    lines,
    one_line,
    plain,
    plural,
    read_input,
    table,
)
from memory.models import ChangeSet, Fact
from memory.prompts import as_of, build
from memory.search import log
from memory.text.markdown.tags import extract

KEY = re.compile("[0-9a-f]{32}")


def register(commands: Any) -> None:
    tags = add(commands, "extract", take_tags, "show the memory tags in a raw reply", ready=False)
    tags.add_argument("file", metavar="FILE", nargs="?", default="-", help="a file, or - for standard input")
    some = add(commands, "facts", facts, "list the facts of the bot or of one file")
    some.add_argument("path", metavar="PATH", nargs="?")
    one = add(
        commands, "fact", fact, "show one fact's life: where it came from, how it was reworded, moved and removed"
    )
    one.add_argument("path", metavar="PATH", help="a file that contains it or did")
    one.add_argument("fact", metavar="FACT", help="its key, its line, or some of its words")
    section = add(commands, "context", context, "show the memory part of the prompt as the bot reads it")
    section.add_argument("--chat", metavar="ID", help="the chat ID")
    section.add_argument("--query", metavar="Q", default="", help="the user's message, for bots that load by it")
    section.add_argument("--sender-id", metavar="ID", default="", help="who is writing; the chat itself by default")
    section.add_argument("--now", metavar="ISO", type=moment, help="another time than now; UTC without an offset")
    section.add_argument(
        "--at", metavar="ISO", type=moment, help="as it was then, files included; UTC without an offset"
    )
    sets = add(commands, "history", history, "list the changes, newest first")
    sets.add_argument("path", metavar="PATH", nargs="?")
    sets.add_argument("--limit", metavar="N", type=int, default=200, help="show at most this many")
    document = add(commands, "show", show, "show a file's text")
    document.add_argument("path", metavar="PATH")


def moment(text: str) -> datetime:
    """An ISO time, UTC if it has no offset; for argparse."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def take_tags(call: Invocation) -> Output:
    raw = read_input(call.options.file).decode("utf-8", "replace")
    data: dict[str, Any] = {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(extract(raw)).items()
    }
    named = [(name, value) for name, value in data.items() if name != "clean_text" and value]
    rows = [
        f"{name}: {one_line(str(one))}"
        for name, value in named
        for one in (value if isinstance(value, list) else [value])
    ]
    return Output(data, plain(lines([data["clean_text"], *(["---", *rows] if rows else [])])))


def facts(call: Invocation) -> Output:
    rows = Fact.objects.filter(bot=call.bot).select_related("document").order_by("document__path", "ordinal")
    if call.options.path:
        looked = index.look(call.bot, call.options.path)
        if looked.document is None or looked.error:
            raise CommandRefused(looked.error or _missing(call.options.path))
        rows = rows.filter(document=looked.document)
    elif (refreshed := index.refresh(call.bot, patience=20)).trouble:
        raise CommandRefused(refreshed.trouble)
    found = [
        {
            "path": row.document.path,
            "line": row.line,
            "end_line": row.end_line,
            "time": row.time or None,
            "text": row.text,
            "key": row.key,
            "nth": row.nth,
            "tier": row.document.tier,
            "scope": row.document.scope,
        }
        for row in rows
    ]
    shown = [(f"{one['path']}:{one['line']}", one["time"] or "", one_line(str(one["text"]))) for one in found]
    return Output({"facts": found}, table(shown))


def fact(call: Invocation) -> Output:
    path = call.options.path
    index.look(call.bot, path)
    life = lineage.lineage_of(call.bot, path, _key(call, path))
    if not life.steps and not life.stands:
        raise CommandRefused(f"No such fact is known in {path}.")
    searches = [{"words": one.words, "at": one.at.isoformat()} for one in log.searches_of(call.bot, life.keys)]
    data = {**lineage.as_json(life), "searches": searches}
    where = f"{life.path}:{life.stands.line}" if life.stands else "gone"
    shown = [(one["at"][:19], one["how"], one["by"], one["path"], one_line(one["text"])) for one in data["steps"]]
    return Output(data, lines([f"{where}: {one_line(life.text)}", table(shown)]))


def _key(call: Invocation, path: str) -> str:
    """The key of a fact that stands in a document, or stood there. Raises CommandRefused."""
    wanted = call.options.fact
    if KEY.fullmatch(wanted):
        return str(wanted)
    rows = Fact.objects.filter(bot=call.bot, document__path=path).order_by("ordinal")
    if wanted.isdecimal() and len(wanted) < 10:
        found = list(rows.filter(line__lte=int(wanted), end_line__gte=int(wanted)))
    else:
        found = list(rows.filter(text__icontains=wanted)[:2])
    if len(found) != 1:
        raise CommandRefused(
            f"{'Several facts match' if found else 'No fact matches'} in {path}. Give a line or a key."
        )
    return found[0].key


def context(call: Invocation) -> Output:
    options = call.options
    then = as_of.memory_at(call.bot, options.chat, options.at, options.sender_id.strip()) if options.at else None
    try:
        built = build.build(
            call.bot, options.chat, options.query, options.at or options.now, then, options.sender_id.strip()
        )
    except build.PromptRefused as refused:
        raise CommandRefused(str(refused)) from None
    sections = [
        {
            "heading": section.heading,
            "tier": section.tier.value if section.tier else None,
            "text": section.text,
            "tokens": section.tokens,
            "documents": section.documents,
            "facts": [
                {"path": line.path, "line": line.line, "text": line.fact.text, "tokens": line.tokens}
                for line in section.lines
                if line.fact
            ],
        }
        for section in built.sections
    ]
    left_out = [asdict(one) for one in built.left_out]
    data = {
        "text": built.text,
        "tokens": built.tokens,
        "counter": built.counter.name,
        "own_words": built.own_words,
        "sections": sections,
        "left_out": left_out,
        "unsure": list(built.unsure),
    }
    if then is not None:
        data["unknown"] = [
            {"path": one.path, "why": one.why, "since": one.since.isoformat() if one.since else None}
            for one in then.unknown
        ]
    return Output(data, plain(built.text))


def history(call: Invocation) -> Output:
    sets = ChangeSet.objects.filter(bot=call.bot).defer("details").prefetch_related("revisions").order_by("-id")
    path = call.options.path
    if path:
        index.look(call.bot, path)
        sets = sets.filter(revisions__path=path).distinct()
    else:
        index.refresh(call.bot, patience=20)
    found = [_change_set(one) for one in sets[: max(call.options.limit, 0)]]
    shown = [
        (one["id"], one["created"][:19], one["kind"], one["by"], _paths(one["paths"]), one["why"]) for one in found
    ]
    return Output({"change_sets": found}, table(shown))


def show(call: Invocation) -> Output:
    looked = index.look(call.bot, call.options.path)
    if looked.error or looked.data is None:
        raise CommandRefused(looked.error or _missing(call.options.path))
    place = open_bot(call.bot).dialect.describe(call.options.path)
    text = looked.data.decode("utf-8", "replace") if place and place.is_text else ""
    return Output({"text": text, "base": looked.sha256}, plain(text), raw=looked.data)


def _change_set(one: ChangeSet) -> dict[str, Any]:
    return {
        "id": one.pk,
        "kind": one.kind,
        "by": one.by,
        "why": one.why,
        "state": one.state,
        "note": one.note,
        "created": one.created.isoformat(),
        "undoes": one.undoes_id,
        "paths": sorted({revision.path for revision in one.revisions.all()}),
    }


def _paths(paths: list[str]) -> str:
    return paths[0] if len(paths) == 1 else plural(len(paths), "file")


def _missing(path: str) -> str:
    return f"This bot’s memory has no file {path}."
