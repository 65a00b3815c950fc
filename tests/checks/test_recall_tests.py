"""Recall tests through their act, over real files and a real index."""

from __future__ import annotations

import pytest

from memory import index, journal
from memory.checks import recall_tests
from memory.compaction import runner
from memory.curation import acts, facts, merge_and_split, moving
from memory.domain.outcomes import Refused
from memory.models import ChangeSet, Fact, RecallTest

BY = journal.By("Ana")
MEMORY = "# Memory\n\n- Ana's boat is called Albatros\n- The dentist is Dr. Lind\n- Deploys go out on Fridays\n"


class Pinned:
    """A bot with a few facts, and one recall test: the boat's name."""

    def __init__(self, desk):
        self.desk, self.bot = desk, desk.bot
        desk.write("MEMORY.md", MEMORY)
        self.walk()

    def walk(self):
        index.refresh(self.bot)
        self.bot.refresh_from_db()

    def write(self, path, text):
        self.desk.write(path, text)
        self.walk()

    def name(self, text):
        found = Fact.objects.select_related("document").get(bot=self.bot, text__contains=text)
        return found.document.path, found.key, found.nth

    def pin(self, question="what is the boat called", text="Albatros", **more):
        return recall_tests.add(self.bot, question, self.name(text), **more)

    def again(self, one):
        """The test after the next look at what is due."""
        self.walk()
        recall_tests.check_due(self.bot)
        one.refresh_from_db()
        return one


@pytest.fixture
def tested(desk):
    return Pinned(desk)


def test_test_that_holds_says_where_its_fact_is_found(tested):
    one = tested.pin()
    assert (one.rank, one.missing, one.broken, one.elsewhere) == (1, False, None, "")
    assert one.checked is not None
    assert one.text == "Ana's boat is called Albatros"


def test_same_test_again_only_changes_how_strict_it_is(tested):
    first = tested.pin()
    again = tested.pin("  what is  the boat called ", within=3, reads=True)
    assert (again.pk, again.within, again.is_read) == (first.pk, 3, True)
    assert RecallTest.objects.count() == 1


@pytest.mark.parametrize("question", ["", "  ", "???", "tier:global", "\0"])
def test_question_without_a_word_is_refused(tested, question):
    outcome = tested.pin(question)
    assert isinstance(outcome, Refused)
    assert "The question contains no searchable word." in outcome.reason


def test_fact_that_is_gone_cannot_be_pinned(tested):
    outcome = recall_tests.add(tested.bot, "the boat", ("MEMORY.md", "0" * 32, 0))
    assert isinstance(outcome, Refused)
    assert "This fact no longer exists or was changed." in outcome.reason


def test_fact_of_another_chat_cannot_be_pinned_for_a_chat(tested):
    tested.write("chats/telegram-1/MEMORY.md", "- The secret garden is in Bonn\n")
    outcome = tested.pin("secret garden", "garden", chat="telegram-2")
    assert isinstance(outcome, Refused)
    assert "another chat" in outcome.reason
    assert tested.pin("secret garden", "garden", chat="telegram-1").rank == 1


def test_nothing_is_looked_for_again_while_the_index_stays(tested, django_assert_num_queries):
    tested.pin()
    with django_assert_num_queries(1):
        assert recall_tests.check_due(tested.bot) is False


def test_forgotten_fact_breaks_its_test_and_says_through_what(tested):
    one = tested.pin()
    done = facts.forget(tested.bot, [tested.name("Albatros")], BY)
    one = tested.again(one)
    assert (one.rank, one.missing) == (None, True)
    assert one.broken is not None
    assert one.since == done.change_set


def test_what_was_broken_is_whole_again_after_the_undo(tested):
    one = tested.pin()
    done = facts.forget(tested.bot, [tested.name("Albatros")], BY)
    assert tested.again(one).broken
    journal.undo(tested.bot, done.change_set, BY)
    one = tested.again(one)
    assert (one.rank, one.missing, one.broken, one.since) == (1, False, None, None)


def test_changes_say_which_tests_they_broke_and_fixed(tested):
    one = tested.pin()
    forgotten = facts.forget(tested.bot, [tested.name("Albatros")], BY).change_set
    tested.again(one)
    undone = journal.undo(tested.bot, forgotten, BY).change_set
    tested.again(one)
    assert recall_tests.changed_by(forgotten) == ([one.question], [])
    assert recall_tests.changed_by(undone) == ([], [one.question])


def test_since_when_stays_while_it_is_broken(tested):
    one = tested.pin()
    facts.forget(tested.bot, [tested.name("Albatros")], BY)
    broken = tested.again(one).broken
    tested.write("2026-11-01.md", "# Log\n\n## 10:00 — Something else\n")
    one = tested.again(one)
    assert one.broken == broken
    assert one.since.why.startswith("Forgot")


def test_fact_that_fell_behind_others_says_what_stands_first(tested):
    one = tested.pin("boat", within=1)
    tested.write("2026-11-01.md", "# Log\n\n## 10:00 — boat boat boat\n")
    one = tested.again(one)
    assert one.broken is not None
    assert one.rank == 2
    assert one.instead["text"] == "boat boat boat"
    assert one.since is not None


def test_reworded_fact_is_followed(tested):
    one = tested.pin()
    facts.edit(tested.bot, *tested.name("Albatros"), "The boat is called Pelican now", BY)
    one = tested.again(one)
    assert (one.text, one.rank, one.broken) == ("The boat is called Pelican now", 1, None)
    facts.edit(tested.bot, *tested.name("Pelican"), "They have called the boat Heron", BY)
    assert tested.again(one).text == "They have called the boat Heron"


