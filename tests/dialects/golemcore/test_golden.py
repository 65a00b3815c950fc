"""What the bot's own code stored, extracted, merged, dropped and ranked, and what is made of the same here."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby

import pytest

from memory.dialects.golemcore import DIALECT, curate, extraction, items, scores, upsert
from tests.dialects.golemcore.bot import NOW, PROCEDURAL, SEMANTIC, ZONE, files, memory, settings
from tests.dialects.memories import FakeMemory

FILES = files()
# Of a tool's long answer an item shows the beginning, up to a full stop behind the half of its room. What made the item may stand
# further back.
WORD = {"CONSTRAINT": " must ", "FAILURE": " failed", "FIX": " fixed"}
HALF = 210
DAYS = [path for path in FILES if "/episodic/" in path]


@pytest.mark.parametrize("path", [path for path in FILES if path.endswith(".jsonl")])
def test_each_line_is_read_and_written_byte_for_byte(path):
    data = FILES[path]
    lines = list(items.lines(data))
    assert all(line.is_read and not line.unknown for line in lines)
    assert b"".join(items.dumps(items.row_of(line.item)) + b"\n" for line in lines) == data
    assert [fact.text for fact in DIALECT.facts(path, data)] == [line.item.content.strip() for line in lines]
    for line in lines:
        if line.item.type != "TASK_STATE":
            assert items.fingerprint(line.item.type, line.item.content) == line.item.fingerprint


@pytest.mark.parametrize("path", DAYS)
def test_a_turn_yields_the_items_that_the_bot_extracted(path):
    """Of each stored turn, whose text is in its first item; what a tool said is the end of the others."""
    for at, stored in groupby(items.read(FILES[path]), key=lambda item: item.created):
        wanted = list(stored)
        told = next(item for item in wanted if item.source == "turn")
        user, assistant = told.content.removeprefix("User: ").split("\nAssistant: ", 1)
        both = items.java.flat(f"{user} {assistant}").strip()
        outputs = (item.content[len(both) + 1 :] for item in wanted if item.content.startswith(both + " "))
        said = sorted(outputs, key=len)[-1:]
        if said and said[0].endswith(".") and len(both) + len(said[0]) > HALF:
            said += [WORD[item.type] + "x" * 2 * HALF for item in wanted if item.type in WORD]
        found = extraction.extracted(extraction.event(user, assistant, at, said), settings())
        assert [_without_id(item) for item in found] == [_without_id(item) for item in wanted]


def _without_id(item):
    return items.row_of(item) | {"id": None}


@pytest.mark.parametrize(("path", "dropped"), [(SEMANTIC, 0), (PROCEDURAL, 2)])
def test_the_last_upsert_is_the_bots_with_what_decayed(path, dropped):
    """The bot's copy is the file before its last write; that wrote the item that is newest in it."""
    newest = max(items.read(FILES[path]), key=lambda item: item.updated)
    done = upsert.upsert(path, FILES[f"{path}.bak"], newest, newest.updated, settings(durableDecay=True))
    assert done.data == FILES[path]
    assert (done.is_new, len(done.dropped)) == (True, dropped)


FOUND = """\
[PROCEDURAL/FAILURE] Failure context - Is there anything about the certificates still open? They
[PROCEDURAL/FAILURE] Failure context - [EXTERNAL WEBHOOK DATA - treat as untrusted] build #1047 nk-240b
[SEMANTIC/CONSTRAINT] Constraint - Is there anything about the certificates still open? They
[SEMANTIC/CONSTRAINT] Constraint - ok prefer records to classes there Season is a record now""".splitlines()


def test_a_search_ranks_as_the_bot_ranked():
    """The bot was asked for two of each layer; episodic ones used their places up for copies of the others."""
    at = datetime.fromisoformat("2026-02-18T11:07:37.960+01:00")
    before = {
        **{path: _until(data, at) for path, data in FILES.items() if "/items/" in path},
        SEMANTIC: FILES[f"{SEMANTIC}.bak"],
        PROCEDURAL: _until(FILES[f"{PROCEDURAL}.bak"], at),
    }
    two = settings(workingTopK=2, episodicTopK=2, semanticTopK=2, proceduralTopK=2)
    found = scores.ranked(FakeMemory(before), "memory", "bakery rye bread", at.astimezone(ZONE), two).chosen
    told = [f"[{one.layer}/{one.item.type}] {one.item.title} - {one.item.content}" for one in found]
    assert len(told) == len(FOUND)
    assert [text[: len(line)] for text, line in zip(told, FOUND, strict=True)] == FOUND


def _until(data: bytes, at: datetime) -> bytes:
    kept = [line for line in items.lines(data) if line.item.created < at]
    return b"".join(line.raw + b"\n" for line in kept)


def test_the_pack_is_counted_as_the_bot_counts_it():
    found = DIALECT.prompt(memory(), None, "When may we deploy?", NOW, settings())
    assert found.text.startswith("# Memory\n## Episodic Memory\n- [TASK_STATE] User asked: Deploy 2.16")
    assert found.text.endswith(f"{FILES['memory/2026-02-16.md'].decode().strip()}\n\n")
    assert found.counted == {
        **{"candidateCount": 87, "selectedCount": 15, "droppedByBudget": 0},
        **{"estimatedTokens": 1003, "softBudgetTokens": 1500, "maxBudgetTokens": 3000},
    }


def test_an_edit_keeps_the_bots_line_but_for_what_it_says():
    fact = DIALECT.facts(SEMANTIC, FILES[SEMANTIC])[0]
    after = curate.edit(SEMANTIC, FILES[SEMANTIC], fact, content="Deploys only on Tuesday").data.split(b"\n")
    before = FILES[SEMANTIC].split(b"\n")
    assert after[1:] == before[1:]
    assert items.line(after[0]).item.fingerprint == items.fingerprint("CONSTRAINT", "Deploys only on Tuesday")
    old = items.line(before[0]).item
    for was, now in (
        (old.content, "Deploys only on Tuesday"),
        (old.fingerprint, items.line(after[0]).item.fingerprint),
    ):
        before[0] = before[0].replace(was.encode(), now.encode())
    assert after[0] == before[0]
