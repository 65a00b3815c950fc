"""Proposals on their way into the files: all at once, some now and some later, twice at once, and over files that moved on."""

from __future__ import annotations

from collections import Counter

import pytest

from memory import journal
from memory.compaction import consolidation
from memory.compaction.consolidation import Accepted, NotAccepted
from memory.jobs import proposals
from memory.journal import Applied, versions
from memory.models import ChangeSet, Job, Proposal
from tests.compaction.consolidation.conftest import (
    LATER,
    LONG_TERM,
    OLD,
    accept,
    clever,
    keeping,
    log,
    number,
    op,
    planned,
    rows,
    tree,
)
from tests.compaction.consolidation.test_plan import tidy
from tests.support.together import together

pytestmark = pytest.mark.database(cases=1)

ARCHIVE = "archive.md"
TIDIED = "# Memory\n\n- The garden is green\n\n## Compacted memories\n"


def state_of(job):
    return Job.objects.get(pk=job.pk).state


def numbers(job, action):
    return [row.number for row in rows(job, action=action)]


def test_all_of_a_plan_is_one_change_set_and_can_be_taken_back_byte_by_byte(desk, model):
    before = tree(desk)
    job = planned(desk, model, clever(tidy))
    done = accept(desk, job)
    assert isinstance(done, Accepted)
    assert desk.read(LONG_TERM).decode() == TIDIED + (
        "- Ana likes tea and coffee\n- 2026-01-10 08:02 — The router is at 192.168.0.1\n"
        "- 2026-01-12 09:00 — Ana lives in Lisbon now\n"
    )
    assert desk.read(ARCHIVE).decode() == "# Archive\n\n- 2026-01-12 09:01 — It rained\n"
    assert (desk.read(OLD), desk.read(LATER)) == (None, None)
    assert (state_of(job), {row.state for row in rows(job)}) == ("applied", {"applied"})
    assert done.change_set.job == job
    details = done.change_set.details
    assert [details[name] for name in ("moved", "superseded", "archived", "removed")] == [4, 1, 1, 2]
    became = Counter(done.change_set.lineage.values_list("how", "from_path", "to_path"))
    assert became == {
        ("merged", OLD, LONG_TERM): 2,
        ("superseded", LONG_TERM, LONG_TERM): 1,
        ("moved", OLD, LONG_TERM): 1,
        ("moved", LATER, LONG_TERM): 1,
        ("moved", LATER, ARCHIVE): 1,
    }
    assert isinstance(journal.undo(desk.bot, done.change_set, desk_by()), Applied)
    assert tree(desk) == before
    assert state_of(job) == "applied"


def desk_by():
    return journal.By("Ana")


def test_a_merge_with_long_term_memory_rewords_its_line_where_it_stands(desk, model):
    desk.write(LATER, log("09:00", "Ana lives in Porto near the river", "The garden is green"))

    def by_text(facts):
        porto = [n for n, text in facts.items() if text.startswith("Ana lives in Porto")]
        return [
            op("merge", *porto, text="Ana lives in Porto, near the river"),
            op("keep", *(n for n in facts if n not in porto)),
        ]

    job = planned(desk, model, clever(by_text))
    accept(desk, job)
    text = desk.read(LONG_TERM).decode()
    assert text.startswith("# Memory\n\n- Ana lives in Porto, near the river\n- The garden is green\n")
    assert text.count("The garden is green") == 1
    assert desk.read(LATER) is None


@pytest.mark.parametrize(("action", "where"), [("keep", LONG_TERM), ("archive", ARCHIVE)])
def test_what_was_said_at_two_times_is_two_events(desk, model, action, where):
    desk.write(OLD, log("08:00", "It rained"))
    desk.write(LATER, log("09:00", "It rained", "The garden is green"))
    job = planned(desk, model, clever(lambda facts: [op(action, number(facts, "It rained")), *garden(facts)]))
    accept(desk, job)
    text = desk.read(where).decode()
    assert "- 2026-01-10 08:00 — It rained\n- 2026-01-12 09:00 — It rained\n" in text
    assert desk.read(LONG_TERM).decode().count("The garden is green") == 1  # words of no time say it at any


def garden(facts):
    return [op("keep", *(n for n, text in facts.items() if not text.startswith("It rained")))]


