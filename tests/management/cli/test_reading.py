from __future__ import annotations

import io
import os
from contextlib import suppress

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from memory.domain.changes import digest
from memory.index import watch
from memory.management.cli.command import table
from memory.storage import running
from memory.text.secrets import DOTS
from tests.management.cli.conftest import fill
from tests.support.browsers import browser


def test_bots_are_listed(terminal):
    assert terminal.json("bots")["bots"][0]["slug"] == "keno"


def test_status_counts_by_tier(terminal):
    data = terminal.json("status")
    assert data["documents"] == 7
    assert data["bytes"] == sum(len(text) for text in terminal.tree().values())
    assert set(data["tiers"]) == {"global", "chat", "working"}
    assert data["tiers"]["global"]["documents"] == 4
    assert data["facts"] == sum(tier["facts"] for tier in data["tiers"].values())
    assert data["compaction_due"] == 5


def test_status_for_people_is_aligned(terminal):
    lines = terminal("status").out.splitlines()
    head = next(line for line in lines if line.startswith("TIER"))
    row = next(line for line in lines if line.startswith("global"))
    assert len(head.rstrip()) == len(row.rstrip())


def test_options_are_taken_before_and_after_the_command(terminal):
    assert terminal("--json", "--bot", "keno", "status").json == terminal("status", "--bot", "keno", "--json").json


def test_unknown_bot_is_refused(terminal):
    assert "nobody" in terminal.refused("status", "--bot", "nobody").err


def test_status_of_a_root_that_is_gone_says_so(terminal):
    terminal.json("status")
    terminal.root.rename(terminal.root.with_name("elsewhere"))
    done = terminal("status", "--json")
    assert done.code == 1
    assert done.json["documents"] == 7
    assert done.json["trouble"]


def test_extract_takes_a_reply_apart(terminal):
    raw = "Hi <memory>a</memory><chat-memory>b</chat-memory><user>c</user><bootstrap-complete/>"
    data = terminal.json("extract", stdin=raw.encode())
    assert data == {
        "clean_text": "Hi",
        "memories": ["a"],
        "chat_memories": ["b"],
        "working_memory": None,
        "chat_context": None,
        "user": ["c"],
        "bootstrap_complete": True,
    }


def test_extract_reads_a_file(terminal, tmp_path):
    (tmp_path / "reply").write_text("x <memory>y</memory>")
    assert terminal.json("extract", tmp_path / "reply")["memories"] == ["y"]
    assert "missing" in terminal.refused("extract", tmp_path / "missing").err


def test_facts_have_places(terminal):
    facts = terminal.json("facts")["facts"]
    assert {
        "path": "2026-01-02.md",
        "line": 1,
        "end_line": 1,
        "time": "09:00",
        "text": "Owns a red bicycle",
        "tier": "global",
        "scope": "",
    } in [
        {name: fact[name] for name in fact if name not in ("key", "nth")} | {"end_line": fact["line"]} for fact in facts
    ]
    trip = next(fact for fact in facts if fact["text"] == "The trip is in May")
    assert (trip["tier"], trip["scope"], trip["time"]) == ("chat", "telegram-5", "11:00")
    tea = next(fact for fact in facts if fact["path"] == "MEMORY.md")
    assert (tea["line"], tea["time"]) == (3, None)


def test_a_long_name_makes_no_other_row_wide():
    lines = table([("a.md:1", "", "tea"), ("b" * 240 + ".md:1", "", "milk")]).split("\n")
    assert lines[0] == "a.md:1" + " " * 54 + "    tea"
    assert lines[1] == "b" * 240 + ".md:1    milk"


