"""What the bot reads, word for word: golden texts, and each rule of what is in and what is left out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.dialects.kenobot import DIALECT, retrieval
from memory.dialects.kenobot.prompt import FIRST, OTHER_WORDS
from memory.dialects.kenobot.settings import Settings
from memory.domain.places import Tier
from memory.text.markdown.entries import log_facts, memory_facts
from tests.dialects.memories import FakeMemory, unreadable

GOLDEN = Path(__file__).parent / "golden"
NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)

DOCUMENTS = {
    "MEMORY.md": "# KenoBot Memory\n\n## User Preferences\n- Prefers concise responses\n- Speaks Spanish\n\n"
    "## Projects\n- Deploys run on Fridays\n",
    "2026-03-20.md": "## 10:30 — Likes Go\n\n## 11:00 — Recipe: pozole\nNeeds 2 chiles\n\n",
    "2026-03-12.md": "## 09:00 — Trip to Puebla\n\n",
    "2024-01-01.md": "## 09:00 — Far away\n\n",
    "2023-01-01.md": "## 09:00 — Further away\n\n",
    "chats/telegram-1/MEMORY.md": "- This chat is about EU law\n",
    "chats/telegram-1/2026-03-19.md": "## 08:00 — Deploy of the slides is on Monday\n\n## 08:05 — Ana joins\n\n",
    "chats/telegram-1/context.md": "- About: work\n- Members: Marta",
    "chats/telegram-2/MEMORY.md": "- Not for others\n",
    "chats/telegram-2/2026-03-19.md": "## 08:00 — Not for others\n\n",
    "working/telegram-1.md": "- Topic: EU AI Act\n- Pending: slides",
    "working/telegram-2.md": "- Not for others",
    "procedural/patterns.json": "[]",
}
TIMES = {"working/telegram-1.md": NOW - timedelta(hours=2, minutes=40)}


def prompted(documents=None, chat="telegram-1", query="", now=NOW, times=TIMES, **settings):
    memory = FakeMemory(DOCUMENTS if documents is None else documents, times)
    return DIALECT.prompt(memory, chat, query, now, Settings(**settings))


def answered(documents=None, chat="telegram-1", query="", **settings):
    """What is read where Kenoweb answers."""
    memory = FakeMemory(DOCUMENTS if documents is None else documents, TIMES)
    return DIALECT.to_answer(memory, chat, query, NOW, Settings(**settings))


def left_out(prompt):
    return {one.path: (one.why, one.age) for one in prompt.left_out}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("seed-full", {}),
        ("seed-no-chat", {"chat": None}),
        ("0.7-no-message", {"version": "0.7"}),
        ("0.7-message", {"version": "0.7", "query": "When do we deploy, and does Ana speak spanish?"}),
        ("0.7-nothing-found", {"version": "0.7", "query": "hi"}),
        ("0.7-empty", {"version": "0.7", "documents": {}, "query": "hello there"}),
    ],
)
def test_prompt_is_what_the_bot_reads(name, arguments):
    found = prompted(**arguments)
    assert found.text == (GOLDEN / f"{name}.txt").read_bytes().decode()
    assert "Not for others" not in found.text
    assert answered(**arguments) == found


@pytest.mark.parametrize("documents", [{}, {"MEMORY.md": ""}, {"2026-03-20.md": ""}])
def test_a_bot_before_07_that_has_nothing_to_read_is_not_told_of_its_memory_but_where_kenoweb_answers(documents):
    has_any = "2026-03-20.md" in documents  # the day alone is text
    assert bool(prompted(documents).text) == has_any
    if not has_any:
        assert prompted(documents).sections == ()
        assert answered(documents).text == (GOLDEN / "seed-empty.txt").read_bytes().decode()


def test_07_reads_no_memory_in_its_first_conversation():
    for path in FIRST:
        found = prompted({**DOCUMENTS, path: ""}, version="0.7", query="deploy")
        assert (found.text, [one.path for one in found.left_out]) == ("", [path])
        assert prompted({**DOCUMENTS, path: ""}).text


def test_what_07_may_find_besides_is_said_to_be_unknown():
    assert prompted(version="0.7", query="deploy").unsure == (OTHER_WORDS,)
    for known in ({}, {"query": "deploy"}, {"version": "0.7"}, {"version": "0.7", "query": "hi"}):
        assert prompted(**known).unsure == ()


@pytest.mark.parametrize(
    ("word", "content", "score"),
    [
        ("k9s", "\u212a9s", 1),  # the sign of the kelvin: a part, not a word, as JavaScript has it
        ("\u00e1rea", "el \u00c1REA x", 1),  # no word begins at a letter that is not ASCII
        ("tea", "TEA", 3),
        ("\u017fhop", "shop", 0),
        ("shop", "\u017fhop", 0),
    ],
)
def test_words_are_met_as_javascript_meets_them(word, content, score):
    (part,) = retrieval.retrieve(f"# x\n{content}", [word], 10).chosen or (retrieval.ScoredSection(0, 0, ""),)
    assert part.score == score


def test_prompt_sections_come_in_the_bots_order():
    assert [section.heading for section in prompted().sections] == [
        "Memory",
        "How to remember things",
        "How to maintain working memory",
        "Long-term memory",
        "Recent notes",
        "Chat-specific memory",
        "Chat-specific notes",
        "Working memory (updated 2 hours ago)",
    ]
    assert [section.tier for section in prompted().sections][3:] == [Tier.GLOBAL] * 2 + [Tier.CHAT] * 2 + [Tier.WORKING]


@pytest.mark.parametrize("query", ["", "When do we deploy, and does Ana speak spanish?"])
@pytest.mark.parametrize("version", ["seed", "0.7"])
def test_prompt_ties_every_line_to_where_it_stands(version, query):
    for section in prompted(version=version, query=query).sections:
        for run in section.lines:
            if not run.path:
                continue
            source = DOCUMENTS[run.path].split("\n")
            first = run.text.strip("\n").split("\n")[0]
            assert first in source[run.line - 1 if run.line else 0] or run.text.strip().startswith("### 2") or not first


def test_prompt_ties_facts():
    facts = [run.fact.text for section in prompted().sections for run in section.lines if run.fact]
    wanted = [fact.text for fact in memory_facts(DOCUMENTS["MEMORY.md"])]
    for day in ("2026-03-20", "2026-03-12", "2024-01-01"):
        wanted += [fact.text for fact in log_facts(DOCUMENTS[f"{day}.md"])]
    wanted += [
        "This chat is about EU law",
        "Deploy of the slides is on Monday",
        "Ana joins",
        "Topic: EU AI Act",
        "Pending: slides",
    ]
    assert facts == wanted


def test_prompt_of_07_ties_retrieved_facts():
    found = prompted(version="0.7", query="deploy ana spanish")
    facts = [run.fact.text for section in found.sections for run in section.lines if run.fact]
    assert facts[:2] == ["Prefers concise responses", "Speaks Spanish"]
    assert "Ana joins" in facts


def test_prompt_names_older_logs_that_are_left_out():
    found = left_out(prompted(memory_days=1))
    assert found["2026-03-12.md"] == ("Only the newest log is read.", "8 days ago")
    assert found["2023-01-01.md"] == ("Only the newest log is read.", "1174 days ago")
    assert "2026-03-20.md" not in found
    assert left_out(prompted())["2023-01-01.md"][0] == "Only the newest 3 logs are read."
    assert not any(path.startswith("chats/telegram-2") for path in found)


def test_prompt_reads_no_logs_when_none_are_wanted():
    found = prompted(memory_days=0)
    assert not {"Recent notes", "Chat-specific notes"} & {section.heading for section in found.sections}
    assert left_out(found)["2026-03-20.md"] == ("No daily logs are read.", "")


def test_prompt_leaves_blank_logs_unmentioned():
    documents = {
        "2026-01-01.md": " \n\n",
        "2026-01-02.md": "",
        "2026-01-03.md": "## 10:00 — x\n\n",
        "2026-03-01.md": "a",
    }
    assert list(left_out(prompted(documents, memory_days=1))) == ["2026-01-03.md"]


def test_prompt_takes_the_newest_files_by_name_whatever_their_dates():
    documents = {f"{day}.md": day for day in ("2025-13-45", "2026-03-20", "0000-00-00", "9999-01-01")}
    text = prompted(documents).text
    assert text.endswith(
        "### Recent notes\n### 9999-01-01\n9999-01-01\n\n### 2026-03-20\n2026-03-20\n\n### 2025-13-45\n2025-13-45\n"
    )
    assert left_out(prompted(documents)) == {"0000-00-00.md": ("Only the newest 3 logs are read.", "")}


def test_prompt_shows_headings_of_blank_files_as_the_bot_does():
    documents = {"MEMORY.md": "\n", "2026-03-20.md": "", "working/telegram-1.md": "", "chats/telegram-1/MEMORY.md": ""}
    text = prompted(documents, times={}).text
    assert (
        "### Long-term memory\n\n\n\n### Recent notes\n### 2026-03-20\n\n\n### Working memory (updated 12 hours ago)\n"
        in text
    )
    assert "Chat-specific memory" not in text


def test_prompt_trims_notes_as_the_bot_does():
    documents = {"2026-03-20.md": "\ufeff\n\u00a0 ## 10:00 — x \u3000\n\n", "2026-03-19.md": "\u200ba"}
    assert prompted(documents).text.endswith("### 2026-03-20\n## 10:00 — x\n\n### 2026-03-19\n\u200ba\n")


def test_prompt_shows_undecodable_bytes_as_the_bot_reads_them():
    assert prompted({"MEMORY.md": b"caf\xe9\n"}).text.endswith("### Long-term memory\ncaf\ufffd\n\n")


def test_prompt_leaves_out_unreadable_documents_and_says_so():
    documents = {
        path: unreadable(path) for path in ("MEMORY.md", "2026-03-20.md", "working/telegram-1.md", "2020-01-01.md")
    }
    documents |= {f"2026-03-1{n}.md": f"note {n}" for n in range(3)}
    found = prompted(documents)
    assert "### 2026-03-12\nnote 2\n\n### 2026-03-11\nnote 1\n" in found.text
    assert "note 0" not in found.text  # the unreadable one used up a slot
    assert {"MEMORY.md", "2026-03-20.md", "working/telegram-1.md", "2020-01-01.md"} <= set(left_out(found))
    assert left_out(found)["MEMORY.md"][0] == "MEMORY.md can’t be read: permission denied. The bot treats it as empty."


@pytest.mark.parametrize(
    ("age", "days", "version", "there"),
    [
        (timedelta(days=7), 7, "seed", True),
        (timedelta(days=7, seconds=1), 7, "seed", False),
        (timedelta(days=-1), 7, "seed", True),
        (timedelta(days=29), 30, "seed", True),
        (timedelta(days=8), 30, "0.7", False),
        (timedelta(days=2), 1, "0.7", False),
    ],
)
def test_prompt_drops_stale_working_memory(age, days, version, there):
    times = {"working/telegram-1.md": NOW - age}
    found = prompted(times=times, working_memory_stale_days=days, version=version)
    assert ("### Working memory (updated " in found.text) is there
    assert ("working/telegram-1.md" in left_out(found)) is not there


def test_prompt_says_how_old_stale_working_memory_is():
    times = {"working/telegram-1.md": NOW - timedelta(days=12)}
    why, age = left_out(prompted(times=times))["working/telegram-1.md"]
    assert (why, age) == ("Working memory is read for 7 days after the last change.", "12 days ago")


def test_prompt_of_07_names_what_it_does_not_search():
    found = prompted(version="0.7", query="spanish")
    said = [(one.path, one.why) for one in found.left_out]
    assert ("2026-03-20.md", "This version doesn’t search shared logs.") in said
    assert ("chats/telegram-1/MEMORY.md", "This version doesn’t search a chat’s MEMORY.md.") in said
    assert ("MEMORY.md", "“Projects”: no word in common") in said
    assert ("chats/telegram-1/2026-03-19.md", "“08:05 — Ana joins”: no word in common") in said


def test_prompt_of_07_says_when_other_sections_go_first():
    documents = {"MEMORY.md": "".join(f"## Part {n}\n- tea\n" for n in range(12)) + "## Best\n- green tea\n"}
    found = prompted(documents, version="0.7", query="green tea")
    assert (
        "# Retrieved Facts\n\n- ## Best\n- green tea (relevance: 6)\n- ## Part 0\n- tea (relevance: 3)\n" in found.text
    )
    assert "Part 9" not in found.text
    assert found.left_out[0].why == "“Part 9”: 10 other sections match more words."


# How 0.7 chooses.


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("When do we deploy?", ("when", "deploy")),
        ("hi", ()),
        ("", ()),
        ("The the DEPLOY deploy", ("deploy",)),
        ("¿Cómo está la reunión?", ("reunión",)),
        ("port-8080 a_b_c x.y", ("port", "8080", "a_b_c")),
        ("naïve façade 会议 Ünder", ("ade", "ünder")),
    ],
)
def test_keywords_are_the_bots(message, words):
    assert retrieval.keywords(message) == words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\n# One\nb\n\n###### Six\n####### seven\n#None\n", ["a", "# One\nb", "###### Six\n####### seven\n#None"]),
        ("", []),
        ("\n \n# \n# x", ["#", "# x"]),
        ("## crlf\r\nbody\r\n## two\n", ["## crlf\r\nbody", "## two"]),
        ("```\n# in a fence\n```", ["```", "# in a fence\n```"]),
    ],
)
def test_parts_are_cut_at_headings(text, found):
    assert [text[part.start : part.end] for part in retrieval.parts(text)] == found


@pytest.mark.parametrize(
    ("text", "words", "score"),
    [
        ("deploy now", ("deploy",), 3),
        ("deployment", ("deploy",), 1),
        ("DEPLOY and deployment", ("deploy", "ment"), 4),
        ("nothing", ("deploy",), 0),
        ("la reunión", ("reunión",), 3),
        ("el café", ("café",), 1),  # no boundary of ASCII words after é
        ("cafés", ("café",), 3),  # and one before the s
    ],
)
def test_score_counts_words_three_times(text, words, score):
    found = retrieval.retrieve(text, words, 10)
    assert sum(part.score for part in found.chosen) == score