def test_what_may_be_is_applied_at_once_and_the_rest_waits(desk, model):
    desk.bot.settings = {"proposals": "once"}
    desk.bot.save()
    job = planned(desk, model, clever(tidy))
    assert (job.state, job.trouble) == ("planned", "Its suggestions need review.")
    assert [(row.action, row.state) for row in rows(job) if row.state == "open"] == [("supersede", "open")]
    assert "- Ana lives in Porto\n" in desk.read(LONG_TERM).decode()
    assert "- Ana likes tea and coffee\n" in desk.read(LONG_TERM).decode()
    assert (desk.read(OLD), desk.read(LATER)) == (None, None)
    assert isinstance(accept(desk, job), Accepted)  # the newer fact stands in long-term memory by now
    assert "Porto" not in desk.read(LONG_TERM).decode()
    assert state_of(job) == "applied"


def test_what_would_go_for_a_newer_fact_waits_even_without_a_flag(desk, model):
    desk.bot.settings = {"proposals": "once"}
    desk.bot.save()
    desk.write(LATER, log("09:00", "Ana likes tea with milk"))

    def outdated(facts):
        new = number(facts, "Ana likes tea with milk")
        old = next(n for n, text in facts.items() if text == "Ana likes tea")
        return [op("supersede", old, newer=new), op("keep", *(set(facts) - {old}))]

    job = planned(desk, model, clever(outdated))
    [waiting] = [row for row in rows(job) if row.state == "open"]
    assert (job.state, waiting.action, waiting.flags) == ("planned", "supersede", [])
    assert b"Ana likes tea\n" in desk.read(OLD)


def test_all_applied_at_once_ends_the_job(desk, model):
    desk.bot.settings = {"proposals": "once"}
    desk.bot.save()
    job = planned(desk, model, clever(keeping))
    assert (job.state, job.trouble) == ("applied", "")
    assert (desk.read(OLD), desk.read(LATER)) == (None, None)
    assert job.outcome["facts"] == 6
    assert (job.done, job.total) == (1, 1)


def test_lines_are_accepted_one_by_one_and_the_rest_days_later(desk, model):
    job = planned(desk, model, clever(tidy))
    [archive] = numbers(job, "archive")
    assert accept(desk, job, archive).applied == (archive,)
    assert b"It rained" not in desk.read(LATER)
    assert b"Ana lives in Lisbon now" in desk.read(LATER)
    assert state_of(job) == "planned"
    desk.write("2026-02-01.md", log("10:00", "Something new"))
    desk.add(LONG_TERM, b"- Written meanwhile\n")
    done = accept(desk, job)
    assert done.refused == ()
    text = desk.read(LONG_TERM).decode()
    assert "- Written meanwhile\n" in text
    assert "- Ana likes tea and coffee\n" in text
    assert b"Something new" in desk.read("2026-02-01.md")
    assert state_of(job) == "applied"


def test_a_fact_that_changed_meanwhile_stays_and_is_named(desk, model):
    job = planned(desk, model, clever(tidy))
    desk.write(OLD, desk.read(OLD).replace(b"Ana likes coffee", b"Ana hates coffee"))
    done = accept(desk, job)
    [merge] = numbers(job, "merge")
    assert done.refused == ((merge, f"A fact in {OLD} changed or no longer exists."),)
    assert b"Ana likes tea" in desk.read(OLD)
    assert b"Ana hates coffee" in desk.read(OLD)
    assert b"router" not in desk.read(OLD)
    assert state_of(job) == "planned"
    again = accept(desk, job)
    assert isinstance(again, NotAccepted)
    assert again.refused == done.refused
    assert proposals.refuse(job, [merge], desk_by()) == 1
    assert state_of(job) == "applied"


def test_a_newer_fact_that_is_gone_keeps_the_older_one(desk, model):
    job = planned(desk, model, clever(tidy))
    desk.write(LATER, log("09:01", "It rained"))
    done = accept(desk, job)
    reasons = dict(done.refused)
    assert reasons[numbers(job, "supersede")[0]] == "The newer fact no longer exists."
    assert "- Ana lives in Porto\n" in desk.read(LONG_TERM).decode()


