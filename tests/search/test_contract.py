"""What every engine has to find, in the same order."""

from __future__ import annotations

import pytest
from django.db import connection

from memory import search
from memory.search import sqlite
from memory.search.statements import rows

pytestmark = pytest.mark.database

ODD = (
    *(
        "",
        " ",
        '"',
        "-",
        "*",
        "a*b",
        "NEAR(a b)",
        "a AND OR NOT",
        "day:",
        "tier:x",
        "(((",
        "'; DROP TABLE x; --",
        "\x00",
    ),
    *("%", "_", "\\", ":", "-:-", 'day:"', "{x}", "^a", "a:b:c", "\ud800", "in:", "chat:%", "x" * 5000, "ﷺ", "٣"),
)


def log(*texts):
    return "# Log\n\n" + "".join(
        f"## {(10 + at // 60) % 24:02}:{at % 60:02} — {text}\n\n" for at, text in enumerate(texts)
    )


def memory(*texts):
    return "# Memory\n\n" + "".join(f"- {text}\n" for text in texts)


def test_fact_is_found_by_its_words_in_any_form(searched):
    searched.put("MEMORY.md", memory("Ana is running marathons", "Marta bought two bicycles"))
    searched.walk()
    assert searched.texts("run marathon") == ["Ana is running marathons"]
    assert searched.texts("bicycle")[0] == "Marta bought two bicycles"


@pytest.mark.parametrize(
    "said",
    [
        *(
            "deliveries delivers",
            "delivers deliveries",
            "delivery delivered",
            "bakeries bakers",
            "reservations reserved",
            "decided Decision",
        ),
        *(
            "entregas entrega",
            "entregas entregó",
            "entregaron entregamos",
            "entrega entregado",
            "comió comer",
            "niñas niño",
            "lápiz lápices",
            "hacer hicieron",
        ),
        *(
            "Häuser Haus",
            "Haus Häusern",
            "Bücher Buch",
            "Lieferungen liefert",
            "liefern Lieferung",
            "wohnt wohnen",
            "Lieferung geliefert",
            "gemacht machen",
            "anrufen angerufen",
            "gefunden fand",
            "Tage Tag",
        ),
    ],
)
def test_fact_is_found_by_a_word_in_any_form(searched, said):
    query, word = said.split()
    searched.put("MEMORY.md", memory(f"Rodas {word} xyz", "Something else entirely"))
    searched.walk()
    (hit,) = searched.find(query).hits
    assert [hit.text[start:end] for start, end in hit.marks] == [word]
    assert hit.why.words == (query,)
    assert searched.find(f"{query} {word}").nowhere == ()


def test_a_noun_is_found_by_its_verb_where_nobody_says_that(searched):
    searched.put("MEMORY.md", memory("Decision: Grafana", "Something else entirely"))
    assert searched.walk().texts("decided") == ["Decision: Grafana"]
    assert searched.find('"decided on"').nowhere == ("decided",)
    searched.put("MEMORY.md", memory("Decision: Grafana", "Ana decides tomorrow"))
    assert searched.walk().texts("decided") == ["Ana decides tomorrow"]


@pytest.mark.parametrize("query", ["wer ruft mich an", "wer rief gestern an?"])
def test_german_verb_is_found_by_its_parts(searched, query):
    searched.put("MEMORY.md", memory("Ana will anrufen", "Hat angerufen", "Something else entirely"))
    assert searched.walk().texts(query)[0] in ("Ana will anrufen", "Hat angerufen")
    assert searched.texts("ruft mit") == []


def test_the_word_itself_counts_more_than_another_form_of_it(searched):
    searched.put("MEMORY.md", memory("Rodas delivers on Wednesdays", "A delivery of wheels", "Deliver us"))
    assert searched.walk().texts("delivery")[0] == "A delivery of wheels"


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("muller", "Herr Müller kommt"),
        ("MÜLLER", "Herr Müller kommt"),
        ("北京", "我们去北京吃烤鸭"),
        ("鸭", "我们去北京吃烤鸭"),
        ("東京", "明日は東京タワーへ行く"),
        ("книга", "Прочитал две книги"),
        ("🎉", "Party on Friday 🎉"),
        ("legram", "Use Telegram for family"),
        ("kubern", "Kubernetes cluster in Bonn"),
        ("세계", "안녕하세요 세계"),
        ("42", "Room 42 is ours"),
    ],
)
def test_fact_is_found_in_any_script(searched, query, text):
    searched.put("MEMORY.md", memory(text, "Something else entirely"))
    searched.walk()
    assert searched.texts(query)[0] == text


