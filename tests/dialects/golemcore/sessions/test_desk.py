"""Sessions on the desk: read as conversations, never as text to edit, and kept byte for byte."""

from __future__ import annotations

import pytest

from memory import index, journal
from memory.compaction.chats import transcript_tail
from memory.curation import documents, purge
from memory.dialects.golemcore.sessions import compact, files, proto_file
from memory.dialects.golemcore.sessions.record import SUMMARY, WrittenLine, as_it_is
from memory.domain.changes import Put, digest
from memory.journal import versions
from memory.models import ChangeSet, Document
from tests.dialects.golemcore.sessions.conftest import JONAS, LIN, OTHER
from tests.management.cli.conftest import run

BY = journal.By("ana")
PATH = f"sessions/{OTHER}.pb"


def _shorter(owner, keep=2):
    """A session compacted to some messages, as a change."""
    data = owner.read(PATH)
    cut = compact.cut(files.read(PATH, data), keep)
    assert cut
    change = Put(PATH, files.written(PATH, data, cut.lines(), owner.bot.created), digest(data))
    return journal.commit(owner.bot, [change], by=BY, kind=ChangeSet.Kind.EDIT, moved="merge")


def test_a_session_in_either_form_is_a_chat_with_its_transcript(owner):
    page = owner.page(f"chats/{OTHER}/transcript")
    assert "hi again! which bakery was it?" in page
    assert (
        "memory {&quot;operation&quot;: &quot;memory_search&quot;, &quot;query&quot;: &quot;bakery rye bread&quot;"
        in page
    )
    assert "Found 4 memory item(s)" in page
    assert "18 February 2026, 10:07" in page
    page = owner.page(f"chats/{LIN}/transcript")
    assert "请帮我统计一月份每条航线的订单数量。" in page
    assert "shell {&quot;command&quot;" in page


def test_a_long_session_is_read_page_by_page(owner):
    path = f"sessions/{JONAS}.pb"
    data = owner.read(path)
    session = files.read(path, data)
    (owner.root / path).write_bytes(files.written(path, data, [*as_it_is(session)] * 3))
    page = owner.page(f"chats/{JONAS}/transcript")
    assert (page.count("data-row"), "before=65" in page) == (100, True)
    assert owner.page(f"chats/{JONAS}/transcript?before=65").count("data-row") == 65
    assert "after=100" in owner.page(f"chats/{JONAS}/transcript?after=0")
    assert "No messages yet" in owner.page(f"chats/{JONAS}/transcript?after=99999")


def test_a_damaged_session_says_so(owner):
    (owner.root / PATH).write_bytes(b"\x0a\x7f")
    assert proto_file.BROKEN in owner.page(f"chats/{OTHER}/transcript")
    (owner.root / f"sessions/{LIN}.json").write_text("[]")
    assert "makes an empty chat of it and deletes the file" in owner.page(f"chats/{LIN}/transcript")


def test_protobuf_is_read_where_both_forms_are_there(owner):
    (owner.root / f"sessions/{OTHER}.json").write_text('{"messages": [{"role": "user", "content": "old"}]}')
    index.refresh(owner.bot)
    assert "hi again!" in owner.page(f"chats/{OTHER}/transcript")


def test_a_session_in_a_directory_is_found_by_its_name(owner):
    (owner.root / "sessions/web:a").mkdir()
    (owner.root / PATH).rename(owner.root / "sessions/web:a/b.pb")
    index.refresh(owner.bot)
    assert "hi again!" in owner.page("chats/web:a:b/transcript")


def test_protobuf_is_no_text_to_edit(owner):
    opened = documents.open_document(owner.bot, PATH)
    assert (opened.text, opened.data) == ("", owner.read(PATH))
    assert "isn’t text" in opened.read_only
    assert "isn’t text" in documents.save(owner.bot, PATH, "x", opened.sha256, BY).reason
    assert Document.objects.get(bot=owner.bot, path=PATH).error == ""
    assert owner.client.get(f"/{owner.bot.slug}/raw/{PATH}").content == owner.read(PATH)
    assert run("show", PATH, "--bot", owner.bot.slug, "--json").json["text"] == ""


