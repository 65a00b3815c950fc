"""Each line is traced to the change that it came with, through edits, appends, moves and whatever others write."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index
from memory.compaction import runner
from memory.curation import acts, facts, merge_and_split, moving
from memory.curation.blame import blame
from memory.models import ChangeSet, Fact, Revision
from memory.text.markdown.normal import key
from tests.journal.conftest import ANA, make_desk
from tests.support.amounts import times

MEMORY, LOG, CHAT = "MEMORY.md", "2026-11-20.md", "chats/telegram-1/MEMORY.md"


@pytest.fixture
def desk(db, tmp_path, kenoweb_home):
    return make_desk(tmp_path)


def seen(desk):
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()


def origins(desk, path=MEMORY):
    """Each line with the change it came with."""
    seen(desk)
    data = desk.read(path)
    found = blame(desk.bot, path, data, 0, len(data.splitlines()))
    return [(line.decode(), one.change and one.change.pk) for line, one in zip(data.splitlines(), found, strict=True)]


def test_lines_are_traced_through_edits_and_appends(desk):
    desk.write(MEMORY, b"# Memory\n\n- one\n- two\n")
    seen(desk)
    first = ChangeSet.objects.get()
    edit = desk.applied(desk.put(MEMORY, b"# Memory\n\n- zero\n- one\n- 2\n"))
    turn = desk.append(MEMORY, b"- three\n")
    desk.add(MEMORY, b"- four\n")
    seen(desk)
    outside = ChangeSet.objects.first()
    assert origins(desk) == [
        ("# Memory", first.pk), ("", first.pk), ("- zero", edit.pk), ("- one", first.pk), ("- 2", edit.pk), ("- three", turn.pk),
        ("- four", outside.pk),
    ]  # fmt: skip
    last = desk.applied(desk.put(MEMORY, b"- one\n- three\n- four\n- five\n"))
    wanted = [("- one", first.pk), ("- three", turn.pk), ("- four", outside.pk), ("- five", last.pk)]
    assert origins(desk) == wanted


def test_what_others_wrote_between_two_turns_is_theirs(desk):
    desk.write(LOG, b"- one\n")
    seen(desk)
    first = ChangeSet.objects.get()
    two = desk.append(LOG, b"- two\n")
    desk.add(LOG, b"- theirs\n")
    four = desk.append(LOG, b"- four\n")
    seen(desk)
    theirs = ChangeSet.objects.get(kind=ChangeSet.Kind.OUTSIDE)
    assert origins(desk, LOG) == [("- one", first.pk), ("- two", two.pk), ("- theirs", theirs.pk), ("- four", four.pk)]


def test_line_that_was_moved_here_is_traced_to_where_it_was_said(desk):
    desk.write(MEMORY, b"- one\n")
    turn = desk.append(LOG, "## 10:00 — Sold a boat\n\n".encode())
    seen(desk)
    fact = Fact.objects.get(key=key("Sold a boat"))
    moved = moving.promote(desk.bot, [(LOG, fact.key, 0)], ANA).change_set
    seen(desk)
    first, second = blame(desk.bot, MEMORY, desk.read(MEMORY), 0, 2)
    assert (second.change, second.began, second.path) == (moved, turn, LOG)
    assert (first.began, first.path) == (None, "")


def named(desk, *texts):
    seen(desk)
    found = [Fact.objects.select_related("document").get(bot=desk.bot, key=key(text)) for text in texts]
    return [(one.document.path, one.key, one.nth) for one in found]


def merge(desk, *texts):
    return acts.do(desk.bot, ANA, lambda: merge_and_split.plan_merge(desk.bot, named(desk, *texts), texts[0]))


DONE = {
    "forget": lambda desk: facts.forget(desk.bot, named(desk, "two"), ANA),
    "edit": lambda desk: facts.edit(desk.bot, *named(desk, "two")[0], "deux", ANA),
    "move": lambda desk: moving.move(desk.bot, named(desk, "two"), CHAT, ANA),
    "merge": lambda desk: merge(desk, "one", "two"),
    "merge with a log": lambda desk: merge(desk, "one", "three"),
    "forget in a log": lambda desk: facts.forget(desk.bot, named(desk, "three"), ANA),
    "promote": lambda desk: moving.promote(desk.bot, named(desk, "three"), ANA),
    "compact": lambda desk: runner.run(desk.bot, [""], ANA, today="2027-06-01"),
}


@pytest.mark.alike(first=9)
@pytest.mark.parametrize(
    ("act", "undos"),
    [*((act, 1) for act in DONE), ("merge with a log", 3), *((act, 3) for act in DONE if act != "merge with a log")],
)
def test_what_was_undone_is_as_if_it_was_never_done(desk, act, undos):
    desk.write(MEMORY, b"- one\n")
    seen(desk)
    desk.applied(desk.put(MEMORY, b"- one\n- two\n"))
    desk.append(LOG, b"- three\n")
    desk.append(LOG, b"- four\n")
    before = [origins(desk, path) for path in (MEMORY, LOG)]
    made = DONE[act](desk).change_set
    for _ in range(undos):
        seen(desk)
        made = desk.undo(made).change_set
    assert [origins(desk, path) for path in (MEMORY, LOG)] == before


def test_what_came_beside_an_undo_and_after_it_keeps_its_own(desk):
    desk.write(MEMORY, b"- one\n- two\n- three\n")
    seen(desk)
    first = ChangeSet.objects.get()
    gone = facts.forget(desk.bot, named(desk, "two"), ANA).change_set
    between = desk.applied(desk.put(MEMORY, b"- one\n- three\n- four\n"))
    desk.undo(gone)
    after = desk.applied(desk.put(MEMORY, b"- zero\n" + desk.read(MEMORY)))
    wanted = [
        ("- zero", after.pk),
        *((f"- {text}", first.pk) for text in ("one", "two", "three")),
        ("- four", between.pk),
    ]
    assert origins(desk) == wanted


def test_document_that_came_back_keeps_who_wrote_it(desk):
    desk.write(MEMORY, b"- one\n")
    turn = desk.append(LOG, b"- two\n")
    before = origins(desk, LOG)
    assert before == [("- two", turn.pk)]
    desk.undo(desk.applied(desk.delete(LOG)))
    assert origins(desk, LOG) == before


def test_moved_line_that_was_forgotten_and_came_back_still_names_where_it_was_said(desk):
    desk.write(MEMORY, b"- one\n")
    turn = desk.append(LOG, "## 10:00 — Sold a boat\n\n".encode())
    moved = moving.promote(desk.bot, named(desk, "Sold a boat"), ANA).change_set
    desk.undo(facts.forget(desk.bot, named(desk, "Sold a boat"), ANA).change_set)
    seen(desk)
    second = blame(desk.bot, MEMORY, desk.read(MEMORY), 1, 1)[0]
    assert (second.change, second.began, second.path) == (moved, turn, LOG)


def test_reworded_line_whose_rewording_was_undone_is_followed_to_its_first_words(desk):
    desk.write(MEMORY, b"- one\n")
    turn = desk.append(LOG, "## 10:00 — Sold a boat\n\n".encode())
    done = facts.edit(desk.bot, *named(desk, "Sold a boat")[0], "Sold the ship", ANA)
    desk.undo(done.change_set)
    moving.promote(desk.bot, named(desk, "Sold a boat"), ANA)
    seen(desk)
    assert blame(desk.bot, MEMORY, desk.read(MEMORY), 1, 1)[0].began == turn


def test_where_the_history_has_let_go_of_what_was_undone_nobody_is_named(desk):
    desk.write(MEMORY, b"- one\n- two\n")
    seen(desk)
    gone = facts.forget(desk.bot, named(desk, "two"), ANA).change_set
    desk.undo(gone)
    Revision.objects.filter(change_set__lte=gone).update(pruned="2026-01-01T00:00:00Z")
    assert origins(desk) == [("- one", None), ("- two", None)]


def test_where_the_history_has_let_go_nothing_is_made_up(desk):
    desk.write(MEMORY, b"- one\n")
    seen(desk)
    edit = desk.applied(desk.put(MEMORY, b"- one\n- two\n"))
    Revision.objects.exclude(change_set=edit).update(pruned="2026-01-01T00:00:00Z")
    assert origins(desk) == [("- one", None), ("- two", edit.pk)]


KEPT = st.sets(st.integers(0, 6))
HOW = st.sampled_from(["put", "append", "outside", "grow"])


@settings(max_examples=times(12, 500), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(HOW, KEPT), min_size=1, max_size=8))
def test_every_line_is_traced_to_the_change_that_brought_it(desk, steps):
    one = make_desk(desk.root, f"bot-{len(list(desk.root.iterdir()))}")
    brought = {}
    for number, (how, kept) in enumerate(steps):
        now, fresh = (one.read(MEMORY) or b"").splitlines(keepends=True), b"- line %d\n" % number
        rest = b"".join(line for at, line in enumerate(now) if at in kept)
        match how:
            case "put":
                one.applied(one.put(MEMORY, fresh + rest))
            case "append":
                one.append(MEMORY, fresh)
            case "outside":
                one.write(MEMORY, rest + fresh)
            case _:
                one.write(MEMORY, b"".join([*now, fresh]))
        seen(one)
        brought[fresh.decode().strip()] = ChangeSet.objects.filter(bot=one.bot).first().pk
    assert origins(one) == [(line, brought[line]) for line, _pk in origins(one)]
