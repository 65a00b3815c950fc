"""What was forgotten is found in any document, and put back where it was."""

from __future__ import annotations

from collections import Counter

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index, journal, registry
from memory.bots import families
from memory.compaction import runner
from memory.curation import facts, moving, trash
from memory.domain.outcomes import Refused
from memory.models import ChangeSet, Fact
from tests.journal.conftest import ANA, make_desk

LOG = "2026-11-20.md"
TEXT = b"# Memory\n\n## Home\n\n- Lives in Porto\n- Has a cat\n\n## Work\n\n- Paints boats\n- Works at night\n"


@pytest.fixture
def desk(db, tmp_path, kenoweb_home):
    one = make_desk(tmp_path)
    one.write("MEMORY.md", TEXT)
    one.write(LOG, "# 2026-11-20\n\n## 10:00 — Bought tea\n\n## 11:00 — Sold a boat\n".encode())
    seen(one)
    return one


def seen(desk):
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()


def tree(desk):
    """The files, without those that are put aside for a while."""
    return {path: data for path, data in desk.tree().items() if path not in desk.hidden()}


def forget(desk, *texts):
    rows = Fact.objects.filter(bot=desk.bot)
    wanted = [next((one.document.path, one.key, one.nth) for one in rows if text in one.text) for text in texts]
    outcome = facts.forget(desk.bot, wanted, ANA)
    assert not isinstance(outcome, Refused), outcome
    return outcome.change_set


def found(desk, limit=50):
    return trash.look(desk.bot, None, limit, lambda _one: True)


def texts(desk):
    return [one.fact.text for one in found(desk).facts if not one.again]


def restore(desk, *wanted):
    named = [one.named for one in found(desk).facts if not wanted or any(text in one.fact.text for text in wanted)]
    return trash.restore(desk.bot, named, ANA)


def test_forgotten_facts_of_all_documents_are_found_newest_first(desk):
    forget(desk, "Has a cat")
    forget(desk, "Bought tea", "Paints boats")
    assert texts(desk)[-1] == "Has a cat"
    assert sorted(texts(desk)) == ["Bought tea", "Has a cat", "Paints boats"]
    one = found(desk).facts[-1]
    assert (one.revision.path, one.revision.change_set.by) == ("MEMORY.md", "Ana")


def test_many_come_back_where_they_were_as_one_change_with_one_undo(desk):
    before = tree(desk)
    forget(desk, "Has a cat")
    forget(desk, "Bought tea", "Paints boats")
    between = tree(desk)
    outcome = restore(desk)
    assert (outcome.count, outcome.left) == (3, [])
    assert tree(desk) == before
    assert texts(desk) == []
    journal.undo(desk.bot, outcome.change_set, ANA)
    assert tree(desk) == between


def test_one_of_several_comes_back_alone(desk):
    forget(desk, "Has a cat", "Paints boats")
    restore(desk, "cat")
    assert desk.read("MEMORY.md") == TEXT.replace(b"- Paints boats\n", b"")


def test_what_others_wrote_since_stays(desk):
    forget(desk, "Has a cat")
    desk.add("MEMORY.md", b"- The bot goes on\n")
    assert restore(desk).count == 1
    assert desk.read("MEMORY.md") == TEXT + b"- The bot goes on\n"


def test_place_that_changed_is_said_and_the_rest_comes_back(desk):
    forget(desk, "Bought tea")
    forget(desk, "Has a cat", "Lives in Porto")
    desk.write("MEMORY.md", b"Something else altogether\n")
    outcome = restore(desk)
    assert outcome.count == 1
    assert "MEMORY.md" in outcome.left[0]
    assert desk.read("MEMORY.md") == b"Something else altogether\n"
    assert b"Bought tea" in desk.read(LOG)
    alone = restore(desk, "cat")
    assert isinstance(alone, Refused)


def test_file_that_was_removed_is_there_again_with_what_is_wanted(desk):
    (desk.root / LOG).unlink()
    seen(desk)
    assert sorted(texts(desk)) == ["Bought tea", "Sold a boat"]
    assert found(desk).facts[0].revision.change_set.kind == ChangeSet.Kind.OUTSIDE
    restore(desk, "tea")
    assert desk.read(LOG) == "# 2026-11-20\n\n## 10:00 — Bought tea\n\n".encode()


def test_reworded_and_moved_facts_were_not_forgotten(desk):
    one = Fact.objects.get(bot=desk.bot, text="Has a cat")
    facts.edit(desk.bot, "MEMORY.md", one.key, one.nth, "Has two cats", ANA)
    two = Fact.objects.get(bot=desk.bot, text="Bought tea")
    moving.promote(desk.bot, [(LOG, two.key, two.nth)], ANA)
    assert texts(desk) == []


