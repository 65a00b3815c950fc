"""A bot in a process of its own appends all the while; people save, undo and compact on the pages. No line is lost or doubled."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client

from memory import index, journal
from memory.models import ChangeSet

pytestmark = [pytest.mark.timeout(120), pytest.mark.slow]

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
            if answer.status == 409:
                answer = ana.post(
                    "merge/MEMORY.md", text=f"- mine {number}\n{shown.field}", base=shown.base, save="yes"
                )
            if answer.status != 200:
                continue
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
