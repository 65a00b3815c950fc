"""Kenoweb and a bot write the same files at the same time. The bot never looks what others wrote between its reading and its
rename: what it so drops of ours is in the history, and nothing of its own is ever dropped by us."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory import index, journal
from memory.curation import adding
from memory.dialects.discoclaw import durable, javascript
from memory.domain.attributes import Draft
from memory.domain.outcomes import Refused
from memory.journal import versions
from memory.models import ChangeSet, Revision
from tests.support.amounts import times

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(times(600, 3000))]
OWNER = journal.By("owner")
OURS, THEIRS = times(40, 2_000), times(160, 8_000)  # operations
USERS = times(2, 20)
STAND_IN = Path(__file__).with_name("stand_in.py")


def texts(data):
    return {one["text"] for _, one in durable.items(durable.read(data))}


def test_two_writers_lose_nothing_that_was_committed(bot, there):
    directory = there / "durable"
    for user in range(USERS):
        (directory / f"{user}.json").write_bytes(javascript.written(durable.new()))
    bot.settings = {"durable_items": 100_000}
    bot.save()
    index.refresh(bot, patience=5)
    told = [sys.executable, STAND_IN, directory, str(USERS), str(THEIRS)]
    with subprocess.Popen(told, stderr=subprocess.PIPE, text=True) as other:
        ours = {text: committed(bot, number % USERS, text) for number in range(OURS) if (text := f"ours {number}")}
        _out, trouble = other.communicate(timeout=3000)
    assert (other.returncode, trouble) == (0, "")
    index.refresh(bot, patience=5)
    stand = set().union(*(texts((directory / f"{user}.json").read_bytes()) for user in range(USERS)))
    assert {f"bot {number}" for number in range(THEIRS)} <= stand
    dropped = set(ours) - stand
    assert not [text for text in dropped if text not in texts(_after(bot, ours[text]))]
    overwritten = Revision.objects.filter(bot=bot, change_set__kind=ChangeSet.Kind.OUTSIDE, path__startswith="durable/")
    assert overwritten.exists()
    print(f"{OURS + THEIRS} operations, {len(dropped)} of ours renamed over by the bot and in the history")
    assert not list(directory.glob(".*"))


def committed(bot, user, text):
    """The change that adds a fact; where the bot was faster several times, somebody tries again, as they are told."""
    for _ in range(50):
        outcome = adding.add(bot, f"discord:user:{user}", Draft("fact", text), OWNER)
        if not isinstance(outcome, Refused):
            return outcome.change_set
        assert outcome.passes, outcome
    raise AssertionError(outcome)


def _after(bot, change_set):
    """What a document was after one of our changes, as the history has it."""
    (revision,) = Revision.objects.filter(change_set=change_set)
    return versions.bytes_of(bot, revision.after)
