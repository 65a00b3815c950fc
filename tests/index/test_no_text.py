"""Files that should be a text and are none: listed with the reason, left alone, with no facts and nothing to be found."""

from __future__ import annotations

import pytest

from memory import index
from memory.bots import open_bot
from memory.dialects.shared.compaction.logs import NO_TEXT
from memory.models import Document, Fact
from memory.text.storable import NOT_TEXT, UTF_16, text_problem
from tests.support.workspaces import write
from tests.web.conftest import added

PATH = "memory/2026-01-05.md"
NOTE = "# 2026-01-05\n\n- The heater is off\n"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (NOTE.encode("utf-16"), UTF_16),
        (NOTE.encode("utf-32"), UTF_16),
        (b"\xfe\xff" + NOTE.encode("utf-16-be"), UTF_16),
        (NOTE.encode("utf-16-le"), NOT_TEXT),
        (bytes(range(8)) * 40 + b"\0\0\0\0x" * 40, NOT_TEXT),
        (NOTE.encode(), ""),
        (NOTE.encode("utf-8-sig"), ""),
        ("- café à la crème\n".encode("latin-1"), ""),
        (b"- a note with one \0 in it\n", ""),
        (NOTE.encode() + b"\0" * 4096, ""),
        (b"", ""),
    ],
)
def test_what_is_no_text(data, why):
    assert text_problem(data) == why


@pytest.fixture
def nursery(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", {"MEMORY.md": "- x\n", "SOUL.md": "Calm.\n", PATH: NOTE})
    return added(root)


def texts(visitor):
    return set(Fact.objects.filter(bot=visitor.bot).values_list("text", flat=True))


def test_a_note_that_becomes_no_text_loses_its_facts_and_says_why(nursery):
    assert texts(nursery) == {"Calm.", "x", "The heater is off"}
    nursery.write(PATH, NOTE.encode("utf-16"))
    assert index.refresh(nursery.bot).errors == {PATH: UTF_16}
    assert texts(nursery) == {"Calm.", "x"}
    row = Document.objects.get(bot=nursery.bot, path=PATH)
    assert (row.error, row.facts_count, row.size) == (UTF_16, 0, len(NOTE.encode("utf-16")))
    assert "UTF-16" in nursery.get("documents/").text
    page = nursery.get(f"documents/{PATH}")
    assert "UTF-16" in page.text
    assert not page.soup.select("textarea[name=text]")
    assert nursery.get("days/2026-01-05").status == 200
    assert (nursery.root / PATH).read_bytes() == NOTE.encode("utf-16")


def test_it_is_read_again_only_when_it_changes(nursery):
    nursery.write(PATH, NOTE.encode("utf-16"))
    index.refresh(nursery.bot)
    Document.objects.filter(bot=nursery.bot).update(ctime_ns=(nursery.root / PATH).stat().st_ctime_ns)
    walked = index.refresh(nursery.bot)
    assert PATH not in walked.changed
    assert walked.errors == {PATH: UTF_16}
    nursery.write(PATH, NOTE)
    index.refresh(nursery.bot)
    assert texts(nursery) == {"Calm.", "x", "The heater is off"}
    assert Document.objects.get(bot=nursery.bot, path=PATH).error == ""


def test_compaction_leaves_it_and_the_prompt_shows_what_the_bot_makes_of_it(nursery):
    nursery.write(PATH, NOTE.encode("utf-16"))
    nursery.write("SOUL.md", "Calm.\n".encode("utf-16"))
    memory, dialect = index.BotMemory(nursery.bot), open_bot(nursery.bot).dialect
    chosen = open_bot(nursery.bot).settings
    read = dialect.prompt(memory, None, "", open_bot(nursery.bot).now(), chosen)
    assert "\ufffd\ufffdC\0a\0l\0m" in read.text
    plan = dialect.compacting.compact(memory, "2026-03-20", ("",), chosen)
    assert plan.unread == ((PATH, NO_TEXT),)
    assert not plan.changes