def test_fact_that_holds_more_and_rarer_words_comes_first(searched):
    searched.put("MEMORY.md", memory("red house", "red car", "red boat in the harbour", "red door"))
    searched.walk()
    assert searched.texts("red boat")[0] == "red boat in the harbour"


def test_neighbour_is_found_at_less_weight(searched):
    searched.put("2026-11-01.md", log("Where did you park", "Behind the church", "Lunch was fine", "Nothing", "More"))
    searched.walk()
    hits = searched.find("park").hits
    assert hits[0].text == "Where did you park"
    assert "Behind the church" in [hit.text for hit in hits[1:]]
    assert next(hit for hit in hits if hit.text == "Behind the church").why.beside == ("park",)


def test_phrase_and_minus(searched):
    searched.put("MEMORY.md", memory("likes green tea", "tea is green here", "green tea and coffee"))
    searched.walk()
    assert set(searched.texts('"green tea"')) == {"likes green tea", "green tea and coffee"}
    assert searched.texts('"green tea" -coffee') == ["likes green tea"]
    assert searched.texts("tea -green") == []


def test_filters(searched):
    searched.put("MEMORY.md", memory("tea in long-term memory"))
    searched.put("2026-10-30.md", log("tea in october"))
    searched.put("2026-11-02.md", log("tea in november"))
    searched.put("chats/telegram-1/2026-11-02.md", log("tea in a chat"))
    searched.walk()
    assert set(searched.texts("tea tier:global")) == {"tea in long-term memory", "tea in october", "tea in november"}
    assert searched.texts("tea chat:telegram-1") == ["tea in a chat"]
    assert set(searched.texts("tea -chat:telegram-1 kind:daily")) == {"tea in october", "tea in november"}
    assert searched.texts("tea before:2026-11") == ["tea in october"]
    assert set(searched.texts("tea after:2026-10")) == {"tea in november", "tea in a chat"}
    assert set(searched.texts("tea day:2026-11-02")) == {"tea in november", "tea in a chat"}
    assert searched.texts("tea in:MEMORY.md") == ["tea in long-term memory"]
    assert searched.texts("tea in:chats/") == ["tea in a chat"]


def test_the_newest_first(searched):
    searched.put("MEMORY.md", memory("tea, tea and tea"))
    searched.put("2026-10-30.md", log("tea in october", "green tea later that day"))
    searched.put("2026-11-02.md", log("the club met and somebody, of all things, brought tea"))
    searched.put("2026-11-03.md", log("coffee"))
    searched.walk()
    newest = ["the club met and somebody, of all things, brought tea", "green tea later that day", "tea in october"]
    assert searched.texts("tea sort:newest") == [*newest, "tea, tea and tea"]
    assert searched.texts("tea sort:newest", limit=2, offset=1) == newest[1:]
    assert searched.texts("tea sort:best") == searched.texts("tea") != searched.texts("tea sort:newest")
    assert searched.texts("tea -sort:newest") == searched.texts("tea")
    assert searched.find("tea sort:oldest").notes
    assert searched.find("sort:newest").query.is_empty


def test_chat_sees_its_own_and_what_is_nobodys(searched):
    searched.put("MEMORY.md", memory("secret word of all"))
    for chat in ("telegram-1", "telegram-2"):
        searched.put(f"chats/{chat}/2026-11-01.md", log(f"secret word of {chat}", "plain"))
    searched.walk()
    assert set(searched.texts("secret", chat="telegram-1")) >= {"secret word of all", "secret word of telegram-1"}
    assert not [text for text in searched.texts("secret word telegram", chat="telegram-1") if "telegram-2" in text]
    assert searched.texts("secret chat:telegram-2", chat="telegram-1") == []


