from __future__ import annotations

import json
import os

import pytest
from django.core.management import CommandError, call_command

from memory.domain.changes import digest
from memory.models import ChangeSet, Delivery
from tests.llm import server as playing
from tests.support import workspaces


def test_write_makes_a_new_document(terminal):
    data = terminal.json("write", "2026-04-01.md", stdin=b"## 10:00 \xe2\x80\x94 New\n\n")
    assert terminal.read("2026-04-01.md") == "## 10:00 — New\n\n"
    assert ChangeSet.objects.get(pk=data["change_set"]).by == "command line"


def test_write_with_its_base_saves_bytes_as_given(terminal, tmp_path):
    base = terminal.json("show", "MEMORY.md")["base"]
    (tmp_path / "new").write_bytes(b"- caf\xe9\r\n")
    terminal.json("write", "MEMORY.md", tmp_path / "new", "--base", base)
    assert (terminal.root / "MEMORY.md").read_bytes() == b"- caf\xe9\r\n"


def test_write_of_the_same_is_no_change(terminal):
    base = terminal.json("show", "MEMORY.md")["base"]
    same = terminal.read("MEMORY.md").encode()
    assert terminal.json("write", "MEMORY.md", "-", "--base", base, stdin=same)["change_set"] is None


@pytest.mark.parametrize("base", [None, "0" * 64, "nonsense"])
def test_write_over_another_version_is_a_conflict(terminal, base):
    before = terminal.tree()
    words = ["write", "MEMORY.md", "-"] + (["--base", base] if base else [])
    done = terminal.refused(*words, stdin=b"mine")
    assert done.json["conflict"] == {
        "path": "MEMORY.md",
        "base": None,
        "ours": "mine",
        "theirs": terminal.read("MEMORY.md"),
    }
    assert terminal.tree() == before


def test_base_of_a_new_version_is_where_the_refusal_says(terminal, capsys):
    assert "`memory show PATH --json`" in terminal.refused("write", "MEMORY.md", stdin=b"mine").err
    with pytest.raises(SystemExit):
        call_command("memory", "write", "--help")
    assert "as `memory show PATH --json` prints it" in " ".join(capsys.readouterr().out.split())


def test_write_keeps_what_was_only_added_at_the_end_and_says_so(terminal):
    looked = terminal.json("show", "MEMORY.md")
    before = terminal.read("MEMORY.md")
    with (terminal.root / "MEMORY.md").open("a") as file:
        file.write("- Theirs\n")
    told = terminal.json("write", "MEMORY.md", "--base", looked["base"], stdin=f"# Mine\n{before}".encode())
    assert told["joined"] == ["MEMORY.md"]
    assert terminal.read("MEMORY.md") == f"# Mine\n{before}- Theirs\n"


def test_write_over_what_somebody_wrote_meanwhile_shows_all_three(terminal):
    looked = terminal.json("show", "MEMORY.md")
    (terminal.root / "MEMORY.md").write_text("- theirs\n")
    conflict = terminal.refused("write", "MEMORY.md", "--base", looked["base"], stdin=b"ours").json["conflict"]
    assert (conflict["base"], conflict["ours"], conflict["theirs"]) == (looked["text"], "ours", "- theirs\n")
    assert terminal.read("MEMORY.md") == "- theirs\n"


def test_write_of_what_was_removed_meanwhile_is_a_conflict(terminal):
    base = terminal.json("show", "MEMORY.md")["base"]
    (terminal.root / "MEMORY.md").unlink()
    assert terminal.refused("write", "MEMORY.md", "--base", base, stdin=b"x").json["conflict"]["theirs"] is None


@pytest.mark.parametrize(
    "path", ["../outside.md", "notes.txt", "/etc/passwd", "chats/../x.md", "@sessions/x.jsonl", ""]
)
def test_write_of_what_is_no_document_is_refused(terminal, path):
    before = terminal.tree()
    terminal.refused("write", path, stdin=b"x")
    assert terminal.tree() == before


def test_undo_brings_back_every_byte(terminal):
    looked = terminal.json("show", "MEMORY.md")
    made = terminal.json("write", "MEMORY.md", "--base", looked["base"], stdin=b"- other\n")["change_set"]
    undone = terminal.json("undo", made)["change_set"]
    assert terminal.read("MEMORY.md") == looked["text"]
    terminal.json("undo", undone)
    assert terminal.read("MEMORY.md") == "- other\n"
    kinds = [one["kind"] for one in terminal.json("history", "MEMORY.md")["change_sets"]]
    assert kinds == ["undo", "undo", "edit", "found"]


def test_undo_of_nothing_is_refused(terminal):
    assert "4711" in terminal.refused("undo", 4711).err


def test_undo_of_another_bots_change_set_names_that_bot(terminal, tmp_path):
    number = terminal.json("write", "2026-04-01.md", stdin=b"- x\n")["change_set"]
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "MEMORY.md").write_text("- y\n")
    slug = terminal.json("add-bot", tmp_path / "second")["slug"]
    assert "--bot keno" in terminal.refused("undo", number, "--bot", slug).err
    assert terminal.read("2026-04-01.md") == "- x\n"


