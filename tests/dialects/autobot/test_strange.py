"""What strangers bring: names, bytes and files that nobody expects, two tabs at once, a memory that is not there yet."""

from __future__ import annotations

import shutil
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, strategies as st

from memory import index
from memory.dialects.autobot import DIALECT, history, layout, sessions
from memory.dialects.autobot.consolidation import blocks, job
from memory.dialects.autobot.sessions import SessionMessage
from memory.domain.outcomes import Refused
from memory.jobs import review
from memory.jobs.outcomes import NotAccepted
from memory.jobs.run import Run
from memory.models import Job
from tests.dialects.autobot.test_consolidation import ADDED, BY, CHAT, PATH, at_once, done, says, set_aside, texts
from tests.dialects.autobot.test_formats import NOW

BOM = b"\xef\xbb\xbf"
STAMPED = b"[2026-01-01 10:00] a\n\n[2026-01-02 10:00] b\n\n"


def told(data):
    return [fact.text for fact in history.facts(data)]


def full(size=60):
    return sessions.metadata(NOW) + b"".join(
        sessions.said(SessionMessage("user", f"{number}", "2026-01-01T10:00:00Z")) for number in range(size)
    )


# HISTORY.md


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (BOM + STAMPED, ["[2026-01-01 10:00] a", "[2026-01-02 10:00] b"]),
        (STAMPED.replace(b"\n", b"\r\n"), ["[2026-01-01 10:00] a", "[2026-01-02 10:00] b"]),
        (b"\n \n" + STAMPED, ["[2026-01-01 10:00] a", "[2026-01-02 10:00] b"]),
        (b"one\n\n\n\ntwo\nmore\n\n" + STAMPED, ["one", "two\nmore", "[2026-01-01 10:00] a", "[2026-01-02 10:00] b"]),
        (STAMPED + b"[2026-01-03 1", ["[2026-01-01 10:00] a", "[2026-01-02 10:00] b\n\n[2026-01-03 1"]),
        (
            STAMPED + b"[2026-02-30 10:00] no day\n\n",
            [told(STAMPED)[0], "[2026-01-02 10:00] b\n\n[2026-02-30 10:00] no day"],
        ),
        (b"\xff\xfe[2026-01-01 10:00] x", ["\udcff\udcfe[2026-01-01 10:00] x"]),
        (BOM, []),
        (b"\r\n\r\n", []),
    ],
)
def test_entries_of_an_odd_history(data, wanted):
    assert told(data) == wanted
    lines = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n")
    for fact in history.facts(data):
        assert lines[fact.line - 1].strip("\r") == fact.text.split("\n")[0]
        left = DIALECT.forget(layout.HISTORY, data, [fact])
        assert told(left.data) == [text for text in wanted if text != fact.text]


@pytest.mark.parametrize("before", [BOM, BOM + STAMPED, STAMPED.replace(b"\n", b"\r\n"), b"one\n\ntwo", b"one\r\n\r\n"])
def test_entry_is_added_behind_an_odd_history_and_leaves_the_others(before):
    change = DIALECT.add(layout.HISTORY, before, ["By hand."], NOW)
    assert told(before + change.data) == [*told(before), "[2026-11-20 09:05] By hand."]
    assert not (before + change.data).count(b"\n\n\n")


@given(old=st.text(st.sampled_from("ab.\n\r {[\ufeff"), max_size=30), entry=st.text("ab.", min_size=1))
def test_stamped_entry_changes_no_entry_that_stands_before_it(old, entry):
    data = old.encode()
    assert told(data + history.appended(data, f"[2026-01-01 10:00] {entry}"))[:-1] == told(data)


@pytest.mark.slow
def test_history_of_5_mb_is_shown_searched_added_to_and_undone(owner):
    entries = (f"[2026-01-{day:02} 10:00] {'word ' * 50}{number}.\n\n" for number in range(700) for day in range(1, 29))
    file = owner.root / layout.HISTORY
    file.write_text("".join(entries))
    size = file.stat().st_size
    assert size > 5_000_000
    for page in ("entries/log", "entries/log?q=word+77.&around=20", f"documents/{layout.HISTORY}", "prompt/", ""):
        shown = owner.page(page)
        assert "<main" in shown, page
        assert len(shown.encode()) < 200 * 1024, page
    assert "over 4 MB" in owner.page(f"documents/{layout.HISTORY}")
    memory = owner.read(layout.MEMORY).decode()
    queued = job.start(owner.bot, set_aside(owner).path, BY)
    assert queued.state == Job.State.QUEUED
    form = BeautifulSoup(owner.page("entries/new"), "lxml")
    sent = {field["name"]: field.get("value", "") for field in form.select("main form input[name]")}
    sent |= {field["name"]: field.option["value"] for field in form.select("main form select[name]")}
    owner.client.post(f"/{owner.bot.slug}/entries/new", sent | {"text": "By hand."})
    assert file.read_bytes().endswith(b"By hand.\n\n")
    assert file.stat().st_size > size
    assert owner.read(layout.MEMORY).decode() == memory


# Transcripts


def test_byte_order_mark_of_a_transcript_is_taken_off_and_its_line_stays(owner):
    file = owner.root / PATH
    before = file.read_bytes()
    file.write_bytes(BOM + before)
    assert "Line 1 is damaged" in owner.page("entries/consolidation")
    assert isinstance(blocks.repair(owner.bot, CHAT, BY), blocks.Moved)
    assert owner.read(PATH) == before


