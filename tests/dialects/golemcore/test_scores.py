"""The ranking of items and the pack: by the formula, within the limits of each layer, never over the hard budget."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from memory.dialects.golemcore import DIALECT, items, pack, scores
from memory.dialects.golemcore.items import Item
from tests.dialects.memories import FakeMemory

NOW = datetime(2026, 2, 22, 12, tzinfo=UTC)
PATHS = {
    "EPISODIC": "memory/items/episodic/2026-02-22.jsonl",
    "SEMANTIC": "memory/items/semantic.jsonl",
    "PROCEDURAL": "memory/items/procedural.jsonl",
}
_WORDS = st.lists(st.sampled_from(["docker", "Docker.", "tea", "at", "größe", "мир", "a/b", "x" * 300]), max_size=8)
_ITEMS = st.builds(
    Item,
    id=st.uuids().map(str),
    layer=st.sampled_from([*PATHS, None]),
    type=st.sampled_from([*items.TYPES, None]),
    title=st.none() | _WORDS.map(" ".join),
    content=_WORDS.map(" ".join),
    tags=st.lists(st.sampled_from(["docker", "ops"]), max_size=2).map(tuple),
    confidence=st.none() | st.floats(-1, 2),
    salience=st.none() | st.floats(-1, 2),
    ttl_days=st.none() | st.integers(0, 40),
    created=st.none() | st.floats(-2, 45).map(lambda days: NOW - timedelta(days=days)),
    updated=st.none() | st.floats(-2, 45).map(lambda days: NOW - timedelta(days=days)),
    fingerprint=st.none() | st.sampled_from("abcdef"),
)
# Such that any number of them may go beyond the soft budget, and some say the same
_GOOD = st.builds(
    Item,
    id=st.uuids().map(str),
    layer=st.sampled_from(["SEMANTIC", "PROCEDURAL"]),
    type=st.just("FIX"),
    content=st.integers(60, 500).map(lambda size: "docker tea " + "x" * size),
    confidence=st.just(1.0),
    salience=st.just(1.0),
    updated=st.just(NOW),
    fingerprint=st.sampled_from("abcdefghij"),
)
_BONUS = {"FAILURE": 0.12, "FIX": 0.12, "CONSTRAINT": 0.12, "TASK_STATE": 0.05, "COMMAND_RESULT": 0.05, None: 0.0}


def words(text):
    return {word for word in re.split("[^a-zа-я0-9_./#-]", text.lower()) if len(word) > 2}


def by_formula(item, query):
    asked = words(query)
    met = asked & words(f"{item.title or ''} {item.content} {' '.join(item.tags)}")
    at = item.updated or item.created
    days = math.trunc((NOW - at).total_seconds() / 86400) if at else 0
    recency = 0.30 if at is None else 1.0 if days <= 0 else 0.0 if days >= 30 else 1 - days / 30
    salience = 0.50 if item.salience is None else min(1, max(0, item.salience))
    confidence = 0.55 if item.confidence is None else min(1, max(0, item.confidence))
    relevance = len(met) / len(asked) if asked else 0.20
    sums = 0.40 * relevance + 0.20 * (recency + salience + confidence)
    return sums + _BONUS.get(item.type, 0.08)


@given(item=_ITEMS, query=_WORDS.map(" ".join))
def test_a_score_is_that_of_the_formula(item, query):
    found = scores.score(item, scores.tokens(query), NOW)
    assert found.total == pytest.approx(by_formula(item, query), abs=1e-9)
    assert found.total <= 1.12 + 1e-9


def memory_of(found):
    lines = {}
    for item in found:
        lines.setdefault(PATHS[item.layer or "EPISODIC"], []).append(items.dumps(items.row_of(item)))
    return FakeMemory({path: b"\n".join(some) for path, some in lines.items()})


@given(
    found=st.lists(_ITEMS, max_size=6) | st.lists(_GOOD, min_size=6, max_size=12),
    soft=st.integers(200, 900),
    more=st.integers(0, 500),
    limit=st.integers(0, 8),
)
def test_a_pack_keeps_to_its_budgets_and_limits(found, soft, more, limit):
    layers = dict.fromkeys(("episodicTopK", "semanticTopK", "proceduralTopK"), limit)
    settings = DIALECT.settings({"softPromptBudgetTokens": soft, "maxPromptBudgetTokens": soft + more, **layers})
    ranked = scores.ranked(memory_of(found), "memory", "docker tea", NOW, settings)
    made = pack.pack(ranked, settings)
    assert made.tokens == sum(pack.size(one.item) for one in made.taken) <= soft + more
    assert len(ranked.chosen) == len(made.taken) + len(made.dropped)
    totals = [one.score.total for one in ranked.chosen]
    assert totals == sorted(totals, reverse=True)
    for layer in PATHS:
        assert sum(one.layer == layer for one in ranked.chosen) <= limit
    names = [one.item.fingerprint or one.item.id for one in ranked.chosen]
    assert len(names) == len(set(names))
    assert len(ranked.chosen) + len(ranked.out) == len(found)


def one(**said):
    return items.dumps(items.row_of(replace(Item(id="1", content="Tea", created=NOW, updated=NOW), **said)))


def chosen(*lines, **values):
    memory = FakeMemory({PATHS["SEMANTIC"]: b"\n".join(lines)})
    return scores.ranked(memory, "memory", "", NOW, DIALECT.settings(values))


def test_what_is_not_a_number_ranks_first():
    odd, good = one(id="2"), one(id="1", salience=1.0, confidence=1.0)
    found = chosen(good, odd.replace(b'"salience":null', b'"salience":"NaN"'))
    assert [each.item.id for each in found.chosen] == ["2", "1"]


def test_why_an_item_is_not_selected():
    found = chosen(
        one(id="a", content=" "),
        one(id="b", ttl_days=1, created=NOW - timedelta(days=2)),
        one(id="c", created=NOW - timedelta(days=31), updated=NOW - timedelta(days=31)),
        b"{",
        one(id="d", fingerprint="f"),
        one(id="e", fingerprint="f", salience=0.1),
        one(id="g", salience=0.0),
        episodicTopK=2,
    )
    why = [scores.BLANK, scores.OVER, scores.OLD, items.NO_JSON, scores.DOUBLE, scores.BELOW]
    assert [each.why for each in found.out] == why
    assert [each.item.id for each in chosen(*(one(id=str(at)) for at in range(3)), decayEnabled=False).chosen] == list(
        "012"
    )


def test_beyond_the_soft_budget_only_a_good_item_is_taken():
    long = "Tea " * 300
    lines = [one(id=str(at), content=long, type="FIX", salience=1.0, confidence=1.0 - at / 10) for at in range(4)]
    settings = DIALECT.settings({"softPromptBudgetTokens": 400, "maxPromptBudgetTokens": 700})
    made = pack.pack(chosen(*lines), settings)
    assert [each.item.id for each in made.taken] == ["0"]
    asked = scores.ranked(FakeMemory({PATHS["SEMANTIC"]: b"\n".join(lines)}), "memory", "tea", NOW, settings)
    assert [each.item.id for each in pack.pack(asked, settings).taken] == ["0", "1"]
    assert pack.pack(asked, settings).counted["droppedByBudget"] == 2


def test_words_are_split_as_the_bot_splits_them():
    assert scores.tokens("Docker. docker, größe ops/a.yml") == {"docker.", "docker", "ops/a.yml"}
