from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index, journal
from memory.compaction import runner
from memory.domain.changes import Append, Put
from memory.index.rows import RULES
from memory.models import Bot, ChangeSet, Document, Fact
from tests.journal.conftest import (
    desk,
    make_desk,
)
from tests.support.amounts import times

__all__ = ["desk"]

LOG = "2026-01-01.md"


def entry(minute: int, text: str) -> bytes:
    return f"## 10:{minute:02} — {text}\n\n".encode()


def make_old(desk, seconds: float = 10) -> None:
    """Set every file back, so that its times can be trusted."""
    for path in desk.root.rglob("*"):
        if path.is_file():
            then = time.time() - seconds
            os.utime(path, (then, then))


def index_of(desk) -> list[tuple]:
    documents = Document.objects.filter(bot=desk.bot).order_by("path")
    fields = ("path", "kind", "tier", "scope", "day", "size", "sha256", "tokens", "facts_count", "error")
    facts = Fact.objects.filter(bot=desk.bot).order_by("document__path", "ordinal")
    more = ("document__path", "ordinal", "line", "end_line", "time", "text", "key", "nth", "tokens")
    return [*documents.values_list(*fields), *facts.values_list(*more)]


def test_refresh_finds_documents_and_their_facts(desk):
    desk.write("MEMORY.md", b"# M\n\n- Likes Go\n")
    desk.write(LOG, entry(1, "a") + entry(2, "b"))
    desk.write("chats/telegram-1/2026-01-01.md", entry(3, "c"))
    desk.write("notes.txt", b"nobody's")
    refreshed = index.refresh(desk.bot)
    assert (refreshed.documents, refreshed.others, refreshed.trouble) == (3, 1, "")
    assert sorted(Fact.objects.values_list("text", "time")) == [
        ("Likes Go", ""),
        ("a", "10:01"),
        ("b", "10:02"),
        ("c", "10:03"),
    ]


def test_refresh_of_an_unchanged_tree_reads_and_writes_nothing(desk):
    desk.write("MEMORY.md", b"- a\n")
    make_old(desk)
    index.refresh(desk.bot)
    assert index.refresh(desk.bot).changed == ()


def test_what_was_read_by_other_rules_is_read_anew(desk):
    desk.write("MEMORY.md", b"- a\n- b\n")
    desk.write(LOG, entry(1, "c"))
    make_old(desk)
    index.refresh(desk.bot)
    whole, rows = index_of(desk), set(Fact.objects.values_list("pk", flat=True))
    Document.objects.update(rules=0)
    Fact.objects.filter(text="a").delete()
    Fact.objects.filter(text="b").update(words="other words")
    index.look_all(desk.bot, ["MEMORY.md"])
    assert (Fact.objects.get(text="b").words, index_of(desk)) == ("b", whole)
    assert index.refresh(desk.bot).changed == (LOG,)
    assert index.refresh(desk.bot).changed == ()
    assert len(rows & set(Fact.objects.values_list("pk", flat=True))) == 2
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).exists()


def test_rules_of_facts_do_not_change_without_another_number():
    golden = sorted((Path(__file__).parents[1] / "text" / "markdown" / "golden").glob("*.jsonl"))
    read = hashlib.sha256(b"".join(one.read_bytes() for one in golden)).hexdigest()[:12]
    assert (RULES, read) == (1, "abf84902ebe8"), "what facts files have is not what it was: raise RULES"