@pytest.mark.parametrize("fact", ["tea", "3"])
def test_life_of_a_fact_is_told_by_its_words_its_line_or_its_key(terminal, fact):
    base = terminal.json("show", "MEMORY.md")["base"]
    terminal.json(
        "write", "MEMORY.md", "--base", base, stdin=b"# KenoBot Memory\n\n- Likes green tea\n- Lives in Lisbon\n"
    )
    told = terminal.json("fact", "MEMORY.md", fact)
    assert [(one["how"], one["text"]) for one in told["steps"]] == [
        ("said", "Likes tea"),
        ("reworded", "Likes green tea"),
    ]
    assert told["stands"]
    assert terminal.json("fact", "MEMORY.md", told["key"]) == told
    assert "MEMORY.md:3: Likes green tea" in terminal("fact", "MEMORY.md", fact).out


def test_life_of_no_fact_is_refused(terminal):
    terminal.refused("fact", "MEMORY.md", "chess")
    terminal.refused("fact", "MEMORY.md", "Li")
    terminal.refused("fact", "MEMORY.md", "0" * 32)


def test_facts_of_one_document(terminal):
    facts = terminal.json("facts", "MEMORY.md")["facts"]
    assert [fact["text"] for fact in facts] == ["Likes tea", "Lives in Lisbon"]
    terminal.refused("facts", "missing.md")
    terminal.refused("facts", "../MEMORY.md")


def test_context_is_the_sum_of_its_sections(terminal):
    data = terminal.json("context", "--chat", "telegram-5", "--now", "2026-03-11T00:00:00Z")
    assert "".join(section["text"] for section in data["sections"]) == data["text"]
    assert "Lives in Lisbon" in data["text"]
    assert "About a trip" in data["text"]
    assert data["tokens"] == sum(section["tokens"] for section in data["sections"]) > 0
    assert data["tokens"] == data["own_words"] + sum(sum(section["documents"].values()) for section in data["sections"])
    for section in data["sections"]:
        assert 0 <= sum(fact["tokens"] for fact in section["facts"]) <= section["tokens"]
    assert data["counter"] == "exact, cl100k_base"
    told = [fact["text"] for section in data["sections"] for fact in section["facts"]]
    assert "Likes tea" in told


def test_context_of_one_chat_holds_nothing_of_another(terminal):
    for words in (("context",), ("context", "--chat", "telegram-6")):
        text = terminal.json(*words)["text"]
        assert "trip" not in text
        assert "planning" not in text


def test_context_says_what_is_left_out(terminal):
    os.utime(terminal.root / "working" / "telegram-5.md", (1_700_000_000, 1_700_000_000))
    left_out = terminal.json("context", "--chat", "telegram-5")["left_out"]
    assert any(one["path"] == "working/telegram-5.md" and one["age"] for one in left_out)


@pytest.mark.parametrize("chat", ["../../x", "a/b", "x" * 300, "..", "."])
def test_session_id_that_names_no_file_is_refused(terminal, chat):
    terminal.refused("context", "--chat", chat)
    terminal.refused("compact", "--chat", chat)


def test_show_gives_text_and_base(terminal):
    data = terminal.json("show", "MEMORY.md")
    assert data == {"text": terminal.read("MEMORY.md"), "base": digest((terminal.root / "MEMORY.md").read_bytes())}
    assert terminal("show", "MEMORY.md").out.rstrip("\n") == terminal.read("MEMORY.md").rstrip("\n")
    assert "missing.md" in terminal.refused("show", "missing.md").err


def test_show_does_not_let_a_memory_command_the_terminal(terminal):
    (terminal.root / "MEMORY.md").write_text("- \x1b[2J gone\n")
    assert "\x1b" not in terminal("show", "MEMORY.md").out


def test_show_of_what_is_no_text_gives_its_base(terminal):
    (terminal.root / "MEMORY.md").write_bytes(b"caf\xe9\n")
    data = terminal.json("show", "MEMORY.md")
    assert data == {"text": "caf\ufffd\n", "base": digest(b"caf\xe9\n")}


class Screen(io.StringIO):
    """What a terminal shows."""

    def isatty(self):
        return True


