"""Mirrors: lines that match no entry any more are found, counted once and mended; a line follows its entry, for all chats."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from memory import index, journal, registry
from memory.checks import findings
from memory.curation import facts, pruning
from memory.curation.acts import Done
from memory.dialects.nanobot import DIALECT, mirror_sync, mirrors as form
from memory.domain.outcomes import Refused
from memory.models import Bot, ChangeSet, Finding
from memory.storage.files import FileVault
from tests.dialects.nanobot import golden

BY = journal.By("ana")
NOW = "2026-06-01T00:00:00+00:00"
DECISIONS, PREFERENCES = "memory/semantic/decisions.md", "memory/semantic/preferences.md"


def line(text, at="2026-01-01 10:00:00"):
    return f"- [{at} UTC] {text}\n"


def row(text, kind="decision", created="2026-01-01T10:00:00.123456+00:00", expires=""):
    return form.MirroredEntry(kind, text, created, expires)


def judged(text, *rows, path=DECISIONS):
    return [(one.line.text, one.why, one.instead) for one in form.unmatched(form.read(path, text.encode()), rows, NOW)]


def test_lines_are_told_from_what_people_wrote_there():
    text = "# Decisions\n\n- mine\n" + line("let's use Postgres") + "  - [2026-01-01 10:00:00 UTC] nested\n\nprose\n"
    assert [(one.number, one.kind, one.text) for one in form.read(DECISIONS, text.encode())] == [
        (4, "decision", "let's use Postgres")
    ]
    assert form.read("memory/semantic/glazes.md", text.encode()) == []
    assert form.read("memory/MEMORY.md", text.encode()) == []
    assert [one.kind for one in form.read("memory/episodic/2026-01-01.md", text.encode())] == ["episodic"]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([row("Let's  USE Postgres")], []),
        ([row("let's use Postgres", created="2026-05-05T00:00:00+00:00")], []),
        ([row("let's use Postgres", kind="fact")], [(form.NOBODYS, "")]),
        ([], [(form.NOBODYS, "")]),
        ([row("let's use MariaDB")], [(form.REWORDED, "let's use MariaDB")]),
        ([row("let's use MariaDB", created="2026-01-01T10:00:01+00:00")], [(form.NOBODYS, "")]),
        ([row("let's use Postgres", expires="2026-05-31T23:59:59+00:00")], [(form.EXPIRED, "")]),
        ([row("let's use Postgres", expires="2026-06-01T00:00:01+00:00")], []),
        # two chats said it, and one of them still does
        ([row("let's use Postgres", expires="2026-01-02T00:00:00+00:00"), row("let's use postgres")], []),
    ],
)
def test_a_line_is_judged_by_kind_text_and_time(rows, found):
    assert [(why, instead) for _, why, instead in judged(line("let's use Postgres"), *rows)] == found


def test_a_line_whose_entry_is_mirrored_again_only_goes():
    text = line("let's use Postgres") + line("let's use MariaDB", "2026-02-01 00:00:00")
    assert judged(text, row("let's use MariaDB")) == [("let's use Postgres", form.REWORDED, "")]


def test_mending_leaves_every_other_byte():
    data = (
        "\ufeff# Decisions\r\n\r\n- [2026-01-01 10:00:00 UTC] old\r\n- mine\r\n- [2026-01-01 10:00:01 UTC] gone".encode()
        + b"\xff"
    )
    assert form.mended(data, {3: "new  words", 5: ""}) == (
        "\ufeff# Decisions\r\n\r\n- [2026-01-01 10:00:00 UTC] new words\r\n- mine\r\n".encode()
    )
    assert form.mended(data, {}) == data


def test_paths_and_heads_are_the_bots_own():
    at = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
    assert form.path_of("preference", at) == PREFERENCES
    assert form.head(PREFERENCES) == "# Preferences\n\n"
    assert form.path_of("episodic", at) == "memory/episodic/2026-03-02.md"
    assert form.head("memory/episodic/2026-03-02.md") == "# 2026-03-02\n\n"
    assert form.line("x", at) == "- [2026-03-02 23:30:00 UTC] x\n"


@pytest.fixture
def bot(db, there):
    return fresh(registry.add(there[0]))


def fresh(bot):
    index.refresh(bot, patience=5)
    return Bot.objects.get(pk=bot.pk)


def write(there, *texts, path=DECISIONS):
    with (there[0] / path).open("a") as file:
        file.writelines(line(text) for text in texts)


def read(there, path=DECISIONS):
    return (there[0] / path).read_text()


def reword(there, old, new):
    values = (new, new.lower(), new, f"%{old}%")
    with closing(sqlite3.connect(there[1])) as db:
        db.execute(
            "UPDATE memory_entries SET updated_at = '2026-02-02T00:00:00+00:00', content = ?, content_norm = ?, content_hash = ? "
            "WHERE content LIKE ?",
            values,
        )
        db.commit()


def fact(bot, text):
    found = bot.fact_set.select_related("document").get(text=text)
    return found.document.path, found.key, found.nth


def test_a_thousand_lines_are_one_finding_until_they_match(bot, there):
    findings.look(bot)
    assert not Finding.objects.exists()
    write(there, *(f"we decided on {number}" for number in range(1000)))
    findings.look(fresh(bot))
    (found,) = Finding.objects.all()
    assert (found.rule, found.note) == ("mirror", "1000 mirror lines are out of date.")
    (there[0] / DECISIONS).write_text("# Decisions\n\n")
    findings.look(fresh(bot))
    assert Finding.objects.get().gone is not None


def test_all_lines_are_mended_at_once_and_it_is_undone(bot, there):
    before = read(there)
    write(there, "nobody said this", "nor this")
    reword(there, "Postgres for the shop", "let's use MySQL")
    bot, spoilt = fresh(bot), read(there)
    assert len(mirror_sync.unmatched(bot)) == 3
    done = mirror_sync.mend(bot, None, BY)
    assert isinstance(done, ChangeSet)
    assert read(there) == before.replace("let's use Postgres for the shop", "let's use MySQL")
    assert isinstance(mirror_sync.mend(bot, None, BY), Refused)
    journal.undo(bot, done, BY)
    assert read(there) == spoilt


def test_one_line_is_mended_though_the_bot_wrote_meanwhile(bot, there):
    write(there, "nobody said this", "nor this")
    one = mirror_sync.unmatched(fresh(bot))[0]
    write(there, "let's use Postgres for the shop")
    mirror_sync.mend(bot, [mirror_sync.name_of(one.line)], BY)
    assert "nobody said this" not in read(there)
    assert "nor this" in read(there)
    assert isinstance(mirror_sync.mend(bot, [mirror_sync.name_of(one.line)], BY), Refused)


def test_forgetting_an_entry_takes_its_line_along_and_undo_brings_both_back(bot, there):
    before = read(there)
    done = facts.forget(bot, [fact(bot, "let's use Postgres for the shop")], BY)
    assert "Postgres for the shop" not in read(there)
    assert "secret plan" in read(there)
    assert "let's use Postgres for the shop" not in golden.live(there[1])
    journal.undo(bot, done.change_set, BY)
    assert read(there) == before
    assert "let's use Postgres for the shop" in golden.live(there[1])


def test_a_line_stays_while_another_chat_says_the_same(bot, there):
    reword(there, "secret plan", "let's use Postgres for the shop")
    bot = fresh(bot)
    mine, other = bot.fact_set.filter(text="let's use Postgres for the shop").select_related("document")
    facts.forget(bot, [(mine.document.path, mine.key, mine.nth)], BY)
    assert "Postgres for the shop" in read(there)
    facts.forget(fresh(bot), [(other.document.path, other.key, other.nth)], BY)
    assert "Postgres for the shop" not in read(there)


def test_rewording_an_entry_rewords_its_line(bot, there):
    facts.edit(bot, *fact(bot, "i prefer short answers"), "i prefer long answers", BY)
    assert read(there, PREFERENCES) == "# Preferences\n\n- [2026-01-01 10:00:04 UTC] i prefer long answers\n"
    assert not mirror_sync.unmatched(fresh(bot))


def test_lines_stay_where_they_are_to_be_left_as_the_bot_leaves_them(bot, there):
    bot.settings = {"mirror_lines": "leave"}
    bot.save()
    before = read(there), read(there, PREFERENCES)
    facts.forget(bot, [fact(bot, "let's use Postgres for the shop")], BY)
    facts.edit(bot, *fact(bot, "i prefer short answers"), "i prefer long answers", BY)
    assert (read(there), read(there, PREFERENCES)) == before
    assert len(mirror_sync.unmatched(fresh(bot))) == 2


def test_what_is_no_nanobot_has_no_mirrors(db, tmp_path):
    (tmp_path / "workspace" / "memory" / "semantic").mkdir(parents=True)
    (tmp_path / "workspace" / "MEMORY.md").write_text("# Memory\n\n- tea\n")
    (tmp_path / "workspace" / "memory" / "semantic" / "facts.md").write_text(line("tea"))
    bot = fresh(registry.add(tmp_path / "workspace", "workspace"))
    assert mirror_sync.unmatched(bot) == ()


@pytest.fixture
def write_while_read(there, monkeypatch):
    """The bot writes into a mirror whenever we have just read it."""
    read_whole, reads = FileVault.read, []

    def read_and_write(vault, path):
        found = read_whole(vault, path)
        if path == DECISIONS and len(reads) < 40:
            reads.append(f"we decided on {len(reads)}.")
            write(there, reads[-1])
        return found

    monkeypatch.setattr(FileVault, "read", read_and_write)
    return reads


@pytest.mark.parametrize("act", ["forget", "reword", "prune", "mend"])
def test_a_mirror_to_which_the_bot_writes_all_the_while_is_mended_beside_it(bot, there, write_while_read, act):
    text = "let's use Postgres for the shop"
    meant = fact(bot, text)
    if act == "mend":
        write(there, "nobody said this")
        outcome = mirror_sync.mend(bot, None, BY)
        assert isinstance(outcome, ChangeSet)
        assert "nobody said this" not in read(there)
    elif act == "reword":
        assert isinstance(facts.edit(bot, *meant, "let's use MySQL", BY), Done)
        assert "let's use MySQL" in read(there)
    elif act == "forget":
        assert isinstance(facts.forget(bot, [meant], BY), Done)
    else:
        chosen = pruning.choose(bot, pruning.PruneSelection(kinds=["decision"]))
        assert isinstance(pruning.prune(bot, chosen, BY), pruning.Pruned)
    assert (text in read(there)) == (act == "mend")
    fresh(bot)
    assert act == "mend" or all(one in read(there) for one in write_while_read)


def test_an_act_reads_a_mirror_once_besides_its_writer_and_the_index(bot, there, monkeypatch):
    read_whole, reads = FileVault.read, []
    monkeypatch.setattr(FileVault, "read", lambda vault, path: reads.append(path) or read_whole(vault, path))
    facts.forget(bot, [fact(bot, "let's use Postgres for the shop")], BY)
    assert reads.count(DECISIONS) == 3


@pytest.mark.parametrize(
    ("path", "before", "added", "own"),
    [
        (DECISIONS, "", "# Decisions\n\n" + line("use Postgres"), True),
        (DECISIONS, "# Decisions\n\n- mine\n", line("use Postgres") + line("deploy on Mondays"), True),
        (DECISIONS, "# Decisions\n\n", line("use Postgres") + "- mine\n", False),
        (DECISIONS, "a\n", "# Decisions\n\n" + line("use Postgres"), False),
        ("memory/2026-01-01.md", "", line("use Postgres"), False),
        ("memory/MEMORY.md", "", line("use Postgres"), False),
    ],
)
def test_lines_that_came_in_a_mirror_are_the_bots(path, before, added, own):
    assert DIALECT.wrote(path, before.encode(), (before + added).encode()) is own
    assert not DIALECT.wrote(path, b"x" + before.encode(), (before + added).encode())
