"""Many facts moved at once: into long-term memory, to another chat, under a heading; one change set, one undo."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from memory import index, journal
from memory.curation import acts, moving
from memory.domain.outcomes import Refused
from memory.models import Fact
from memory.text.markdown import rewrite
from memory.text.markdown.normal import key
from tests.curation.test_curation import BY, DAY, LOG, desk
from tests.support.amounts import times

__all__ = ["desk"]
PARTS = "# Memory\n\n## Home\n\n- Lives in Porto\n\n## Work\n\n- Paints boats\n"


def test_facts_of_several_logs_are_promoted_as_one_change_set(desk):
    desk.write(DAY, LOG)
    desk.write("chats/a/" + DAY, "## 10:00 — Three\n\n")
    before = desk.read(DAY), desk.read("chats/a/" + DAY)
    done = moving.promote(desk.bot, [desk.name(DAY, 0), desk.name(DAY, 1), desk.name("chats/a/" + DAY, 0)], BY)
    assert desk.read("MEMORY.md") == "- 2026-02-07 09:00 — One\n- 2026-02-07 09:30 — Two\n"
    assert desk.read("chats/a/MEMORY.md") == "- 2026-02-07 10:00 — Three\n"
    assert not (desk.root / DAY).exists()
    assert done.change_set.why == "Moved 3 facts to long-term memory"
    journal.undo(desk.bot, done.change_set, BY)
    assert (desk.read(DAY), desk.read("chats/a/" + DAY)) == before
    assert not (desk.root / "MEMORY.md").exists()


def test_what_long_term_memory_says_already_stays_in_its_log(desk):
    desk.write(DAY, LOG)
    desk.write("MEMORY.md", "- One\n")
    done = moving.promote(desk.bot, [desk.name(DAY, 0), desk.name(DAY, 1)], BY)
    assert desk.read("MEMORY.md") == "- One\n- 2026-02-07 09:30 — Two\n"
    assert desk.read(DAY) == "# 2026-02-07\n\n## 09:00 — One\n\n"
    assert done.change_set.details["facts"] == [key("Two")]


def test_facts_are_put_under_a_heading_of_their_target(desk):
    desk.write(DAY, LOG)
    desk.write("MEMORY.md", PARTS)
    assert moving.headings(desk.bot, "MEMORY.md") == ["Memory", "Home", "Work"]
    wanted = [desk.name(DAY, 0), desk.name(DAY, 1)]
    acts.do(desk.bot, BY, moving.make_act(desk.bot, wanted, moving.To.LASTING, heading="Home"))
    assert desk.read("MEMORY.md") == PARTS.replace(
        "Porto\n", "Porto\n- 2026-02-07 09:00 — One\n- 2026-02-07 09:30 — Two\n"
    )


def test_heading_that_is_gone_is_refused(desk):
    desk.write(DAY, LOG)
    desk.write("MEMORY.md", PARTS)
    act = moving.make_act(desk.bot, [desk.name(DAY, 0)], moving.To.LASTING, heading="Garden")
    assert "no longer has this heading" in acts.do(desk.bot, BY, act).reason
    assert (desk.read(DAY), desk.read("MEMORY.md")) == (LOG, PARTS)


def test_heading_within_a_fence_is_none(desk):
    text = "# Memory\n\n```\n# Not one\n```\n\n- a\n"
    desk.write("MEMORY.md", text)
    assert moving.headings(desk.bot, "MEMORY.md") == ["Memory"]


def test_facts_move_to_a_chat_and_what_it_says_is_said_once(desk):
    desk.write("MEMORY.md", "- One\n- Two\n- Three\n")
    desk.write("chats/a/MEMORY.md", "- two\n")
    target = moving.target(desk.bot, moving.To.CHAT, "a")
    done = moving.move(desk.bot, [desk.name("MEMORY.md", 0), desk.name("MEMORY.md", 1)], target, BY)
    assert (desk.read("MEMORY.md"), desk.read(target)) == ("- Three\n", "- two\n- One\n")
    assert done.change_set.why == "Moved 2 facts to chats/a/MEMORY.md"
    index.refresh(desk.bot)
    assert set(Fact.objects.filter(bot=desk.bot).values_list("text", flat=True)) == {"Three", "two", "One"}
    journal.undo(desk.bot, done.change_set, BY)
    assert (desk.read("MEMORY.md"), desk.read(target)) == ("- One\n- Two\n- Three\n", "- two\n")


def test_facts_that_are_there_already_are_not_moved(desk):
    desk.write("MEMORY.md", "- One\n")
    for target in ("MEMORY.md", "", "nothing/of/that/name"):
        assert isinstance(moving.move(desk.bot, [desk.name("MEMORY.md", 0)], target, BY), Refused)
    assert desk.read("MEMORY.md") == "- One\n"


def test_what_was_foreseen_is_what_is_written(desk):
    desk.write(DAY, LOG)
    desk.write("MEMORY.md", PARTS)
    act = partial(moving.plan_promote, desk.bot, [desk.name(DAY, 0)], "Work")
    foreseen = acts.foresee(desk.bot, act)
    assert (desk.read(DAY), desk.read("MEMORY.md"), foreseen.count) == (LOG, PARTS, 1)
    acts.do(desk.bot, BY, act, foreseen.print)
    assert {one.path: one.after.decode() for one in foreseen.documents} == {
        path: desk.read(path) for path in ("MEMORY.md", DAY)
    }


def test_nothing_else_than_what_was_foreseen_is_written(desk):
    desk.write(DAY, LOG)
    act = partial(moving.plan_promote, desk.bot, [desk.name(DAY, 0)])
    foreseen = acts.foresee(desk.bot, act)
    desk.write("MEMORY.md", "- What came meanwhile\n")
    assert acts.do(desk.bot, BY, act, foreseen.print).reason == acts.MOVED
    assert (desk.read(DAY), desk.read("MEMORY.md")) == (LOG, "- What came meanwhile\n")


def test_many_facts_are_looked_for_in_one_look_at_their_document(desk):
    class Counted(list):
        looks = 0

        def __reversed__(self):
            Counted.looks += 1
            return super().__reversed__()

        def __iter__(self):
            Counted.looks += 1
            return super().__iter__()

    desk.write("MEMORY.md", "- One\n- Two\n- Three\n")
    found = acts.read_current(desk.bot, "MEMORY.md")
    counted = replace(found, facts=Counted(found.facts))
    assert counted.some([(fact.key, fact.nth) for fact in found.facts]) == list(found.facts)
    assert Counted.looks == 1


def test_thousands_of_facts_are_moved_in_one_pass_over_their_target(desk, monkeypatch):
    count = times(2000, 20_000)
    desk.write("MEMORY.md", "".join(f"- Number {number}\n" for number in range(count + 1)))
    some = [("MEMORY.md", key(f"Number {number}"), 0) for number in range(count)]
    target, passes = moving.target(desk.bot, moving.To.CHAT, "a"), []
    real = rewrite.append_bullets
    monkeypatch.setattr(
        "memory.dialects.kenobot.curate.append_bullets", lambda *told: passes.append(len(told[1])) or real(*told)
    )
    assert moving.move(desk.bot, some, target, BY).change_set
    assert passes == [count]
    assert desk.read("MEMORY.md") == f"- Number {count}\n"
    assert desk.read(target).splitlines() == [f"- Number {number}" for number in range(count)]
