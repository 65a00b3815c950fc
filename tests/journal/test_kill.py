"""The process is killed in every state that a commit, a compaction and an undo pass through, and nothing may be lost or doubled.

A child made by fork runs the act and kills itself before a line of the journal or the vault that finds other files or other rows
than the line before it did. The parent then lets the bot append, recovers as the next commit would, and compares every file with
what it was and what it should become.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

from memory import index, journal, storage
from memory.bots import open_bot
from memory.compaction import runner
from memory.domain.changes import Append, Change, Put, digest
from memory.models import ChangeSet, Head
from memory.storage.files import FileVault
from tests.journal.conftest import ANA, Desk, make_desk
from tests.support.amounts import times
from tests.support.crash import lines_that_differ, run_and_die, watched
from tests.support.facts import words

pytestmark = [pytest.mark.database, pytest.mark.slow]

WATCHED = watched(journal, storage)
SEEDS = range(times(1, 12))  # the first one changes a file in every way there is


def tree_of(desk: Desk, rng: random.Random) -> None:
    """A small random memory, its logs old enough to be compacted."""
    desk.write("MEMORY.md", f"# Memory\n\n- known {rng.random()}\n".encode())
    for _ in range(rng.randint(1, 3)):
        day = f"2025-0{rng.randint(1, 9)}-{rng.randint(10, 28)}.md"
        entries = "".join(f"## 10:{minute:02} — fact {rng.random()}\n\n" for minute in range(rng.randint(1, 3)))
        desk.write(day, entries.encode())
    desk.write("working/telegram-1.md", b"- topic")
    index.refresh(desk.bot)
    journal.settle(desk.bot)


def changes_of(desk: Desk, rng: random.Random, seed: int) -> list[Change]:
    logs = sorted(path for path in desk.tree() if path.startswith("2025"))
    some: list[Change] = [
        desk.put("MEMORY.md", b"# Memory\n\n- changed\n"),
        Put("chats/telegram-1/MEMORY.md", b"- new\n", None),
    ]
    some.append(desk.delete(logs[0]))
    some.append(Append(logs[-1] if len(logs) > 1 else "2025-12-31.md", f"## 11:00 — late {rng.random()}\n\n".encode()))
    some.append(desk.put("working/telegram-1.md", b"- other topic"))
    return rng.sample(some, rng.randint(1, len(some))) if seed else some


def kill_points(desk: Desk, act: Callable[[], object]) -> list[int]:
    """Where to kill: before each line that finds something else than the one before it, in a child that runs the act to its end."""
    connection.close()
    return lines_that_differ(act, WATCHED, desk.root, least=5)


def all_or_nothing(desk: Desk, old: dict[str, bytes], new: dict[str, bytes], added: dict[str, bytes]) -> None:
    """Every file is as before or as after, in the same way for all of them, and what the bot added is there once."""
    now = desk.tree()
    assert any(is_version(now, old, wanted, added) for wanted in (old, new)), (now, old, new, added)


def is_version(now: dict[str, bytes], old: dict[str, bytes], wanted: dict[str, bytes], added: dict[str, bytes]) -> bool:
    for path in {*now, *wanted, *added}:
        tail = added.get(path, b"")
        want = wanted.get(path, b"") + tail
        ours = wanted.get(path, b"").removeprefix(old.get(path, b""))  # an append of ours may come after the bot's
        if now.get(path, b"") not in (want, old.get(path, b"") + tail + ours if path in wanted else want):
            return False
        if path not in now and (path in wanted or tail):
            return False
    return True


def after_the_crash(desk: Desk, rng: random.Random) -> dict[str, bytes]:
    """The bot goes on, then Kenoweb comes back."""
    added = {}
    for path in sorted(path for path in desk.tree() if ".kenoweb-" not in path and not path.startswith("working")):
        if rng.random() < 0.5:
            mark = "- bot" if path.endswith("MEMORY.md") else "## 23:59 — bot"
            added[path] = f"{mark} {rng.random()}\n\n".encode()
            desk.add(path, added[path])
    journal.settle_and_recover(desk.bot, 5)
    return added


def history_agrees(desk: Desk) -> None:
    index.refresh(desk.bot)
    assert desk.hidden() == []
    heads = dict(Head.objects.filter(bot=desk.bot).values_list("path", "sha256"))
    for path, data in desk.tree().items():
        assert heads[path] == digest(data), path
    unfinished = ChangeSet.objects.filter(bot=desk.bot, state__in=["writing", "settling"])
    assert not unfinished.exists()


def die(act: Callable[[], object], at: int) -> bool:
    """Run `act` in a child that kills itself at the line; True if it died before the end."""
    connection.close()
    return run_and_die(act, WATCHED, at)


def world(tmp_path: Path, seed: int, name: str) -> tuple[Desk, random.Random]:
    rng = random.Random(seed)
    desk = make_desk(tmp_path / name, name)
    tree_of(desk, rng)
    return desk, rng


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_commit_is_all_or_nothing(desk, tmp_path, seed):
    def act_on(one: Desk, changes: list[Change]) -> None:
        journal.commit(one.bot, changes, by=ANA, kind=ChangeSet.Kind.EDIT)

    trial, rng = world(tmp_path, seed, f"trial-{seed}")
    old_changes = changes_of(trial, rng, seed)
    points = kill_points(trial, lambda: act_on(trial, old_changes))
    journal.settle(trial.bot)
    new = trial.tree()
    for at in points:
        one, again = world(tmp_path, seed, f"killed-{seed}-{at}")
        old = one.tree()
        changes = changes_of(one, again, seed)
        die(lambda one=one, changes=changes: act_on(one, changes), at)
        added = after_the_crash(one, rng)
        all_or_nothing(one, old, new, added)
        history_agrees(one)


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_compaction_loses_no_fact_and_doubles_none(desk, tmp_path, seed):
    def act_on(one: Desk) -> None:
        runner.run(one.bot, [""], ANA, today="2026-11-20")

    trial, rng = world(tmp_path, seed, f"trial-{seed}")
    points = kill_points(trial, lambda: act_on(trial))
    for at in points:
        one, _ = world(tmp_path, seed, f"killed-{seed}-{at}")
        facts = all_facts(one)
        die(lambda one=one: act_on(one), at)
        added = after_the_crash(one, rng)
        assert all_facts(one) & facts == facts
        assert count_facts(one) == len(facts) + len(added)
        history_agrees(one)
        act_on(one)
        assert all_facts(one) & facts == facts


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_undo_is_all_or_nothing(desk, tmp_path, seed):
    def prepare(name: str) -> tuple[Desk, random.Random, dict[str, bytes], dict[str, bytes], ChangeSet]:
        one, rng = world(tmp_path, seed, name)
        before = one.tree()
        outcome = journal.commit(one.bot, changes_of(one, rng, seed), by=ANA, kind=ChangeSet.Kind.EDIT)
        journal.settle(one.bot)
        return one, rng, before, one.tree(), outcome.change_set

    trial, _, _, _, made = prepare(f"trial-{seed}")
    for at in kill_points(trial, lambda: journal.undo(trial.bot, made, ANA)):
        one, rng, before, after, change_set = prepare(f"killed-{seed}-{at}")
        die(lambda one=one, change_set=change_set: journal.undo(one.bot, change_set, ANA), at)
        added = after_the_crash(one, rng)
        all_or_nothing(one, after, before, added)
        history_agrees(one)


def test_removal_that_was_not_reached_is_finished_as_a_removal(desk, tmp_path):
    one, _ = world(tmp_path, 1, "removal")
    log = next(path for path in one.tree() if path.startswith("2025"))
    changes = [one.put("MEMORY.md", b"# Memory\n\n- changed\n"), one.delete(log)]

    def act() -> None:
        FileVault.remove = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        journal.commit(one.bot, changes, by=ANA, kind=ChangeSet.Kind.EDIT)

    assert die(act, sys.maxsize)
    journal.settle_and_recover(one.bot, 5)
    assert one.read("MEMORY.md") == b"# Memory\n\n- changed\n"
    assert log not in one.tree()
    history_agrees(one)


def all_facts(desk: Desk) -> set[str]:
    return set(facts_in(desk))


def count_facts(desk: Desk) -> int:
    return len(facts_in(desk))


def facts_in(desk: Desk) -> list[str]:
    dialect = open_bot(desk.bot).dialect
    return [words(fact.text) for path, data in desk.tree().items() for fact in dialect.facts(path, data)]
