"""What the owner, others or the model's server do while a model is being asked."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.utils import timezone

from memory.models import Bot, ModelCall, Proposal
from tests.compaction.consolidation.conftest import LATER, LONG_TERM, OLD, clever, desk, planned, tree
from tests.compaction.consolidation.test_plan import tidy
from tests.llm.server import Play, good

__all__ = ["desk"]

pytestmark = pytest.mark.database


def meanwhile(act, decide=tidy):
    """An answer before which something happens."""
    told = clever(decide)

    def answer(messages):  # in a thread of the playing server's, with a connection of its own
        act()
        connection.close()
        return told(messages)

    return answer


def at_once(bot, **more):
    bot.settings = {**bot.settings, "proposals": "once", **more}
    bot.save()


def test_nothing_is_written_to_a_bot_that_was_taken_off_the_desk(desk, model):
    at_once(desk.bot)
    before = tree(desk)
    job = planned(desk, model, meanwhile(lambda: Bot.objects.filter(pk=desk.bot.pk).update(removed=timezone.now())))
    assert tree(desk) == before
    assert job.state == "failed", (job.state, job.trouble)


def test_the_owner_changes_their_mind_about_applying_at_once(desk, model):
    at_once(desk.bot)
    before = tree(desk)
    ask = {**desk.bot.settings, "proposals": "ask"}
    job = planned(desk, model, meanwhile(lambda: Bot.objects.filter(pk=desk.bot.pk).update(settings=ask)))
    assert tree(desk) == before
    assert job.state == "planned"


def test_a_bound_that_is_set_while_a_job_runs_counts_for_its_next_question(desk, model):
    capped = {**desk.bot.settings, "daily_tokens": 1}
    lose = meanwhile(lambda: Bot.objects.filter(pk=desk.bot.pk).update(settings=capped), lambda facts: [])
    job = planned(desk, model, lose, clever(tidy))
    assert len(model.asked) == 1
    assert "The daily limit of 1 tokens is reached." in job.trouble


def test_a_server_that_counts_nothing_costs_all_the_same(desk, model):
    nothing = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}

    def told(messages):
        return Play(clever(tidy)(messages).text, usage=nothing)

    planned(desk, model, told)
    call = ModelCall.objects.get()
    assert call.tokens_in > 100
    assert call.tokens_out > 10
    assert not call.counted


def test_files_that_go_while_the_model_thinks_bring_nothing_back(desk, model):
    at_once(desk.bot)
    job = planned(desk, model, meanwhile(lambda: [(desk.root / name).unlink() for name in (OLD, LATER)]))
    assert job.state in ("planned", "failed")
    assert b"tea" not in desk.read(LONG_TERM)


def test_an_answer_of_a_million_numbers_is_no_plan(desk, model):
    plan = [{"action": "keep", "facts": list(range(1, 1_000_000)), "text": "", "newer": 0}]
    job = planned(desk, model, good(json.dumps({"operations": plan}, separators=(",", ":"))))
    assert job.state in ("failed", "queued")
    assert Proposal.objects.filter(job=job).count() < 5000
