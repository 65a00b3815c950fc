"""One fact's life is told from its first words to its last place, whoever changed what, by any of its names."""

from __future__ import annotations

import pytest

from memory import index
from memory.curation import acts, facts, lineage, merge_and_split, moving
from memory.domain.changes import Append
from memory.journal import How, Link
from memory.models import ChangeSet, Fact, Revision
from memory.text.markdown.normal import key
from tests.journal.conftest import ANA, make_desk

MEMORY, LOG = "MEMORY.md", "2026-11-20.md"


@pytest.fixture
def kept(db, tmp_path, kenoweb_home):
    desk = make_desk(tmp_path)
    desk.write(MEMORY, b"- Lives in Porto\n- Has a cat\n")
    seen(desk)
    return desk


def seen(desk):
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()


def name(desk, text):
    one = Fact.objects.select_related("document").get(bot=desk.bot, key=key(text))
    return one.document.path, one.key, one.nth


def told(desk, path, text):
    """(how, what it says then) of each step."""
    return [(one.how, one.text) for one in lineage.lineage_of(desk.bot, path, key(text)).steps]


def test_turn_promotion_rewording_and_forgetting_are_one_life_by_every_name(kept):
    turn = kept.applied(Append(LOG, "## 10:00 — Sold a boat\n\n".encode()), kind=ChangeSet.Kind.CAPTURE)
    seen(kept)
    moving.promote(kept.bot, [name(kept, "Sold a boat")], ANA)
    facts.edit(kept.bot, *name(kept, "Sold a boat"), "Sold the old boat to Rui", ANA)
    facts.forget(kept.bot, [name(kept, "Sold the old boat to Rui")], ANA)
    expected = [
        (None, "Sold a boat"),
        (How.PROMOTED, "2026-11-20 10:00 — Sold a boat"),
        (How.REWORDED, "Sold the old boat to Rui"),
        (How.FORGOTTEN, ""),
    ]
    for path, text in ((LOG, "Sold a boat"), (MEMORY, "Sold a boat"), (MEMORY, "Sold the old boat to Rui")):
        assert told(kept, path, text) == expected
    life = lineage.lineage_of(kept.bot, LOG, key("Sold a boat"))
    assert (life.path, life.text, life.stands, life.is_known_from_the_start) == (
        MEMORY,
        "Sold the old boat to Rui",
        None,
        True,
    )
    assert life.steps[0].change_set == turn
    assert life.steps[-1].revision is not None


def test_fact_that_was_there_before_us_says_that_its_beginning_is_not_known(kept):
    life = lineage.lineage_of(kept.bot, MEMORY, key("Has a cat"))
    assert [(one.change_set.kind, one.text) for one in life.steps] == [(ChangeSet.Kind.FOUND, "Has a cat")]
    assert not life.is_known_from_the_start
    assert life.stands.text == "Has a cat"


def test_fact_that_came_again_after_it_was_forgotten(kept):
    facts.forget(kept.bot, [name(kept, "Has a cat")], ANA)
    kept.add(MEMORY, b"- Has a cat\n")
    seen(kept)
    assert told(kept, MEMORY, "Has a cat") == [(None, "Has a cat"), (How.FORGOTTEN, ""), (None, "Has a cat")]


def test_undone_rewording_and_another_one_are_told_in_their_order(kept):
    done = facts.edit(kept.bot, *name(kept, "Has a cat"), "Has a cat called Minka", ANA)
    kept.undo(done.change_set)
    seen(kept)
    facts.edit(kept.bot, *name(kept, "Has a cat"), "Feeds the cats of the street", ANA)
    assert told(kept, MEMORY, "Has a cat") == [
        (None, "Has a cat"),
        (How.REWORDED, "Has a cat called Minka"),
        (How.REWORDED, "Has a cat"),
        (How.REWORDED, "Feeds the cats of the street"),
    ]


def test_fact_that_was_reworded_written_anew_and_reworded_again_came_with_what_was_written_last(kept):
    began = []
    for wording in ("Sold the old boat", "Sold the red boat"):
        began.append(kept.applied(Append(LOG, "## 10:00 — Sold a boat\n\n".encode()), kind=ChangeSet.Kind.CAPTURE))
        seen(kept)
        facts.edit(kept.bot, *name(kept, "Sold a boat"), wording, ANA)
        seen(kept)
    for wording, first in zip(("Sold the old boat", "Sold the red boat"), began, strict=True):
        steps = lineage.lineage_of(kept.bot, LOG, key(wording)).steps
        assert [(one.how, one.text) for one in steps] == [(None, "Sold a boat"), (How.REWORDED, wording)]
        assert steps[0].change_set == first


