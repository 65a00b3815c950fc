"""The prompt as the bot renders it, byte for byte, and what is left out of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from memory.dialects.golemcore import DIALECT, items
from memory.dialects.golemcore.items import Item
from memory.dialects.golemcore.prompt import NOTES_OFF, OFF, TOO_OLD
from tests.dialects.memories import FakeMemory

NOW = datetime(2026, 2, 22, 12, tzinfo=UTC)


def item(content, layer, **said):
    return items.dumps(items.row_of(replace(Item(content=content, layer=layer, updated=NOW), **said)))


FILES = {
    "memory/MEMORY.md": b"# Ferries\n\n- Answer in Dutch\n",
    "memory/2026-02-22.md": b"[10:00] User: hi | Assistant: hello\n",
    "memory/2026-02-20.md": b"\n",
    "memory/2026-02-19.md": b"[09:00] User: a | b | Assistant: c\n",
    "memory/2026-02-01.md": b"[09:00] User: old | Assistant: notes\n",
    "memory/items/semantic.jsonl": item("Likes\n tea ", "SEMANTIC", type="PREFERENCE", title="Drinks")
    + b"\n"
    + item("x" * 500, "SEMANTIC", title=" ", salience=0.1),
    "memory/items/episodic/2026-02-22.jsonl": item("Asked", None, type="TASK_STATE", title="A turn"),
    "memory/items/episodic/2026-02-01.jsonl": item("Past", "EPISODIC"),
}
ITEMS = f"""\
## Episodic Memory
- [TASK_STATE] A turn: Asked

## Semantic Memory
- [PREFERENCE] Drinks: Likes  tea
- [ITEM] {"x" * 417}..."""
LEGACY = """\
## Long-term Memory
# Ferries

- Answer in Dutch


## Today's Notes
[10:00] User: hi | Assistant: hello


## Recent Context
### 2026-02-19
[09:00] User: a | b | Assistant: c"""


def made(files, query="tea", **values):
    return DIALECT.prompt(FakeMemory(files), None, query, NOW, DIALECT.settings(values))


def without(part):
    return {path: data for path, data in FILES.items() if part not in path}


def test_items_and_legacy_memory():
    found = made(FILES)
    assert found.text == f"# Memory\n{ITEMS}\n\n## Legacy Memory\n{LEGACY}\n\n"
    assert [section.heading for section in found.sections] == ["Episodic Memory", "Semantic Memory", "Legacy Memory"]
    tied = [(line.path, line.line, line.fact.text) for section in found.sections for line in section.lines if line.fact]
    assert ("memory/items/semantic.jsonl", 1, "Likes\n tea") in tied
    assert ("memory/MEMORY.md", 3, "Answer in Dutch") in tied
    assert ("memory/2026-02-19.md", 1, "User: a | b | Assistant: c") in tied


def test_without_items_the_legacy_memory_stands_alone():
    assert made(without("items")).text == f"# Memory\n{LEGACY}\n\n"


def test_without_legacy_notes_memory_md_is_read_only_where_no_item_fits():
    assert made(FILES, legacyDailyNotesEnabled=False).text == f"# Memory\n{ITEMS}\n\n"
    alone = made(without("items"), legacyDailyNotesEnabled=False).text
    assert alone == "# Memory\n## Long-term Memory\n# Ferries\n\n- Answer in Dutch\n\n"


def test_a_memory_that_is_off_is_not_read():
    found = made(FILES, enabled=False)
    assert (found.text, [one.why for one in found.left_out]) == ("", [OFF])


def test_what_is_left_out_says_why():
    found = {(one.path, one.why) for one in made(FILES).left_out}
    assert found == {("memory/2026-02-01.md", TOO_OLD), ("memory/items/episodic/2026-02-01.jsonl", TOO_OLD)}
    assert ("memory/MEMORY.md", NOTES_OFF) in {
        (one.path, one.why) for one in made(FILES, legacyDailyNotesEnabled=False).left_out
    }


def test_crlf_notes_are_verbatim():
    files = {"memory/2026-02-22.md": b"[10:00] User: a | Assistant: b\r\n"}
    assert made(files).text == "# Memory\n## Today's Notes\n[10:00] User: a | Assistant: b\n\n"


def test_the_instructions_begin_with_the_bots_prompts():
    memory = FakeMemory({**FILES, "prompts/RULES.md": b"Be kind.\n"})
    settings = DIALECT.settings({})
    found = DIALECT.instructions(memory, DIALECT.prompt(memory, None, "", NOW, settings), settings)
    assert found.startswith("Be kind.\n\n# Memory\n## Episodic Memory\n")
