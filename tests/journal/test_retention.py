"""What a person lets go of the history: by age, by number, by size, and never what undo needs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import index, journal
from memory.journal import Applied, Conflict, retention, versions
from memory.models import Blob, ChangeSet, Revision

pytestmark = pytest.mark.database

MEMORY = "MEMORY.md"
LINES = [f"- {number} {number**9:x} of what was remembered\n".encode() for number in range(300)]


def aged(days, *sets):
    """As if these had been made so long ago."""
    then = timezone.now() - timedelta(days=days)
    ChangeSet.objects.filter(pk__in=[one.pk for one in sets]).update(created=then, finished=then)
    names = Revision.objects.filter(change_set__in=sets).values_list("before", "after")
    Blob.objects.filter(sha256__in=[name for both in names for name in both]).update(created=then)


@pytest.fixture
def edited(desk):
    """Forty saves of one document, a day apart, the newest today; with the bytes after each."""
    texts, sets = [b"".join(LINES)], []
    desk.write(MEMORY, texts[0])
    index.refresh(desk.bot)
    for number in range(40):
        texts.append(texts[-1].replace(LINES[number], b"- edited %d\n" % number))
        sets.append(desk.applied(desk.put(MEMORY, texts[-1])))
    journal.settle(desk.bot)
    for back, one in enumerate(reversed([ChangeSet.objects.order_by("id").first(), *sets])):
        aged(back, one)
    return sets, texts


def keep(bot, **settings):
    bot.settings = settings
    bot.save()


def prune(bot):
    found = retention.due(bot)
    return found, retention.prune(bot, found)


def readable(sets):
    found = []
    for one in sets:
        try:
            found.append(versions.sides(one.revisions.get()))
        except versions.Forgotten:
            found.append(None)
    return found


def test_a_turn_that_is_pruned_leaves_no_text_and_one_that_is_not_can_be_undone(desk):
    old = desk.append("2026-01-01.md", b"- an old secret\n")
    index.refresh(desk.bot)
    young = desk.append("2026-01-01.md", b"- of today\n")
    index.refresh(desk.bot)
    aged(100, old)
    keep(desk.bot, history_days=50)
    prune(desk.bot)
    assert old.revisions.get().added is None
    assert isinstance(desk.undo(old), Conflict)
    assert isinstance(desk.undo(young), Applied)
    assert desk.read("2026-01-01.md") == b"- an old secret\n"


def test_nothing_is_pruned_unless_somebody_says_so(desk, edited):
    assert prune(desk.bot)[0].revisions == []


@pytest.mark.database(cases=2)
@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        ({"history_days": 12, "history_undo_days": 5}, 12),
        ({"history_versions": 7, "history_undo_days": 5}, 7),
        ({"history_megabytes": 0, "history_days": 1, "history_undo_days": 9}, 9),
        ({"history_days": 1}, 30),
    ],
)
def test_what_is_kept_is_read_to_the_byte_and_undone(desk, edited, wanted, left):
    sets, texts = edited
    keep(desk.bot, **wanted)
    found, _ = prune(desk.bot)
    assert len(found.revisions) == 41 - left
    assert retention.due(desk.bot).revisions == []
    pairs = [(texts[number], texts[number + 1]) for number in range(40)]
    assert readable(sets) == [None] * (40 - left) + pairs[-left:]
    assert Blob.objects.filter(bot=desk.bot).count() == left + 1
    assert isinstance(desk.undo(sets[-left]), Applied)
    assert LINES[40 - left] in desk.read(MEMORY)


def test_by_size_the_oldest_go_until_the_rest_fits(desk, edited, monkeypatch):
    before = retention.size_of(desk.bot)
    bound = before - 300
    monkeypatch.setattr(retention, "MEGABYTE", bound)
    keep(desk.bot, history_megabytes=1, history_undo_days=3)
    found, freed = prune(desk.bot)
    assert bound - 200 < retention.size_of(desk.bot) == before - freed < bound + 100
    assert found.revisions == sorted(Revision.objects.values_list("pk", flat=True))[: len(found.revisions)]


def test_undo_and_restore_of_what_was_pruned_say_so(desk, edited):
    sets, texts = edited
    keep(desk.bot, history_days=10, history_undo_days=5)
    prune(desk.bot)
    outcome = desk.undo(sets[0])
    assert isinstance(outcome, Conflict)
    assert "MEMORY.md: this version was deleted, as set in the bot’s settings." in outcome.reason
    with pytest.raises(versions.Forgotten, match="this version was deleted"):
        journal.restore(desk.bot, list(sets[0].revisions.all()), journal.By("Ana"))
    assert desk.read(MEMORY) == texts[-1]


def test_of_several_appends_of_one_set_none_is_undone_alone(desk):
    desk.append("2026-01-01.md", b"- ours\n")
    desk.add("2026-01-01.md", b"- theirs\n")
    desk.append("2026-01-01.md", b"- ours again\n")
    desk.add("2026-01-01.md", b"- theirs again\n")
    index.refresh(desk.bot)
    theirs = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    assert theirs.revisions.count() == 2
    aged(100, theirs)
    keep(desk.bot, history_versions=1)
    assert len(prune(desk.bot)[0].revisions) == 1
    before = desk.read("2026-01-01.md")
    assert isinstance(desk.undo(theirs), Conflict)
    assert desk.read("2026-01-01.md") == before


def test_what_was_not_seen_in_its_document_yet_is_not_pruned(desk):
    old = desk.append("2026-01-01.md", b"- never looked at\n")
    aged(100, old)
    keep(desk.bot, history_days=50)
    assert prune(desk.bot)[0].revisions == []


def test_versions_kept_for_a_draft_stay(desk, edited):
    sets, texts = edited
    base = sets[0].revisions.get().after
    desk.bot.draft_set.create(user=_somebody(), path=MEMORY, base=base, text="typed")
    keep(desk.bot, history_days=5, history_undo_days=5)
    prune(desk.bot)
    assert versions.bytes_of(desk.bot, base) == texts[1]


def test_saving_goes_on_after_pruning_as_cheaply_as_before(desk, edited):
    sets, texts = edited
    keep(desk.bot, history_days=5, history_undo_days=5)
    prune(desk.bot)
    for number in range(40, 120):
        texts.append(texts[-1].replace(LINES[number], b"- edited %d\n" % number))
        sets.append(desk.applied(desk.put(MEMORY, texts[-1])))
    fresh = Blob.objects.filter(sha256__in=[one.revisions.get().after for one in sets[-80:]])
    assert fresh.filter(parent="").count() == 0
    assert readable(sets)[-80:] == list(zip(texts[-81:-1], texts[-80:], strict=True))


def _somebody():
    from django.contrib.auth.models import User

    return User.objects.create(username="ana")
