"""Every fault of a language model that docs/model.md names, against a consolidation: the bytes of the transcript, the history and
the memory before and after, and no message lost."""

from __future__ import annotations

import pytest

from memory.dialects.autobot import layout
from memory.dialects.autobot.consolidation import blocks, job
from memory.dialects.autobot.reply import NO_ENTRY, NO_MEMORY, SHRINKS
from memory.jobs import review
from memory.llm import Fault
from memory.models import ChangeSet, Job, ModelCall, Proposal
from tests.dialects.autobot.test_consolidation import (
    ADDED,
    BY,
    ENTRY,
    PATH,
    at_once,
    done,
    everywhere,
    says,
    set_aside,
    texts,
)
from tests.llm import server
from tests.llm.test_documented import ROWS, arranged
from tests.support.amounts import some

# The call itself went well; what came was no use.
OF_THE_ANSWER = {
    "JSON ends before its end",
    "prose where JSON was asked for",
    "JSON of another shape than was asked for",
}
THREE = (PATH, layout.HISTORY, layout.MEMORY)


def bytes_of_the_three(owner):
    return {path: owner.read(path) for path in THREE}


@pytest.mark.parametrize(("fault", "_passes", "when", "sentence", "_delivery"), some(ROWS, 4))
def test_fault_changes_no_byte_and_the_same_messages_are_summed_up_later(
    owner, model, settings, fault, _passes, when, sentence, _delivery
):
    settings.JOB_TIMING = {"tries": 1}
    at_once(owner)
    before, messages = bytes_of_the_three(owner), texts(owner.read(PATH))
    moved = set_aside(owner)
    waiting = owner.files()
    assert {path: waiting[path] for path in THREE[1:]} == {path: before[path] for path in THREE[1:]}
    arranged(when, owner.bot, model, settings)
    failed = done(job.start(owner.bot, moved.path, BY))
    assert (failed.state, failed.trouble) == (Job.State.FAILED, NO_ENTRY if "another shape" in when else sentence)
    assert owner.files() == waiting
    assert everywhere(owner) == messages
    if when not in OF_THE_ANSWER and fault not in (Fault.NONE_SET, Fault.CAP):
        assert set(ModelCall.objects.filter(job=failed).values_list("fault", flat=True)) == {fault}
    settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_TIMEOUT = model.url, server.MODEL, 10
    at_once(owner)  # without a bound of the day
    model.plays(says(before[layout.MEMORY].decode() + ADDED))
    assert done(job.start(owner.bot, moved.path, BY)).state == Job.State.APPLIED
    assert bytes_of_the_three(owner) == {
        PATH: waiting[PATH],
        layout.HISTORY: before[layout.HISTORY] + f"{ENTRY}\n\n".encode(),
        layout.MEMORY: before[layout.MEMORY] + ADDED.encode(),
    }
    assert blocks.waiting(owner.bot) == []
    assert ChangeSet.objects.filter(bot=owner.bot, job__isnull=False).count() == 1


@pytest.mark.parametrize("emptied", ["", " \n", None, [], 7])
def test_memory_that_would_be_emptied_is_no_answer(owner, model, settings, emptied):
    settings.JOB_TIMING = {"tries": 1}
    at_once(owner)
    moved = set_aside(owner)
    before = owner.files()
    model.plays(says(emptied))
    failed = done(job.start(owner.bot, moved.path, BY))
    assert (failed.state, failed.trouble) == (Job.State.FAILED, NO_MEMORY)
    assert owner.files() == before


def halved(text):
    return text[: len(text) // 3]


def shortened(text):
    return "".join(text.splitlines(keepends=True)[:-1])


@pytest.mark.parametrize(
    ("change", "entry", "flag"),
    [
        (halved, ENTRY, SHRINKS),
        (shortened, ENTRY, "Would be removed or changed"),
        (lambda text: f"{text}- Bertram brings 400 cakes\n", ENTRY, "Not said: "),
        (lambda text: text + ADDED, "[2026-11-14 07:08] Bertram counted 412 visitors.", "Not said: "),
        (lambda text: text, "[2031-01-01 07:08] 8 visitors.", "Not said: "),
    ],
)
def test_memory_halved_and_facts_made_up_wait_for_a_person_and_change_nothing(owner, model, change, entry, flag):
    at_once(owner)
    moved = set_aside(owner)
    before = owner.files()
    model.plays(says(change(before[layout.MEMORY].decode()), entry))
    planned = done(job.start(owner.bot, moved.path, BY))
    assert planned.state == Job.State.PLANNED
    rows = Proposal.objects.filter(job=planned)
    assert any(words.startswith(flag) for row in rows for words in row.flags)
    assert all(row.flags for row in rows)  # neither goes without the other
    assert owner.files() == before
    review.refuse(planned, [row.number for row in rows], BY)
    assert owner.files() == before
    assert isinstance(blocks.put_back(owner.bot, moved.path, BY), blocks.Moved)
