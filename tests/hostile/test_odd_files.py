"""Files as they should not be, seen through the pages: no text, no file, not writable, too large, or somebody else's."""

from __future__ import annotations

import os
import time

import pytest

from memory import index
from memory.domain.changes import digest
from memory.models import ChangeSet, Document, Fact
from tests.hostile.conftest import mount, unmount

ENTRY = "## 10:00 — Likes tea\n\n"
PAGES = ("", "memory", "facts/MEMORY.md", "history/MEMORY.md", "documents/", "history/", "compaction", "settings")

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")


def every_page(ana, *more):
    """All pages answer, none with a path of this machine."""
    for page in (*PAGES, *more):
        shown = ana.get(page)
        assert shown.status == 200, page
        assert str(ana.root.parent) not in shown.response.content.decode(), page


@pytest.mark.parametrize(
    "data",
    [
        b"- one\r\n- two  \r\n\r\n- three",
        b"\xef\xbb\xbf- one\n- two\n",
        b"\xef\xbb\xbf- one\r\n- two\n- three\r- four\r\n\r\n\r\n",
        b"\n\n- one\n\n",
        b"   \n\t\n",
        b"- a\x00b\n- two\x0b\x0c\x1c\n",
        "- Zürich \u2028 \u0085 \u202e x\n".encode(),
        b"- one" + b" " * 300 + b"\n" * 50,
    ],
)
def test_untouched_text_gives_the_same_bytes(ana, data):
    ana.write("MEMORY.md", data)
    shown = ana.get("memory")
    as_sent = shown.field.replace("\n", "\r\n")
    assert ana.save(as_sent, shown.base).status == 200
    assert (ana.root / "MEMORY.md").read_bytes() == data
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).exists()
    ana.save(as_sent + "- new", shown.base)
    now = (ana.root / "MEMORY.md").read_bytes()
    assert now.startswith(data.rstrip(b" \t\r\n"))
    assert now.rstrip().endswith(b"- new")