SECRET = "sk-proj-" + "Ab12Cd34" * 4


@pytest.mark.parametrize("words", ["show MEMORY.md", "facts", "context", "search shop", f"show {SECRET}.md"])
def test_a_terminal_shows_no_secret_and_a_pipe_takes_all(terminal, words):
    fill(terminal.root, {"MEMORY.md": f"- The key of the shop is {SECRET}\n"})

    def shown():
        with suppress(SystemExit):
            call_command("memory", *words.split(), stdout=(screen := Screen()), stderr=screen)
        return screen.getvalue()

    assert f"sk-p{DOTS}d34" in shown()
    assert SECRET not in shown()
    told = terminal(*words.split())
    assert SECRET in told.out + told.err
    terminal.bot.settings = {"hide_secrets": False}
    terminal.bot.save()
    assert SECRET in shown()


def test_a_terminal_shows_the_login_link_that_was_asked_for(terminal):
    User.objects.create_superuser("ana")
    call_command("memory", "login-link", stdout=(screen := Screen()))
    assert "token=" in screen.getvalue()
    assert DOTS not in screen.getvalue()


def test_fifo_named_like_a_log_hangs_nobody(terminal):
    os.mkfifo(terminal.root / "2026-01-05.md")
    (terminal.root / "2026-01-06.md").mkdir()
    assert terminal.json("status")["errors"]
    terminal.refused("show", "2026-01-05.md")


def test_history_tells_what_others_wrote(terminal):
    terminal.json("status")
    with (terminal.root / "2026-03-10.md").open("a") as file:
        file.write("## 08:30 — Had tea\n\n")
    sets = terminal.json("history", "2026-03-10.md")["change_sets"]
    assert [one["kind"] for one in sets] == ["outside", "found"]
    assert sets[0]["by"] == "looks like the bot"
    assert sets[0]["paths"] == ["2026-03-10.md"]


def test_reindex_gives_the_same_index(terminal):
    before = terminal.json("facts")
    counts = terminal.json("reindex")
    assert counts["documents"] == 7
    assert counts["facts"] == len(before["facts"])
    assert terminal.json("facts") == before


def test_reindex_of_a_root_that_is_gone_drops_nothing(terminal):
    terminal.json("status")
    terminal.root.rename(terminal.root.with_name("elsewhere"))
    terminal.refused("reindex")
    terminal.root.with_name("elsewhere").rename(terminal.root)
    assert terminal.json("status")["documents"] == 7


def test_doctor_finds_all_well(terminal):
    data = terminal.json("doctor")
    assert data["ok"] is True
    said = {check["name"]: check["text"] for check in data["checks"]}
    assert {"round trip", "index", "history"} <= said.keys()
    assert said["watching"] == "no worker is running; changes are found when somebody asks"


@pytest.mark.parametrize("state", watch.State)
def test_doctor_says_how_changes_are_noticed(terminal, state):
    with running.noted(watch.NOTE, f"{terminal.bot.pk}={state}"):
        said = {check["name"]: check["text"] for check in terminal.json("doctor")["checks"]}
    assert ("at once" in said["watching"]) is (state is watch.State.WATCHED)


def test_doctor_finds_a_hidden_file_that_nobody_knows(terminal):
    from memory.models import Bot, ChangeSet

    terminal.json("doctor")
    from memory.bots import open_bot

    vault = open_bot(terminal.bot).vaults["memory"]
    vault.stage("MEMORY.md", "stray-0", b"x", None)
    done = terminal("doctor", "--json")
    assert done.code == 1
    assert done.json["ok"] is False
    assert done.err.count("\n") == 1
    assert Bot.objects.count() == 1
    assert not ChangeSet.objects.exclude(bot=terminal.bot).exists()


def test_login_link_logs_in(terminal):
    url = terminal.json("login-link")["url"]
    token = url.split("token=")[1]
    assert browser().post("/login", {"token": token}).status_code in (200, 302)
