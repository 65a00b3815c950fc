"""A disk with no room left, at every door that writes: what was there stays, and afterwards all goes on."""

from __future__ import annotations

import json
import time

import pytest
from django.utils import timezone

from memory import index, journal
from memory.domain.changes import digest
from memory.models import ChangeSet, Delivery, Root
from memory.webhook import call, deliveries
from tests.hostile.conftest import fill
from tests.journal.conftest import ANA
from tests.web.conftest import Visitor

ENTRY = "## 10:00 — Likes tea number {}\n\n"


@pytest.fixture
def full(ana, tiny_disk):
    """The bot's memory on a small disk of its own, and a way to fill it to the last byte."""
    Root.objects.filter(bot=ana.bot).update(path=str(tiny_disk))
    visitor = Visitor(type(ana.bot).objects.get(pk=ana.bot.pk), tiny_disk, ana.user)
    visitor.write("MEMORY.md", "# Memory\n\n" + "- something to know\n" * 400)
    visitor.write("2025-01-01.md", "".join(ENTRY.format(number) for number in range(300)))
    index.refresh(visitor.bot)
    return visitor


def tree(root):
    return {path.name: path.read_bytes() for path in root.rglob("*") if path.is_file() and path.name != "ballast"}


def turn(bot, response):
    body = json.dumps({"message": "m", "chat_id": 1, "message_id": "m1", "response": response}).encode()
    now = timezone.now()
    return deliveries.receive(bot, call.parse(body, now), deliveries.Letter(digest(body), now, time.perf_counter()))


@pytest.mark.slow
def test_save_changes_nothing_and_keeps_the_text(full):
    fill(full.root)
    before = tree(full.root)
    text = full.read() + "- mine\n" * 2000
    refused = full.save(text)
    assert refused.status == 422
    assert "the disk is full" in refused.text
    assert tree(full.root) == before
    (full.root / "ballast").unlink()
    assert full.save(text).status == 200
    assert full.read() == text


def test_turn_is_told_so_and_taken_whole_when_there_is_room(full):
    fill(full.root)
    before = tree(full.root)
    response = f"<memory>{'long ' * 2000}</memory><working-memory>notes</working-memory>"
    assert turn(full.bot, response).status == 503
    assert tree(full.root) == before
    (full.root / "ballast").unlink()
    assert turn(full.bot, response).status == 200
    today = [path for path in tree(full.root) if path not in ("MEMORY.md", "2025-01-01.md", "http-1.md")]
    assert len(today) == 1
    assert (full.root / today[0]).read_text().count("long") == 2000
    assert Delivery.objects.get().status == 200


def test_compaction_and_undo_are_all_or_nothing(full):
    fill(full.root)
    before = tree(full.root)
    shown = full.get("compaction")
    full.post("compaction/apply", fingerprint=shown.soup.find("input", {"name": "fingerprint"})["value"])
    assert tree(full.root) == before
    (full.root / "ballast").unlink()
    shown = full.get("compaction")
    full.post("compaction/apply", fingerprint=shown.soup.find("input", {"name": "fingerprint"})["value"])
    journal.settle(full.bot)
    after = tree(full.root)
    assert not (full.root / "2025-01-01.md").exists()
    made = ChangeSet.objects.filter(kind=ChangeSet.Kind.COMPACTION).first()
    fill(full.root)
    assert full.post(f"changes/{made.pk}/undo").status == 409
    assert tree(full.root) == after
    (full.root / "ballast").unlink()
    assert full.post(f"changes/{made.pk}/undo").status == 200
    journal.settle(full.bot)
    assert tree(full.root) == before


def test_late_line_that_finds_no_room_comes_home_later(full):
    with (full.root / "MEMORY.md").open("ab", buffering=0) as held:
        full.save("# Memory\n")
        held.write(b"- late\n" * 1000)
    fill(full.root)
    full.get("memory")
    index.refresh(full.bot)
    (full.root / "ballast").unlink()
    journal.settle_and_recover(full.bot, 5)
    journal.settle_and_recover(full.bot, 5)
    assert full.read() == "# Memory\n" + "- late\n" * 1000
    assert [path for path in tree(full.root) if ".kenoweb" in path] == []
    journal.undo(full.bot, ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).first(), ANA)
    assert full.read().endswith("- late\n" * 1000)
