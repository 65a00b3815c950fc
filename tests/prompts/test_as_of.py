"""The prompt as of an earlier moment is the one that was read then, byte for byte."""

from __future__ import annotations

import os
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index, journal
from memory.domain.changes import Append, digest
from memory.journal import versions as history
from memory.models import Blob, ChangeSet
from memory.prompts import as_of, build
from tests.journal.conftest import (
    ANA,
    desk,
    make_desk,
)
from tests.support.amounts import times

__all__ = ["desk"]

pytestmark = pytest.mark.database

TICK = 0.025  # seconds: longer than the clock that a file's time comes from, also on a busy machine
HOUR = timedelta(hours=1)


def text(bot, chat, moment, memory=None):
    return build.build(bot, chat, now=moment, memory=memory).text


def text_then(bot, chat, moment):
    return text(bot, chat, moment, as_of.memory_at(bot, chat, moment))


def moment_now():
    """A moment that nothing else happens at."""
    time.sleep(TICK)
    moment = timezone.now()
    time.sleep(TICK)
    return moment


def aged(desk, path, by=HOUR):
    """A file as it would be if it had been written earlier."""
    then = time.time() - by.total_seconds()
    os.utime(desk.root / path, (then, then))


PATHS = (
    *("MEMORY.md", "2026-01-01.md", "2026-01-02.md", "2026-01-03.md", "2026-01-04.md", "2026-13-45.md"),
    *("chats/a/MEMORY.md", "chats/a/2026-01-02.md", "chats/b/2026-01-02.md", "working/a.md", "working/b.md"),
)
LINES = st.lists(st.sampled_from(["- a", "- b", "## 10:00 — c", "d", "", "é 🎉"]), min_size=1, max_size=4)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "add", "remove", "put", "append", "append", "delete", "undo"]),
        st.sampled_from(PATHS),
        LINES.map(lambda lines: ("\n".join(lines) + "\n").encode()),
        st.booleans(),
        st.integers(0, 9),
    ),
    min_size=2,
    max_size=9,
)


def act(desk, what, path, data, which):
    """One thing that the bot, a person or Kenoweb does; whether Kenoweb only hears of it later."""
    there = desk.read(path) is not None
    if what == "write":
        desk.write(path, data)
    elif what == "add" and there:
        desk.add(path, data)
    elif what == "remove":
        (desk.root / path).unlink(missing_ok=True)
        index.refresh(desk.bot, accept_vanished=True)  # a file that is gone does not say since when
    elif what == "put":
        desk.commit(desk.put(path, data))
    elif what == "append":
        desk.commit(Append(path, data), kind=ChangeSet.Kind.CAPTURE)
    elif what == "delete" and there:
        desk.commit(desk.delete(path))
    elif what == "undo":
        sets = list(ChangeSet.objects.filter(bot=desk.bot).exclude(kind=ChangeSet.Kind.FOUND))
        if sets:
            journal.undo(desk.bot, sets[which % len(sets)], ANA)


