"""What ranks first, and that its parts sum to what it says."""

from __future__ import annotations

import random

import pytest

from memory.search.time_asked import TimeAsked
from tests.search.test_contract import log, memory

WORDS = (
    *("boat", "harbour", "paint", "ladder", "window", "garden", "letter", "doctor"),
    *("violin", "bicycle", "candle", "market", "bridge", "lantern", "orchard"),
)


@pytest.mark.slow
def test_three_words_of_a_fact_find_it_among_its_neighbours(searched):
    chance = random.Random(7)
    texts = [" ".join(chance.sample(WORDS, 6)) + f" n{number}" for number in range(60)]
    searched.put("2026-11-01.md", log(*texts))
    searched.walk()
    first = 0
    for text in texts:
        asked = " ".join(chance.sample(text.split()[:-1], 4) + text.split()[-1:])
        first += searched.texts(asked)[0] == text
    assert first == len(texts)


def test_parts_of_a_score_sum_to_it(searched):
    searched.put(
        "2026-11-01.md", log("Ana: Where is the boat?", "Bo: In the harbour since May 2025", "Ana: Painted it red")
    )
    searched.put("MEMORY.md", memory("The boat is red"))
    searched.walk()
    for hit in searched.find("when did Ana paint the boat in November 2026?").hits:
        why = hit.why
        parts = (why.own, why.neighbours, why.document, why.speaker, why.date, why.recent, why.alike)
        assert sum(parts) == pytest.approx(hit.score)


def test_answer_is_heard_by_its_question(searched):
    searched.put(
        "2026-11-01.md", log("Lunch was late", "Where did you put the ladder?", "Behind the shed", "Good night")
    )
    searched.walk()
    assert searched.texts("ladder")[:2] == ["Where did you put the ladder?", "Behind the shed"]


def test_entries_of_another_hour_and_items_of_a_memory_hear_nothing(searched):
    searched.put("2026-11-01.md", "# Log\n\n## 08:00 — The ladder is broken\n\n## 21:00 — Sleep well\n")
    searched.put("MEMORY.md", memory("Ladder in the shed", "Likes tea"))
    searched.walk()
    assert set(searched.texts("ladder")) == {"The ladder is broken", "Ladder in the shed"}


def test_who_is_named_and_when_count(searched):
    searched.put("2025-05-08.md", log("Ana: I bought a violin", "Bo: I bought a violin"))
    searched.put("2025-09-08.md", log("Ana: I bought a violin too", "Bo: I bought a violin too"))
    searched.walk()
    assert searched.texts("what did Bo buy in May 2025")[0] == "Bo: I bought a violin"
    assert searched.texts("what did Ana buy in September")[0] == "Ana: I bought a violin too"


def test_newer_of_two_equal_facts_comes_first(searched):
    searched.put("2026-01-01.md", log("Paid the rent"))
    searched.put("2026-11-01.md", log("Paid the rent"))
    searched.walk()
    assert [hit.day for hit in searched.find("rent").hits] == ["2026-11-01", "2026-01-01"]


@pytest.mark.parametrize(
    ("text", "day", "fit"),
    [
        ("what happened on 7 May 2023?", "2023-05-07", 1.0),
        ("what happened on 7 May 2023?", "2023-05-09", 0.8),
        ("what happened on 7 May 2023?", "2023-05-20", 0.3),
        ("what happened on 31 February?", "2023-02-27", 0.3),
        ("in May 2023", "2023-05-20", 0.6),
        ("in May 2023", "2023-06-03", 0.3),
        ("in May 2023", "2024-05-20", 0.0),
        ("in 2023", "2023-01-01", 0.1),
        ("may I?", "2023-05-01", 0.0),
        ("in May", "no day", 0.0),
        ("nothing", "2023-05-01", 0.0),
    ],
)
def test_how_well_a_day_fits(text, day, fit):
    assert TimeAsked.of(text).fits(day) == fit


def test_name_at_the_beginning_is_a_word_like_any_other(searched):
    searched.put("MEMORY.md", memory("Budget: 177 EUR for Grafana", "Ana: I moved", "Nothing"))
    searched.walk()
    assert searched.texts("budget") == ["Budget: 177 EUR for Grafana"]
    assert searched.texts("ana") == ["Ana: I moved"]
