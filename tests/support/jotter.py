"""A made-up family whose facts have attributes: a JSON line each, in a file of each chat. All else is as KenoBot has it."""

from __future__ import annotations

import json

from memory.bots.family import Family
from memory.dialects.kenobot import KenoBot
from memory.domain.attributes import Addition, Sentences
from memory.domain.changes import Delete, Put, digest
from memory.domain.dialect import Kind, Place, Tier
from memory.text.attributes import Attributes, instant
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import key

SENTENCES = Sentences("What it jotted down.", "It is a line.", "It reads all.", "The lines go.", "It has no items.")


class Items:
    root, usual, has_weights, sentences = "memory", "note", False, SENTENCES
    kinds, sorts, sources = {"note": "Note", "task": "Task"}, {"chat": "Of a chat"}, {}
    statuses, addable = {"open": "Open", "done": "Done"}, {"chat": "Of the chat"}

    def path(self, scope):
        return f"items/{scope}.jsonl"

    def scope(self, sort, chat):
        return chat

    def scopes(self, whose):
        return (f"{whose.channel}-{whose.chat_id}",) if whose.channel else ()

    def unsafe(self, text):
        return "It shouts." if text.isupper() else ""

    def addition(self, memory, scope, draft, now, settings):
        path, before = self.path(scope), memory.read(self.path(scope))
        row = {"text": draft.text, "kind": draft.kind, "status": "open", "at": instant(now)}
        change = Put(path, (before or b"") + json.dumps(row).encode() + b"\n", digest(before) if before else None)
        return Addition((change,), path, before, f"Jotted down {draft.text}")


class Jotter(KenoBot):
    name, label, attributes = "jotter", "Jotter", Items()

    def describe(self, path):
        if not path.startswith("items/"):
            return super().describe(path)
        return Place(Kind.LONG_TERM, Tier.CHAT, path[6:].removesuffix(".jsonl"), has_attributes=True)

    def facts(self, path, data):
        if not path.startswith("items/"):
            return super().facts(path, data)
        rows = [json.loads(line) for line in data.splitlines()]
        about = [Attributes(kind=row["kind"], whose="chat", status=row["status"], updated=row["at"]) for row in rows]
        told = enumerate(zip(rows, about, strict=True), 1)
        return [FactAt(n, n, 0, 0, "", row["text"], key(row["text"]), attributes=one) for n, (row, one) in told]

    def forget(self, path, data, facts):
        gone = {fact.line for fact in facts}
        left = b"".join(line for n, line in enumerate(data.splitlines(True), 1) if n not in gone)
        return Put(path, left, digest(data)) if left else Delete(path, digest(data))


class JotterFamily(Family):
    name, dialect = Jotter.name, Jotter()


FAMILY = JotterFamily()