def test_two_tests_whose_facts_become_one_do_not_stand_in_each_others_way(tested):
    """Each look met the other one's row, and no page and no digest was told anything any more."""
    boat, dentist = tested.pin(text="Albatros"), tested.pin(text="dentist")
    chosen = [tested.name("Albatros"), tested.name("dentist")]
    acts.do(
        tested.bot,
        BY,
        lambda: merge_and_split.plan_merge(tested.bot, chosen, "The boat is called Albatros, the dentist Dr. Lind"),
    )
    tested.again(boat)
    tested.again(dentist)
    assert sorted(one.missing for one in RecallTest.objects.all()) == [False, True]
    assert not RecallTest.objects.filter(indexed__lt=tested.bot.indexed).exists()


def test_a_full_list_still_lets_a_test_be_made_stricter(tested, monkeypatch):
    monkeypatch.setattr(recall_tests, "MOST", 1)
    one = tested.pin()
    assert tested.pin(within=1) == one
    assert isinstance(tested.pin(text="dentist"), Refused)


def test_undone_rewording_is_followed_back(tested):
    one = tested.pin()
    done = facts.edit(tested.bot, *tested.name("Albatros"), "The boat is called Pelican now", BY)
    assert "Pelican" in tested.again(one).text
    journal.undo(tested.bot, done.change_set, BY)
    one = tested.again(one)
    assert (one.text, one.broken) == ("Ana's boat is called Albatros", None)


def test_rewording_by_others_is_not_taken_for_the_same(tested):
    one = tested.pin()
    tested.write("MEMORY.md", MEMORY.replace("Ana's boat is called Albatros", "The boat was sold"))
    one = tested.again(one)
    assert one.missing
    assert one.text == "Ana's boat is called Albatros"
    assert one.since.kind == ChangeSet.Kind.OUTSIDE


def test_promoted_fact_is_found_in_long_term_memory(tested):
    tested.write("2026-11-01.md", "# Log\n\n## 10:00 — The cat is called Minka\n\n## 11:00 — Lunch\n")
    one = tested.pin("what is the cat called", "Minka")
    moving.promote(tested.bot, [tested.name("Minka")], BY)
    one = tested.again(one)
    assert (one.rank, one.elsewhere, one.broken) == (1, "MEMORY.md", None)
    assert recall_tests.follow(tested.bot, one)
    one.refresh_from_db()
    assert (one.path, one.elsewhere, one.rank) == ("MEMORY.md", "", 1)


def test_compacted_fact_is_found_in_long_term_memory(tested):
    tested.write("2025-01-01.md", "# Log\n\n## 10:00 — The cat is called Minka\n")
    one = tested.pin("what is the cat called", "Minka")
    assert runner.run(tested.bot, [""], BY, today="2026-11-20").counts.moved == 1
    one = tested.again(one)
    assert (one.rank, one.elsewhere, one.broken) == (1, "MEMORY.md", None)


def test_same_words_in_another_chat_are_not_its_fact(tested):
    tested.write("chats/telegram-1/MEMORY.md", "- The cat is called Minka\n")
    one = tested.pin("what is the cat called", "Minka", chat="telegram-1")
    tested.write("chats/telegram-2/MEMORY.md", "- The cat is called Minka\n")
    tested.write("chats/telegram-1/MEMORY.md", "- Nothing\n")
    one = tested.again(one)
    assert (one.missing, one.elsewhere) == (True, "")
    assert not recall_tests.follow(tested.bot, one)


def test_test_may_want_its_fact_in_the_prompt(tested):
    tested.write("chats/telegram-1/MEMORY.md", "- The cat is called Minka\n")
    question, fact = "what is the cat called", "Minka"
    everybodys = tested.pin(question, fact, reads=True)
    assert (everybodys.rank, everybodys.is_read) == (1, False)
    assert everybodys.broken is not None
    of_the_chat = tested.pin(question, fact, reads=True, chat="telegram-1")
    assert (of_the_chat.is_read, of_the_chat.broken) == (True, None)


def test_one_run_looks_at_a_bounded_number_of_tests_and_the_next_at_the_others(tested):
    for number in range(5):
        tested.pin(f"boat {number}")
    tested.write("2026-11-01.md", "# Log\n\n## 10:00 — News\n")
    recall_tests.check_due(tested.bot, most=3, seconds=60)
    assert RecallTest.objects.filter(indexed=tested.bot.indexed).count() == 3
    recall_tests.check_due(tested.bot, seconds=0)
    assert RecallTest.objects.filter(indexed=tested.bot.indexed).count() == 4
    recall_tests.check_due(tested.bot, most=3, seconds=60)
    assert RecallTest.objects.filter(indexed=tested.bot.indexed).count() == 5


def test_check_says_whether_an_outcome_is_another_one_now(tested):
    one = tested.pin()
    tested.write("2026-11-01.md", "# Log\n\n## 10:00 — News\n")
    assert recall_tests.check_due(tested.bot) is False
    facts.forget(tested.bot, [tested.name("Albatros")], BY)
    tested.walk()
    assert recall_tests.check_due(tested.bot) is True
    assert tested.again(one).missing


def test_test_can_be_forgotten(tested):
    one = tested.pin()
    assert recall_tests.remove(tested.bot, [one.pk]) == 1
    assert not RecallTest.objects.exists()


def test_index_built_anew_breaks_no_test(tested):
    one = tested.pin()
    index.reindex(tested.bot)
    tested.bot.refresh_from_db()
    assert tested.again(one).rank == 1
