"""Words that stand in very many facts: what is looked at of them, what is found however old it is, and what is said about it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import F

from memory.models import Fact
from memory.search.candidates import OFTEN
from tests.journal.conftest import make_desk
from tests.search.conftest import Searched
from tests.search.test_contract import log, memory

pytestmark = pytest.mark.database

MANY = OFTEN + 100
MOST = 200
CHAT = "telegram-1"


def many(word, of=""):
    return memory(*(f"{word} {of} number {number} of them" for number in range(MANY)))


def later(searched, path, text):
    """A document that is written after all others."""
    searched.put(path, text)
    searched.walk()


def test_fact_with_both_of_two_frequent_words_is_found_however_old(searched):
    later(searched, "MEMORY.md", memory("The harbour has a garden of its own, with plums", "Nothing of that"))
    later(searched, "2026-11-01.md", many("garden"))
    later(searched, "2026-11-02.md", many("harbour"))
    assert searched.texts("garden harbour")[0].startswith("The harbour has a garden")
    assert searched.texts("harbour garden")[0].startswith("The harbour has a garden")


def test_fact_with_a_rare_word_comes_before_all_that_only_hold_a_frequent_one(searched):
    later(searched, "MEMORY.md", memory("Plums are ripe", "A garden of plums and pears", "Nothing of that"))
    later(searched, "2026-11-01.md", many("garden"))
    found = searched.find("plums garden", limit=MOST)
    assert {hit.text for hit in found.hits[:2]} == {"A garden of plums and pears", "Plums are ripe"}
    assert (len(found.hits), found.more) == (MOST, True)
    assert all("garden" in hit.text for hit in found.hits[2:])


def test_of_a_frequent_word_alone_the_newest_are_looked_at_and_that_is_said(searched):
    later(searched, "MEMORY.md", memory(*(f"garden {number}" for number in range(50))))
    later(searched, "2026-11-01.md", many("garden"))
    found = searched.find("garden", limit=MOST)
    said = "Only long-term memory, the last logs and 1000 other matches were ranked. Add a word to find the others."
    assert found.notes == (said,)
    assert (len(found.hits), found.more) == (MOST, True)
    assert {hit.path for hit in found.hits} == {"2026-11-01.md", "MEMORY.md"}
    assert {hit.path for hit in searched.find("garden tier:global in:MEMORY.md", limit=MOST).hits} == {"MEMORY.md"}
    assert not searched.find("garden in:MEMORY.md").notes


def test_order_is_the_same_under_any_limit(searched):
    later(searched, "2026-11-01.md", log(*(f"garden and harbour {number}" for number in range(MANY))))
    for query in ("garden", "garden harbour"):
        whole = searched.texts(query, limit=MOST)
        assert len(whole) == MOST
        for limit, offset in ((1, 0), (20, 0), (20, 180), (50, 70)):
            assert searched.texts(query, limit=limit, offset=offset) == whole[offset : offset + limit]


def test_order_is_the_same_wherever_the_rows_lie(searched):
    later(searched, "2026-11-01.md", log(*(f"garden and harbour {number}" for number in range(MANY))))
    first = searched.texts("garden", limit=MOST)
    Fact.objects.filter(ordinal__lt=MANY // 2).update(time=F("time"))  # PostgreSQL writes them anew, behind the others
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_fact")
    assert searched.texts("garden", limit=MOST) == first


def test_phrase_and_minus_hold_for_frequent_words_too(searched):
    later(searched, "MEMORY.md", memory("garden harbour, old and small", "garden of the harbour"))
    later(searched, "2026-11-01.md", many("garden"))
    later(searched, "2026-11-02.md", many("harbour", "quiet"))
    assert searched.texts('"garden harbour"') == ["garden harbour, old and small"]
    assert all("quiet" not in text for text in searched.texts("harbour garden -quiet", limit=MOST))


def test_what_another_bot_wrote_since_is_in_nobodys_way(searched, tmp_path):
    later(searched, "MEMORY.md", memory("garden of this bot", "Nothing of that"))
    other = Searched(make_desk(tmp_path, "other"))
    later(other, "MEMORY.md", many("garden", "of the other bot"))
    assert searched.texts("garden") == ["garden of this bot"]
    assert all("other bot" in text for text in other.texts("garden", limit=MOST))


def test_chat_finds_its_own_however_much_others_wrote_since(searched):
    later(searched, f"chats/{CHAT}/2026-10-01.md", log("garden of this chat"))
    later(searched, "chats/telegram-2/2026-11-01.md", many("garden"))
    assert searched.texts(f"garden chat:{CHAT}") == ["garden of this chat"]
    assert searched.texts("garden", chat=CHAT) == ["garden of this chat"]


def test_what_is_read_for_the_first_time_counts_as_new_as_it_was_written(searched):
    searched.put("2026-11-02.md", log("garden, garden"))
    searched.put("2026-11-01.md", many("garden"))
    searched.put("2020-01-01.md", log("garden of old"))
    searched.walk()
    hits = {hit.path for hit in searched.find("garden", limit=MOST).hits}
    assert "2026-11-02.md" in hits
    assert "2020-01-01.md" not in hits


def test_what_the_bot_keeps_before_its_eyes_is_found_however_much_was_written_since(searched):
    later(searched, "MEMORY.md", memory("Harbour and garden belong together", "A garden", "Nothing of that"))
    later(searched, "2026-11-01.md", many("garden", "harbour"))
    assert {hit.text for hit in searched.find("garden harbour", limit=MOST).hits if hit.path == "MEMORY.md"} == {
        "Harbour and garden belong together",
        "A garden",
    }


def test_the_last_logs_are_found_though_very_many_were_read_since(searched):
    later(searched, "2026-11-20.md", log("the garden gate is broken", "nothing of that"))
    later(searched, "2026-11-21.md", log("the garden gate is mended"))
    later(searched, "archive/2020-01-01.md", many("garden"))
    later(searched, "topics/garden.md", many("garden", "of old"))
    found = searched.find("garden", limit=MOST)
    assert {"the garden gate is broken", "the garden gate is mended"} <= {hit.text for hit in found.hits[:20]}
    newest = searched.find("garden sort:newest", limit=MOST)
    assert [hit.day for hit in newest.hits[:2]] == ["2026-11-21", "2026-11-20"]
