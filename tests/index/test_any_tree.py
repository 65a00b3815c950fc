"""Opening, refreshing and reindexing any tree of files changes no byte of it, whatever lies in it."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index
from memory.models import Bot, Document, Root
from memory.web.base.counts import has_days
from tests.support.amounts import times

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

_NAMES = st.sampled_from(
    [
        *("MEMORY.md", "memory", "2026-01-03.md", "2026-01-03-x.md", "HISTORY.md", "history.jsonl", "SOUL.md", "notes"),
        *(
            "main.sqlite",
            "main.sqlite-wal",
            "photo.png",
            ".hidden",
            ".git",
            "node_modules",
            "sessions",
            "a.jsonl",
            "chats",
        ),
        *(
            "2026",
            "01",
            "03.md",
            "日志.md",
            "sp ace.md",
            "quo\"te'<b>.md",
            "new\nline.md",
            "\udcff.md",
            "x" * 200 + ".md",
            "working",
        ),
    ]
)
_BYTES = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [
            b"",
            b"# 2026-01-03\n\n- frost\n",
            b"\xef\xbb\xbf## 08:40 x\r\ny\r\n",
            b"\xff\xfe\x00frost",
            b'{"cursor": 1, "content": "x"}\n',
            b'{"role": "user", "content": "\\ud83d"}\n',
            b"```\nnever closed",
            b"SQLite format 3\x00" + b"\0" * 200,
            b"- " + b"frost " * 40_000,
        ]
    ),
)
_SORTS = st.sampled_from(
    ["file"] * 8 + ["link in", "link out", "broken link", "fifo", "unreadable", "hard link", "circle"]
)
_TREES = st.lists(st.tuples(st.lists(_NAMES, min_size=1, max_size=3), _SORTS, _BYTES), max_size=10)


def plant(root: Path, outside: Path, tree) -> None:
    """The files of a tree, as far as they can be made."""
    for parts, sort, data in tree:
        target = root.joinpath(*parts)
        with suppress(OSError):
            target.parent.mkdir(parents=True, exist_ok=True)
            match sort:
                case "file" | "unreadable" if not target.is_fifo():  # it would wait for a reader
                    target.write_bytes(data)
                    target.chmod(0o000 if sort == "unreadable" else 0o640)
                case "link in":
                    target.symlink_to(root / "MEMORY.md")
                case "link out":
                    target.symlink_to(outside)
                case "broken link":
                    target.symlink_to("nowhere")
                case "fifo":
                    os.mkfifo(target)
                case "hard link":
                    os.link(outside, target)
                case "circle":
                    target.symlink_to(root)


def seen(root: Path):
    """Everything of a tree that a look must not change."""
    found = {}
    for directory, below, files in os.walk(root):
        for name in [*below, *files]:
            path = Path(directory) / name
            facts = path.lstat()
            what = (
                stat.S_IFMT(facts.st_mode),
                stat.S_IMODE(facts.st_mode),
                facts.st_mtime_ns,
                facts.st_ctime_ns,
                facts.st_ino,
            )
            data = path.read_bytes() if stat.S_ISREG(facts.st_mode) and os.access(path, os.R_OK) else None
            found[str(path)] = (*what, data, str(path.readlink()) if path.is_symlink() else "")
    return found


@pytest.mark.parametrize("dialect", ["workspace", "kenobot"])
@settings(
    max_examples=times(3, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(tree=_TREES)
def test_looking_at_any_tree_changes_no_byte_of_it(dialect, tree, tmp_path, settings):
    settings.KENOWEB_HOME = tmp_path / "home"
    settings.KENOWEB_HOME.mkdir(exist_ok=True)
    place = Path(mkdtemp(dir=tmp_path))
    root, outside = place / "tree", place / "outside.md"
    root.mkdir()
    outside.write_bytes(b"- not ours\n")
    plant(root, outside, tree)
    before = seen(place)
    bot = Bot.objects.create(slug=place.name.replace("_", "-"), name="Tree", dialect=dialect)
    Root.objects.create(bot=bot, name="memory", path=str(root))
    user, _ = User.objects.get_or_create(username="ana")
    visitor = Client()
    visitor.force_login(user)
    index.refresh(bot)
    rows = set(Document.objects.filter(bot=bot).values_list("path", "sha256", "facts_count"))
    for page in ("", "documents/", "prompt/"):
        assert visitor.get(f"/{bot.slug}/{page}").status_code == 200
    assert visitor.get(f"/{bot.slug}/days/").status_code == (200 if has_days(bot) else 404)
    for path in Document.objects.filter(bot=bot).values_list("path", flat=True)[:3]:
        index.look(bot, path)
    index.reindex(bot)
    assert set(Document.objects.filter(bot=bot).values_list("path", "sha256", "facts_count")) == rows
    assert seen(place) == before
    bot.delete()
    shutil.rmtree(place, ignore_errors=True)