def test_refresh_distrusts_a_file_that_is_still_young(desk):
    desk.write("MEMORY.md", b"- a\n")
    index.refresh(desk.bot)
    stat = (desk.root / "MEMORY.md").stat()
    (desk.root / "MEMORY.md").write_bytes(b"- b\n")
    os.utime(desk.root / "MEMORY.md", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    index.refresh(desk.bot)
    assert Fact.objects.get().text == "b"


def test_facts_keep_their_rows_while_lines_move(desk):
    desk.write("MEMORY.md", b"- a\n- b\n")
    index.refresh(desk.bot)
    before = dict(Fact.objects.values_list("text", "id"))
    desk.write("MEMORY.md", b"# New title\n\n- b\n- c\n- a\n")
    index.refresh(desk.bot)
    after = dict(Fact.objects.values_list("text", "id"))
    assert (after["a"], after["b"]) == (before["a"], before["b"])
    assert Fact.objects.get(text="a").line == 5


def test_document_that_is_gone_leaves_the_index_and_stays_in_the_history(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    (desk.root / LOG).unlink()
    assert index.refresh(desk.bot).gone == (LOG,)
    assert not Document.objects.exists()
    assert ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).count() == 1


def test_root_that_is_gone_leaves_every_row(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    desk.root.rename(desk.root.with_name("unmounted"))
    refreshed = index.refresh(desk.bot)
    assert refreshed.trouble
    assert Document.objects.count() == 1
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).exists()
    assert str(desk.root.parent) not in refreshed.trouble
    desk.root.with_name("unmounted").rename(desk.root)
    assert index.refresh(desk.bot).trouble == ""


def test_many_documents_vanishing_at_once_are_asked_about(desk):
    for day in range(1, 29):
        desk.write(f"2026-01-{day:02}.md", entry(1, "a"))
    index.refresh(desk.bot)
    for path in desk.root.glob("2026-*.md"):
        path.unlink()
    refreshed = index.refresh(desk.bot)
    assert (len(refreshed.vanished), refreshed.gone) == (28, ())
    assert "28 files disappeared at once." in refreshed.trouble
    assert Document.objects.count() == 28
    assert len(index.refresh(desk.bot, accept_vanished=True).gone) == 28
    assert not Document.objects.exists()


def test_directory_that_is_suddenly_empty_is_asked_about(desk):
    for day in range(1, 5):
        desk.write(f"2026-01-{day:02}.md", entry(1, "a"))
    index.refresh(desk.bot)
    desk.root.rename(desk.root.with_name("unmounted"))
    desk.root.mkdir()
    assert len(index.refresh(desk.bot).vanished) == 4
    assert Document.objects.count() == 4
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).exists()


@pytest.mark.parametrize("is_noticed", [False, True])
def test_what_is_gone_with_all_others_stays_listed_whoever_looks_at_it(desk, is_noticed):
    for day in range(1, 5):
        desk.write(f"2026-01-{day:02}.md", entry(1, "a"))
    index.refresh(desk.bot)
    walked = Bot.objects.get(pk=desk.bot.pk).walked
    for path in desk.root.glob("2026-*.md"):
        path.unlink()
    if is_noticed:
        index.refresh(desk.bot)
    assert index.look(desk.bot, "2026-01-01.md").data is None
    index.look_all(desk.bot, ["2026-01-02.md", "2026-01-03.md"])
    assert len(index.refresh(desk.bot).vanished) == 4
    assert Bot.objects.get(pk=desk.bot.pk).walked == walked, "nothing was seen since"
    assert Document.objects.count() == 4
    assert len(index.refresh(desk.bot, accept_vanished=True).gone) == 4


def test_many_logs_that_we_removed_ourselves_are_no_accident(desk):
    for day in range(1, 29):
        desk.write(f"2026-01-{day:02}.md", entry(1, f"fact {day}"))
    index.refresh(desk.bot)
    ran = runner.run(desk.bot, ("",), journal.By("Ana"), today="2026-06-01")
    assert ran.counts.removed == 28
    refreshed = index.refresh(desk.bot)
    assert (len(refreshed.gone), refreshed.vanished, refreshed.trouble) == (28, (), "")
    assert [row.path for row in Document.objects.all()] == ["MEMORY.md"]


def test_fifo_named_like_a_log_is_an_error_and_hangs_nobody(desk):
    os.mkfifo(desk.root / LOG)
    refreshed = index.refresh(desk.bot)
    assert set(refreshed.errors) == {LOG}
    assert Document.objects.get().error


