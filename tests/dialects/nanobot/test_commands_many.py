"""Many entries on the command line: shown before they are pruned, and taken in from the workspace's files line by line."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from memory.curation import pruning
from memory.curation.pruning import PruneSelection
from memory.models import ChangeSet
from tests.dialects.nanobot import golden, home
from tests.dialects.nanobot.golden import tell

pytestmark = pytest.mark.django_db(transaction=True)

HERE = ("--channel", "telegram", "--chat-id", "123")
OLD = ("prune", "--older-than-days", "30", "--kind", "decision", "--scope", "chat", *HERE)
LANDED = "# 2026-02-03\n\n- [2026-02-03 07:08:09 UTC] User message: the ship has landed\n- short\n"


def write(commands, path, text):
    (commands.workspace / path).parent.mkdir(exist_ok=True)
    (commands.workspace / path).write_text(text)


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
        ("--kind", "fact", "--preview", "20260101T000000.000000Z-0123456789ab", "--dry-run"),
    ],
)
def test_pruning_refuses_what_would_mean_everything_or_nobody(commands, words):
    before = golden.entries(commands.file)
    for sure in ((), ("--yes",)):
        if not {*words, *sure} >= {"--yes", "--dry-run"}:
            assert "Nothing was changed" in commands.refused("prune", *words, *sure)
    assert golden.entries(commands.file) == before


@pytest.mark.parametrize("count", ["0", "-1", "many", "36501"])
def test_days_are_a_number(commands, count):
    from django.core.management import CommandError

    with pytest.raises(CommandError, match="isn’t a number of days"):
        commands("prune", f"--older-than-days={count}")


def test_pruning_shows_first(commands):
    before = golden.entries(commands.file)
    shown = commands.text(*OLD)
    assert commands.text(*OLD, "--dry-run").splitlines()[:-1] == shown.splitlines()[:-1]
    *rows, kinds, sorts, said, sure = shown.splitlines()
    assert [row.split("  ")[0] for row in rows] == ["decision"] * 3
    assert "2026-01-01  let's use Postgres for the shop" in shown
    assert (kinds, sorts) == ("By kind: decision 3", "By scope: chat 3")
    assert said == "Dry run: 3 entries would be pruned."
    assert sure.startswith("With --yes --preview ")
    assert golden.entries(commands.file) == before
    assert not ChangeSet.objects.filter(kind="edit").exists()


def test_pruning_forgets_and_can_be_undone(commands):
    before, lines = golden.entries(commands.file), (commands.workspace / "memory/semantic/decisions.md").read_text()
    told = commands.json(*OLD)
    assert told["preview"]
    assert told == {
        **{"entries": 3, "left": 0, "by_kind": {"decision": 3}, "by_scope": {"chat": 3}},
        **{"preview": told["preview"], "change_set": None},
    }
    done = commands.json(*OLD, "--yes", "--preview", told["preview"])
    assert done == {**told, "preview": None, "change_set": ChangeSet.objects.latest("id").pk}
    gone = {row["content"] for row in golden.entries(commands.file, "is_deleted = 1").values()}
    assert {"let's use Postgres for the shop", "do not deploy on Mondays"} < gone
    assert "let's use SQLite for the secret plan" in golden.live(commands.file)
    mirror = (commands.workspace / "memory/semantic/decisions.md").read_text()
    assert "Postgres" not in mirror
    assert "SQLite" in mirror
    golden.check(commands.file)
    commands.text("undo", done["change_set"])
    assert golden.entries(commands.file) == before
    assert golden.meta(commands.file) == {}
    assert (commands.workspace / "memory/semantic/decisions.md").read_text() == lines


def test_only_what_is_past_its_time(commands):
    assert commands.json("prune", "--expired")["entries"] == 1
    assert commands.text("prune", "--expired", "--yes").splitlines()[:2] == ["By kind: decision 1", "By scope: chat 1"]
    assert "do not deploy on Mondays" not in golden.live(commands.file)
    assert commands.text("prune", "--expired", "--yes") == "Pruned 0 entries.\n"


def test_a_preview_means_what_was_shown(commands, there):
    """What arrives after it is not meant; what was said again or forgotten since makes it another one."""
    of = golden.workspace_id(there[0])
    words = ("prune", "--kind", "decision")
    preview = commands.json(*words)["preview"]
    commands.text("add", "-t", "we ship on Fridays", "-k", "decision")
    done = commands.json(*words, "--yes", "--preview", preview)
    assert done["entries"] == 4
    assert "we ship on Fridays" in golden.live(commands.file)
    commands.text("undo", done["change_set"])

    preview = commands.json(*words)["preview"]
    with closing(sqlite3.connect(commands.file)) as db:
        golden.insert(db, golden.row("an import with an old date", of, kind="decision", n=30))
        db.commit()
    before = golden.entries(commands.file)
    assert "aren’t the entries that were shown" in commands.refused(*words, "--yes", "--preview", preview)
    preview = commands.json(*words)["preview"]
    tell(
        commands.file,
        "UPDATE memory_entries SET updated_at = '2099-01-01T00:00:00+00:00' WHERE content LIKE '%Postgres%'",
    )
    assert "Look again" in commands.refused(*words, "--yes", "--preview", preview)
    assert {row["is_deleted"] for row in golden.entries(commands.file).values()} == {0, 1}
    assert golden.entries(commands.file).keys() == before.keys()


def test_what_was_said_again_between_look_and_write_stays(commands):
    found = pruning.choose(commands.bot, PruneSelection(kinds=("decision",)))
    tell(
        commands.file,
        "UPDATE memory_entries SET updated_at = '2026-06-01T00:00:00+00:00' WHERE content LIKE '%Postgres%'",
    )
    done = pruning.prune(commands.bot, found, pruning.journal.By("ana"))
    assert (done.count, done.left) == (3, 1)
    assert "let's use Postgres for the shop" in golden.live(commands.file)
    assert (
        "These entries have changed since you looked. Nothing was changed."
        in pruning.prune(commands.bot, found, pruning.journal.By("ana")).reason
    )
    golden.check(commands.file)


def test_lines_are_taken_in_with_their_dates_and_once(commands):
    write(commands, "memory/episodic/2026-02-03.md", LANDED)
    before = datetime.now(UTC)
    out = commands.text("backfill")
    assert out.splitlines() == [
        "By kind: episodic 1, fact 2",
        "The bot never recalls any of these. It reads --scope chat, and of --scope user preferences and facts.",
        "Left out 1 line that can’t be imported:",
        "  memory/episodic/2026-02-03.md:4 Shorter than 12 characters.",
        f"Backfill imported 3 entries, change {ChangeSet.objects.latest('pk').pk}.",
        "Marked as imported, so that the bot doesn’t import whole files when it next starts.",
    ]
    found = {
        row["content"]: row for row in golden.entries(commands.file, "source = 'import' AND is_deleted = 0").values()
    }
    landed = found["User message: the ship has landed"]
    told = ("kind", "created_at", "updated_at", "scope_type", "importance", "confidence", "source_role", "channel")
    day = "2026-02-03T07:08:09+00:00"
    assert [landed[name] for name in told] == ["episodic", day, day, "global", 0.7, 0.85, "user", None]
    kept = datetime.fromisoformat(landed["expires_at"]) - before
    assert timedelta(days=90) <= kept < timedelta(days=91)
    assert json.loads(landed["meta_json"]) == {"file": "memory/episodic/2026-02-03.md"}
    assert {"Speaks Spanish", "Works at night"} <= set(found)
    assert "i prefer short answers" not in found
    golden.check(commands.file)
    assert commands.json("backfill")["imported"] == 0
    write(commands, "memory/MEMORY.md", home.MEMORY + "- Plays the accordion\n")
    assert commands.json("backfill")["imported"] == 1


def test_the_bot_is_told_that_its_files_were_taken_in(commands, there):
    marker = f"workspace:{golden.workspace_id(there[0])}:backfill:v1"
    assert not commands.json("backfill", "--no-marker")["marked"]
    assert golden.meta(commands.file) == {}
    assert commands.json("backfill")["marked"]
    assert golden.meta(commands.file) == {marker: "done"}
    assert not commands.json("backfill")["marked"]


def test_a_look_at_the_lines_writes_nothing(commands, there):
    before = golden.entries(commands.file)
    out = commands.text("backfill", "--dry-run").splitlines()
    assert out[0].startswith("fact  20")
    assert out[0].endswith("memory/MEMORY.md  Speaks Spanish")
    assert out[-1] == "Dry run: 2 entries would be imported."
    assert golden.entries(commands.file) == before
    assert golden.meta(commands.file) == {}


def test_what_was_forgotten_is_not_taken_in_again_unless_somebody_insists(commands):
    commands.text("backfill")
    tell(commands.file, "DELETE FROM memory_entries_fts WHERE content = 'speaks spanish'")
    tell(commands.file, "UPDATE memory_entries SET is_deleted = 1 WHERE content = 'Speaks Spanish'")
    told = commands.json("backfill")
    assert (told["imported"], told["forgotten"]) == (0, 1)
    assert commands.json("backfill", "--force")["imported"] == 1
    assert "Speaks Spanish" in golden.live(commands.file)
    golden.check(commands.file)


def test_a_chat_gets_no_lines_of_others(commands):
    """The mirrors hold what all chats said, also what no entry says any more."""
    write(
        commands, "memory/semantic/facts.md", "# Facts\n\n- [2026-01-01 10:00:00 UTC] my name is Bo, of another chat\n"
    )
    told = commands.json("backfill", "--scope", "user", *HERE)
    assert (told["imported"], told["mirrors_left"], told["unrecalled"]) == (2, 4, 0)
    found = {row["content"]: row for row in golden.entries(commands.file, "source = 'import'").values()}
    assert found["Speaks Spanish"]["scope_key"] == "channel:telegram:user:123"
    assert not [text for text in golden.live(commands.file) if "another chat" in text]
    assert commands.json("backfill", "--scope", "user", *HERE, "--mirrors")["imported"] == 1
    assert "--scope chat needs" in commands.refused("backfill", "--scope", "chat")


def test_kinds_follow_the_files(commands):
    write(commands, "memory/procedural/deploy.md", "- Always ask before a deploy\n")
    write(commands, "memory/2025-12-24.md", "## 09:00 - The tree is up and shining\n")
    write(commands, "memory/semantic/my-preferences.md", "- Likes the window open\n")
    commands.text("backfill")
    found = {row["content"]: row for row in golden.entries(commands.file, "source = 'import'").values()}
    assert found["Always ask before a deploy"]["kind"] == "decision"
    assert found["Likes the window open"]["kind"] == "preference"
    tree = found["The tree is up and shining"]
    assert (tree["kind"], tree["created_at"][:10]) == ("episodic", "2025-12-24")


def test_what_the_bot_wrote_into_its_mirrors_comes_back_however_short(commands):
    write(
        commands, "memory/semantic/preferences.md", "# Preferences\n\n- [2026-01-01 10:00:04 UTC] i like Go\n- short\n"
    )
    write(commands, "memory/semantic/facts.md", "# Facts\n\n- [2026-01-01 10:00:05 UTC] Bo\n")
    told = commands.json("backfill")
    found = {row["content"]: row for row in golden.entries(commands.file, "source = 'import'").values()}
    assert {"i like Go", "Bo"} <= found.keys()
    assert (found["Bo"]["kind"], found["Bo"]["created_at"]) == ("fact", "2026-01-01T10:00:05+00:00")
    assert [(one["path"], one["line"]) for one in told["left_out"]] == [("memory/semantic/preferences.md", 4)]


def test_all_of_a_chat_is_the_same_to_prune_as_to_search(commands):
    meant = ("--scope", "all", "--channel", "telegram", "--chat-id", "123")
    shown = commands.json("prune", *meant, "--older-than-days", "1")
    met = commands.json("search", "-q", "use deploy prefer name blob decided", *meant)
    assert shown["by_scope"] == Counter(hit["scope_type"] for hit in met["hits"])
    assert shown["by_scope"]["global"] == 1


NOTE = (
    "# 2025-12-24\n\nWoke up early, the snow is deep.\n\n## 09:15 - Standup\n\n"
    + "".join(f"- number {n} is worth keeping for the launch\n  and is wrapped here\n" for n in range(30))
    + "- [10:40] went to the shop for milk\n- tea\n\n### 11:00\n\n- a line of eleven o'clock\n\n"
    + "## Later\n\n"
    + "A sentence of some length stands here. " * 20
    + "\n\n"
    + "x" * 600
    + "\n\n- The team is large:\n"
    + "".join(f"  - member {n} {'y' * 90}\n" for n in range(7))
    + "\n```\ncode\n```\n"
)


def test_every_line_of_a_note_is_an_entry_with_the_time_of_its_heading_or_is_named(commands):
    write(commands, "memory/2025-12-24.md", NOTE)
    shown = commands.json("backfill", "--dry-run")
    told = commands.json("backfill")
    assert (told["imported"], shown["lines"], shown["left_out"]) == (45, 45, told["left_out"])
    assert told["marked"]
    assert [(one["path"], one["line"], one["why"]) for one in told["left_out"]] == [
        ("memory/2025-12-24.md", 68, "Shorter than 12 characters."),
        ("memory/2025-12-24.md", 78, "A sentence longer than 500 characters."),
        ("memory/2025-12-24.md", 89, "A table or code."),
    ]
    found = {row["content"]: row for row in golden.entries(commands.file, "source = 'import'").values()}
    times = {text: row["created_at"] for text, row in found.items() if row["kind"] == "episodic"}
    day = "2025-12-24T{}:00+00:00"
    assert times["Woke up early, the snow is deep."] == day.format("00:00")
    for n in range(30):
        assert times[f"number {n} is worth keeping for the launch and is wrapped here"] == day.format("09:15")
    assert times["went to the shop for milk"] == day.format("10:40")
    assert times["a line of eleven o'clock"] == day.format("11:00")
    assert times["The team is large:"] == day.format("00:00")
    assert {text for text in times if text.startswith("member")} == {f"member {n} {'y' * 90}" for n in range(7)}
    assert not [text for text in times if len(text) > 500 or text.endswith("...")]
    said = " ".join(text for text in times if text.startswith("A sentence"))
    assert set(said.split(".")) == {
        "A sentence of some length stands here",
        " A sentence of some length stands here",
        "",
    }
    golden.check(commands.file)
    assert commands.json("backfill")["imported"] == 0


def test_what_can_be_no_entry_is_named_with_its_line(commands):
    write(commands, "memory/MEMORY.md", home.MEMORY + "- Ana\n")
    for words in (("--dry-run",), ()):
        out = commands.text("backfill", *words).splitlines()
        at = out.index("Left out 1 line that can’t be imported:")
        assert out[at + 1] == "  memory/MEMORY.md:5 Shorter than 12 characters."
    write(commands, "memory/MEMORY.md", home.MEMORY + "- Ana\n" * 5000)
    told = commands.json("backfill")
    assert (told["left"], len(told["left_out"])) == (5000, 100)
    assert commands.text("backfill").splitlines()[-2] == "and 4980 more"


def test_a_long_entry_that_a_mirror_repeats_is_known(commands):
    long = "We decided on this. " * 40
    commands.text("add", "-t", long, "-k", "decision", *HERE)
    commands.text("add", "-t", "go now", "-k", "decision", *HERE)
    told = commands.json("backfill")
    assert (told["imported"], told["left"]) == (2, 0)
