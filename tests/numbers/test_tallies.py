"""Facts that came and went are counted once, on their day and by their source."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from memory import index, journal, numbers
from memory.compaction import runner
from memory.curation import facts
from memory.domain.changes import Put, digest
from memory.models import ChangeSet, Fact, Finding, Measure, Revision, Tally
from memory.numbers import measures, over_time, tallies
from tests.journal.conftest import ANA, make_desk

TEXT = b"# Memory\n\n- Lives in Porto\n- Has a cat\n- Paints boats\n"
LOG = "# 2026-11-20\n\n## 10:00 — Bought tea\n\n## 11:00 — Sold a boat\n".encode()
MORNING = datetime(2026, 11, 22, 9, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch):
    """The time, which a test may set."""
    times = [MORNING]
    monkeypatch.setattr(timezone, "now", lambda: times[-1])
    return times


@pytest.fixture
def desk(db, tmp_path, kenoweb_home, clock):
    one = make_desk(tmp_path)
    one.write("MEMORY.md", TEXT)
    one.write("2026-11-20.md", LOG)
    seen(one)
    return one


def seen(desk):
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()


def put(desk, path, text):
    now = (desk.root / path).read_bytes() if (desk.root / path).exists() else None
    changes = [Put(path, text, digest(now) if now is not None else None)]
    journal.commit(desk.bot, changes, kind=ChangeSet.Kind.EDIT, by=ANA)
    seen(desk)


def counted(desk):
    """(day, source) -> (learned, forgotten), after everything was counted."""
    assert tallies.count(desk.bot)
    rows = Tally.objects.filter(bot=desk.bot)
    return {(one.day, one.source): (one.learned, one.forgotten) for one in rows}


FOUND = {("2026-11-20", "found"): (2, 0)}
TODAY = "2026-11-22"


def test_what_was_there_before_counts_on_the_day_that_its_log_names_or_not_at_all(desk):
    assert counted(desk) == FOUND
    assert counted(desk) == FOUND  # and once


def test_a_file_that_is_new_later_counts_on_the_day_it_is_found(desk):
    counted(desk)
    desk.write("chats/telegram-1/MEMORY.md", b"- Likes tea\n- Likes chess\n")
    seen(desk)
    assert counted(desk) == {**FOUND, (TODAY, "outside"): (2, 0)}


def test_an_undo_takes_back_what_its_change_counted_on_the_day_of_the_change(desk, clock):
    counted(desk)
    one = Fact.objects.get(text__contains="Has a cat")
    made = facts.forget(desk.bot, [("MEMORY.md", one.key, one.nth)], ANA).change_set
    assert counted(desk) == {**FOUND, (TODAY, "edits"): (0, 1)}
    for forgotten in (0, 1, 0):  # undone, redone, and undone once more
        clock.append(clock[-1] + timedelta(days=1))
        made = journal.undo(desk.bot, made, ANA).change_set
        assert counted(desk) == {**FOUND, (TODAY, "edits"): (0, forgotten)}
    put(desk, "MEMORY.md", TEXT + b"- Likes tea\n")
    assert counted(desk)["2026-11-25", "edits"] == (1, 0)


def test_an_undo_takes_back_what_was_learned(desk):
    counted(desk)
    turn = desk.append("2026-11-22.md", "## 10:00 — Likes tea\n\n".encode())
    assert counted(desk) == {**FOUND, (TODAY, "turns"): (1, 0)}
    desk.undo(turn)
    assert counted(desk) == {**FOUND, (TODAY, "turns"): (0, 0)}


def test_growth_from_outside_that_is_undone_is_taken_back_on_each_of_its_days(desk, clock):
    counted(desk)
    for number in (1, 2):
        clock.append(MORNING + timedelta(days=number))
        desk.add("MEMORY.md", f"- Fact {number}\n".encode())
        seen(desk)
    desk.undo(ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE))
    assert counted(desk) == {**FOUND, ("2026-11-23", "outside"): (0, 0), ("2026-11-24", "outside"): (0, 0)}


def test_compaction_that_forgets_and_is_undone_leaves_no_trace(desk, clock):
    desk.write("2026-11-21.md", "# 2026-11-21\n\n## 10:00 — Has a cat\n\n## 11:00 — Sold a boat\n".encode())
    seen(desk)
    before = counted(desk)
    clock.append(MORNING + timedelta(days=60))
    made = runner.run(desk.bot, [""], journal.By("schedule")).change_set
    day = made.created.date().isoformat()
    learned, forgotten = counted(desk)[day, "compaction"]
    assert forgotten > learned
    desk.undo(made)
    assert counted(desk) == {**before, (day, "compaction"): (0, 0)}


def test_half_of_a_move_that_is_undone_is_no_number_below_zero(desk, clock):
    counted(desk)
    clock.append(MORNING + timedelta(days=60))
    made = runner.run(desk.bot, [""], journal.By("schedule")).change_set
    desk.undo(made, paths=["2026-11-20.md"])
    counted(desk)
    for by_month in (False, True):
        told = list(over_time.tallied(desk.bot, "2026-01-01", by_month=by_month))
        assert min(number for _day, _source, *numbers in told for number in numbers) == 0
    assert {number for day in over_time.days(desk.bot) for number in day.forgotten.values()} == {0}


def test_old_version_that_somebody_brings_back_is_an_edit(desk):
    counted(desk)
    put(desk, "MEMORY.md", b"# Memory\n\n- Lives in Porto\n")
    journal.restore(desk.bot, [Revision.objects.filter(path="MEMORY.md").first()], ANA)
    assert counted(desk) == {**FOUND, (TODAY, "edits"): (2, 2)}


def test_a_fact_that_is_reworded_is_neither(desk):
    counted(desk)
    put(desk, "MEMORY.md", TEXT.replace(b"a cat", b"two cats"))
    assert counted(desk) == FOUND


def test_a_fact_that_compaction_moves_is_neither(desk, clock):
    counted(desk)
    clock.append(MORNING + timedelta(days=60))
    ran = runner.run(desk.bot, [""], journal.By("schedule"))
    assert ran.change_set.kind == ChangeSet.Kind.COMPACTION
    assert b"Bought tea" in (desk.root / "MEMORY.md").read_bytes()
    assert counted(desk) == FOUND


def test_a_fact_that_an_archived_log_keeps_beside_its_move_is_neither_also_undone_and_redone(desk, clock):
    counted(desk)
    clock.append(MORNING + timedelta(days=60))
    moved = Fact.objects.get(bot=desk.bot, text="Bought tea").key
    made = runner.run(desk.bot, [""], ANA, old_logs="archive", move=[moved]).change_set
    for name in ("MEMORY.md", "archive/2026-11-20.md"):
        assert b"Bought tea" in (desk.root / name).read_bytes()
    seen(desk)
    assert counted(desk) == FOUND
    for _undone_or_redone in range(2):
        made = desk.undo(made).change_set
        assert counted(desk) == FOUND


def test_growth_from_outside_counts_on_each_of_its_days(desk, clock):
    counted(desk)
    for number in range(3):
        clock.append(MORNING + timedelta(days=number + 1))
        with (desk.root / "MEMORY.md").open("ab") as file:
            file.write(f"- Fact {number}\n- And {number}\n".encode())
        seen(desk)
        if number != 1:
            counted(desk)
    assert ChangeSet.objects.filter(bot=desk.bot, kind=ChangeSet.Kind.OUTSIDE).count() == 1
    days = {day: each for (day, _source), each in counted(desk).items() if day > TODAY}
    assert days == {"2026-11-23": (2, 0), "2026-11-24": (2, 0), "2026-11-25": (2, 0)}


def test_what_somebody_removes_outside_is_forgotten(desk):
    counted(desk)
    desk.write("MEMORY.md", b"# Memory\n\n- Lives in Porto\n")
    seen(desk)
    assert counted(desk)[TODAY, "outside"] == (0, 2)


def test_a_long_history_is_counted_in_portions_that_add_up(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(tallies, "PORTION", 3)
    desk = make_desk(tmp_path, "long")
    for number in range(10):
        desk.write(f"2026-10-{number + 10}.md", f"# Log\n\n## 10:00 — Fact {number}\n".encode())
    seen(desk)
    looks = 0
    while not tallies.count(desk.bot, patience=0):
        looks += 1
    assert looks > 3
    rows = Tally.objects.filter(bot=desk.bot, source="found")
    assert sum(one.learned for one in rows) == 10


def test_a_bot_is_measured_once_a_day(desk, clock):
    finding = Finding.objects.create(bot=desk.bot, rule="secret", path="MEMORY.md", found=MORNING)
    numbers.keep()
    numbers.keep()
    one = Measure.objects.get(bot=desk.bot)
    assert (one.day, one.facts, one.size, one.open, one.settled) == (TODAY, 5, len(TEXT), 1, 0)
    assert one.tokens == measures.prompt_tokens(desk.bot) > 0
    Finding.objects.filter(pk=finding.pk).update(gone=MORNING + timedelta(hours=3))
    clock.append(MORNING + timedelta(days=1))
    numbers.keep()
    assert Measure.objects.values_list("day", "open", "settled").first() == ("2026-11-23", 0, 1)


def test_numbers_are_kept_as_long_as_the_history(desk, clock):
    numbers.keep()
    desk.bot.settings = {**desk.bot.settings, "history_days": 30}
    desk.bot.save()
    clock.append(MORNING + timedelta(days=40))
    numbers.keep()
    assert list(Measure.objects.values_list("day", flat=True)) == ["2027-01-01"]
    assert not Tally.objects.exists()
