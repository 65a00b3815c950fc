"""Sessions listed, searched, compacted, cleared and deleted: each change can be undone, and no message is lost by it."""

from __future__ import annotations

import pytest

from memory import index, journal
from memory.curation.writing import Written
from memory.dialects.golemcore.session_store import acts, job, overview
from memory.dialects.golemcore.session_store.overview import CONVERTS, OVERWRITES, SessionFilters
from memory.dialects.golemcore.sessions import files
from memory.dialects.golemcore.sessions.record import SUMMARY, SessionMessage, WrittenLine
from memory.domain.changes import digest
from memory.domain.outcomes import Refused
from memory.jobs import review
from memory.jobs.outcomes import NotAccepted
from memory.journal import versions
from memory.models import ChangeSet, Job, Proposal
from tests.dialects.golemcore.sessions.conftest import JONAS, LIN, OTHER
from tests.llm import server as play
from tests.management.cli.conftest import run
from tests.support.attempts import done

BY = journal.By("ana")
PATHS = {OTHER: f"sessions/{OTHER}.pb", JONAS: f"sessions/{JONAS}.pb", LIN: f"sessions/{LIN}.json"}
everyone = pytest.mark.parametrize("chat", [OTHER, JONAS, LIN])


def _session(owner, chat):
    return files.read(PATHS[chat], owner.read(PATHS[chat]))


# The list


def test_list_has_full_ids_channel_state_and_counts(owner):
    found = {one.id: one for one in overview.every(owner.bot)}
    assert list(found) == [OTHER, JONAS, LIN]  # the last updated first
    one = found[JONAS]
    assert (one.channel, one.state, one.messages, one.calls, one.tokens) == ("telegram", "ACTIVE", 55, 7, 10304)
    assert (one.summarised, one.warnings) == (True, ())
    page = owner.page("sessions")
    assert all(f">{chat}</a>" in page for chat in PATHS)
    assert "55 messages · 7 tool calls · 10,304 tokens" in page
    assert "It compacts one beyond 10,300 tokens to its newest 12 messages." in page
    assert page.count("due now") == 1  # Jonas, by the settings of this bot


def test_list_is_searched_by_id_words_channel_and_state(owner):
    def found(**asked):
        return [one.id for one in overview.matching(owner.bot, overview.every(owner.bot), SessionFilters(**asked))]

    assert found(words="5550199") == [OTHER]
    assert found(words="PANCAKES") == [OTHER]
    assert found(channel="web") == [LIN]
    assert found(state="PAUSED") == []
    assert "No results" in owner.page("sessions?state=PAUSED")
    assert owner.page("sessions?q=pancakes").count("data-row") == 1


def test_list_follows_the_files(owner):
    overview.every(owner.bot)
    (owner.root / PATHS[OTHER]).write_bytes(b"\x0a\x7f")
    (owner.root / f"sessions/{JONAS}.json").write_text("{}")
    (owner.root / PATHS[LIN]).write_text('{"id": "web:other", "state": "PAUSED"}')
    index.refresh(owner.bot)
    found = {one.path: one for one in overview.every(owner.bot)}
    assert "overwrites it" in found[PATHS[OTHER]].trouble
    assert found[f"sessions/{JONAS}.json"].warnings == (OVERWRITES,)
    lin = found[PATHS[LIN]]
    assert (lin.id, lin.chat, lin.state, lin.warnings[0]) == ("web:other", LIN, "PAUSED", CONVERTS)
    assert "web:other" in lin.warnings[1]
    page = owner.page("sessions")
    assert "damaged" in page
    assert "overwrites the newer .pb" in page


def test_a_bot_without_sessions_says_where_they_will_be(owner):
    for path in PATHS.values():
        (owner.root / path).unlink()
    index.refresh(owner.bot)
    assert "No sessions yet" in owner.page("sessions")


# What is done to one


@everyone
def test_compaction_keeps_the_newest_and_is_undone(owner, chat):
    before, had = owner.read(PATHS[chat]), _session(owner, chat)
    done = acts.compact(owner.bot, chat, 4, BY)
    assert isinstance(done, Written)
    after = _session(owner, chat)
    carried = [one for one in had.messages[:-4] if one.is_summary]
    assert list(after.messages[: len(carried)]) == carried
    assert done.told == len(had.messages) - 4 - len(carried)
    assert after.messages[-1].at == had.messages[-1].at
    assert not any(one.calls or one.role == "tool" for one in after.messages)
    assert versions.bytes_of(owner.bot, digest(before)) == before
    assert isinstance(journal.undo(owner.bot, done.change_set, by=BY), journal.Applied)
    assert owner.read(PATHS[chat]) == before


@everyone
def test_clearing_and_deleting_are_undone(owner, chat):
    before = owner.read(PATHS[chat])
    cleared = acts.clear(owner.bot, chat, BY)
    after = _session(owner, chat)
    assert (after.id, after.messages, cleared.told) == (chat, (), len(files.read(PATHS[chat], before).messages))
    journal.undo(owner.bot, cleared.change_set, by=BY)
    assert owner.read(PATHS[chat]) == before
    deleted = acts.delete(owner.bot, chat, BY)
    assert not (owner.root / PATHS[chat]).exists()
    journal.undo(owner.bot, deleted.change_set, by=BY)
    assert owner.read(PATHS[chat]) == before


def test_deleting_takes_both_forms(owner):
    (owner.root / f"sessions/{OTHER}.json").write_text("[]")
    index.refresh(owner.bot)
    assert isinstance(acts.delete(owner.bot, OTHER, BY), Written)
    assert not list((owner.root / "sessions").glob(f"{OTHER}*"))


