"""A bot in a process of its own appends all the while; people save, undo and compact on the pages. No line is lost or doubled."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client

from memory import index, journal
from memory.access import api_tokens
from memory.compaction import runner
from memory.domain.changes import Append, Put, digest
from memory.models import ChangeSet
from tests.support.together import until

pytestmark = pytest.mark.slow

APPENDER = """
import pathlib, sys, time
path, lines, form, holding = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4] == "hold"
held = path.open("ab", buffering=0) if holding else None
for number in range(lines):
    if held and number % 20 == 0:
        held.close()
        held = path.open("ab", buffering=0)
    text = form.format(number).replace("|", chr(10)).encode()
    if held:
        held.write(text)
    else:
        with path.open("ab", buffering=0) as file:
            file.write(text)
    time.sleep(0.03)
"""


@contextmanager
def bot_appending(path, lines, form="- bot {}|", how="close"):
    """A bot that appends so many lines; afterwards it has ended."""
    words = [sys.executable, "-c", APPENDER, str(path), str(lines), form, how]
    with subprocess.Popen(words) as child:
        try:
            yield child
            assert child.wait(60) == 0
        finally:
            child.kill()


def once_each(data, names):
    found = Counter(line for line in data.decode().splitlines() if line.strip())
    return {name: found[name] for name in names if found[name] != 1}


@pytest.mark.parametrize("how", ["close", "hold"])
def test_saves_and_undos_beside_a_bot_lose_nothing(ana, how):
    path = ana.root / "MEMORY.md"
    ana.write("MEMORY.md", "- first\n")
    mine = []
    with bot_appending(path, 80, how=how) as bot:
        number = 0
        while bot.poll() is None:
            number += 1
            shown = ana.get("memory")
            answer = ana.save(f"- mine {number}\n{shown.field}", shown.base)
            assert answer.status == 200
            if number % 2:
                mine.append(f"- mine {number}")
                continue
            made = ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).first()
            if ana.post(f"changes/{made.pk}/undo").status != 200:
                mine.append(f"- mine {number}")
    journal.settle(ana.bot)
    index.refresh(ana.bot)
    data = path.read_bytes()
    assert once_each(data, ["- first", *(f"- bot {number}" for number in range(80)), *mine]) == {}
    assert [left.name for left in ana.root.rglob(".kenoweb-*")] == []
    assert ana.save(f"- last\n{ana.read()}").status == 200


@contextmanager
def always_appending(path, form="- bot {}\n", pause=0.02):
    """A thread that appends entry after entry until the end; the list that it gives has their numbers."""
    stop, written = threading.Event(), []

    def go_on():
        while not stop.is_set():
            with path.open("ab", buffering=0) as file:
                file.write(form.format(len(written)).encode())
            written.append(len(written))
            time.sleep(pause)

    writer = threading.Thread(target=go_on)
    writer.start()
    try:
        yield written
    finally:
        stop.set()
        writer.join(30)


@pytest.mark.parametrize("door", ["page", "api"])
def test_every_save_gets_through_beside_a_bot_that_never_stops(ana, door):
    """Each text was made from an older version than stands there, and none of them is asked about."""
    path = ana.root / "MEMORY.md"
    ana.write("MEMORY.md", "- first\n")
    token, client = api_tokens.make(ana.bot, "a program", "write").text, Client()

    def save(text, base):
        if door == "page":
            return ana.save(text, base).status
        sent = {"path": "MEMORY.md", "text": text, "base": base}
        headers = {"Authorization": f"Bearer {token}"}
        address = f"/api/v1/bots/{ana.bot.slug}/document"
        return client.put(address, sent, content_type="application/json", headers=headers).status_code

    with always_appending(path) as written:
        for number in range(8):
            shown = ana.get("memory")
            before = len(written)
            until(lambda before=before: len(written) > before + 2)
            assert save(f"- mine {number}\n{shown.field}", shown.base) == 200
    journal.settle(ana.bot)
    wanted = ["- first", *(f"- bot {number}" for number in written), *(f"- mine {number}" for number in range(8))]
    assert once_each(path.read_bytes(), wanted) == {}
    assert len(path.read_text().splitlines()) == len(wanted)
    assert [left.name for left in ana.root.rglob(".kenoweb-*")] == []


def compact(ana):
    """Apply the plan that the page shows, if there is one."""
    if shown := ana.get("compaction").soup.find("input", {"name": "fingerprint"}):
        ana.post("compaction/apply", fingerprint=shown["value"], retention_days="", scope="", keep_logs="")


def test_compaction_and_its_undo_beside_a_bot_lose_nothing(ana):
    old = ana.root / "2025-01-01.md"
    form = "## 10:00 — bot {}||"
    ana.write("MEMORY.md", "# Memory\n")
    ana.write(old.name, "".join(f"## 09:00 — old {number}\n\n" for number in range(20)))
    rounds = 0
    with bot_appending(old, 80, form) as bot:
        while bot.poll() is None:
            compact(ana)
            rounds += 1
            made = ChangeSet.objects.filter(kind=ChangeSet.Kind.COMPACTION).first()
            if made and rounds % 2:
                ana.post(f"changes/{made.pk}/undo")
    compact(ana)
    journal.settle(ana.bot)
    index.refresh(ana.bot)
    names = [f"old {number}" for number in range(20)] + [f"bot {number}" for number in range(80)]
    facts = Counter()
    for path in ana.root.glob("*.md"):
        text = path.read_text()
        facts.update(line.split(" — ")[-1].removeprefix("- ").strip() for line in text.splitlines())
    assert {name: facts[name] for name in names if facts[name] != 1} == {}
    assert ChangeSet.objects.filter(kind=ChangeSet.Kind.COMPACTION).exists()
    assert [left.name for left in ana.root.rglob(".kenoweb-*")] == []


def test_compaction_and_undo_go_through_beside_a_bot_that_never_stops(ana):
    """What was read is another version before anything can be written, every time, and one that no history has seen."""
    old, by = ana.root / "2025-01-01.md", journal.By("Ana")
    ana.write("MEMORY.md", "# Memory\n")
    ana.write(old.name, "".join(f"## 09:00 — old {number}\n\n" for number in range(20)))
    with always_appending(old, "## 10:00 — bot {}\n\n", pause=0.001) as written:
        for number in range(8):
            ran = runner.run(ana.bot, ("",), by, today="2026-11-20")
            assert isinstance(ran, runner.Ran), ran
            said = journal.commit(
                ana.bot, [Append(old.name, f"## 11:00 — said {number}\n\n".encode())], by=by, kind="edit"
            )
            before = len(written)
            until(lambda before=before: len(written) > before + 5)
            for made in (said.change_set, ran.change_set):
                undone = journal.undo(ana.bot, made, by)
                assert isinstance(undone, journal.Applied), (number, undone)
    journal.settle(ana.bot)
    assert isinstance(runner.run(ana.bot, ("",), by, today="2026-11-20"), runner.Ran)
    names = [f"old {number}" for number in range(20)] + [f"bot {number}" for number in written]
    found = Counter()
    for path in ana.root.rglob("*.md"):  # what long-term memory has no room for is in the archive
        found.update(line.split(" — ")[-1].removeprefix("- ").strip() for line in path.read_text().splitlines())
    assert {name: found[name] for name in names if found[name] != 1} == {}
    assert not any(name.startswith("said ") for name in found)


def test_what_keeps_changing_in_the_same_place_says_that_it_passes(ana):
    """A writer that rewrites the very lines each time: a few tries, then a sentence that says what to do."""
    path, by = ana.root / "MEMORY.md", journal.By("Ana")
    ana.write("MEMORY.md", "- a\n")
    tries = []

    def make():
        tries.append(len(tries))
        data = path.read_bytes()
        path.write_bytes(f"- other {len(tries)}\n".encode())
        return journal.CommitPlan([Put("MEMORY.md", b"- mine\n", digest(data))], None, [data])

    _, outcome = journal.attempt(ana.bot, make, by=by)
    assert isinstance(outcome, journal.Conflict)
    assert outcome.passes
    assert outcome.reason.endswith("Others keep writing there. Try again in a moment.")
    assert 1 < len(tries) < 10
    assert path.read_bytes() == f"- other {len(tries)}\n".encode()


def test_two_browsers_saving_at_the_same_instant_lose_nothing(ana):
    ana.write("MEMORY.md", "- a\n")
    base = ana.get("memory").base
    answers = {}
    ready = threading.Barrier(2)

    def save(name, line):
        client = Client()
        client.force_login(ana.user)
        ready.wait()
        form = {"text": f"- a\n{line}\n", "base": base}
        answers[name] = client.post("/keno/save/MEMORY.md", form).status_code
        if answers[name] == 409:
            answers[name] = client.post("/keno/merge/MEMORY.md", {**form, "save": "yes"}).status_code
        connection.close()

    both = [threading.Thread(target=save, args=(name, f"- of {name}")) for name in ("one", "two")]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join(30)
    assert answers == {"one": 302, "two": 302}
    assert sorted(ana.read().splitlines()) == ["- a", "- of one", "- of two"]
