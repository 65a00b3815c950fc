"""The prompt with what each of its parts costs: they sum to the whole, for any documents, whoever counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from memory.prompts import build
from tests.dialects.memories import FakeMemory
from tests.support.amounts import times
from tests.web.conftest import make_bot

NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)
CHAT = "telegram-1"
PATHS = ("MEMORY.md", "2026-03-20.md", "2026-03-12.md", f"chats/{CHAT}/MEMORY.md", f"chats/{CHAT}/2026-03-19.md")
WORKING = f"working/{CHAT}.md"
PIECES = st.sampled_from(
    [
        "- ",
        "## ",
        "## 10:30 — ",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "\t",
        "tea",
        "Tee, für Köln",
        "她喜欢绿茶",
        "お茶",
        "🙂",
        "👩‍👩‍👧",
        "42",
        "```\n",
    ]
)
TEXTS = (
    st.lists(PIECES | st.text(max_size=5), max_size=25).map("".join).map(lambda text: text.encode("utf-8", "replace"))
)
BYTES = TEXTS | st.binary(max_size=60) | TEXTS.map(lambda text: text + b"\xff caf\xe9\r\n")
MEMORIES = st.dictionaries(st.sampled_from([*PATHS, WORKING]), BYTES)


@pytest.fixture
def bot(db, tmp_path):
    return make_bot(tmp_path)[0]


def priced(bot, documents, query="", **saved):
    bot.settings = {"version": "seed", **saved}
    memory = FakeMemory(documents, {WORKING: NOW - timedelta(hours=2)})
    return build.build(bot, CHAT, query, NOW, memory)


@pytest.mark.parametrize("tokens_of", ["gpt-4", "llama-2"])
@pytest.mark.parametrize("version", ["seed", "0.7"])
@settings(max_examples=times(10, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(documents=MEMORIES, query=st.sampled_from(["", "tea for köln 🙂"]))
def test_parts_sum_to_the_whole(bot, tokens_of, version, documents, query):
    found = priced(bot, documents, query, tokens_of=tokens_of, version=version)
    assert found.tokens == found.counter.count(found.text)
    assert sum(section.tokens for section in found.sections) == found.tokens
    for section in found.sections:
        assert sum(line.tokens for line in section.lines) == section.tokens
        assert "".join(line.text for line in section.lines) == section.text
    assert "".join(section.text for section in found.sections) == found.text
    facts = sum(line.tokens for line in found.lines if line.fact)
    others = sum(line.tokens for line in found.lines if line.path and not line.fact)
    assert facts + others + found.own_words == found.tokens
    assert sum(found.documents.values()) + found.own_words == found.tokens
    assert all(line.tokens >= 0 for line in found.lines)


def test_counter_is_the_one_that_the_bot_is_set_to(bot):
    assert priced(bot, {}).counter.name == "exact, cl100k_base"
    assert priced(bot, {}, tokens_of="llama-2").counter.name == "estimate, Llama 2"


def test_a_fact_costs_what_its_own_tokens_are(bot):
    found = priced(bot, {"MEMORY.md": "# Memory\n\n- Likes tea\n- Likes coffee\n"})
    assert [(line.fact.text, line.tokens) for line in found.lines if line.fact] == [
        ("Likes tea", 4),
        ("Likes coffee", 4),
    ]
