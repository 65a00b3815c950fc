"""The command line over an Autobot."""

from __future__ import annotations

import pytest
from django.core.management import CommandError

from memory.dialects.autobot import OVERWRITES, sessions
from memory.domain.changes import digest
from tests.llm import server as play
from tests.management.cli.conftest import run

CHAT = "whatsapp_15550134_s.whatsapp.net"


@pytest.fixture
def memory(owner):
    return lambda *words: run(*words, "--bot", owner.bot.slug)


def test_log_is_searched_with_lines_around(memory):
    hits = memory("log", "toaster", "--from", "2026-10-12", "--around", "2", "--json").json["hits"]
    assert [(hit["day"], hit["time"]) for hit in hits] == [("2026-10-21", "16:48")]
    assert hits[0]["before"].startswith("[2026-10-20 07:41]")
    assert "42: [2026-10-21 16:48] The toaster" in memory("log", "toaster").out
    with pytest.raises(CommandError, match="not a day"):
        memory("log", "toaster", "--from", "soon")


def test_chats_are_listed_summed_up_and_put_back(owner, memory, model):
    rows = {row["chat"]: row for row in memory("consolidate", "--json").json["chats"]}
    assert (rows[CHAT]["stored"], rows[CHAT]["sent"], rows[CHAT]["neither"], rows[CHAT]["turns"]) == (58, 25, 33, 8)
    before = sessions.parse(owner.read(f"sessions/{CHAT}.jsonl")).messages
    model.plays(play.answers({"history_entry": "[2026-11-14 07:08] Visitors."}))
    done = memory("consolidate", "--chat", CHAT, "--json")
    assert (done.code, done.json["state"]) == (0, "planned")
    put = memory("consolidate", "--chat", CHAT, "--put-back", "--json")
    assert (put.code, put.json["messages"]) == (0, 48)
    after = sessions.parse(owner.read(f"sessions/{CHAT}.jsonl")).messages
    assert [line.message for line in after] == [line.message for line in before]
    assert memory("consolidate", "--chat", CHAT, "--put-back").code == 1


def test_without_a_model_messages_wait_and_that_is_said(memory):
    done = memory("consolidate", "--chat", CHAT)
    assert done.code == 1
    assert "memory/waiting/" in done.err


def test_written_transcript_says_what_a_running_bot_does_and_a_broken_one_is_refused(owner, memory, tmp_path):
    path, data = f"sessions/{CHAT}.jsonl", owner.read(f"sessions/{CHAT}.jsonl")
    file = tmp_path / "new.jsonl"
    file.write_bytes(data.replace(b"today", b"today!"))
    done = memory("write", path, str(file), "--base", digest(data), "--json")
    assert (done.code, done.json["caution"]) == (0, OVERWRITES)
    file.write_bytes(data[:-20])
    broken = memory("write", path, str(file), "--base", digest(owner.read(path)))
    assert (broken.code, owner.read(path)) == (1, data.replace(b"today", b"today!"))
    assert "load the whole chat as empty" in broken.err
    file.write_bytes(b"- tea\n")
    assert memory("write", "memory/tea.md", str(file), "--json").json["caution"] == ""


def test_chat_is_named_by_its_file_or_its_key_and_one_that_is_not_there_is_said(owner, memory):
    odd = "telegram_🙂"
    (owner.root / f"sessions/{odd}.jsonl").write_bytes(owner.read(f"sessions/{CHAT}.jsonl"))
    for named, code in ((odd, 0), ("whatsapp:15550134@s.whatsapp.net", 0), ("telegram:nobody", 1), ("../../config", 1)):
        memory("consolidate", "--chat", named)
        put = memory("consolidate", "--chat", named, "--put-back")
        assert (named, put.code) == (named, code)
    assert "no such chat" in memory("consolidate", "--chat", "telegram:nobody").err
