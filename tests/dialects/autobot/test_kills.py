"""Processes die in each state that a consolidation passes through: every message is in the transcript, in a block that waits, or
told of in the history, and history and memory change together or not at all."""

from __future__ import annotations

import shutil

import pytest
from django.db import connection
from django.utils import timezone

from memory import index, journal, registry, storage
from memory.dialects.autobot import consolidation, layout, sessions
from memory.dialects.autobot.consolidation import blocks, job
from memory.jobs import attempt, proposals, run, tasks
from memory.jobs.reap import reap
from memory.jobs.tasks import run_job
from memory.models import Job
from tests.dialects.autobot.conftest import DATA
from tests.llm import server as play
from tests.support.crash import inner, lines_that_differ, run_and_die, watched

pytestmark = pytest.mark.slow

SETTING_ASIDE = watched(consolidation, journal, storage)
SUMMING_UP = watched(consolidation, proposals, run, attempt, tasks) + inner(journal, storage)
BY = journal.By("ana")
CHAT = "whatsapp_15550134_s.whatsapp.net"
PATH = f"sessions/{CHAT}.jsonl"
ENTRY = "[2026-11-14 07:08] Lena counted visitors."
BEFORE = (DATA / "workspace" / layout.MEMORY).read_text()
AFTER = BEFORE + "- Lena counts in the morning\n"
ALL = [line.message.content for line in sessions.parse((DATA / "workspace" / PATH).read_bytes()).messages]


@pytest.fixture
def world(transactional_db, tmp_path, settings, kenoweb_home):
    settings.JOB_TIMING = {"tries": 1000}

    def made(name):
        root = tmp_path / name / "workspace"
        shutil.copytree(DATA / "workspace", root)
        shutil.copy(DATA / "config.yml", root.parent)
        bot = registry.add(root, name=name)
        bot.settings = {"proposals": "once"}
        bot.save()
        index.refresh(bot)
        return bot, root

    return made


def everywhere(bot, root):
    """All messages that are in a file of the chat, those that wait first."""
    journal.settle_and_recover(bot, 5)
    index.refresh(bot)
    paths = [*blocks.waiting(bot, CHAT), PATH]
    return [line.message.content for path in paths for line in sessions.parse((root / path).read_bytes()).messages]


def told(root):
    """Whether history and memory have it; they agree."""
    history, memory = (root / layout.HISTORY).read_text(), (root / layout.MEMORY).read_text()
    assert (history.count(ENTRY), memory) in ((0, BEFORE), (1, AFTER))
    return memory == AFTER


def test_killed_while_messages_are_set_aside(world):
    bot, root = world("trial")
    connection.close()
    states = lines_that_differ(lambda: blocks.archive(bot, CHAT, BY), SETTING_ASIDE, root)
    assert len(states) > 3
    for at in states:
        bot, root = world(f"set{at}")
        connection.close()
        run_and_die(lambda bot=bot: blocks.archive(bot, CHAT, BY), SETTING_ASIDE, at)
        assert everywhere(bot, root) == ALL
        assert (root / layout.MEMORY).read_text() == BEFORE


def test_killed_while_they_are_summed_up(world, model):
    model.plays(play.answers({"history_entry": ENTRY, "memory_update": AFTER}))
    bot, root = world("trial")
    queued = job.start(bot, blocks.archive(bot, CHAT, BY).path, BY)
    connection.close()
    states = lines_that_differ(lambda: run_job.call(queued.pk), SUMMING_UP, root)
    assert len(states) > 5
    for at in states:
        bot, root = world(f"sum{at}")
        queued = job.start(bot, blocks.archive(bot, CHAT, BY).path, BY)
        connection.close()
        run_and_die(lambda queued=queued: run_job.call(queued.pk), SUMMING_UP, at)
        assert everywhere(bot, root) == (ALL[-10:] if told(root) else ALL)
        Job.objects.filter(pk=queued.pk, state="running").update(lease=timezone.now())
        reap()
        run_job.call(queued.pk)
        assert everywhere(bot, root) == ALL[-10:]
        assert told(root)
        assert Job.objects.get(pk=queued.pk).state == "applied"
