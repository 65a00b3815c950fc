"""A made-up bot: a `MEMORY.md`, and in `items/` a JSON line for each thing that it was told in a chat.

It keeps no logs, no working memory and no transcripts, and whatever is said to it, only it can write down."""

from __future__ import annotations

import json
from collections import Counter

from memory.domain.attributes import Addition, Sentences
from memory.domain.changes import Append, Delete, Put, digest
from memory.domain.dialect import Dialect
from memory.domain.places import Kind, Place, Tier
from memory.domain.prompt import Prompt, PromptLine, Section
from memory.text.attributes import Attributes, instant
from memory.text.markdown.blocks import decode
from memory.text.markdown.entries import FactAt
from memory.text.markdown.normal import key
from memory.text.markdown.rewrite import tidy


class Items:
    root, usual, has_weights, has_expiry, is_by_chat = "memory", "note", False, False, True
    sentences = Sentences("What it jotted down.", "It is a line.", "It reads all.", "The lines go.", "It has no items.")
    kinds, sorts, sources = {"note": "Note", "task": "Task"}, {"chat": "Of a chat"}, {}
    statuses, addable, detailing = {"open": "Open", "done": "Done"}, {"chat": "The chat"}, None

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
        change = Append(path, line(draft.text, draft.kind, now))
        return Addition((change,), path, before, f"Jotted down {draft.text}")


class Jotter(Dialect):
    name, label, reads_by_chat, attributes = "jotter", "Jotter", True, Items()

    def recognises(self, names):
        return "items" in names

    def describe(self, path):
        scope = path.removeprefix("items/").removesuffix(".jsonl")
        if path == f"items/{scope}.jsonl" and not self.session_id_problem(scope):
            return Place(Kind.LONG_TERM, Tier.CHAT, scope, has_attributes=True)
        return super().describe(path)

    def path(self, kind, scope="", day=""):
        is_items = kind is Kind.LONG_TERM and scope
        return self.attributes.path(scope) if is_items else super().path(kind, scope, day)

    def facts(self, path, data):
        if not self._is_items(path):
            return super().facts(path, data)
        found, seen, at = [], Counter(), 0
        for number, whole in enumerate(decode(data).splitlines(keepends=True), 1):
            if row := read(whole):
                own, text = key(row["text"]), row["text"]
                about = Attributes(kind=row["kind"], whose="chat", status=row["status"], updated=row["at"])
                end = at + len(whole)
                found.append(FactAt(number, number, at, end, "", text, own, seen[own], attributes=about))
                seen[own] += 1
            at += len(whole)
        return found

    def add(self, path, data, texts, now):
        if not self._is_items(path):
            return super().add(path, data, texts, now)
        return Append(path, b"".join(line(tidy(text), "note", now) for text in texts))

    def edit(self, path, data, fact, text):
        if not self._is_items(path):
            return super().edit(path, data, fact, text)
        lines = data.split(b"\n")
        lines[fact.line - 1] = json.dumps({**json.loads(lines[fact.line - 1]), "text": tidy(text)}).encode()
        return Put(path, b"\n".join(lines), digest(data))

    def forget(self, path, data, facts):
        if not self._is_items(path):
            return super().forget(path, data, facts)
        gone = {fact.line for fact in facts}
        left = b"\n".join(one for number, one in enumerate(data.split(b"\n"), 1) if number not in gone)
        return Put(path, left, digest(data)) if left else Delete(path, digest(data))

    def prompt(self, memory, chat, query, now, settings, sender=""):
        own, path = super().prompt(memory, chat, query, now, settings), self.path(Kind.LONG_TERM, chat or "")
        facts = self.facts(path, memory.read(path) or b"") if chat else ()
        items = tuple(PromptLine(f"- {fact.text}\n", path, fact.line, fact) for fact in facts)
        return Prompt((*own.sections, Section("Items", Tier.CHAT, items)) if items else own.sections)

    def _is_items(self, path):
        return path.startswith("items/")


def line(text, kind, now):
    """An item as the bot itself writes it."""
    return json.dumps({"text": text, "kind": kind, "status": "open", "at": instant(now)}).encode() + b"\n"


def read(line):
    """An item; None for a line that is none."""
    try:
        row = json.loads(line)
        return row if all(isinstance(row[name], str) for name in ("text", "kind", "status", "at")) else None
    except (ValueError, KeyError, TypeError):
        return None
