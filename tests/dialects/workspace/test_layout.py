"""What lies where in a workspace, and which directories are one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from memory.dialects.kenobot import layout as kenobot
from memory.dialects.workspace import DIALECT, layout
from memory.dialects.workspace.dated import day_of
from memory.dialects.workspace.look import CLAUDE_CODE, HKUDS, OPENCLAW, PLAIN, look
from memory.domain.dialect import session_id_problem
from memory.domain.places import Kind

DAY = "2026-01-31"


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-01-31.md",
        "2026-01-31.md",
        "memory/2026-01-31-night-shift.md",
        "memory/2026-01-31_garden.md",
        "memory/2026-01-31-1530.md",
        "memory/20260131.md",
        "memory/20260131-garden.md",
        "memory/garden-2026-01-31.md",
        "memory/garden_20260131.md",
        "memory/2026.01.31.md",
        "memory/2026_01_31.md",
        "memory/2026/01/31.md",
        "memory/2026/01/31-garden.md",
        "memory/2026/01-31.md",
        "memory/2026-01/31.md",
        "memory/2026-01/2026-01-31.md",
        "2026/01/31.md",
        "memory/daily/2026-01-31.md",
        "journal/2026-01-31.markdown",
        "projects/boat/2026-01-31.md",
        "memory/2026-01-31.txt",
        "memory/日志-2026-01-31.md",
    ],
)
def test_notes_of_a_day_are_known_by_any_name(path):
    place = layout.describe(path)
    assert (place.kind, place.day) == (Kind.DAILY, DAY)


@pytest.mark.parametrize(
    "path",
    [
        "memory/YYYY-MM-DD.md",
        "memory/2026-13-45.md",
        "memory/2026-01-01-to-2026-01-07.md",
        "memory/build-120260131.md",
        "memory/1.2026-013-1.md",
        "memory/31.md",
        "memory/2026/notes.md",
        "memory/2026-W05.md",
    ],
)
def test_a_name_that_says_no_single_day_is_a_topic(path):
    place = layout.describe(path)
    assert (place.kind, place.day) == (Kind.TOPIC, "")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("MEMORY.md", Kind.LONG_TERM),
        ("memory.md", Kind.LONG_TERM),
        ("memory/MEMORY.md", Kind.LONG_TERM),
        ("memory/people/MEMORY.md", Kind.TOPIC),
        ("HISTORY.md", Kind.HISTORY),
        ("memory/HISTORY.md", Kind.HISTORY),
        ("memory/history.jsonl", Kind.HISTORY),
        ("SOUL.md", Kind.IDENTITY),
        ("USER.md", Kind.IDENTITY),
        ("AGENTS.md", Kind.IDENTITY),
        ("TOOLS.md", Kind.IDENTITY),
        ("IDENTITY.md", Kind.IDENTITY),
        ("HEARTBEAT.md", Kind.IDENTITY),
        ("CLAUDE.md", Kind.IDENTITY),
        ("CLAUDE.local.md", Kind.IDENTITY),
        ("memory/people/ana.md", Kind.TOPIC),
        ("debugging.md", Kind.TOPIC),
        ("memory/state.json", Kind.OTHER),
        ("memory/photo.png", Kind.OTHER),
        ("memory/HISTORY.md.bak", Kind.OTHER),
        ("memory/no-ending", Kind.OTHER),
        ("memory/main.sqlite", Kind.CACHE),
        ("memory/index.db-wal", Kind.CACHE),
        ("sessions/cli_direct.jsonl", Kind.TRANSCRIPT),
    ],
)
def test_kind_of_a_document(path, kind):
    assert layout.describe(path).kind is kind


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        "memory/.dream_cursor",
        "memory/.git/HEAD.md",
        "memory/node_modules/a/2026-01-31.md",
        "skills/weather/run.sh",
        "projects/boat/requirements.txt",
        "src/main.py",
        "../MEMORY.md",
        "@sessions/a/b.jsonl",
        "@sessions/sessions.json",
        "@identity/a.md",
        "sessions/.jsonl",
    ],
)
def test_what_is_no_memory_is_no_document(path):
    assert layout.describe(path) is None


@pytest.mark.parametrize("path", ["skills/weather/SKILL.md", "projects/boat/readme.md", "src/docs/a.MARKDOWN"])
def test_a_text_of_a_skill_or_project_is_opened_and_holds_no_facts(path):
    place = layout.describe(path)
    assert (place.kind, place.is_read, place.editable, place.keeps_history) == (Kind.TEXT, True, True, True)
    assert DIALECT.facts(path, b"- a line of a manual\n") == []
    with pytest.raises(ValueError, match=r"This text isn’t split into facts\. Open the file to edit it\."):
        DIALECT.add(path, b"", ["x"], datetime(2026, 1, 31, tzinfo=UTC))


def test_what_is_no_note_is_listed_and_never_opened():
    for path in ("memory/state.json", "memory/main.sqlite", "memory/photo.png"):
        place = layout.describe(path)
        assert (place.is_read, place.editable, place.holds_facts, place.keeps_history) == (False,) * 4


@given(st.text(max_size=40), st.lists(st.text(max_size=12), max_size=3).map(tuple))
def test_a_day_is_a_real_one_whatever_the_name(stem, directories):
    day = day_of(stem, directories)
    assert day == "" or (len(day) == 10 and 1990 <= int(day[:4]) <= 2099)


WORKSPACES = {
    OPENCLAW: [
        ["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md", "memory", "memory/2026-01-31.md"],
        ["AGENTS.md", "memory", "memory/2026-01-31-night.md", "skills"],
        ["MEMORY.md", "2026-01-31.md", "SOUL.md"],
    ],
    HKUDS: [
        ["AGENTS.md", "SOUL.md", "memory", "memory/MEMORY.md", "memory/HISTORY.md", "sessions"],
        ["memory", "memory/MEMORY.md", "memory/history.jsonl"],
        ["MEMORY.md", "HISTORY.md"],
    ],
    CLAUDE_CODE: [["MEMORY.md", "debugging.md", "user_role.md"], ["CLAUDE.md", "MEMORY.md", "patterns.md"]],
    PLAIN: [
        ["MEMORY.md", "memory", "memory/2026-01-31.md"],
        ["memory.md", "2026-01-31.md"],
        ["MEMORY.md", "2026-01-31-garden.md"],
        ["MEMORY.md", "2026"],
    ],
}
OTHERS = [
    ["MEMORY.md"],
    ["MEMORY.md", "2026-01-31.md"],
    ["MEMORY.md", "2026-01-31.md", "readme.md"],
    ["MEMORY.md", "chats", "working"],
    ["MEMORY.md", "2026-01-31.md", "chats", "identity", "procedural"],
    ["memory", "memory/MEMORY.md", "memory/2026-01-31.md", "sessions"],
    ["memory", "memory/MEMORY.md", "memory/chats", "AGENTS.md"],
    ["memory", "memory/bots/__init__.py", "memory/web/urls.py", "AGENTS.md", "README.md", "HISTORY.md"],
    ["README.md", "2026-01-31.md"],
    [],
]


@pytest.mark.parametrize(
    ("flavour", "names"), [(flavour, names) for flavour, all_ in WORKSPACES.items() for names in all_]
)
def test_a_workspace_is_recognised_with_its_flavour(flavour, names):
    assert layout.recognises(names)
    assert look(names).flavour == flavour


@pytest.mark.parametrize("names", OTHERS)
def test_what_is_no_workspace_is_not_taken_for_one(names):
    assert not layout.recognises(names)


def test_a_kenobot_memory_stays_one():
    for names in OTHERS[:5]:
        assert kenobot.recognises(names)


@pytest.mark.parametrize(
    ("names", "long_term", "daily"),
    [
        (["SOUL.md", "memory"], "MEMORY.md", "memory/"),
        (["memory", "memory/HISTORY.md"], "memory/MEMORY.md", "memory/"),
        (["memory.md", "memory", "memory/memory.md"], "memory.md", "memory/"),
        (["MEMORY.md", "2026-01-31.md"], "MEMORY.md", ""),
        (["MEMORY.md", "SOUL.md", "memory", "memory/daily"], "MEMORY.md", "memory/daily/"),
        (["MEMORY.md", "debugging.md"], "MEMORY.md", None),
        ([], "MEMORY.md", "memory/"),
    ],
)
def test_new_notes_go_where_the_others_are(names, long_term, daily):
    seen = look(names)
    assert (seen.long_term, seen.daily) == (long_term, daily)


@pytest.mark.parametrize("session", ["", ".", "..", ".hidden", "a/b", "a\0", "\ud800", "a" * 250])
def test_a_session_id_that_cannot_name_a_file_says_why(session):
    assert session_id_problem(session)


def test_a_session_id_names_its_transcript():
    for session in ("telegram_123", "a b", "日志", "x" * 249):
        assert session_id_problem(session) is None
        assert layout.describe(f"sessions/{session}.jsonl").scope == session


@pytest.mark.parametrize(
    ("path", "before", "added", "own"),
    [
        ("memory/2026-01-31.md", "", "## 02:55 — Frost\n\n", True),
        ("memory/2026-01-31.md", "", "# 2026-01-31\n\n## 02:55 — Frost\n## 03:10 — Thaw\n", True),
        ("memory/2026-01-31.md", "# 2026-01-31\n", "\n## 02:55 — Frost\n\nSix degrees inside.\n\n", True),
        (
            "memory/2026-01-31-frost.md",
            "",
            "# Session: 2026-01-31 02:55:10 UTC\n\n- **Session Key**: agent:main:main\n",
            True,
        ),
        (
            "memory/2026-01-31.md",
            "a\n",
            "# Session: 2026-01-31 02:55:10 UTC\n\n- **Session Key**: agent:main:main\n",
            False,
        ),
        ("memory/2026-01-31.md", "a\n", "# 2026-01-31\n\n## 02:55 — Frost\n\n", False),
        ("memory/2026-01-31.md", "a\n", "## 02:55 — Frost\nand a line by hand\n", False),
        ("memory/2026-01-31.md", "a\n", "## Frost (02:55)\n\n", False),
        ("memory/2026-01-31.md", "a\n", "- 02:55 frost\n", False),
        ("MEMORY.md", "", "## 02:55 — Frost\n\n", False),
        ("memory/frost.md", "", "## 02:55 — Frost\n\n", False),
        ("memory/HISTORY.md", "[2026-01-30 08:40] a\n", "\n[2026-01-31 02:55] Frost.\n", True),
        ("memory/HISTORY.md", "[2026-01-30 08:40] a\n", "by hand\n", False),
        ("memory/history.jsonl", "", '{"cursor": 1, "timestamp": "2026-01-31 02:55", "content": "Frost"}\n', True),
        ("memory/history.jsonl", "", "by hand\n", False),
    ],
)
def test_entries_of_the_day_with_their_time_look_like_the_bots(path, before, added, own):
    assert DIALECT.wrote(path, before.encode(), (before + added).encode()) is own
    assert not DIALECT.wrote(path, b"x" + before.encode(), (before + added).encode())


def test_a_history_that_lost_its_first_lines_as_it_grew_is_the_bots():
    lines = [
        f'{{"cursor": {number}, "timestamp": "2026-01-31 02:55", "content": "Frost"}}\n'.encode() for number in range(4)
    ]
    before, path = b"".join(lines[:3]), "memory/history.jsonl"
    assert DIALECT.wrote(path, before, b"".join(lines[1:]))
    assert not DIALECT.wrote(path, before, b"".join(lines[1:3]))
    assert not DIALECT.wrote(path, before, before.replace(b'"Frost"', b'"Thaw"', 1))
