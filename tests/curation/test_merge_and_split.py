"""Facts merged and split: one change set, one undo, and a model's wording only if it loses nothing."""

from __future__ import annotations

import pytest

from memory import journal
from memory.curation import acts, merge_and_split
from memory.domain.outcomes import Refused
from memory.llm import budget
from memory.models import Lineage
from memory.text.markdown.normal import key
from tests.curation.test_curation import BY, DAY, LOG, desk

__all__ = ["desk"]
MEMORY = "# Memory\n\n- Likes tea\n- Paints boats\n  - red ones\n- Likes green tea\n"


def merge(desk, wanted, text):
    return acts.do(desk.bot, BY, lambda: merge_and_split.plan_merge(desk.bot, wanted, text))


def split(desk, wanted, parts):
    return acts.do(desk.bot, BY, lambda: merge_and_split.plan_split(desk.bot, wanted, parts))


def test_facts_of_several_files_become_one_in_long_term_memory(desk):
    desk.write("MEMORY.md", MEMORY)
    desk.write(DAY, LOG)
    wanted = [desk.name(DAY, 0), desk.name("MEMORY.md", 0), desk.name("MEMORY.md", 2)]
    done = merge(desk, wanted, "Likes tea, green above all")
    assert desk.read("MEMORY.md") == "# Memory\n\n- Likes tea, green above all\n- Paints boats\n  - red ones\n"
    assert desk.read(DAY) == "# 2026-02-07\n\n## 09:30 — Two\n\n"
    assert done.change_set.why == "Merged 3 facts into “Likes tea, green above all”"
    steps = Lineage.objects.filter(change_set=done.change_set)
    assert sorted(steps.values_list("how", flat=True)) == ["merged", "merged", "reworded"]
    assert set(steps.values_list("to_key", flat=True)) == {key("Likes tea, green above all")}
    journal.undo(desk.bot, done.change_set, BY)
    assert (desk.read("MEMORY.md"), desk.read(DAY)) == (MEMORY, LOG)


def test_wording_of_one_of_them_keeps_that_one_where_it_is(desk):
    desk.write("MEMORY.md", MEMORY)
    merge(desk, [desk.name("MEMORY.md", 0), desk.name("MEMORY.md", 2)], "Likes green tea")
    assert desk.read("MEMORY.md") == "# Memory\n\n- Paints boats\n  - red ones\n- Likes green tea\n"


def test_equal_facts_become_one(desk):
    desk.write("MEMORY.md", "- Same\n- Same\n- Same\n- Other\n")
    merge(desk, [desk.name("MEMORY.md", at) for at in range(3)], "Same")
    assert desk.read("MEMORY.md") == "- Same\n- Other\n"


@pytest.mark.parametrize("text", ["", "  ", "\0", "\ud800"])
def test_what_cannot_stand_there_merges_nothing(desk, text):
    desk.write("MEMORY.md", MEMORY)
    assert isinstance(merge(desk, [desk.name("MEMORY.md", 0), desk.name("MEMORY.md", 1)], text), Refused)
    assert desk.read("MEMORY.md") == MEMORY


def test_one_fact_is_not_merged(desk):
    desk.write("MEMORY.md", MEMORY)
    assert merge(desk, [desk.name("MEMORY.md", 0)] * 2, "x").reason == merge_and_split.FEW


def test_list_item_is_split_where_it_stands(desk):
    desk.write("MEMORY.md", MEMORY)
    done = split(desk, desk.name("MEMORY.md", 1), ["Paints boats", "Boats are red", " "])
    assert desk.read("MEMORY.md") == MEMORY.replace("  - red ones\n", "- Boats are red\n")
    steps = Lineage.objects.filter(change_set=done.change_set, how="split").values_list("to_key", flat=True)
    assert key("Boats are red") in steps
    journal.undo(desk.bot, done.change_set, BY)
    assert desk.read("MEMORY.md") == MEMORY


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("# Day\r\n\r\n## 09:00 — One. Two\r\n", "# Day\r\n\r\n## 09:00 — One.\r\n\r\n## 09:00 — Two\r\n"),
        (LOG.replace("One", "One. Two"), LOG.replace("One\n", "One.\n\n## 09:00 — Two\n")),
    ],
)
def test_entry_of_a_log_keeps_its_time_in_each_part(desk, text, after):
    desk.write(DAY, text)
    split(desk, desk.name(DAY, 0), ["One.", "Two"])
    read = [one.strip() for one in desk.read(DAY).split("\n") if one.strip()]
    assert read == [one.strip() for one in after.split("\n") if one.strip()]


def test_paragraph_is_split_into_paragraphs(desk):
    desk.write("MEMORY.md", "# Memory\n\nLives in Porto. Has a cat.\n\nEnd")
    split(desk, desk.name("MEMORY.md", 0), ["Lives in Porto.", "Has a cat."])
    assert desk.read("MEMORY.md") == "# Memory\n\nLives in Porto.\n\nHas a cat.\n\nEnd"


@pytest.mark.parametrize("parts", [[], ["One"], ["same", "same"], ["", " "], ["a", "\0"]])
def test_what_is_not_two_facts_splits_nothing(desk, parts):
    desk.write("MEMORY.md", MEMORY)
    assert isinstance(split(desk, desk.name("MEMORY.md", 1), parts), Refused)
    assert desk.read("MEMORY.md") == MEMORY


def test_parts_are_lines_or_sentences():
    assert merge_and_split.parts_of("Paints boats\n- red ones\n- blue ones") == [
        "Paints boats",
        "red ones",
        "blue ones",
    ]
    assert merge_and_split.parts_of("Likes tea. Has a cat; it is 3.5 years old") == [
        "Likes tea.",
        "Has a cat;",
        "it is 3.5 years old",
    ]
    assert merge_and_split.parts_of("喜欢茶。有一只猫。") == ["喜欢茶。", "有一只猫。"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Likes tea and coffee", "Likes tea and coffee"),
        ("Likes tea", "The model left out: coffee."),
        ("Likes tea and coffee at 9:30", "The model made up: 9:30."),
    ],
)
def test_model_has_its_wording_taken_only_if_it_holds_all_and_no_more(desk, monkeypatch, answer, told):
    def ask(bot, purpose, messages, *, check, **more):
        assert "Likes coffee" in messages[-1].content
        return check({"text": answer})

    monkeypatch.setattr(budget, "ask_json", ask)
    outcome = merge_and_split.suggest_wording(desk.bot, ["Likes tea", "Likes coffee"])
    assert told in (outcome.reason if isinstance(outcome, Refused) else outcome)


def test_without_a_model_it_is_said(desk):
    assert isinstance(merge_and_split.suggest_wording(desk.bot, ["a", "b"]), Refused)
