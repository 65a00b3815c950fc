"""Compaction that nobody asks for: at the start, once a day, never twice, and only if there is something to compact."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from memory import index
from memory.jobs import schedule
from memory.jobs.pruning import Pruning
from memory.jobs.schedule import Schedule
from memory.jobs.worker import Worker
from memory.models import ChangeSet, Job, Proposal, Revision
from tests.jobs.conftest import old_logs
from tests.support.together import together

pytestmark = pytest.mark.database


@pytest.fixture
def bot(desk):
    old_logs(desk, "2025-01-01")
    desk.bot.time_zone = "Europe/Madrid"
    return desk.bot


@pytest.fixture
def clock(monkeypatch):
    """Sets the time; a moment is written as in the bot's zone at first."""

    def set_to(text, zone="Europe/Madrid"):
        now = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
        monkeypatch.setattr(timezone, "now", lambda: now)

    return set_to


def wants(bot, **settings):
    bot.settings = {**bot.settings, **settings}
    bot.save()


def test_nothing_is_compacted_unless_it_is_wanted(bot):
    assert Schedule().look() == []


def test_start_queues_one_compaction_for_all_workers(bot):
    wants(bot, compact_when="start")
    (job,) = Schedule().look()
    assert (job.kind, job.by, job.params, job.state) == ("compaction", "schedule", {"scopes": [""]}, "queued")
    assert Schedule().look() == []


def test_setting_that_is_saved_later_waits_for_the_next_start(bot):
    running = Schedule()
    assert running.look() == []
    wants(bot, compact_when="start")
    assert running.look() == []
    assert len(Schedule().look()) == 1


def test_worker_that_comes_by_the_clock_does_not_start_and_does_what_is_due(bot):
    wants(bot, compact_when="start")
    Worker().run_once()
    assert not Job.objects.exists()
    wants(bot, compact_when="daily", compact_hour=0)
    Worker().run_once()
    assert Job.objects.get().state == "applied"


def test_workers_that_start_at_the_same_moment_queue_one(bot):
    wants(bot, compact_when="daily", compact_hour=0)
    looks = together(5, lambda: Schedule().look())
    assert sum(len(found) for found in looks) == 1
    assert Job.objects.count() == 1


def test_day_is_the_bots_own_and_counts_once(bot, clock):
    wants(bot, compact_when="daily", compact_hour=4)
    worker = Schedule()
    clock("2026-01-10 03:59")
    assert worker.look() == []
    clock("2026-01-10 04:00")
    (job,) = worker.look()
    assert job.name == "day 2026-01-10"
    Job.objects.update(state="applied")
    for moment in ("2026-01-10 04:01", "2026-01-10 23:59", "2026-01-11 03:59"):
        clock(moment)
        assert worker.look() == Schedule().look() == []
    clock("2026-01-11 04:00")
    assert len(Schedule().look()) == 1


def test_hour_that_a_clock_change_leaves_out_or_doubles_runs_once(bot, clock):
    wants(bot, compact_when="daily", compact_hour=2)
    clock("2026-03-29 03:10")  # there was no hour 2
    assert len(Schedule().look()) == 1
    Job.objects.update(state="applied")
    clock("2026-10-25 02:30")
    assert len(Schedule().look()) == 1
    Job.objects.update(state="applied")
    clock("2026-10-25 01:30", "UTC")  # the second 02:30 of that night
    assert Schedule().look() == []


def test_machine_that_slept_for_days_compacts_once(bot, clock):
    wants(bot, compact_when="daily", compact_hour=4)
    worker = Schedule()
    clock("2026-01-10 04:00")
    assert len(worker.look()) == 1
    Job.objects.update(state="applied")
    clock("2026-01-20 15:00")
    assert len(worker.look()) == 1
    assert worker.look() == []


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo"])
def test_other_zone_brings_no_second_run_at_once(bot, clock, zone):
    wants(bot, compact_when="daily", compact_hour=4)
    clock("2026-01-10 20:00")
    assert len(Schedule().look()) == 1
    Job.objects.update(state="applied")
    bot.time_zone = zone
    bot.save()
    clock("2026-01-10 21:00")
    assert Schedule().look() == []


def test_history_is_pruned_once_a_day_as_the_settings_say(desk, clock):
    desk.append("2026-01-01.md", b"- long ago\n")
    index.refresh(desk.bot)
    ChangeSet.objects.update(created=timezone.now() - timedelta(days=90))
    Pruning().look()
    assert not Revision.objects.exclude(pruned=None).exists()
    wants(desk.bot, history_days=60)
    Pruning().look()
    assert Revision.objects.exclude(pruned=None).count() == 1


def test_nothing_old_is_no_job(desk, clock):
    wants(desk.bot, compact_when="daily", compact_hour=0)
    desk.write(f"{timezone.localdate().isoformat()}.md", b"## 10:00 - new\n\n")
    assert Schedule().look() == []


def test_by_meaning_is_another_kind_and_waits_for_what_is_proposed(bot, clock):
    wants(bot, compact_when="daily", compact_hour=4, compact_by="meaning")
    clock("2026-01-10 04:00")
    (job,) = Schedule().look()
    assert job.kind == "consolidation"
    Job.objects.update(state="planned")
    proposal = Proposal.objects.create(bot=bot, job=job, number=1, action="keep")
    clock("2026-01-11 04:00")
    assert Schedule().look() == []
    proposal.state = "refused"
    proposal.save()
    assert len(Schedule().look()) == 1


def test_bot_whose_files_are_gone_is_asked_again(desk, bot, clock):
    wants(bot, compact_when="daily", compact_hour=4)
    desk.root.rename(desk.root.with_name("away"))
    clock("2026-01-10 04:00")
    worker = Schedule()
    assert worker.look() == []
    desk.root.with_name("away").rename(desk.root)
    assert len(worker.look()) == 1


def test_start_is_not_repeated_by_a_service_that_starts_again_and_again(bot, clock):
    wants(bot, compact_when="start")
    clock("2026-01-10 04:00")
    assert len(Schedule().look()) == 1
    Job.objects.update(state="applied")
    clock("2026-01-10 04:09")
    assert Schedule().look() == []
    clock("2026-01-10 04:11")
    assert len(Schedule().look()) == 1
    assert schedule.ONCE_IN["start"] == timedelta(minutes=10)