@settings(max_examples=times(5, 25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@pytest.mark.slow
def test_prompt_of_then_is_what_was_read_then(desk, steps):
    one = make_desk(desk.root.parent / os.urandom(4).hex(), os.urandom(4).hex())
    one.bot.settings = {"memory_days": 2}
    one.bot.save()
    kept = []
    for what, path, data, late, which in steps:
        act(one, what, path, data, which)
        if not late:
            index.refresh(one.bot, accept_vanished=True)
        moment = moment_now()
        kept += [(moment, chat, text(one.bot, chat, moment)) for chat in (None, "a", "b")]
        index.refresh(one.bot, accept_vanished=True)
    for moment, chat, then in kept:
        assert text_then(one.bot, chat, moment) == then, (chat, kept.index((moment, chat, then)) // 3)


def test_what_was_there_before_the_first_look_is_known_since_it_was_written(desk):
    desk.write("MEMORY.md", b"- old\n")
    aged(desk, "MEMORY.md", 3 * HOUR)
    desk.write("chats/a/MEMORY.md", b"- new\n")
    index.refresh(desk.bot)
    now = timezone.now()
    then = as_of.memory_at(desk.bot, "a", now - HOUR)
    assert then.paths() == ["MEMORY.md"]
    (unknown,) = then.unknown
    assert (unknown.path, unknown.why) == ("chats/a/MEMORY.md", as_of.SEEN_LATE)
    assert now - timedelta(seconds=10) < unknown.since <= now
    assert as_of.memory_at(desk.bot, "a", now - 4 * HOUR).paths() == []


def test_what_we_made_was_not_there_before_and_nothing_is_said_of_it(desk):
    desk.applied(desk.put("MEMORY.md", b"- a\n"))
    desk.append("2026-01-01.md", b"## 10:00 \xe2\x80\x94 b\n\n")
    index.refresh(desk.bot)
    then = as_of.memory_at(desk.bot, None, timezone.now() - HOUR)
    assert (then.paths(), list(then.unknown)) == ([], [])


def test_every_step_of_growth_can_be_told(desk):
    log = "2026-01-01.md"
    desk.write(log, b"# Day\n")
    index.refresh(desk.bot)
    moments = []
    for number in range(5):
        desk.add(log, b"## 10:0%d \xe2\x80\x94 x\n\n" % number)
        index.refresh(desk.bot)
        moments.append((moment_now(), desk.read(log)))
    assert ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).count() == 1
    for moment, data in moments:
        assert as_of.memory_at(desk.bot, None, moment).read(log) == data


def test_a_log_of_a_day_to_come_is_known_since_it_was_written(desk):
    log = "2999-01-01.md"
    desk.write(log, b"- a\n")
    moment = moment_now()
    index.refresh(desk.bot)
    desk.write(log, b"- b\n")
    index.refresh(desk.bot)
    assert as_of.memory_at(desk.bot, None, moment).read(log) == b"- a\n"


def test_growth_counts_from_when_the_file_says_it_was_written(desk):
    desk.write("MEMORY.md", b"- a\n")
    aged(desk, "MEMORY.md", 5 * HOUR)
    index.refresh(desk.bot)
    ChangeSet.objects.update(created=timezone.now() - 4 * HOUR, finished=timezone.now() - 4 * HOUR)
    desk.add("MEMORY.md", b"- b\n")
    aged(desk, "MEMORY.md", 2 * HOUR)
    index.refresh(desk.bot)
    now = timezone.now()
    assert as_of.memory_at(desk.bot, None, now - HOUR).read("MEMORY.md") == b"- a\n- b\n"
    assert as_of.memory_at(desk.bot, None, now - 3 * HOUR).read("MEMORY.md") == b"- a\n"


def test_working_memory_is_as_old_as_it_was_then(desk):
    desk.applied(desk.put("working/a.md", b"- topic"))
    made = moment_now()
    assert "updated just now" in text_then(desk.bot, "a", made)
    later = made + timedelta(hours=30)
    assert as_of.memory_at(desk.bot, "a", later).modified("working/a.md") < made
    assert "updated 1 day ago" in text_then(desk.bot, "a", later)
    assert "- topic" not in text_then(desk.bot, "a", made + timedelta(days=9))


def test_before_a_change_is_the_moment_before_it(desk):
    desk.write("MEMORY.md", b"- a\n")
    aged(desk, "MEMORY.md", 5 * HOUR)
    index.refresh(desk.bot)
    ours = desk.applied(desk.put("MEMORY.md", b"- b\n"))
    time.sleep(TICK)
    desk.write("MEMORY.md", b"- c\n")
    time.sleep(TICK)
    index.refresh(desk.bot)
    theirs = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    desk.add("MEMORY.md", b"- d\n")
    index.refresh(desk.bot)
    growth = ChangeSet.objects.filter(kind=ChangeSet.Kind.OUTSIDE).latest("pk")
    wanted = ((ours, b"- a\n"), (theirs, b"- b\n"), (growth, b"- c\n"))
    for change_set, data in wanted:
        assert as_of.memory_at(desk.bot, None, as_of.moment_before(change_set)).read("MEMORY.md") == data


def test_a_version_that_is_not_held_is_named(desk):
    desk.applied(desk.put("MEMORY.md", b"- a\n"))
    moment = moment_now()
    desk.applied(desk.put("MEMORY.md", b"- b\n"))
    Blob.objects.filter(sha256=digest(b"- a\n")).delete()
    then = as_of.memory_at(desk.bot, None, moment)
    assert then.paths() == []
    assert [(one.path, one.why) for one in then.unknown] == [("MEMORY.md", as_of.NOT_HELD)]


def test_the_past_costs_the_same_however_long_it_was(desk):
    def statements():
        with CaptureQueriesContext(connection) as seen:
            as_of.memory_at(desk.bot, "a", moment)
        return len(seen)

    for day in range(1, 4):
        desk.append(f"2026-01-{day:02}.md", b"- a\n")
        desk.append(f"chats/a/2026-01-{day:02}.md", b"- a\n")
    index.refresh(desk.bot)
    moment = moment_now()
    few = statements()
    for day in range(4, 29):
        desk.append(f"2026-01-{day:02}.md", b"- a\n")
        desk.append(f"chats/a/2026-01-{day:02}.md", b"- a\n")
        desk.append("MEMORY.md", b"- %d\n" % day)
        index.refresh(desk.bot)
    assert statements() == few
    moment = moment_now()
    assert statements() == few


def test_versions_are_read_together_as_one_by_one(desk):
    log, versions = "2026-01-01.md", []
    desk.write(log, b"# A day of which a good deal was already written down, as days go\n" * 9)
    index.refresh(desk.bot)
    for number in range(30):
        desk.add(log, b"- %d\n" % number)
        versions.append(index.look(desk.bot, log).sha256)
    found = history.bytes_of_all(desk.bot, [*versions, "0" * 64, ""])
    assert found == {version: history.bytes_of(desk.bot, version) for version in versions}
    Blob.objects.filter(parent="").delete()
    assert history.bytes_of_all(desk.bot, versions) == {}