TURN = {"message": "hi", "chat_id": "7", "response": "ok <memory>Likes cake</memory>", "at": "2026-03-04T05:06:00Z"}


def test_turn_is_taken_like_the_webhooks(terminal):
    data = terminal.json("turn", stdin=json.dumps(TURN).encode())
    assert data["response"] == "ok"
    assert data["stored"]["memories"] == 1
    assert terminal.read("2026-03-04.md") == "## 05:06 — Likes cake\n\n"
    assert Delivery.objects.get().change_set.by == "command line"


def test_turn_with_a_message_id_is_taken_once(terminal):
    body = json.dumps({**TURN, "message_id": "m1"}).encode()
    assert terminal.json("turn", stdin=body) == terminal.json("turn", stdin=body)
    assert terminal.read("2026-03-04.md").count("Likes cake") == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"message": ""}, "missing message field"),
        ({"chat_id": "../../x"}, "invalid chat_id"),
        ({"session_id": "a/b"}, "invalid session_id"),
        ({"response": None}, "no language model is configured"),
    ],
)
def test_turn_that_cannot_be_taken_is_refused(terminal, change, said):
    before = terminal.tree()
    done = terminal.refused("turn", stdin=json.dumps({**TURN, **change}).encode())
    assert done.json["error"] == said
    assert terminal.tree() == before


def test_turn_without_a_reply_is_answered(terminal, model):
    model.plays("Noted. <memory>Sings</memory>")
    told = terminal.json("turn", stdin=b'{"chat_id": "7", "message": "I sing"}')
    assert (told["response"], told["stored"]["memories"]) == ("Noted.", 1)


def test_turn_without_a_reply_and_without_a_model_says_so(terminal, settings):
    settings.LLM_BASE_URL = ""
    done = terminal.refused("turn", stdin=b'{"chat_id": "7", "message": "I sing"}')
    assert done.json["error"] == "no language model is configured"
    assert "no language model is configured" in done.err


def test_turn_that_the_model_does_not_answer_says_why(terminal, model):
    model.plays(playing.denied())
    done = terminal.refused("turn", stdin=b'{"chat_id": "7", "message": "I sing"}')
    assert done.json["error"] == "the language model refused the request"
    assert "LLM_API_KEY" in done.err


def test_turn_of_no_json_is_refused(terminal):
    assert terminal.refused("turn", stdin=b"null").json["error"] == "missing message field"
    assert terminal.refused("turn", stdin=b"\xff").json["error"] == "invalid json"


def compacted(terminal, *words: object) -> dict:
    return terminal.json("compact", "--today", "2026-03-11", *words)


def test_compact_moves_old_facts_and_undo_brings_every_byte_back(terminal):
    before = terminal.tree()
    data = compacted(terminal)
    assert (data["compacted"], data["skipped"], data["deleted"]) == (2, 1, 1)
    long_term = terminal.read("MEMORY.md")
    assert "Owns a red bicycle" in long_term
    assert "Plays chess" in long_term
    assert long_term.count("Likes tea") == 1
    assert "Some prose by hand." in terminal.read("2026-01-03.md")
    assert "trip" not in long_term
    terminal.json("undo", data["change_set"])
    assert terminal.tree() == before


def test_compact_plan_names_each_fate(terminal):
    plan = {one["text"]: one for one in compacted(terminal, "--dry-run")["plan"]}
    assert (plan["Plays chess"]["fate"], plan["Plays chess"]["target"]) == ("move", "MEMORY.md")
    assert (plan["Likes tea"]["fate"], plan["Likes tea"]["target"]) == ("duplicate", "MEMORY.md:3")
    assert plan["Owns a red bicycle"]["line"] == 1


def test_compact_dry_run_changes_nothing_and_plans_the_same(terminal):
    before = terminal.tree()
    dry = compacted(terminal, "--dry-run", "--all-chats")
    assert terminal.tree() == before
    assert dry["change_set"] is None
    real = compacted(terminal, "--all-chats")
    assert dry["plan"] == real["plan"]
    names = ("compacted", "skipped", "deleted")
    assert [dry[name] for name in names] == [real[name] for name in names]


def test_compact_of_a_chat_goes_into_that_chats_memory(terminal):
    before = terminal.read("MEMORY.md")
    assert compacted(terminal, "--chat", "telegram-5")["compacted"] == 1
    assert "The trip is in May" in terminal.read("chats/telegram-5/MEMORY.md")
    assert terminal.read("MEMORY.md") == before
    assert (terminal.root / "2026-01-02.md").exists()


def test_compact_of_all_chats_is_one_change_set(terminal):
    data = compacted(terminal, "--all-chats")
    assert data["compacted"] == 3
    assert ChangeSet.objects.filter(kind="compaction").count() == 1