def test_transcript_with_crlf_and_a_line_left_open_is_set_aside_and_put_back(owner):
    before = full().replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    (owner.root / PATH).write_bytes(before)
    moved = set_aside(owner)
    assert texts(owner.read(moved.path)) + texts(owner.read(PATH)) == texts(before)
    blocks.put_back(owner.bot, moved.path, BY)
    assert texts(owner.read(PATH)) == texts(before)


@pytest.mark.parametrize("name", ["a b", "x#y?z", "50%2F", "Zoë_猫", "a.20260101T000000Z", "-rf", "'\"<b>", "a" * 200])
def test_chat_of_any_name_is_shown_summed_up_and_put_back(owner, name):
    file = owner.root / f"sessions/{name}.jsonl"
    file.write_bytes(full())
    index.refresh(owner.bot)
    shown = BeautifulSoup(owner.page("entries/consolidation"), "lxml")
    assert name in [link.get_text() for link in shown.select(".called a")]
    page = owner.client.get(f"/{owner.bot.slug}/chats/{quote(name, safe='')}/transcript")
    assert "35 in neither prompt nor memory" in page.content.decode()
    owner.client.post(f"/{owner.bot.slug}/entries/consolidation/archive", {"chat": name})
    (path,) = blocks.waiting(owner.bot, name)
    assert (texts(owner.read(path)), len(texts(file.read_bytes()))) == ([str(one) for one in range(50)], 10)
    owner.client.post(f"/{owner.bot.slug}/entries/consolidation/back", {"block": path})
    assert texts(file.read_bytes()) == texts(full())


def test_name_that_leaves_no_room_is_refused_and_nothing_changed(owner):
    name = "n" * 249
    (owner.root / f"sessions/{name}.jsonl").write_bytes(full())
    index.refresh(owner.bot)
    before = owner.files()
    assert blocks.archive(owner.bot, name, BY) == Refused(blocks.TOO_LONG)
    assert owner.files() == before
    assert "35 in neither" in owner.page(f"chats/{name}/transcript")


@pytest.mark.parametrize("data", [b"", b"\n", sessions.metadata(NOW), b"{}\n", b"\0" * 10])
def test_transcript_without_a_message_breaks_no_page(owner, data):
    (owner.root / PATH).write_bytes(data)
    for page in ("entries/consolidation", f"chats/{CHAT}/transcript", f"prompt/?chat={CHAT}", "chats/"):
        assert "<main" in owner.page(page)
    assert isinstance(blocks.archive(owner.bot, CHAT, BY), Refused)
    assert owner.read(PATH) == data


def test_directory_in_place_of_a_transcript_breaks_no_page(owner):
    (owner.root / "sessions/dir.jsonl").mkdir()
    (owner.root / "sessions/gone.jsonl").symlink_to("nowhere")
    index.refresh(owner.bot)
    assert "whatsapp" in owner.page("entries/consolidation")
    assert "Permissions" in owner.page("entries/permissions")


# Two at once, and a memory that is not there yet


def test_two_tabs_set_aside_put_back_and_accept_once(owner, model):
    memory = owner.read(layout.MEMORY).decode()
    where = f"/{owner.bot.slug}/entries/consolidation"
    for _tab in range(2):
        owner.client.post(f"{where}/archive", {"chat": CHAT})
    (path,) = blocks.waiting(owner.bot, CHAT)
    assert Job.objects.count() == 1
    model.plays(says(memory + ADDED))
    planned = done(Job.objects.get())
    assert review.accept(planned, None, BY).applied == (1, 2)
    after = owner.files()
    assert isinstance(review.accept(planned, None, BY), NotAccepted)
    said = owner.client.post(f"{where}/back", {"block": path}, follow=True).content.decode()
    assert "aren’t waiting any more" in said
    assert owner.files() == after


def test_messages_put_back_while_the_model_is_asked_are_not_summed_up(owner, model, monkeypatch):
    memory = owner.read(layout.MEMORY).decode()
    at_once(owner)
    before = owner.files()
    moved = set_aside(owner)
    queued = job.start(owner.bot, moved.path, BY)

    asks = Run.ask

    def meanwhile(run, *asked, **more):
        blocks.put_back(owner.bot, moved.path, BY)
        return asks(run, *asked, **more)

    monkeypatch.setattr(Run, "ask", meanwhile)
    model.plays(says(memory + ADDED))
    assert done(queued).state == Job.State.PLANNED
    assert owner.read(layout.HISTORY) == before[layout.HISTORY]
    assert texts(owner.read(PATH)) == texts(before[PATH])
    assert review.accept(Job.objects.get(), None, BY) == NotAccepted(job.CHANGED)


def test_first_consolidation_of_a_bot_makes_its_memory(owner, model):
    shutil.rmtree(owner.root / "memory")
    index.refresh(owner.bot)
    at_once(owner)
    model.plays(says("# Long-term Memory\n\n- 8 visitors\n", "[2026-11-14 07:08] 14 visitors."))
    finished = done(job.start(owner.bot, set_aside(owner).path, BY))
    assert (finished.state, finished.trouble) == (Job.State.APPLIED, "")
    assert owner.read(layout.HISTORY) == b"[2026-11-14 07:08] 14 visitors.\n\n"
    assert owner.read(layout.MEMORY) == b"# Long-term Memory\n\n- 8 visitors\n"