def test_history_tells_of_messages_and_keeps_every_byte(owner):
    before = owner.read(PATH)
    change = _shorter(owner).change_set
    shown = owner.page(f"changes/{change.pk}")
    assert "hi again! which bakery was it?" in shown
    assert "\x00" not in shown
    assert versions.bytes_of(owner.bot, digest(before)) == before
    assert isinstance(journal.undo(owner.bot, change, by=BY), journal.Applied)
    assert owner.read(PATH) == before


def test_two_versions_of_a_record_are_never_mixed(owner):
    change = _shorter(owner).change_set
    data = owner.read(PATH)
    (owner.root / PATH).write_bytes(written := files.written(PATH, data, [WrittenLine(0)]))
    undone = journal.undo(owner.bot, change, by=BY)
    assert isinstance(undone, journal.Conflict)
    assert owner.read(PATH) == written


@pytest.mark.parametrize("path", [PATH, f"sessions/{LIN}.json"])
def test_nothing_makes_a_session_unreadable(owner, path):
    data = owner.read(path)
    outcome = journal.commit(owner.bot, [Put(path, b"{", digest(data))], by=BY, kind=ChangeSet.Kind.EDIT)
    assert isinstance(outcome, journal.Conflict)
    assert owner.read(path) == data


def test_a_purged_text_leaves_a_record_that_the_bot_reads(owner):
    _shorter(owner)
    assert isinstance(purge.take_out(owner.bot, "sunday pancakes", BY), journal.Applied)
    session = files.read(PATH, owner.read(PATH))
    assert session.messages[0].content == "[purged][purged, recipe for four please"
    purge.purge(owner.bot, "sunday pancakes", BY)
    for _name, _parent, data in versions.each(owner.bot):
        assert b"sunday pancakes" not in data
        if data.startswith(b"\x0a"):
            assert files.read(PATH, data).messages


def test_an_export_has_its_bytes(owner, tmp_path):
    made = tmp_path / "out.zip"
    assert run("export", str(made), "--bot", owner.bot.slug).code == 0
    before = owner.read(PATH)
    (owner.root / PATH).unlink()
    index.refresh(owner.bot)
    assert run("import", str(made), "--bot", owner.bot.slug).code == 0
    assert owner.read(PATH) == before


def test_a_summary_is_a_message_of_the_system(owner):
    page = owner.page(f"chats/{JONAS}/transcript?after=0")
    assert SUMMARY.strip() in page
    assert "<strong>system</strong>" in page


def test_programs_are_told_messages_where_versions_clash(owner):
    change = _shorter(owner).change_set
    (owner.root / PATH).write_bytes(files.written(PATH, owner.read(PATH), [WrittenLine(0)]))
    told = run("undo", str(change.pk), "--bot", owner.bot.slug, "--json")
    assert told.code == 1
    assert "sunday pancakes" in told.json["conflict"]["base"]
    assert "\x00" not in told.json["conflict"]["theirs"]


def test_the_end_of_a_record_is_read_by_its_messages(owner):
    whole = transcript_tail.read_tail(owner.bot, OTHER, most=100_000)
    assert ([one.line for one in whole.messages], whole.end, whole.is_whole) == ([1, 2, 3, 4, 5, 6], 6, True)
    some = transcript_tail.read_tail(owner.bot, OTHER, most=160)
    assert ([one.line for one in some.messages], some.is_whole) == ([5, 6], False)
    since = transcript_tail.read_tail(owner.bot, OTHER, most=100_000, since=5)
    assert ([one.line for one in since.messages], since.is_whole) == ([6], True)
    assert transcript_tail.read_tail(owner.bot, "telegram:none", most=100) is None