def test_fact_that_was_merged_names_the_others(kept):
    into = "Lives in Porto with a cat"
    both = [Link(How.MERGED, MEMORY, key(text), MEMORY, key(into)) for text in ("Lives in Porto", "Has a cat")]
    kept.applied(kept.put(MEMORY, f"- {into}\n".encode()), links=both)
    seen(kept)
    (first, last) = lineage.lineage_of(kept.bot, MEMORY, key("Has a cat")).steps
    assert (first.text, last.how, last.text) == ("Has a cat", How.MERGED, into)
    assert last.beside == ["Lives in Porto"]


def test_fact_that_took_in_another_keeps_its_own_life(kept):
    link = Link(How.SUPERSEDED, MEMORY, key("Lives in Porto"), MEMORY, key("Has a cat"))
    kept.applied(kept.put(MEMORY, b"- Has a cat\n"), links=[link])
    seen(kept)
    assert told(kept, MEMORY, "Has a cat") == [(None, "Has a cat")]
    assert told(kept, MEMORY, "Lives in Porto") == [(None, "Lives in Porto"), (How.SUPERSEDED, "Has a cat")]


@pytest.mark.parametrize("undos", [1, 3])
def test_fact_that_went_into_another_and_came_back_has_its_whole_life(kept, undos):
    kept.append(LOG, "## 10:00 — Sold a boat\n\n".encode())
    seen(kept)
    moving.promote(kept.bot, [name(kept, "Sold a boat")], ANA)
    seen(kept)
    both = [name(kept, "Has a cat"), name(kept, "Sold a boat")]
    made = acts.do(kept.bot, ANA, lambda: merge_and_split.plan_merge(kept.bot, both, "Has a cat")).change_set
    for _ in range(undos):
        seen(kept)
        made = kept.undo(made).change_set
    seen(kept)
    facts.edit(kept.bot, *name(kept, "Has a cat"), "Feeds the cats of the street", ANA)
    words = "2026-11-20 10:00 — Sold a boat"
    expected = [(None, "Sold a boat"), (How.PROMOTED, words), (How.MERGED, "Has a cat"), (How.RETURNED, words)]
    expected += [(How.FORGOTTEN, ""), (How.RETURNED, words)][: undos - 1]
    for path in (LOG, MEMORY):
        assert told(kept, path, "Sold a boat") == expected
    assert told(kept, MEMORY, "Has a cat") == [(None, "Has a cat"), (How.REWORDED, "Feeds the cats of the street")]


def test_fact_that_another_took_the_place_of_and_came_back_has_its_own_life(kept):
    link = Link(How.SUPERSEDED, MEMORY, key("Lives in Porto"), MEMORY, key("Moved to Rome"))
    kept.undo(kept.applied(kept.put(MEMORY, b"- Moved to Rome\n- Has a cat\n"), links=[link]))
    seen(kept)
    steps = [(None, "Lives in Porto"), (How.SUPERSEDED, "Moved to Rome"), (How.RETURNED, "Lives in Porto")]
    assert told(kept, MEMORY, "Lives in Porto") == steps
    assert told(kept, MEMORY, "Moved to Rome") == [(How.ADDED, "Moved to Rome"), (How.FORGOTTEN, "")]


def test_each_of_several_that_became_one_goes_back_its_own_way_by_its_older_names(kept):
    for text, new in (("Lives in Porto", "Porto"), ("Has a cat", "Cat")):
        facts.edit(kept.bot, *name(kept, text), new, ANA)
        seen(kept)
    both = [name(kept, "Porto"), name(kept, "Cat")]
    kept.undo(
        acts.do(
            kept.bot, ANA, lambda: merge_and_split.plan_merge(kept.bot, both, "Porto is home, with a cat")
        ).change_set
    )
    seen(kept)
    for text, new in (("Lives in Porto", "Porto"), ("Has a cat", "Cat")):
        life = told(kept, MEMORY, text)
        assert [words for _how, words in life] == [text, new, "Porto is home, with a cat", new]
        assert life == told(kept, MEMORY, new)


def test_fact_nobody_ever_knew_has_no_life(kept):
    life = lineage.lineage_of(kept.bot, MEMORY, key("Plays chess"))
    assert (list(life.steps), life.stands) == ([], None)


def test_words_the_history_let_go_of_are_not_made_up(kept):
    facts.edit(kept.bot, *name(kept, "Has a cat"), "Feeds the cats of the street", ANA)
    Revision.objects.update(pruned="2026-01-01T00:00:00Z", added=None)
    assert told(kept, MEMORY, "Has a cat") == [(How.REWORDED, "Feeds the cats of the street")]
