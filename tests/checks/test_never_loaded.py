"""What is too far down in a file is named with its first line; what is loaded is not."""

from __future__ import annotations

import pytest

from memory import index, registry
from memory.checks import findings, never_loaded
from memory.models import Bot, Finding, Root
from memory.prompts import build
from memory.prompts.unloaded import unloaded

pytestmark = pytest.mark.database


@pytest.fixture
def memory(db, tmp_path, settings, kenoweb_home):
    root = tmp_path / "memory"
    root.mkdir()
    bot = Bot.objects.create(slug="claude", name="Claude", dialect="workspace", settings={"flavour": "claude-code"})
    Root.objects.create(bot=bot, name="memory", path=str(root))
    return bot, root


def look(bot):
    index.refresh(bot, accept_vanished=True)
    findings.look(bot)
    rows = Finding.objects.filter(bot=bot, rule=never_loaded.NAME, gone=None)
    return [(row.path, row.line, row.text, row.note) for row in rows]


def test_what_is_too_far_down_is_found_until_it_is_not(memory):
    bot, root = memory
    (root / "MEMORY.md").write_text("".join(f"- Fact number {n}\n" for n in range(1, 151)))
    assert look(bot) == []
    (root / "MEMORY.md").write_text("".join(f"- Fact number {n}\n" for n in range(1, 231)))
    said = "30 facts from here on are too far down to be loaded."
    assert look(bot) == [("MEMORY.md", 201, "- Fact number 201", said)]
    (root / "MEMORY.md").write_text("- One fact\n")
    assert look(bot) == []


def test_middle_that_is_skipped_is_named_by_its_first_line_as_a_whole(db, tmp_path, kenoweb_home):
    root = tmp_path / "atlas"
    (root / "memory").mkdir(parents=True)
    (root / "SOUL.md").write_text("# Soul\nBe calm.\n")
    (root / "AGENTS.md").write_text("# Agents\nRead it.\n")
    written = ["# Memory", "", *(f"- Fact number {at % 700:04}" for at in range(2000))]
    (root / "MEMORY.md").write_text("".join(f"{line}\n" for line in written))
    bot = registry.add(root, name="Atlas")
    ((path, line, text, note),) = look(bot)
    (missing,) = unloaded(build.build(bot, None), index.BotMemory(bot))
    assert (path, line, text) == ("MEMORY.md", missing.line, written[missing.line - 1])
    assert text.endswith(missing.text.partition("\n")[0])
    assert line > 700, "and no earlier line that says the same is meant"
    number = len(missing.text.splitlines())
    assert note == f"{number} facts in lines {line} to {line + number - 1} are not loaded."