def test_what_cannot_be_done_is_refused_and_changes_nothing(owner):
    before = owner.read(PATHS[OTHER])
    assert acts.compact(owner.bot, OTHER, 6, BY) == Refused(acts.NOTHING_DUE)
    assert acts.compact(owner.bot, "telegram:none", 6, BY) == Refused(acts.GONE)
    assert acts.delete(owner.bot, "../preferences/compaction", BY) == Refused(acts.GONE)
    assert owner.read(PATHS[OTHER]) == before
    (owner.root / PATHS[OTHER]).write_bytes(b"\x0a\x7f")
    assert "Nothing was changed." in acts.clear(owner.bot, OTHER, BY).reason
    assert owner.read(PATHS[OTHER]) == b"\x0a\x7f"
    acts.clear(owner.bot, JONAS, BY)
    assert acts.clear(owner.bot, JONAS, BY) == Refused(acts.EMPTY)


def test_page_compacts_clears_deletes_and_offers_to_undo(owner):
    page = owner.post("sessions/compact", chat=OTHER, keep="2")
    assert "4 messages cut" in page
    assert f"undo-{ChangeSet.objects.latest('id').pk}" in page or "Undo" in page
    assert "6 messages" not in owner.post("sessions/clear", chat=OTHER)
    assert "Session deleted" in owner.post("sessions/delete", chat=OTHER)
    assert "has no session" in owner.post("sessions/delete", chat=OTHER)
    before = owner.read(PATHS[JONAS])
    for keep in ("", "-1", "99999", "x"):
        assert "from 0 to 10,000" in owner.post("sessions/compact", chat=JONAS, keep=keep)
    assert owner.read(PATHS[JONAS]) == before


# With a model


def test_a_model_sums_up_what_goes_and_an_older_summary_whole(owner, model):
    older = SUMMARY + " ".join(f"fact{number}" for number in range(200))
    data = owner.read(PATHS[JONAS])
    lines = [WrittenLine(told=SessionMessage("system", older)), *(WrittenLine(number) for number in range(1, 55))]
    (owner.root / PATHS[JONAS]).write_bytes(files.written(PATHS[JONAS], data, lines))
    before, had = owner.read(PATHS[JONAS]), _session(owner, JONAS)
    model.plays(play.answers({"summary": " Group bookings are done. "}))

    planned = done(job.start(owner.bot, JONAS, 10, BY))

    assert planned.state == Job.State.PLANNED
    assert owner.read(PATHS[JONAS]) == before
    asked = model.asked[0].messages[1]["content"]
    assert older.removeprefix(SUMMARY) in asked
    assert had.messages[1].content in asked
    assert had.messages[-10].content not in asked
    shown = owner.page(f"jobs/{planned.pk}")
    assert "Group bookings are done." in shown
    accepted = review.accept(planned, None, BY)
    after = _session(owner, JONAS)
    assert after.messages[0].content == SUMMARY + "Group bookings are done."
    assert (after.messages[0].role, sum(one.is_summary for one in after.messages)) == ("system", 1)
    assert after.messages[-1] == had.messages[-1]
    journal.undo(owner.bot, accepted.change_set, by=BY)
    assert owner.read(PATHS[JONAS]) == before


def test_a_session_that_changed_meanwhile_stays(owner, model):
    model.plays(play.answers({"summary": "Short."}))
    planned = done(job.start(owner.bot, OTHER, 2, BY))
    data = owner.read(PATHS[OTHER])
    (owner.root / PATHS[OTHER]).write_bytes(
        files.written(PATHS[OTHER], data, [WrittenLine(0), WrittenLine(1), WrittenLine(2), WrittenLine(3)])
    )
    changed = owner.read(PATHS[OTHER])
    assert review.accept(planned, None, BY) == NotAccepted(job.CHANGED)
    assert owner.read(PATHS[OTHER]) == changed
    assert Proposal.objects.get(job=planned).state == Proposal.State.OPEN


def test_a_model_that_says_nothing_changes_nothing(owner, model):
    before = owner.read(PATHS[OTHER])
    model.plays(*[play.answers({"summary": " "})] * 9)
    assert done(job.start(owner.bot, OTHER, 2, BY)).state == Job.State.FAILED
    assert owner.read(PATHS[OTHER]) == before


def test_page_starts_the_job_where_there_is_a_model(owner, model):
    response = owner.client.post(f"/{owner.bot.slug}/sessions/compact", {"chat": OTHER, "keep": "2"})
    queued = Job.objects.get(bot=owner.bot)
    assert response.url == f"/{owner.bot.slug}/jobs/{queued.pk}"
    assert queued.params == {"chat": OTHER, "keep": 2}


# The command line


def test_commands(owner):
    def memory(*words):
        return run(*words, "--bot", owner.bot.slug, "--json")

    listed = memory("sessions").json
    assert ([one["id"] for one in listed["sessions"]], listed["threshold"]) == ([OTHER, JONAS, LIN], 10_300)
    assert [one["id"] for one in memory("sessions", "pancakes").json["sessions"]] == [OTHER]
    assert [one["id"] for one in memory("sessions", "--channel", "web").json["sessions"]] == [LIN]
    done = memory("sessions", "--chat", OTHER, "--compact", "2")
    assert (done.code, done.json["count"]) == (0, 4)
    assert run("undo", str(done.json["change_set"]), "--bot", owner.bot.slug).code == 0
    assert memory("sessions", "--chat", OTHER, "--clear").json["count"] == 6
    assert memory("sessions", "--chat", OTHER, "--delete").code == 0
    assert memory("sessions", "--chat", OTHER, "--delete").code == 1
    assert memory("sessions", "--chat", LIN).code == 1
    assert memory("sessions", "--clear").code == 1