def test_what_the_bot_appends_meanwhile_stays(desk, model):
    job = planned(desk, model, clever(tidy))
    desk.add(OLD, b"## 23:00 \xe2\x80\x94 Late\n\n")
    desk.add(LONG_TERM, b"- Late too\n")
    assert accept(desk, job).refused == ()
    assert desk.read(OLD) == b"## 23:00 \xe2\x80\x94 Late\n\n"
    assert b"- Late too\n" in desk.read(LONG_TERM)


def test_entries_that_are_no_facts_stay_in_their_log(desk, model):
    desk.write(OLD, b"Some words above.\n\n| a | b |\n|---|---|\n\n" + desk.read(OLD))
    accept(desk, planned(desk, model, clever(tidy)))
    assert desk.read(OLD) == b"Some words above.\n\n| a | b |\n|---|---|\n\n"


def test_an_entry_that_cannot_stand_in_a_list_stays_in_its_log_alone(desk, model):
    odd = "Look at this:\n  \u2028\n```\nnever closed"
    desk.write(OLD, log("08:00", "Bob likes milk", odd))
    job = planned(desk, model, clever(keeping))
    done = accept(desk, job)
    assert isinstance(done, Accepted)
    assert "- 2026-01-10 08:00 — Bob likes milk\n" in desk.read(LONG_TERM).decode()
    assert b"never closed" in (desk.read(OLD) or b"") + desk.read(LONG_TERM)


def test_logs_are_kept_whole_where_that_is_set(desk, model):
    desk.write(OLD, b"Some words above.\n\n| a | b |\n|---|---|\n\n" + desk.read(OLD))
    before = desk.read(OLD)
    accept(desk, planned(desk, model, clever(tidy), keep_logs=True))
    assert (desk.read(OLD), desk.read(LATER)) == (before, None)
    assert b"- Ana likes tea and coffee\n" in desk.read(LONG_TERM)


def test_one_of_two_equal_entries_can_go_when_the_other_went(desk, model):
    desk.write(OLD, log("08:00", "Ana likes tea", "Ana likes tea", "Bob likes milk"))
    job = planned(desk, model, clever(keeping))
    text = desk.read(OLD)
    desk.write(OLD, text[text.index(b"## 08:01") :])  # somebody removed the first of them
    assert any("changed or no longer exists" in why for _number, why in accept(desk, job).refused)
    assert b"Ana likes tea" in desk.read(OLD)


def test_a_chat_s_facts_stay_in_the_chat(desk, model):
    desk.write("chats/a/2026-01-10.md", log("08:00", "Secret of a", "Junk of a"))
    job = planned(
        desk,
        model,
        clever(lambda facts: [op("keep", number(facts, "Secret")), op("archive", number(facts, "Junk"))]),
        scopes=["a"],
    )
    accept(desk, job)
    kept = "## Compacted memories\n- 2026-01-10 08:00 — Secret of a\n"
    assert desk.read("chats/a/MEMORY.md").decode() == kept
    assert b"Junk of a" in desk.read("chats/a/archive.md")
    assert b"of a" not in desk.read(LONG_TERM)
    assert desk.read(ARCHIVE) is None


def test_a_row_that_mixes_chats_is_refused(desk, model):
    desk.write("chats/a/2026-01-10.md", log("08:00", "Secret of a"))
    job = planned(desk, model, clever(keeping), scopes=["a"])
    Proposal.objects.filter(job=job).update(path=LONG_TERM)
    refused = accept(desk, job)
    assert refused.reason == "It would merge facts of different chats. Nothing was changed."
    assert b"Secret" not in desk.read(LONG_TERM)


def test_two_who_accept_at_once_write_it_once(desk, model):
    job = planned(desk, model, clever(tidy))
    outcomes = together(2, lambda: accept(desk, job))
    assert sorted(type(one).__name__ for one in outcomes) == ["Accepted", "NotAccepted"]
    assert desk.read(LONG_TERM).decode().count("Ana likes tea and coffee") == 1
    assert desk.read(ARCHIVE).decode().count("It rained") == 1
    assert ChangeSet.objects.filter(job=job).count() == 1


