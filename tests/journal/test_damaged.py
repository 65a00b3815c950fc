"""A version that the database has lost, or has damaged: what is there goes on, and what is replaced can be undone."""

from __future__ import annotations

import pytest

from memory import index, journal
from memory.journal import Applied, versions
from memory.models import Blob, ChangeSet, Head, Revision

pytestmark = pytest.mark.database

MEMORY = "MEMORY.md"
LINES = b"".join(b"- %d %x of what was remembered\n" % (number, number**9) for number in range(300))


@pytest.fixture(params=["gone", "damaged"])
def lost(request, desk):
    """The document as it stands, whose version the database has no more."""
    desk.write(MEMORY, LINES)
    index.refresh(desk.bot)
    desk.applied(desk.put(MEMORY, LINES + b"- one\n"))
    journal.settle(desk.bot)
    rows = Blob.objects.filter(sha256=Head.objects.get(path=MEMORY).sha256)
    rows.delete() if request.param == "gone" else rows.update(data=b"no longer what it was")
    return desk


def test_what_an_edit_replaces_is_kept_anew_and_comes_back(lost):
    was = lost.read(MEMORY)
    done = lost.applied(lost.put(MEMORY, LINES + b"- two\n"))
    assert versions.sides(done.revisions.get()) == (was, LINES + b"- two\n")
    assert isinstance(lost.undo(done), Applied)
    assert lost.read(MEMORY) == was


@pytest.mark.parametrize("now", [LINES + b"- one\n- theirs\n", b"- all anew\n" * 300])
def test_what_others_write_is_noticed_and_goes_on(lost, now):
    lost.write(MEMORY, now)
    assert index.refresh(lost.bot).trouble == ""
    noticed = ChangeSet.objects.first()
    assert (noticed.kind, versions.bytes_of(lost.bot, noticed.revisions.get().after)) == ("outside", now)
    assert isinstance(lost.undo(lost.applied(lost.put(MEMORY, LINES))), Applied)
    assert lost.read(MEMORY) == now


def test_our_own_appends_are_not_looked_for_again_and_again(lost):
    lost.append(MEMORY, b"- ours\n")
    index.refresh(lost.bot)
    assert Revision.objects.filter(change_set__kind="outside").count() == 1
    index.refresh(lost.bot)
    assert Revision.objects.filter(change_set__kind="outside").count() == 1
    lost.append(MEMORY, b"- more\n")
    index.refresh(lost.bot)
    assert Revision.objects.last().after == Head.objects.get(path=MEMORY).sha256


def test_each_version_is_read_or_named_as_damaged(lost, monkeypatch):
    for number in range(20):
        lost.applied(lost.put(MEMORY, LINES + b"- %d\n" % number))
    monkeypatch.setattr(versions, "NEAR", 3 * len(LINES))  # so that not all that others are made from is at hand
    Blob.objects.filter(sha256=Blob.objects.order_by("-pk")[8].sha256).update(data=b"x")
    names = set(Blob.objects.values_list("sha256", flat=True))
    readable = versions.bytes_of_all(lost.bot, names)
    assert {name: data for name, _, data in versions.each(lost.bot) if data is not None} == readable
    assert {name for name, _, _ in versions.each(lost.bot)} == names
    assert len(readable) < len(names)
