"""Everything at once, in any order: people, turns, compaction, a bot that appends, rewrites, renames and deletes, and a process
that dies. Every line that any side added is in a file or in the history, and no line that was added once stands twice."""

from __future__ import annotations

import contextlib
import itertools
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from memory import index, journal, storage
from memory.compaction import runner
from memory.curation import documents
from memory.domain.changes import Append, Put, digest
from memory.journal import Applied, versions
from memory.models import Blob, ChangeSet, Head, Revision
from memory.webhook import call, deliveries
from tests.journal.conftest import ANA, make_desk
from tests.support.amounts import times
from tests.support.crash import run_and_die, watched

LONG_TERM = "MEMORY.md"
LOGS = ("2025-01-01.md", "2025-02-02.md")
TODAY = "2026-11-20"
PATHS = (LONG_TERM, *LOGS)
WATCHED = watched(journal, storage)

paths = st.sampled_from(PATHS)
numbers = itertools.count(1)


def line_for(path, name):
    return f"- {name}\n" if path == LONG_TERM else f"## 10:00 — {name}\n"


class Everybody(RuleBasedStateMachine):
    """`ever`: each line that somebody added, by the one name in it. Names are never used twice."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="interleaved-"))
        self.desk = make_desk(self.folder, f"keno-{next(numbers)}")
        self.ever = set()
        self.holders = {}
        self.somebody_died = False

    def teardown(self):
        try:
            if sys.exc_info()[0] is None:
                self.check_at_the_end()
        finally:
            for holder in self.holders.values():
                holder.close()
            shutil.rmtree(self.folder)

    def new_name(self):
        return f"n{next(numbers):06}"

    def name(self):
        name = self.new_name()
        self.ever.add(name)
        return name

    def something_waits(self):
        """Whether a commit first finishes what was cut off, or brings late lines home, and a document moves on by that."""
        return self.somebody_died or bool(self.desk.hidden())

    @initialize()
    def begin(self):
        for path in PATHS:
            self.desk.write(path, "".join(line_for(path, self.name()) for _ in range(2)).encode())
        index.refresh(self.desk.bot)

    # the bot

    @rule(path=paths)
    def bot_appends(self, path):
        with (self.desk.root / path).open("ab") as file:
            file.write(line_for(path, self.name()).encode())

    @rule(path=paths)
    def bot_holds_the_file_open(self, path):
        if path not in self.holders:
            self.holders[path] = (self.desk.root / path).open("ab", buffering=0)

    @rule(path=paths)
    def bot_writes_to_what_it_holds(self, path):
        if path in self.holders:
            self.holders[path].write(line_for(path, self.name()).encode())

    @rule(path=paths)
    def bot_lets_go(self, path):
        if holder := self.holders.pop(path, None):
            holder.close()

    @rule(path=paths)
    def bot_rewrites_with_one_line_more(self, path):
        data = (self.desk.read(path) or b"") + line_for(path, self.name()).encode()
        fresh = self.desk.root / ".bots-own.tmp"
        fresh.write_bytes(data)
        fresh.replace(self.desk.root / path)
        self.bot_lets_go(path)

    @rule(path=paths)
    def bot_removes_what_we_have_seen(self, path):
        self.bot_lets_go(path)
        index.look(self.desk.bot, path)
        (self.desk.root / path).unlink(missing_ok=True)

    @rule(path=paths)
    def bot_drops_its_first_line_after_we_have_seen_it(self, path):
        index.look(self.desk.bot, path)
        data = self.desk.read(path) or b""
        if data:
            self.bot_lets_go(path)
            self.desk.write(path, data.partition(b"\n")[2])

    # people, turns, jobs

    @rule(path=paths, where=st.integers(0, 5))
    def person_adds_a_line(self, path, where):
        bot = self.desk.bot
        now, may_move = documents.open_document(bot, path), self.something_waits()
        rows = now.text.splitlines(keepends=True)
        name = self.new_name()
        rows.insert(min(where, len(rows)), line_for(path, name))
        if isinstance(documents.save(bot, path, "".join(rows), now.sha256, ANA), documents.Saved):
            self.ever.add(name)
        else:
            assert may_move

    @rule(path=paths, where=st.integers(0, 5))
    def person_saves_a_text_from_before_the_bot_wrote(self, path, where):
        bot = self.desk.bot
        now, may_move = documents.open_document(bot, path), self.something_waits()
        self.bot_appends(path)
        name = self.new_name()
        rows = now.text.splitlines(keepends=True)
        rows.insert(min(where, len(rows)), line_for(path, name))
        outcome = documents.save(bot, path, "".join(rows), now.sha256, ANA)
        if isinstance(outcome, documents.Saved):
            self.ever.add(name)
            return
        assert isinstance(outcome, documents.Conflict)
        assert may_move or not now.sha256  # a document that was only added to is no question
        if outcome.merged is not None:
            again = documents.save(bot, path, documents.as_text(outcome.merged), outcome.theirs, ANA)
            assert isinstance(again, documents.Saved) or may_move
            if isinstance(again, documents.Saved):
                self.ever.add(name)

    @rule()
    def turn_comes_in(self):
        first, second = self.name(), self.name()
        said = f"<memory>{first}</memory><memory>{second}</memory>"
        body = json.dumps({"message": "m", "chat_id": 1, "at": "2025-02-02T10:00", "response": said}).encode()
        now = timezone.now()
        letter = deliveries.Letter(digest(body), now, time.perf_counter())
        assert deliveries.receive(self.desk.bot, call.parse(body, now), letter).status == 200

    @rule(path=paths)
    def command_line_writes(self, path):
        data, may_move = self.desk.read(path), self.something_waits()
        name = self.new_name()
        text = (data or b"") + line_for(path, name).encode()
        outcome = self.desk.commit(Put(path, text, None if data is None else digest(data)), moved="refuse")
        assert isinstance(outcome, Applied) or may_move
        if isinstance(outcome, Applied):
            self.ever.add(name)

    @rule()
    def compaction_runs(self):
        runner.run(self.desk.bot, ("",), ANA, today=TODAY)

    @rule(back=st.integers(0, 8))
    def somebody_undoes(self, back):
        if sets := list(ChangeSet.objects.filter(bot=self.desk.bot)[back : back + 1]):
            journal.undo(self.desk.bot, sets[0], ANA)

    @rule(back=st.integers(0, 12))
    def somebody_restores(self, back):
        found = list(Revision.objects.filter(bot=self.desk.bot, done=True).order_by("-id")[back : back + 1])
        if found:
            with contextlib.suppress(versions.Forgotten):
                journal.restore(self.desk.bot, found, ANA)

    @rule(at=st.integers(1, 900), what=st.sampled_from(["save", "append", "compact", "undo"]), path=paths)
    def process_dies(self, at, what, path):
        bot = self.desk.bot
        name = self.name()
        data = self.desk.read(path)
        newest = ChangeSet.objects.filter(bot=bot).first()
        acts = {
            "save": lambda: self.desk.commit(
                Put(path, line_for(path, name).encode() + (data or b""), None if data is None else digest(data))
            ),
            "append": lambda: self.desk.commit(Append(path, line_for(path, name).encode()), kind="capture"),
            "compact": lambda: runner.run(bot, ("",), ANA, today=TODAY),
            "undo": lambda: journal.undo(bot, newest, ANA),
        }
        connection.close()
        self.somebody_died = True
        if run_and_die(acts[what], WATCHED, at) or what in ("compact", "undo"):
            self.ever.discard(name)  # it may be there or not; that is a test of its own

    @rule()
    def kenoweb_looks(self):
        journal.settle_and_recover(self.desk.bot, 5)
        self.somebody_died = False
        index.refresh(self.desk.bot, accept_vanished=True)

    # what has to hold

    @invariant()
    def no_line_stands_twice(self):
        for path, data in self.desk.tree().items():
            if ".kenoweb-" not in path:
                again = {name for name, times in Counter(names_in(data)).items() if times > 1}
                assert not again, (path, data)

    def check_at_the_end(self):
        for path in PATHS:
            self.bot_lets_go(path)
        self.kenoweb_looks()
        assert self.desk.hidden() == []
        known = set()
        for blob in Blob.objects.filter(bot=self.desk.bot).values_list("sha256", flat=True):
            known.update(names_in(versions.bytes_of(self.desk.bot, blob)))
        lost = self.ever - known
        assert not lost, (lost, self.desk.tree())
        heads = dict(Head.objects.filter(bot=self.desk.bot).values_list("path", "sha256"))
        tree = self.desk.tree()
        for path in PATHS:
            assert heads.get(path, "") == (digest(tree[path]) if path in tree else ""), path


def names_in(data):
    return [word for word in data.decode().split() if len(word) == 7 and word.startswith("n") and word[1:].isdigit()]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_order_of_events_loses_or_doubles_a_line(transactional_db, settings, kenoweb_home):
    run_state_machine_as_test(Everybody, settings=RUN)


RUN = settings(
    max_examples=times(6, 250),
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