@pytest.mark.parametrize("state", ["abandoned", "failed"])
def test_what_did_not_come_into_the_files_after_all_is_open_again(desk, model, state):
    job = planned(desk, model, clever(tidy))
    before = tree(desk)
    made = accept(desk, job).change_set
    for path, data in before.items():
        desk.write(path, data)
    (desk.root / ARCHIVE).unlink()
    ChangeSet.objects.filter(pk=made.pk).update(state=state)
    proposals.reopen(job)
    assert (state_of(job), {row.state for row in rows(job)}) == ("planned", {"open"})
    assert isinstance(accept(desk, job), Accepted)
    assert desk.read(LONG_TERM).decode().count("Ana likes tea and coffee") == 1


def test_the_gate_does_not_let_through_what_a_merge_of_files_took_away(desk, model):
    from memory.compaction.consolidation.current_documents import CurrentDocuments
    from memory.compaction.consolidation.gate import Gate

    job = planned(desk, model, clever(tidy))
    documents, taken = CurrentDocuments(desk.bot), set()
    gate = Gate(desk.bot, job, [documents.step(row, taken) for row in rows(job)])
    good = b"- The garden is green\n- Ana likes tea and coffee\n- The router is at 192.168.0.1\n- Ana lives in Lisbon now\n"
    good = b"# Memory\n\n" + good
    whole = {LONG_TERM: good, OLD: None, LATER: None, ARCHIVE: "- 2026-01-12 09:01 — It rained\n".encode()}
    assert gate({}, whole) == ""
    for path, data, told in [
        (LONG_TERM, good.replace(b"- The garden is green\n", b""), "MEMORY.md would lose a line that should stay."),
        (LONG_TERM, good.replace(b"tea and coffee", b"tea"), "would be missing from MEMORY.md."),
        (LONG_TERM, good.replace(b"- The router is at 192.168.0.1\n", b""), "would be missing from MEMORY.md."),
        (
            LONG_TERM,
            good.replace(b"- Ana lives in Lisbon now\n", b""),
            "The fact that replaces “Ana lives in Porto” (MEMORY.md, line 3) would be missing.",
        ),
        (LONG_TERM, None, "would be removed"),
        (ARCHIVE, b"- 2026-01-12 09:01 - It poured\n", "would be missing from archive.md."),
    ]:
        assert told in gate({}, {**whole, path: data}), data
    desk.write(OLD, desk.read(OLD) + b"words that stay\n")
    assert gate({}, {**whole, OLD: desk.read(OLD)}) == ""
    assert "would be removed" in gate({}, whole)


def test_a_worker_that_is_stopped_between_saving_and_ending_does_nothing_twice(desk, model):
    from memory.jobs.tasks import run_job

    desk.bot.settings = {"proposals": "once"}
    desk.bot.save()
    job = planned(desk, model, clever(tidy))
    asked, text = len(model.asked), desk.read(LONG_TERM)
    Job.objects.filter(pk=job.pk).update(state="queued", holder="", lease=None)
    run_job.call(job.pk)
    assert (state_of(job), len(model.asked), desk.read(LONG_TERM)) == ("planned", asked, text)
    assert ChangeSet.objects.filter(job=job).count() == 1
    assert len(rows(job)) == 5


def test_the_archive_is_found_and_is_in_no_prompt(desk, model):
    from memory import index
    from memory.bots import open_bot

    accept(desk, planned(desk, model, clever(tidy)))
    dialect = open_bot(desk.bot).dialect
    assert [fact.text for fact in dialect.facts(ARCHIVE, desk.read(ARCHIVE))] == ["2026-01-12 09:01 — It rained"]
    prompt = dialect.prompt(
        index.BotMemory(desk.bot), None, "rained?", open_bot(desk.bot).now(), open_bot(desk.bot).settings
    )
    assert "It rained" not in prompt.text
    index.refresh(desk.bot)
    from memory.models import Document

    assert Document.objects.get(bot=desk.bot, path=ARCHIVE).kind == "archive"


def test_a_second_lot_for_the_archive_goes_behind_the_first(desk, model):
    accept(desk, planned(desk, model, clever(tidy)))
    desk.write(OLD, log("11:00", "It snowed"))
    accept(desk, planned(desk, model, clever(lambda facts: [op("archive", *facts)])))
    assert desk.read(ARCHIVE).decode() == (
        "# Archive\n\n- 2026-01-12 09:01 — It rained\n- 2026-01-10 11:00 — It snowed\n"
    )
    assert versions.was_written(ChangeSet.objects.filter(kind="compaction").first())
    assert consolidation.prospect(desk.bot, [""]).facts == 0