def test_compact_keeps_its_decisions_with_the_change_set(terminal):
    from memory.compaction import runner

    data = compacted(terminal)
    change_set = ChangeSet.objects.get(pk=data["change_set"])
    assert [one.text for one in runner.decisions_of(change_set)] == [one["text"] for one in data["plan"]]
    assert change_set.details["moved"] == 2


def test_compact_with_nothing_old_changes_nothing(terminal):
    data = terminal.json("compact", "--today", "2026-01-05")
    assert (data["change_set"], data["compacted"], data["plan"]) == (None, 0, [])


def test_compact_twice_changes_nothing_the_second_time(terminal):
    (terminal.root / "2026-01-03.md").write_text("## 10:00 — Plays chess\n\n")
    compacted(terminal)
    again = terminal.tree()
    assert compacted(terminal)["compacted"] == 0
    assert terminal.tree() == again


def test_compact_takes_another_retention(terminal):
    assert compacted(terminal, "--retention-days", "365")["compacted"] == 0
    terminal.refused("compact", "--retention-days", "0")
    terminal.refused("compact", "--retention-days", "366")


@pytest.mark.parametrize("day", ["tomorrow", "2026-13-01", "11.3.2026"])
def test_compact_of_a_day_that_is_none_is_refused(terminal, day):
    assert day in terminal.refused("compact", "--today", day).err


def _odd(path, what):
    """Something at a log's place that is no log."""
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"link out": "/etc/passwd", "link to nothing": "gone.md"}[what])


@pytest.mark.parametrize("what", ["link out", "link to nothing", "pipe"])
def test_compact_leaves_a_log_that_cannot_be_read_and_names_it(terminal, what):
    odd = terminal.root / "2026-01-04.md"
    _odd(odd, what)
    before, mark = terminal.tree(), odd.lstat()
    done = terminal.json("compact", "--today", "2026-03-11")
    assert [one["path"] for one in done["unread"]] == ["2026-01-04.md"]
    assert done["compacted"] == 2
    assert "— Owns a red bicycle\n" in terminal.read("MEMORY.md")
    assert "2026-01-02.md" not in terminal.tree()
    assert (odd.lstat().st_ino, odd.lstat().st_mtime_ns) == (mark.st_ino, mark.st_mtime_ns)
    assert "root:" not in terminal.read("MEMORY.md")
    terminal.json("undo", done["change_set"])
    assert terminal.tree() == before


def test_compact_leaves_a_log_whose_name_is_no_text_and_names_it(terminal, tmp_path):
    root = tmp_path / "workspace"
    workspaces.write(root, workspaces.FILES)
    odd = os.path.join(os.fsencode(root), b"memory/2026-01-09-\xfe.md")
    with open(odd, "wb") as file:
        file.write(b"- a fact of that day\n")
    slug = terminal.json("add-bot", root)["slug"]
    done = terminal.json("compact", "--today", "2026-06-01", "--bot", slug)
    assert [one["path"] for one in done["unread"]] == ["memory/2026-01-09-\udcfe.md"]
    assert (done["compacted"], done["archived"]) == (0, 7)
    assert os.path.getsize(odd) == len("- a fact of that day\n")


def test_compact_stops_at_a_long_term_memory_that_cannot_be_read(terminal):
    (terminal.root / "MEMORY.md").unlink()
    (terminal.root / "MEMORY.md").symlink_to("/etc/passwd")
    before = terminal.tree()
    terminal.refused("compact", "--today", "2026-03-11")
    assert terminal.tree() == before


def test_add_bot_detects_its_dialect(terminal, tmp_path):
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "MEMORY.md").write_text("- x\n")
    data = terminal.json("add-bot", tmp_path / "second", "--name", "Second Bot")
    assert data == {"slug": "second-bot", "dialect": "kenobot", "is_guess": True}
    assert terminal("bots").out.split()[:3] == ["SLUG", "NAME", "TYPE"]
    assert terminal.json("show", "MEMORY.md", "--bot", "second-bot")["base"] == digest(b"- x\n")


def test_add_bot_refuses_what_is_no_memory(terminal, tmp_path):
    terminal.refused("add-bot", tmp_path / "missing")
    terminal.refused("add-bot", "/")
    terminal.refused("add-bot", tmp_path / "home")
    terminal.refused("add-bot", terminal.root, "--dialect", "nonsense")


@pytest.mark.parametrize(
    "words", [[], ["undo"], ["undo", "x"], ["compact", "--chat", "a", "--all-chats"], ["context", "--now", "soon"]]
)
def test_usage_that_is_wrong_is_told_before_anything_is_done(terminal, words):
    with pytest.raises(CommandError):
        terminal(*words)


def test_commands_leave_nothing_put_aside(terminal):
    run = terminal.json("compact", "--all-chats", "--today", "2027-01-01")
    terminal.json("undo", run["change_set"])
    assert [path for path in terminal.root.rglob("*") if ".kenoweb-" in path.name] == []
