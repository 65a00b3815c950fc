"""What a program would remove much of a file by is held; it is told so, and a person decides."""

from __future__ import annotations

import pytest

from memory import index, journal
from memory.domain.changes import digest
from memory.jobs import review
from memory.jobs.outcomes import Done, NotAccepted
from memory.models import Job, Proposal
from tests.web.api.conftest import Program
from tests.web.conftest import make_bot

ANA = journal.By("Ana")
FACTS = [f"Fact number {number}" for number in range(10)]
WHOLE = "# Memory\n\n" + "".join(f"- {fact}\n" for fact in FACTS)
SHORT = "# Memory\n\n- Fact number 0\n"


@pytest.fixture
def program(db, tmp_path, settings):
    settings.KENOWEB_HOME = tmp_path / "home"
    settings.KENOWEB_HOME.mkdir()
    bot, root = make_bot(tmp_path)
    program = Program(bot, root, "write", name="tidier")
    program.write("MEMORY.md", WHOLE.encode())
    index.refresh(bot)
    return program


def put(program, text=SHORT, base=WHOLE):
    return program.put("document", path="MEMORY.md", text=text, base=digest(base.encode()), why="tidied")


def job_of(program):
    return Job.objects.get(bot=program.bot, kind="held")


def said(program):
    return (program.root / "MEMORY.md").read_text()


def accept(program):
    return review.accept(job_of(program), [1], ANA)


def test_a_text_without_most_facts_is_held_and_the_program_is_told(program):
    assert put(program) == (202, {"status": "held", "paths": ["MEMORY.md"]})
    assert said(program) == WHOLE
    row = Proposal.objects.get(job=job_of(program))
    assert row.flags == ["Removes 9 of 10 facts from MEMORY.md."]
    assert isinstance(accept(program), Done)
    assert said(program) == SHORT


def test_the_same_call_again_waits_once(program):
    assert put(program) == put(program)
    assert Proposal.objects.count() == 1


def test_what_removes_little_is_written(program):
    status, _ = put(program, WHOLE.replace("- Fact number 3\n", ""))
    assert status == 200
    assert "number 3" not in said(program)
    assert not Proposal.objects.exists()


def test_what_the_setting_allows_is_written(program):
    program.bot.settings = {"most_removed": 0}
    program.bot.save()
    assert put(program)[0] == 200
    assert said(program) == SHORT


def test_a_bot_that_goes_on_writing_keeps_its_lines(program):
    put(program)
    (program.root / "MEMORY.md").write_text(WHOLE + "- A new one\n")
    done = accept(program)
    assert isinstance(done, Done), done
    assert said(program) == SHORT + "- A new one\n"
    journal.undo(program.bot, done.change_set, ANA)
    assert said(program) == WHOLE + "- A new one\n"


def test_a_file_that_changed_in_the_same_place_stays_as_it_is(program):
    put(program)
    changed = WHOLE.replace("number 5", "number five")
    (program.root / "MEMORY.md").write_text(changed)
    outcome = accept(program)
    assert isinstance(outcome, NotAccepted)
    assert "same place" in outcome.reason
    assert said(program) == changed
    assert Proposal.objects.get().state == "open"


def test_many_facts_to_be_forgotten_are_held(program):
    _, listed = program.get("facts", path="MEMORY.md")
    wanted = [{"path": "MEMORY.md", "key": one["key"], "nth": one["nth"]} for one in listed["facts"][:5]]
    assert program.post("facts/forget", facts=wanted)[0] == 202
    assert said(program) == WHOLE
    assert isinstance(accept(program), Done)
    assert said(program) == "# Memory\n\n" + "".join(f"- {fact}\n" for fact in FACTS[5:])
    assert program.post("facts/forget", facts=wanted)[0] == 409


def test_two_that_change_one_file_are_accepted_one_after_the_other(program):
    _, listed = program.get("facts", path="MEMORY.md")
    for some in (listed["facts"][:4], listed["facts"][4:8]):
        wanted = [{"path": "MEMORY.md", "key": one["key"], "nth": one["nth"]} for one in some]
        assert program.post("facts/forget", facts=wanted)[0] == 202
    done = review.accept(job_of(program), [1, 2], ANA)
    assert done.applied == (1,)
    assert [number for number, _why in done.refused] == [2]
    assert isinstance(review.accept(job_of(program), [2], ANA), Done)
    assert said(program).count("- Fact") == 2
