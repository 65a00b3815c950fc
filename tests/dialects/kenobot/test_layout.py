"""What a path is to a KenoBot, and which session ids can name files."""

from __future__ import annotations

import pytest

from memory.bots import families
from memory.dialects.kenobot import DIALECT, layout
from memory.dialects.kenobot.settings import Settings
from memory.domain.places import Kind, Tier


@pytest.mark.parametrize(
    ("path", "kind", "tier", "scope", "day"),
    [
        ("MEMORY.md", Kind.LONG_TERM, Tier.GLOBAL, "", ""),
        ("archive.md", Kind.ARCHIVE, Tier.GLOBAL, "", ""),
        ("chats/telegram-1/archive.md", Kind.ARCHIVE, Tier.CHAT, "telegram-1", ""),
        ("2026-02-07.md", Kind.DAILY, Tier.GLOBAL, "", "2026-02-07"),
        ("2025-13-45.md", Kind.DAILY, Tier.GLOBAL, "", "2025-13-45"),
        ("0000-00-00.md", Kind.DAILY, Tier.GLOBAL, "", "0000-00-00"),
        ("chats/telegram--100/MEMORY.md", Kind.LONG_TERM, Tier.CHAT, "telegram--100", ""),
        ("chats/telegram-1/2026-02-07.md", Kind.DAILY, Tier.CHAT, "telegram-1", "2026-02-07"),
        ("chats/telegram-1/context.md", Kind.CONTEXT, Tier.CHAT, "telegram-1", ""),
        ("working/telegram-1.md", Kind.WORKING, Tier.WORKING, "telegram-1", ""),
        ("working/a.md.md", Kind.WORKING, Tier.WORKING, "a.md", ""),
        ("procedural/patterns.json", Kind.PATTERNS, Tier.GLOBAL, "", ""),
        ("identity/preferences.md", Kind.IDENTITY, Tier.GLOBAL, "", ""),
        ("@identity/USER.md", Kind.IDENTITY, Tier.GLOBAL, "", ""),
        ("@sessions/telegram-1.jsonl", Kind.TRANSCRIPT, Tier.CHAT, "telegram-1", ""),
    ],
)
def test_describe_names_every_document(path, kind, tier, scope, day):
    place = DIALECT.describe(path)
    assert (place.kind, place.tier, place.scope, place.day) == (kind, tier, scope, day)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "memory.md",
        "notes.md",
        "2026-2-7.md",
        "2026-02-07.md.bak",
        "2026-02-07-topic.md",
        "٢٠٢٦-٠٢-٠٧.md",
        "2026-02-07.md\n",
        "chats/MEMORY.md",
        "chats/../MEMORY.md",
        "chats/a/b/MEMORY.md",
        "chats/a/notes.md",
        "working/.md",
        "working/a/b.md",
        "working/a.json",
        "procedural/other.json",
        "identity/rules.json",
        "embeddings/semantic.jsonl",
        "@sessions/sub/a.jsonl",
        "@sessions/a.md",
        "@identity/sub/USER.md",
        "@other/MEMORY.md",
        "@sessions",
        "../MEMORY.md",
        "MEMORY.md/2026-01-01.md",
    ],
)
def test_describe_leaves_other_files_alone(path):
    assert DIALECT.describe(path) is None


def test_describe_transcripts_are_only_for_reading():
    place = DIALECT.describe("@sessions/telegram-1.jsonl")
    assert (place.editable, place.keeps_history, place.holds_facts) == (False, False, False)
    assert DIALECT.facts("@sessions/telegram-1.jsonl", b'{"role":"user"}\n') == []


@pytest.mark.parametrize("good", ["telegram--1001", "http-http-x", "a b", "..a", "名前", "x" * 249, "..."])
def test_session_id_that_can_name_files(good):
    assert layout.session_id_problem(good) is None


@pytest.mark.parametrize(
    "bad", ["", ".", "..", "../../x", "a/b", "/", "a\0b", "x" * 250, "x" * 300, "é" * 125, "\ud800", "a\udc80"]
)
def test_session_id_that_cannot_name_files(bad):
    assert layout.session_id_problem(bad).startswith("The chat ID ")


def test_daily_logs_are_those_of_one_scope_oldest_first():
    paths = [
        "2026-02-02.md",
        "2026-02-01.md",
        "MEMORY.md",
        "chats/a/2026-01-01.md",
        "chats/ab/2026-01-02.md",
        "2026-02-01.txt",
    ]
    assert layout.daily_logs(paths, "") == [("2026-02-01", "2026-02-01.md"), ("2026-02-02", "2026-02-02.md")]
    assert layout.daily_logs(paths, "a") == [("2026-01-01", "chats/a/2026-01-01.md")]


def test_warnings_belong_to_07_only():
    assert DIALECT.warnings(Settings()) == ()
    warned = " ".join(DIALECT.warnings(Settings(version="0.7")))
    assert "keyword" in warned
    assert "30 days" in warned
    assert "7 days" in warned


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["MEMORY.md"], "kenobot"),
        (["2026-02-07.md", "working"], "kenobot"),
        (["chats/telegram-1/MEMORY.md"], "kenobot"),
        (["MEMORY.md", "memory", "SOUL.md"], "workspace"),
        (["README.md", "src"], None),
        ([], None),
    ],
)
def test_families_are_told_by_their_names(names, found):
    assert families.recognise("/somewhere/else", names).family == (found or "")


def test_registry_knows_kenobot_first():
    assert families.names()[0] == "kenobot"
    assert families.dialect("kenobot") is DIALECT


@pytest.mark.parametrize(
    ("path", "added", "own"),
    [
        ("2026-02-07.md", "## 10:30 — Likes Go\n\n", True),
        ("chats/a/2026-02-07.md", "## 10:30 — one\ntwo\n\n## 10:30 — three\n\n", True),
        ("2026-02-07.md", "## 10:30 - Likes Go\n\n", False),
        ("2026-02-07.md", "## 10:30 — Likes Go\n", False),
        ("2026-02-07.md", "by hand\n\n", False),
        ("MEMORY.md", "## 10:30 — Likes Go\n\n", False),
        ("procedural/patterns.json", "[]", True),
    ],
)
def test_wrote_knows_the_bots_own_form(path, added, own):
    assert DIALECT.wrote(path, b"", added.encode()) is own


@pytest.mark.parametrize(
    ("path", "after", "own"),
    [
        ("working/telegram-1.md", "Deploying\n\n- step 2", True),
        ("working/telegram-1.md", "Deploying\n\n- step 2\n", False),
        ("working/telegram-1.md", "", False),
        ("chats/telegram-1/context.md", "About the trip", True),
        ("2026-02-07.md", "## 10:30 — Likes Go and tea\n\n", False),
        ("MEMORY.md", "Likes Go", False),
    ],
)
def test_what_the_bot_replaces_whole_is_its_own_if_it_ends_as_the_bot_leaves_it(path, after, own):
    assert DIALECT.wrote(path, b"## 10:30 \xe2\x80\x94 Likes Go\n\n", after.encode()) is own
