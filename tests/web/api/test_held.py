"""What a program would remove much of a file by is held; it is told so, and a person decides."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import index, journal
from memory.domain.changes import Put, digest
from memory.jobs import review
from memory.jobs.outcomes import Accepted, NotAccepted
from memory.models import ChangeSet, Fact, Job, Proposal
from memory.text.secrets import DOTS
from memory.web.overview import attention
from memory.webhook import call as turn_calls, deliveries, held
from tests.web.api.conftest import Program
from tests.web.conftest import make_bot

ANA = journal.By("Ana")
FACTS = [f"Fact number {number}" for number in range(10)]
TURN = b'{"session_id": "http-7", "message": "Hi", "response": "ok <memory>Likes tea</memory>"}'
LETTER = deliveries.Letter(body_sha256="0" * 64, received=timezone.now(), started=0.0)
WHOLE = "# Memory\n\n" + "".join(f"- {fact}\n" for fact in FACTS)
SHORT = "# Memory\n\n- Fact number 0\n"


@pytest.fixture
def program(db, tmp_path, kenoweb_home):
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
    assert attention.who_asks(program.bot) == "API: tidier"
    row = Proposal.objects.get(job=job_of(program))
    assert row.flags == ["Removes 9 of 10 facts from MEMORY.md."]
    assert isinstance(accept(program), Accepted)
    assert said(program) == SHORT


def test_the_same_call_again_waits_once(program):
    assert put(program) == put(program)
    assert Proposal.objects.count() == 1


def test_no_more_waits_than_people_can_review(program, monkeypatch):
    monkeypatch.setattr(held, "MOST", 1)
    put(program)
    assert put(program)[0] == 202
    status, told = put(program, SHORT + "- Another\n")
    assert (status, told["error"]["code"]) == (429, "too_many")
    assert "Nothing was changed; send it again once some are reviewed." in told["error"]["message"]
    assert (Proposal.objects.count(), said(program)) == (1, WHOLE)


def test_deliveries_and_programs_accepted_together_are_an_edit_of_who_accepted_them(program):
    program.bot.settings = {"deliveries": "ask", "api_writes": "ask"}
    program.bot.save()
    assert deliveries.receive(program.bot, turn_calls.parse(TURN, timezone.now()), LETTER).body["status"] == "held"
    assert put(program, WHOLE + "- From a program\n")[0] == 202
    done = review.accept(job_of(program), [1, 2], ANA)
    assert (done.applied, done.change_set.kind, done.change_set.by) == ((1, 2), "edit", "Ana")


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
    assert isinstance(done, Accepted), done
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
    assert isinstance(accept(program), Accepted)
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
    assert isinstance(review.accept(job_of(program), [2], ANA), Accepted)
    assert said(program).count("- Fact") == 2


@pytest.fixture
def reviewed(program):
    program.bot.settings = {"api_writes": "ask"}
    program.bot.save()
    return program


def test_what_a_program_adds_or_changes_waits_where_the_owner_wants_it(reviewed):
    first = program_key(reviewed, "Fact number 0")
    held = {"status": "held", "paths": ["MEMORY.md"]}
    for text in ("Likes tea", "Likes coffee", "Likes tea"):
        assert reviewed.post("facts", text=text, path="MEMORY.md") == (202, held)
    assert reviewed.patch("facts", path="MEMORY.md", key=first, text="Fact number nought") == (202, held)
    facts = [{"path": "MEMORY.md", "key": program_key(reviewed, "Fact number 1")}]
    assert reviewed.post("facts/forget", facts=facts) == (202, held)
    assert reviewed.post("facts", text="", path="MEMORY.md")[0] == 422
    assert said(reviewed) == WHOLE
    rows = list(Proposal.objects.filter(job=job_of(reviewed)).order_by("number"))
    assert [(row.action, row.text, row.flags) for row in rows] == [
        ("remember", "Likes tea", []),
        ("remember", "Likes coffee", []),
        ("replace", "Fact number nought", []),
        ("replace", "", []),
    ]
    assert review.accept(job_of(reviewed), [1, 2], ANA).applied == (1, 2)
    assert said(reviewed) == WHOLE + "- Likes tea\n- Likes coffee\n"
    assert isinstance(review.accept(job_of(reviewed), [3], ANA), Accepted)
    assert isinstance(review.accept(job_of(reviewed), [4], ANA), Accepted)
    changed = WHOLE.replace("- Fact number 0\n- Fact number 1\n", "- Fact number nought\n")
    assert said(reviewed) == changed + "- Likes tea\n- Likes coffee\n"


def test_what_is_held_for_todays_log_is_written_there_with_its_time_on_any_day(reviewed):
    assert reviewed.post("facts", text="Likes tea")[0] == 202
    asked = timezone.now() - timedelta(days=3)
    Proposal.objects.update(created=asked, path=f"{asked.date()}.md")
    assert isinstance(accept(reviewed), Accepted)
    assert (reviewed.root / f"{asked.date()}.md").read_text().endswith(f"## {asked:%H:%M} — Likes tea\n\n")


def test_what_waits_of_programs_is_counted_and_acts_on_many_are_left_to_people(reviewed):
    facts = [{"path": "MEMORY.md", "key": program_key(reviewed, "Fact number 0")}]
    reviewed.post("facts", text="Likes tea", path="MEMORY.md")
    assert attention.held(reviewed.bot).count() == 1
    sent = {"facts": facts, "to": "chat", "chat": "tg-1"}
    shown = reviewed.post("facts/move", **sent)[1]
    status, told = reviewed.post("facts/move", **sent, print=shown["print"])
    assert (status, "People review" in told["error"]["message"]) == (422, True)
    shown = reviewed.post("replace", find="Fact", instead="Thing")[1]
    assert reviewed.post("replace", find="Fact", instead="Thing", print=shown["print"])[0] == 422
    assert said(reviewed) == WHOLE


def program_key(program, text):
    return Fact.objects.get(bot=program.bot, text=text).key


def test_a_text_made_from_before_the_bots_last_line_is_held_too(program):
    (program.root / "MEMORY.md").write_text(WHOLE + "- A new one\n")
    assert put(program) == (202, {"status": "held", "paths": ["MEMORY.md"]})
    assert said(program) == WHOLE + "- A new one\n"
    assert isinstance(accept(program), Accepted)
    assert said(program) == SHORT + "- A new one\n"


def test_where_all_waits_so_do_texts_of_older_versions_and_of_new_files(reviewed):
    (reviewed.root / "MEMORY.md").write_text(WHOLE + "- A new one\n")
    assert put(reviewed, WHOLE.replace("number 3", "number three"))[0] == 202
    (reviewed.root / "MEMORY.md").unlink()
    job_of(reviewed).proposals.all().delete()
    new = {"path": "MEMORY.md", "text": WHOLE, "base": None}
    assert reviewed.put("document", **new) == (202, {"status": "held", "paths": ["MEMORY.md"]})
    assert not (reviewed.root / "MEMORY.md").exists()
    done = review.accept(job_of(reviewed), [Proposal.objects.get().number], ANA)
    assert isinstance(done, Accepted), done
    assert said(reviewed) == WHOLE
    journal.undo(reviewed.bot, done.change_set, ANA)
    assert not (reviewed.root / "MEMORY.md").exists()


def test_words_replaced_in_most_facts_are_no_program_s(program):
    sent = {"find": "Fact number", "instead": "Thing"}
    shown = program.post("replace", **sent)[1]
    status, told = program.post("replace", **sent, print=shown["print"])
    assert (status, "do it on the desk" in told["error"]["message"]) == (422, True)
    assert said(program) == WHOLE


def test_what_could_not_be_saved_does_not_wait(reviewed):
    status, told = put(reviewed, f"{WHOLE}- Its key is {DOTS}\n")
    assert (status, told["error"]["code"]) == (422, "refused")
    assert not Proposal.objects.exists()


def test_the_history_says_of_what_was_accepted_that_people_wrote_it(reviewed):
    reviewed.post("facts", text="Likes tea", path="MEMORY.md")
    done = accept(reviewed)
    assert (done.change_set.kind, done.change_set.by) == ("edit", "Ana")


def test_an_undo_that_removes_much_is_no_program_s(program):
    back = journal.undo(program.bot, edited(program.bot, SHORT), ANA).change_set
    index.refresh(program.bot)
    assert said(program) == WHOLE
    status, told = program.post(f"changes/{back.pk}/undo")
    assert (status, "do it on the desk" in told["error"]["message"]) == (422, True)
    assert said(program) == WHOLE


def test_where_all_waits_programs_take_nothing_back_and_compact_nothing(reviewed):
    (reviewed.root / "2026-01-05.md").write_text("## 10:00 — Bought a kettle\n\n")
    made = edited(reviewed.bot, f"- Tea\n{WHOLE}")
    calls = (f"changes/{made.pk}/undo", {}), ("compaction", {}), ("jobs", {"kind": "compaction"})
    for where, sent in calls:
        status, told = reviewed.post(where, **sent)
        assert (status, "People review" in told["error"]["message"]) == (422, True), where
    assert said(reviewed) == "- Tea\n" + WHOLE
    assert (reviewed.root / "2026-01-05.md").exists()


def edited(bot, text):
    change = Put("MEMORY.md", text.encode(), digest(WHOLE.encode()))
    return journal.commit(bot, [change], by=ANA, kind=ChangeSet.Kind.EDIT).change_set