@pytest.mark.slow
def test_very_large_memory_answers_in_time(ana):
    line = f"- a line of some length{' in a very long file' * 50}, with **marks** and [a link](https://example.org)\n"
    ana.write("MEMORY.md", line * (4_300_000 // len(line) + 1))
    ana.write("2025-01-01.md", ENTRY)
    index.refresh(ana.bot)  # as the server does when it starts
    for page in (*PAGES, "documents/MEMORY.md"):
        began = time.monotonic()
        shown = ana.get(page)
        assert shown.status == 200
        assert time.monotonic() - began < 40, page
        assert len(shown.response.content) < 3 * 1024 * 1024, page
    assert "This file is over 4 MB, too large to edit in a browser." in ana.get("memory").text
    assert ana.save("- x\n").status == 422
    assert ana.client.get("/keno/raw/MEMORY.md").content == (ana.root / "MEMORY.md").read_bytes()


def test_log_of_a_day_that_is_none_shows_and_is_said(ana):
    ana.write("2025-13-45.md", ENTRY)
    every_page(ana, "documents/2025-13-45.md", "facts/2025-13-45.md", "history/2025-13-45.md")
    assert "These logs have dates that don’t exist." in ana.get("days/").text
    assert "Likes tea" in ana.get("days/2025-13-45").text
    assert "Likes tea" in ana.get("facts/2025-13-45.md").text


def test_directory_and_fifo_named_like_logs_hang_nobody(ana):
    (ana.root / "2025-01-01.md").mkdir()
    os.mkfifo(ana.root / "2025-01-02.md")
    ana.write("2025-01-03.md", ENTRY)
    ana.write("MEMORY.md", "- a\n")
    index.refresh(ana.bot)
    began = time.monotonic()
    every_page(ana, "documents/2025-01-01.md", "documents/2025-01-02.md", "facts/2025-01-02.md")
    assert time.monotonic() - began < 40
    assert "isn’t a regular file" in ana.get("documents/2025-01-02.md").text
    assert ana.save("- x\n", "", "2025-01-02.md").status == 422
    plan = ana.get("compaction").text
    assert "2025-01-02.md is not changed." in plan
    assert "Nothing can be compacted right now" not in plan
    assert Document.objects.get(path="2025-01-02.md").error


def test_read_only_file_system_refuses_and_keeps_the_text(ana):
    ana.write("MEMORY.md", "- a\n")
    mount("tmpfs", ana.root, "tmpfs")
    try:
        ana.write("MEMORY.md", "- a\n")
        base = ana.hash()
        mount("none", ana.root, "none", flags=32 | 1)  # remount, read-only
        refused = ana.save("- a\n- mine\n", base)
        assert refused.status == 422
        assert "read-only" in refused.text
        assert refused.field == "- a\n- mine\n"
        assert ana.read() == "- a\n"
    finally:
        unmount(ana.root)


def test_file_swapped_for_a_link_while_it_is_edited_leads_nowhere(ana, tmp_path):
    outside = tmp_path / "secret.md"
    outside.write_text("- a\n")  # the very bytes that the save states as its base
    ana.write("MEMORY.md", "- a\n")
    base = ana.get("memory").base
    (ana.root / "MEMORY.md").unlink()
    (ana.root / "MEMORY.md").symlink_to(outside)
    assert ana.save("- mine\n", base).status == 422
    assert outside.read_text() == "- a\n"
    (ana.root / "MEMORY.md").unlink()
    assert ana.get("memory", draft=1).field == "- mine\n"


def test_directory_swapped_for_a_link_while_it_is_edited_leads_nowhere(ana, tmp_path):
    ana.write("chats/x/MEMORY.md", "- a\n")
    base = ana.get("documents/chats/x/MEMORY.md").base
    outside = tmp_path / "outside"
    (ana.root / "chats/x").rename(outside)
    (ana.root / "chats/x").symlink_to(outside)
    assert ana.save("- mine\n", base, "chats/x/MEMORY.md").status == 422
    assert (outside / "MEMORY.md").read_text() == "- a\n"


def test_file_replaced_while_it_is_edited_is_asked_about(ana):
    ana.write("MEMORY.md", "- a\n- b\n")
    base = ana.get("memory").base
    fresh = ana.root / "fresh"
    fresh.write_text("- a\n- theirs\n")
    fresh.replace(ana.root / "MEMORY.md")
    answer = ana.save("- a\n- mine\n", base)
    assert answer.status == 409
    assert answer.field == "- a\n- mine\n"
    assert ana.read() == "- a\n- theirs\n"


def save_and_undo(ana):
    """One line more by the editor's form, then undone on the page of the change."""
    before = (ana.root / "MEMORY.md").read_bytes()
    ana.save(before.decode() + "- mine\n")
    assert (ana.root / "MEMORY.md").read_bytes() == before + b"- mine\n"
    made = ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).first()
    ana.post(f"changes/{made.pk}/undo")
    assert (ana.root / "MEMORY.md").read_bytes() == before
    index.refresh(ana.bot)
    assert [path.name for path in ana.root.rglob(".kenoweb-*")] == []


def test_hard_link_stays_one(ana, tmp_path):
    ana.write("MEMORY.md", "- a\n")
    os.link(ana.root / "MEMORY.md", tmp_path / "other name.md")
    save_and_undo(ana)
    assert (ana.root / "MEMORY.md").samefile(tmp_path / "other name.md")


def test_bind_mount_stays_one(ana, tmp_path, bound):
    source = tmp_path / "elsewhere.md"
    source.write_text("- a\n")
    ana.write("MEMORY.md", "")
    bound(source, ana.root / "MEMORY.md")
    save_and_undo(ana)
    assert source.read_text() == "- a\n"
    assert os.stat(source).st_ino == os.stat(ana.root / "MEMORY.md").st_ino


@root_only
def test_file_of_somebody_else_stays_theirs(ana):
    ana.write("MEMORY.md", "- a\n")
    os.chown(ana.root / "MEMORY.md", 4321, 4322)
    (ana.root / "MEMORY.md").chmod(0o640)
    save_and_undo(ana)
    found = (ana.root / "MEMORY.md").stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (4321, 4322, 0o640)


def test_names_that_are_no_text_are_left_alone(ana):
    odd = os.fsencode(ana.root) + b"/chats/caf\xe9/MEMORY.md"
    os.makedirs(os.path.dirname(odd))
    with open(odd, "wb") as file:
        file.write(b"- x\n")
    ana.write("chats/a\nb/MEMORY.md", "- y\n")
    assert index.refresh(ana.bot).errors
    every_page(ana)
    links = [a["href"] for a in ana.get("documents/?q=MEMORY").soup.find_all("a") if "a%0Ab" in a["href"]]
    assert links
    for link in links:
        assert ana.client.get(link).status_code == 200
    with open(odd, "rb") as file:
        assert file.read() == b"- x\n"


def test_version_that_nobody_ever_saw_cannot_be_a_base(ana):
    ana.write("MEMORY.md", "- a\n")
    answer = ana.save("- mine\n", digest(b"never"))
    assert answer.status == 409
    assert "no longer in History" in answer.text
    assert ana.read() == "- a\n"


@pytest.mark.parametrize("seconds", [2**33, 2**34 - 1, 2**40, -(2**33)])
def test_files_from_the_far_future_or_past_are_shown(ana, desk, seconds):
    for path in ("2026-11-20.md", "working/tg-1.md", "MEMORY.md"):
        desk.write(path, ENTRY.encode())
        os.utime(desk.root / path, (seconds, seconds))  # nanoseconds of it do not fit into 63 bits
    for page in (
        "",
        "days/",
        "days/2026-11-20",
        "chats/",
        "chats/tg-1",
        "working/",
        "documents/",
        "memory",
        "history/",
    ):
        assert ana.get(page).status == 200, page
    assert ana.save("- Likes rain\n").status == 200
    assert ana.read() == "- Likes rain\n"


@pytest.mark.slow
def test_entry_of_many_megabytes_is_begun_and_not_edited(ana):
    ana.write("2026-11-20.md", "## 10:00 — " + "word " * 500_000 + "\n")
    index.refresh(ana.bot)
    name = f"{Fact.objects.get(document__path='2026-11-20.md').key}:0:2026-11-20.md"
    for page in (f"entry?fact={name}", f"entry?whole=1&fact={name}", "days/2026-11-20", "facts/2026-11-20.md?q=word"):
        shown = ana.get(page)
        assert shown.status == 200
        assert len(shown.response.content) < 200_000, page
    page = ana.get(f"entry?fact={name}")
    assert "This fact is too long to edit on its own." in page.text
    assert page.soup.find("textarea") is None
