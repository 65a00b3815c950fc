"""Directories that go away while something is under way."""

from __future__ import annotations

import sys

from memory import index, journal
from memory.domain.changes import Put, digest
from memory.journal import Conflict
from memory.models import Bot, ChangeSet, Document, Root
from tests.hostile.conftest import mount, unmount
from tests.journal.conftest import ANA


def with_identity(desk, folder):
    """The bot gets a second root, and a document in it is replaced; the old one is still under watch."""
    folder.mkdir()
    (folder / "SOUL.md").write_bytes(b"soul\n")
    Root.objects.create(bot=desk.bot, name="identity", path=str(folder))
    desk.bot = Bot.objects.get(pk=desk.bot.pk)
    holder = (folder / "SOUL.md").open("ab")
    desk.applied(Put("@identity/SOUL.md", b"another soul\n", digest(b"soul\n")))
    ChangeSet.objects.update(finished="2026-01-01T00:00:00Z")
    return holder


def test_root_that_is_no_more_the_bots_holds_up_no_other(desk, tmp_path):
    with with_identity(desk, tmp_path / "identity"):
        Root.objects.filter(name="identity").delete()
        desk.bot = Bot.objects.get(pk=desk.bot.pk)
        desk.applied(desk.put("MEMORY.md", b"- a\n"))
    assert desk.read("MEMORY.md") == b"- a\n"


def test_root_that_comes_back_gives_back_what_was_written_late(desk, tmp_path):
    folder = tmp_path / "identity"
    with with_identity(desk, folder) as holder:
        folder.rename(tmp_path / "elsewhere")
        desk.applied(desk.put("MEMORY.md", b"- a\n"))
        holder.write(b"late\n")
    (tmp_path / "elsewhere").rename(folder)
    journal.settle(desk.bot)
    assert (folder / "SOUL.md").read_bytes() == b"another soul\nlate\n"
    assert [path.name for path in folder.iterdir()] == ["SOUL.md"]


def test_unmounted_disk_is_no_deletion(desk):
    mount("tmpfs", desk.root, "tmpfs")
    try:
        for name in ("MEMORY.md", "2026-01-01.md", "working/telegram-1.md"):
            desk.write(name, b"- a\n")
        assert index.refresh(desk.bot).trouble == ""
    finally:
        unmount(desk.root)
    assert "disappeared at once" in index.refresh(desk.bot).trouble
    assert Document.objects.count() == 3
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).exists()


def test_pages_of_a_root_that_is_gone_keep_their_heads_and_the_text(desk, ana):
    desk.write("MEMORY.md", b"- a\n")
    index.refresh(desk.bot)
    base = ana.hash()
    desk.root.rename(desk.root.with_name("unmounted"))
    pages = ("", "memory", "documents/", "facts/MEMORY.md", "history/", "history/MEMORY.md", "compaction", "settings")
    for page in pages:
        shown = ana.get(page)
        assert shown.status in (200, 404), page
        assert str(desk.root.parent) not in shown.response.content.decode(), page
    saved = ana.save("- b\n", base)
    assert saved.status == 422
    assert not desk.root.exists()
    desk.root.with_name("unmounted").rename(desk.root)
    assert ana.read() == "- a\n"
    assert ana.get("memory", draft=1).field == "- b\n"
    assert ana.save("- b\n", base).status == 200
    assert ana.read() == "- b\n"


def test_version_of_others_that_cannot_be_joined_after_all_is_kept(desk, monkeypatch):
    desk.write("MEMORY.md", b"1\n2\n3\n")
    holder = (desk.root / "MEMORY.md").open("r+b")
    desk.applied(desk.put("MEMORY.md", b"1\n2\n3\nours\n"))
    with holder:
        holder.write(b"theirs\n2\n3\n")
    busy = lambda *_: Conflict((), "it keeps changing")  # noqa: E731
    monkeypatch.setattr(sys.modules["memory.journal.settle"], "carry_out", busy)
    journal.settle(desk.bot)
    kept = ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).first()
    assert "Their version couldn’t be merged." in kept.note
    journal.restore(desk.bot, list(kept.revisions.all()), ANA)
    assert desk.read("MEMORY.md") == b"theirs\n2\n3\n"