def test_compaction_forgets_nothing(desk):
    desk.write("2025-03-01.md", "# 2025-03-01\n\n## 10:00 — Met Ines\n\n## 11:00 — Has a dog\n".encode())
    seen(desk)
    ran = runner.run(desk.bot, [""], ANA)
    assert ran.counts.moved == 2
    assert texts(desk) == []


def test_of_two_equal_facts_that_become_one_the_other_is_listed(desk):
    logs = ["2025-03-01.md", "2025-03-02.md"]
    for path in logs:
        desk.write(path, "## 10:00 — Met Ines\n".encode())
    seen(desk)
    desk.applied(*map(desk.delete, logs), desk.put("MEMORY.md", TEXT + b"- Met Ines\n"))
    seen(desk)
    assert texts(desk) == ["Met Ines"]
    restore(desk)
    assert len(tree(desk).keys() & {*logs}) == 1


@pytest.mark.parametrize("name", [name for name in families.names() if families.get(name).sample_name])
def test_facts_of_every_family_come_back(db, tmp_path, settings, name):
    settings.KENOWEB_HOME = tmp_path
    bot = registry.add_sample(timezone.now(), name)
    index.refresh(bot)
    bot.refresh_from_db()
    before = said(bot)
    rows = Fact.objects.filter(bot=bot).select_related("document").order_by("-pk")
    wanted = [(one.document.path, one.key, one.nth) for one in rows if before[one.document.path, one.key] == 1]
    some = [one for one in wanted if not isinstance(facts.find(bot, [one]), Refused)][:200]
    some = [one for one, found in zip(some, facts.find(bot, some), strict=True) if not found.locked][:3]
    assert some
    outcome = facts.forget(bot, some, ANA)
    assert not isinstance(outcome, Refused), outcome
    index.refresh(bot)
    gone = [one for one in trash.look(bot, None, 50, lambda _one: True).facts if not one.again]
    assert {(one.revision.path, one.fact.key) for one in gone} >= {(path, key) for path, key, _nth in some}
    back = trash.restore(bot, [one.named for one in gone], ANA)
    assert not isinstance(back, Refused), back
    index.refresh(bot)
    assert (said(bot), back.left) == (before, [])


def said(bot):
    """Which document says what, and how often."""
    rows = Fact.objects.filter(bot=bot).values_list("document__path", "key")
    return Counter(rows)


def test_what_is_there_again_is_said_and_not_written_twice(desk):
    forget(desk, "Has a cat")
    desk.add("MEMORY.md", b"- Has a cat\n")
    seen(desk)
    assert [one.again for one in found(desk).facts] == [True]
    assert isinstance(restore(desk), Refused)
    assert desk.read("MEMORY.md").count(b"Has a cat") == 1


def test_undone_forgetting_leaves_nothing_to_restore(desk):
    journal.undo(desk.bot, forget(desk, "Has a cat"), ANA)
    seen(desk)
    assert texts(desk) == []


def test_pages_go_on_where_the_last_one_ended(desk):
    for text in ("Has a cat", "Paints boats", "Bought tea"):
        forget(desk, text)
    trash_at_once, trash.SETS_AT_ONCE = trash.SETS_AT_ONCE, 1
    try:
        first = trash.look(desk.bot, None, 2, lambda _one: True)
        second = trash.look(desk.bot, first.older, 2, lambda _one: True)
    finally:
        trash.SETS_AT_ONCE = trash_at_once
    assert [one.fact.text for one in (*first.facts, *second.facts)] == ["Bought tea", "Paints boats", "Has a cat"]


@pytest.mark.parametrize("named", [(0, "x", 0), (10**17, "x", 0)])
def test_what_was_never_forgotten_is_refused(desk, named):
    before = desk.tree()
    assert isinstance(trash.restore(desk.bot, [named], ANA), Refused)
    assert isinstance(trash.restore(desk.bot, [], ANA), Refused)
    assert desk.tree() == before


WORDS = st.lists(st.sampled_from(["tea", "rain", "boats", "cats", "night", "porto"]), min_size=1, max_size=3).map(
    " ".join
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_whatever_is_forgotten_in_whatever_steps_comes_back_to_the_byte(desk, lines, data):
    text = "# Memory\n\n" + "".join(f"- {number} {line}\n" for number, line in enumerate(lines))
    desk.write("MEMORY.md", text.encode())
    seen(desk)
    order = data.draw(st.permutations(range(len(lines))))
    changes = [forget(desk, f"{number} {lines[number]}") for number in order]
    named = [one.named for one in found(desk, 100).facts if one.revision.change_set in changes]
    outcome = trash.restore(desk.bot, named, ANA)
    assert outcome.count == len(lines)
    assert desk.read("MEMORY.md").decode() == text
