"""nanobot's own commands: what is added, shown before it is pruned, taken in from files, and why something is recalled."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from memory import library, roster

from . import golden, home

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def file(there):
    return there[1]


@pytest.fixture
def run(there):
    bot = roster.add(there[0])
    library.refresh(bot, patience=5)

    def run(*words):
        out, err = io.StringIO(), io.StringIO()
        try:
            call_command("memory", *words, "--bot", bot.slug, "--json", stdout=out, stderr=err)
        except SystemExit as stopped:
            return {"exit": stopped.code, "said": err.getvalue().strip()}
        return json.loads(out.getvalue())

    return run


def test_an_entry_of_any_kind_and_scope_is_added(run, file):
    run("add", "-t", "Use  tabs", "-k", "preference", "--scope", "user", "--channel", "cli", "--chat-id", "direct")
    run("add", "--text", "we ship on Fridays", "--kind", "decision")
    run("add", "--text", "the office is closed", "--kind", "episodic", "--scope", "global")
    found = {row["content"]: row for row in golden.entries(file).values()}
    assert found["Use tabs"]["scope_key"] == "channel:cli:user:direct"
    assert found["we ship on Fridays"]["scope_key"] == "channel:cli:chat:direct"
    assert found["the office is closed"]["scope_type"] == "global"
    assert {found[text]["kind"] for text in ("Use tabs", "we ship on Fridays")} == {"preference", "decision"}
    golden.check(file)
    assert "says the same" in run("add", "-t", "USE tabs", "-k", "preference", "--scope", "user")["said"]
    assert run("add", "-t", " ", "-k", "fact")["exit"] == 1
    assert run("add", "-t", "x y", "-k", "fact", "--importance", "2")["exit"] == 1


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--scope", "all"),
        ("--scope", "chat"),
        ("--scope", "user"),
        ("--scope", "chat", "--older-than-days", "1"),
        ("--scope", "user", "--kind", "fact", "--sender-id", "5"),
        ("--channel", "telegram", "--kind", "fact"),
        ("--chat-id", "123"),
    ],
)
def test_pruning_refuses_what_would_mean_everything_or_nobody(run, file, words):
    before = golden.entries(file)
    answer = run("prune", *words, "--yes")
    assert answer["exit"] == 1
    assert "Nothing was changed" in answer["said"]
    assert golden.entries(file) == before


def test_pruning_shows_first_and_can_be_undone(run, file):
    before = golden.entries(file)
    words = (
        "prune",
        "--older-than-days",
        "30",
        "--kind",
        "decision",
        "--scope",
        "chat",
        "--channel",
        "telegram",
        "--chat-id",
        "123",
    )
    assert run(*words) == {"entries": 3, "change_set": None}
    assert run(*words, "--dry-run")["entries"] == 3
    assert golden.entries(file) == before
    done = run(*words, "--yes")
    assert done["entries"] == 3
    gone = {row["content"] for row in golden.entries(file, "is_deleted = 1").values()}
    assert {"let's use Postgres for the shop", "do not deploy on Mondays"} < gone
    assert "let's use SQLite for the secret plan" in golden.live(file)
    golden.check(file)
    run("undo", str(done["change_set"]))
    assert golden.entries(file) == before
    assert golden.meta(file) == {}


def test_files_are_taken_in_line_by_line_with_their_dates_and_once(run, file, there):
    (there[0] / "memory" / "episodic").mkdir()
    (there[0] / "memory" / "episodic" / "2026-02-03.md").write_text(
        "# 2026-02-03\n\n- [2026-02-03 07:08:09 UTC] User message: the ship has landed\n- short\n"
    )
    assert run("backfill")["imported"] == 3
    found = {row["content"]: row for row in golden.entries(file, "source = 'import' AND is_deleted = 0").values()}
    landed = found["User message: the ship has landed"]
    assert (landed["kind"], landed["created_at"], landed["scope_type"]) == (
        "episodic",
        "2026-02-03T07:08:09+00:00",
        "global",
    )
    assert json.loads(landed["meta_json"]) == {"file": "memory/episodic/2026-02-03.md"}
    assert {"Speaks Spanish", "Works at night"} <= set(found)
    assert "i prefer short answers" not in found
    golden.check(file)
    assert run("backfill") == {"imported": 0, "change_set": None}
    (there[0] / "memory" / "MEMORY.md").write_text(home.MEMORY + "- Plays the accordion\n")
    assert run("backfill")["imported"] == 1


def test_why_says_the_parts_of_each_score(run):
    answer = run("why", "deploy", "the", "shop", "--channel", "telegram", "--chat-id", "123")
    first = answer["hits"][0]
    assert first["text"] == "let's use Postgres for the shop"
    assert first["score"] == pytest.approx(
        0.65 * first["fit"] + 0.2 * first["importance"] + 0.15 * first["recency"], abs=1e-3
    )
    assert first["words"] == ["the", "shop"]
    assert [left["text"] for left in answer["left_out"]] == ["do not deploy on Mondays"]
    assert not [hit for hit in answer["hits"] if "secret" in hit["text"]]
    assert "deploy" in json.dumps(
        run("why", "deploy", "--channel", "telegram", "--chat-id", "123", "--sender-id", "7")["hits"]
    )