@pytest.mark.parametrize("query", ODD)
def test_odd_query_is_no_error(searched, query):
    searched.put("MEMORY.md", memory("a plain fact"))
    searched.walk()
    searched.find(query)
    searched.find(query, typing=True, chat="telegram-1")


def test_order_is_the_same_under_any_limit(searched):
    searched.put("2026-11-01.md", log(*(f"tea number {number}" for number in range(40))))
    searched.walk()
    whole = searched.texts("tea", limit=200)
    assert len(whole) == 40
    for limit in (1, 7, 20):
        assert searched.texts("tea", limit=limit) == whole[:limit]
    assert searched.texts("tea", limit=5, offset=7) == whole[7:12]


def test_what_is_gone_or_reworded_is_not_found_any_more(searched):
    searched.put("MEMORY.md", memory("likes tea", "likes coffee"))
    searched.walk()
    searched.put("MEMORY.md", memory("likes water", "likes coffee"))
    searched.walk()
    assert searched.find("tea").hits == ()
    assert searched.find("tea").nowhere == ("tea",)
    assert searched.texts("water")[0] == "likes water"
    assert searched.texts("likes")[:2] == searched.texts("like")[:2]


def test_last_word_may_be_unfinished_while_typing(searched):
    searched.put("MEMORY.md", memory("Birthday party in March"))
    searched.walk()
    assert searched.texts("birth", typing=True) == ["Birthday party in March"]
    assert searched.texts("party in mar", typing=True) == ["Birthday party in March"]


def test_heading_and_speaker_are_fields(searched):
    searched.put(
        "MEMORY.md",
        "# Memory\n\n## Boat\n\n- Needs paint\n\n## House\n\n- Needs a roof\n\n## People\n\n- Ana: I moved\n",
    )
    searched.walk()
    hits = searched.find("boat paint").hits
    assert (hits[0].text, hits[0].heading, hits[0].why.about) == ("Needs paint", "Memory › Boat", ("boat",))
    assert searched.find("Ana moved").hits[0].why.speaks


def test_marks_tell_what_was_meant(searched):
    searched.put("MEMORY.md", memory("Die Gärten von Herrn Müller 北京烤鸭"))
    searched.walk()
    (hit,) = searched.find("garten müller 北京").hits
    assert [hit.text[start:end] for start, end in hit.marks] == ["Gärten", "Müller", "北京"]


def test_index_that_was_written_in_many_pieces_finds_the_same_when_they_are_merged(searched, monkeypatch):
    monkeypatch.setattr(sqlite, "PIECES", 1)
    for number in range(3):
        searched.put("MEMORY.md", memory(*(f"Ana likes tea number {at}" for at in range(number + 1))))
        searched.walk()
    before = searched.texts("tea")
    search.engine().merge()
    assert searched.texts("tea") == before != []
    if connection.vendor == "sqlite":
        assert rows("SELECT COUNT(DISTINCT segid) FROM memory_fact_words_idx") == [(1,)]
    searched.put("MEMORY.md", memory("Ana likes coffee"))
    searched.walk()
    assert searched.texts("tea") == []
    assert searched.texts("coffee") == ["Ana likes coffee"]


def test_what_begins_alike_beside_a_result_is_near_it_and_no_result(searched):
    searched.put("2026-03-14.md", log("A heartbeat, all quiet", "It was heartbreak", "Rain"))
    found = searched.walk().find("heartbeat")
    assert (len(found.ids), found.near, found.found) == (1, 2, 3)
    assert search.all_spots(found.engine_query) == search.Spots(search.count_spots(found.ids))


@pytest.mark.parametrize(
    "query", ["boat", "boat tea", '"red boat"', "boat -sold", "boat tier:chat", "sailed", '"red boat" -sold']
)
def test_what_holds_the_words_is_counted_where_it_stands_as_it_is_found(searched, query):
    searched.put("MEMORY.md", memory("The red boat", "A boat that is red", "Tea", "Sold the red boat"))
    searched.put("chats/telegram-5/2026-03-14.md", log("Ana sails a boat", "Milk", "The red boat again"))
    found = searched.walk().find(query)
    assert search.all_spots(found.engine_query) == search.Spots(search.count_spots(found.ids))
    assert found.ids
