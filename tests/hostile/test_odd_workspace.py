"""Files that no bot would write in a workspace: nothing hangs, nothing is opened that is no note, and no byte changes."""

from __future__ import annotations

import os

import pytest

from memory import index, registry
from memory.models import Document, Fact
from tests.support.workspaces import OPENCLAW, write
from tests.web.conftest import added

SPARSE = 4 << 30


@pytest.fixture
def odd(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", OPENCLAW)
    (tmp_path / "outside.md").write_text("- not for you\n")
    (root / "memory/link.md").symlink_to(tmp_path / "outside.md")
    (root / "memory/loop").symlink_to(root, target_is_directory=True)
    os.mkfifo(root / "memory/2026-01-09.md")
    (root / "memory/people/two\nlines.md").write_text("- a name of two lines\n")
    (root / "memory/<b>bold.md").write_text("- markup\n")
    with open(os.fsencode(root) + b"/memory/caf\xe9.md", "wb") as file:
        file.write(b"- a name that is no UTF-8\n")
    (root / "memory/latin.md").write_bytes(b"- caf\xe9\n")
    (root / "memory/locked.md").write_text("- locked\n")
    (root / "memory/locked.md").chmod(0)
    write(root / "memory/.git", {"HEAD": "ref: refs/heads/main\n", "notes.md": "- never read\n"})
    with (root / "memory/huge.sqlite").open("wb") as file:
        file.truncate(SPARSE)
    with (root / "memory/huge.bin").open("wb") as file:
        file.truncate(SPARSE)
    return added(root)


def test_every_page_comes_and_says_what_cannot_be_read(odd):
    for page in (
        "",
        "documents/",
        "days/",
        "days/2026-01-09",
        "prompt/",
        "compaction",
        "search/?q=frost",
        "export",
        "settings",
    ):
        path, _, query = page.partition("?q=")
        assert odd.get(path, **({"q": query} if query else {})).status == 200, page
    text = odd.get("documents/").text
    assert "huge.sqlite" in text
    assert not Fact.objects.filter(bot=odd.bot, text__contains="not for you").exists()
    assert "<b>bold" not in odd.get("documents/").response.content.decode()


def test_what_is_no_note_stays_closed_and_git_is_not_walked(odd):
    rows = {row.path: row for row in Document.objects.filter(bot=odd.bot)}
    for path in ("memory/huge.sqlite", "memory/huge.bin"):
        assert (rows[path].size, rows[path].sha256, rows[path].error) == (SPARSE, "", "")
    assert not [path for path in rows if ".git" in path or path.startswith("memory/loop/")]
    assert rows["memory/people/two\nlines.md"].facts_count == 1


def test_no_byte_of_the_tree_changes(odd):
    def seen():
        return {
            (
                os.path.join(here, name),
                os.lstat(os.path.join(here, name)).st_mtime_ns,
                os.lstat(os.path.join(here, name)).st_size,
            )
            for here, _directories, names in os.walk(os.fsencode(odd.root))
            for name in names
        }

    before = seen()
    index.refresh(odd.bot)
    index.reindex(odd.bot)
    odd.get("documents/memory/latin.md")
    odd.get("documents/memory/people/two%0Alines.md")
    assert seen() == before


def test_the_adding_page_counts_them(odd, tmp_path):
    registry.remove(odd.bot)
    page = odd.client.get("/bots/add", {"path": str(odd.root)})
    assert page.status_code == 200
    assert "memory/huge.sqlite" in page.content.decode()