def test_document_that_becomes_unreadable_keeps_its_facts(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    (desk.root / LOG).unlink()
    (desk.root / LOG).mkdir()
    (desk.root / LOG / "x").write_bytes(b"")
    os.symlink("/etc/passwd", desk.root / "MEMORY.md")
    index.refresh(desk.bot)
    assert Document.objects.get(path="MEMORY.md").error
    assert not Fact.objects.filter(text__contains="root:").exists()


def test_look_reads_one_document_and_brings_its_rows_in_step(desk):
    desk.write(LOG, entry(1, "a"))
    looked = index.look(desk.bot, LOG)
    assert looked.data == entry(1, "a")
    assert looked.document.facts_count == 1
    desk.add(LOG, entry(2, "b"))
    assert index.look(desk.bot, LOG).document.facts_count == 2


def test_look_at_nothing_and_at_what_no_bot_describes(desk):
    assert index.look(desk.bot, LOG) == index.Looked(None)
    desk.write("notes.txt", b"x")
    assert index.look(desk.bot, "notes.txt") == index.Looked(None)


def test_refresh_while_somebody_writes_looks_again_later(desk):
    desk.write(LOG, entry(1, "a"))
    make_old(desk)
    with journal.locked(desk.bot):
        index.refresh(desk.bot, patience=0.01)
    assert Document.objects.get().facts_count == 1
    assert not ChangeSet.objects.exists()
    index.refresh(desk.bot)
    assert ChangeSet.objects.get().kind == ChangeSet.Kind.FOUND


def test_changed_file_costs_a_constant_number_of_statements(desk):
    def statements() -> int:
        desk.add(LOG, entry(5, "more"))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            index.refresh(desk.bot)
        return len(queries)

    desk.write(LOG, entry(1, "a"))
    for chat in range(3):
        desk.write(f"chats/telegram-{chat}/MEMORY.md", b"- x\n")
    make_old(desk)
    index.refresh(desk.bot)
    few = statements()
    for chat in range(60):
        desk.write(f"chats/telegram-{chat}/MEMORY.md", b"- x\n")
    make_old(desk)
    index.refresh(desk.bot)
    assert statements() <= few + 1


def test_reindex_leaves_history_and_bot_alone(desk):
    desk.write(LOG, entry(1, "a"))
    index.refresh(desk.bot)
    sets = ChangeSet.objects.count()
    index.reindex(desk.bot)
    assert ChangeSet.objects.count() == sets
    assert Bot.objects.get(pk=desk.bot.pk).walked is not None


names = st.sampled_from(["MEMORY.md", LOG, "2026-01-02.md", "chats/telegram-1/MEMORY.md", "working/telegram-1.md"])
texts = st.lists(
    st.sampled_from(["- a", "- b", "  more", "## 10:00 — x", "## 10:00 — x", "plain", "", "```", "\r", "é\x00"]),
    max_size=8,
).map(lambda lines: "\n".join(lines).encode())
steps = st.lists(st.tuples(st.sampled_from(["write", "add", "remove", "append"]), names, texts), max_size=8)


@settings(max_examples=times(6, 30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
@pytest.mark.slow
def test_rebuilt_index_equals_the_kept_one(desk, steps):
    one = make_desk(desk.root.parent / os.urandom(4).hex(), os.urandom(4).hex())
    for act, path, text in steps:
        if act == "write":
            one.write(path, text)
        elif act == "add" and (one.root / path).exists():
            one.add(path, text)
        elif act == "remove":
            (one.root / path).unlink(missing_ok=True)
        elif act == "append" and text:
            one.commit(Append(path, text))
        index.refresh(one.bot)
    kept = index_of(one)
    index.reindex(one.bot)
    assert index_of(one) == kept


def test_look_at_a_very_large_document_leaves_its_facts_to_the_walk(desk):
    many = (b"- fact number %07d of a %slong memory\n" % (number, b"very " * 70) for number in range(3_000))
    desk.write("MEMORY.md", b"".join(many))
    looked = index.look(desk.bot, "MEMORY.md")
    assert len(looked.data) > 1 << 20
    assert not Fact.objects.exists()
    index.refresh(desk.bot)
    assert Document.objects.get().facts_count == Fact.objects.count() == 3_000
    index.look(desk.bot, "MEMORY.md")
    assert Document.objects.get().facts_count == 3_000


def test_version_that_somebody_is_shown_can_be_a_base_even_while_others_write(desk):
    desk.write("MEMORY.md", b"- a\n- b\n")
    index.refresh(desk.bot)
    desk.write("MEMORY.md", b"- a\n- B\n")
    with journal.locked(desk.bot):
        shown = index.look(desk.bot, "MEMORY.md")
    desk.add("MEMORY.md", b"- from the bot\n")
    desk.applied(Put("MEMORY.md", b"- A\n- B\n", shown.sha256))
    assert desk.read("MEMORY.md") == b"- A\n- B\n- from the bot\n"


@pytest.mark.database
def test_what_takes_several_transactions_ends_as_what_takes_one(desk, monkeypatch):
    desk.write("chats/telegram-1/2026-01-02.md", entry(3, "young"))
    make_old(desk, -60)
    desk.write("MEMORY.md", b"- a\n- b\n")
    desk.write(LOG, entry(1, "c") + entry(2, "d"))
    for path in ("MEMORY.md", LOG):
        os.utime(desk.root / path, (1_700_000_000, 1_700_000_000))
    index.refresh(desk.bot)
    whole = index_of(desk)
    monkeypatch.setattr("memory.index.rows.FACTS_AT_ONCE", 0)
    index.reindex(desk.bot)
    assert index_of(desk) == whole
    known = dict(Document.objects.values_list("path", "ctime_ns"))
    assert [path for path, at in known.items() if not at] == ["chats/telegram-1/2026-01-02.md"]
    desk.write("MEMORY.md", b"- a\n- now another\n")
    make_old(desk)
    index.refresh(desk.bot)
    assert index.refresh(desk.bot).changed == ()
