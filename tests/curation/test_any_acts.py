"""Any acts in any order: what they are not about stays to the byte, and undoing all of them gives the first bytes."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

from memory import index, journal
from memory.bots import open_bot
from memory.curation import acts, facts, merge_and_split, moving
from memory.dialects.nanobot.database.table import SAME_TWICE
from memory.domain.changes import join_path, split_path
from memory.domain.outcomes import Refused
from memory.domain.places import Kind
from memory.models import Bot, Fact, Root
from tests.dialects.nanobot import golden
from tests.support.amounts import times

ANA = journal.By("Ana")
WORDS = ("tea", "boats", "naïve", "港", "9:30", "Ünal", "not", "rain", "`code`", "2026-01-05")
ENDS = ("\n", "\r\n")


def text_of(rng):
    return " ".join(rng.choices(WORDS, k=rng.randint(2, 5))) + f" {rng.randint(0, 99999)}"


def memory_of(rng):
    end, lines = rng.choice(ENDS), ["# Memory", ""]
    for _ in range(rng.randint(2, 8)):
        kind = rng.randint(0, 4)
        if kind == 0:
            lines += ["", f"## {rng.choice(WORDS)}", ""]
        elif kind == 1:
            lines += [f"- {text_of(rng)}", f"  - {text_of(rng)}"]
        elif kind == 2:
            lines += ["", text_of(rng), ""]
        else:
            lines.append(f"* {text_of(rng)}" if rng.random() < 0.3 else f"- {text_of(rng)}")
    return end.join(lines) + rng.choice(["", end, end * 2])


def log_of(rng, day):
    entries = (f"## {hour:02}:15 — {text_of(rng)}\n\n" for hour in range(9, 9 + rng.randint(1, 4)))
    return f"# {day}\n\n" + "".join(entries)


def items_of(bot, path, rng):
    texts = [text_of(rng) for _ in range(rng.randint(1, 4))]
    return open_bot(bot).dialect.add(path, None, texts, open_bot(bot).now()).data


LAYOUTS = {
    "kenobot": (
        "MEMORY.md",
        "chats/tg-1/MEMORY.md",
        "chats/tg-2/MEMORY.md",
        "2026-02-07.md",
        "chats/tg-1/2026-02-08.md",
    ),
    "workspace": ("MEMORY.md", "memory/2026-02-07.md", "memory/2026-02-08.md"),
    "autobot": ("memory/MEMORY.md",),
    "golemcore": ("memory/MEMORY.md", "memory/items/semantic.jsonl", "memory/items/episodic/2026-02-07.jsonl"),
    "nanobot": ("memory/MEMORY.md", "memory/2026-02-07.md", "memory/procedural/deploys.md"),
    "discoclaw": (
        "durable/710000000000000011.json",
        "durable/710000000000000022.json",
        "@workspace/MEMORY.md",
        "@workspace/memory/2026-02-07.md",
    ),
}


def rows_of(rng, workspace):
    """What a nanobot keeps in its database beside its files: of a chat, a user and the workspace."""
    of = golden.workspace_id(workspace)
    return [golden.row(text_of(rng), of, of=whose, n=n) for n, whose in enumerate(["chat", "chat", "user", "global"])]


def beside(family, rng, root):
    """The other roots of a family, by their names."""
    if family == "nanobot":
        return {"database": golden.make(root.parent / f"{root.name}-database" / "longterm.db", rows_of(rng, root))}
    return {"workspace": root.parent / f"{root.name}-workspace"} if family == "discoclaw" else {}


@pytest.fixture
def make(db, tmp_path, kenoweb_home):

    def made(family, number, rng):
        root = tmp_path / f"{family}-{number}"
        roots = {"memory": root, **beside(family, rng, root)}
        bot = Bot.objects.create(slug=f"{family}-{number}", name=family, dialect=family)
        for name, place in roots.items():
            Root.objects.create(bot=bot, name=name, path=str(place))
        for path in LAYOUTS[family]:
            target = roots[split_path(path)[0]] / split_path(path)[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            day = path[-13:-3] if path[-13:-12] == "2" else ""
            if ".json" in path:
                target.write_bytes(items_of(bot, path, rng))
            else:
                target.write_bytes((log_of(rng, day) if day else memory_of(rng)).encode())
        index.refresh(bot)
        bot.refresh_from_db()
        return bot

    return made


def files(bot):
    """Every file of the bot, and of a database, which notes more than anybody reads, each document."""
    memory = index.BotMemory(bot)
    found = {path: memory.read(path) for path in memory.paths()}
    for name, place in Root.objects.filter(bot=bot).values_list("name", "path"):
        there = (one for one in Path(place).rglob("*") if one.is_file() and ".kenoweb-" not in one.name)
        found |= {join_path(name, str(one.relative_to(place))): one.read_bytes() for one in there}
    return found


def read(bot, tree):
    """(path, time, text) of each fact, as often as it stands there."""
    some = ((path, fact) for path, data in tree.items() for fact in open_bot(bot).facts(path, data))
    return Counter((path, fact.time, fact.text) for path, fact in some)


def is_lasting(bot, path):
    place = open_bot(bot).dialect.describe(path)
    return place is not None and place.editable and place.kind is Kind.LONG_TERM


def act(bot, rng):
    """An act on random facts, and which they are."""
    rows = list(Fact.objects.filter(bot=bot).select_related("document"))
    some = rng.sample(rows, min(len(rows), rng.randint(1, 3)))
    wanted = [(one.document.path, one.key, one.nth) for one in some]
    kind = rng.randint(0, 4)
    if kind == 0:
        return wanted, lambda: facts.plan_forget(bot, wanted)
    if kind == 1:
        return wanted, lambda: merge_and_split.plan_merge(bot, wanted, f"merged {some[0].text}")
    if kind == 2:
        return wanted[:1], lambda: merge_and_split.plan_split(bot, wanted[0], ["one half", "the other half"])
    if kind == 3:
        return wanted, lambda: moving.plan_promote(bot, wanted)
    target = rng.choice([one for one in files(bot) if is_lasting(bot, one)])
    heading = rng.choice(["", *moving.headings(bot, target)])
    return wanted, lambda: moving.plan_move(bot, wanted, target, heading)


@pytest.mark.slow
@pytest.mark.parametrize("family", settings.DIALECTS)
def test_what_acts_are_not_about_stays_and_all_of_it_comes_back(make, family):
    done = 0
    for number in range(times(4, 120)):
        rng = random.Random(f"{family}{number}")
        bot = make(family, number, rng)
        first, made = files(bot), []
        for _ in range(6):
            if not Fact.objects.filter(bot=bot).exists():
                break
            wanted, wish = act(bot, rng)
            before = files(bot)
            foreseen = acts.foresee(bot, wish)
            outcome = acts.do(bot, ANA, wish, "" if isinstance(foreseen, Refused) else foreseen.print)
            after = files(bot)
            if isinstance(outcome, Refused):
                assert isinstance(foreseen, Refused) or outcome.reason == SAME_TWICE  # which only the database knows
                assert after == before
                continue
            shown = {one.path: one.after for one in foreseen.documents}
            touched = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
            assert touched == set(shown)
            assert read(bot, {path: after.get(path, b"") for path in touched}) == read(bot, shown)
            assert all(after.get(path, b"") == data for path, data in shown.items() if path.endswith(".md"))
            meant = {(path, key) for path, key, _nth in wanted}
            stays = Counter(
                (path, fact.time, fact.text)
                for path, data in before.items()
                for fact in open_bot(bot).facts(path, data)
                if (path, fact.key) not in meant
            )
            assert not stays - read(bot, after)
            made.append(outcome.change_set)
            done += 1
        for change_set in reversed([one for one in made if one]):
            assert not isinstance(journal.undo(bot, change_set, ANA), journal.Conflict)
        assert files(bot) == first
    assert done > 10
