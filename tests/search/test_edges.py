"""What every engine has to bear: many bots, much text, odd names, any script, and an index that has lived."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index, journal
from memory.domain.changes import Put, digest
from memory.models import ChatName, Fact
from memory.text.words.terms import query_words
from tests.journal.conftest import ANA, make_desk
from tests.search.conftest import Searched
from tests.search.test_contract import log, memory
from tests.support.amounts import times

pytestmark = pytest.mark.database

WITHIN_A_TEST = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
MOST = 200


def test_bots_never_see_what_is_anothers(searched, tmp_path):
    other = Searched(make_desk(tmp_path, "other"))
    for number, one in enumerate((searched, other)):
        one.put("MEMORY.md", memory(*(f"tea of bot {number}, cup {cup}" for cup in range(400 if number else 3))))
        one.put("2026-11-01.md", log("Where is the kettle", f"In kitchen {number}"))
        one.walk()
    assert sorted(searched.texts("tea", limit=MOST)) == [f"tea of bot 0, cup {cup}" for cup in range(3)]
    assert {text[:11] for text in other.texts("tea", limit=MOST)} == {"tea of bot "}
    assert all("bot 1" in text for text in other.texts("tea", limit=MOST))
    assert searched.texts("kettle") == ["Where is the kettle", "In kitchen 0"]
    assert [hit.text for hit in searched.find("ettl").hits] == ["Where is the kettle", "In kitchen 0"]


def test_fact_of_a_megabyte_is_found(searched):
    searched.put("MEMORY.md", memory("beginning " + "padding " * 131_000 + "ending", "something else"))
    searched.walk()
    (hit,) = searched.find("beginning").hits
    assert len(hit.text) > 1_000_000
    assert hit.marks[0] == (0, len("beginning"))
    assert searched.texts("ending -else") == [hit.text]


def test_ten_thousand_equal_facts_are_in_order(searched):
    searched.put("MEMORY.md", memory(*["the same thing"] * 10_000))
    searched.walk()
    found = searched.find("same thing", limit=MOST)
    assert (len(found.hits), found.more) == (MOST, True)
    assert len({(hit.key, hit.nth) for hit in found.hits}) == MOST
    assert [hit.line for hit in found.hits] == sorted(hit.line for hit in found.hits)
    assert [hit.id for hit in searched.find("same thing", limit=5).hits] == [hit.id for hit in found.hits[:5]]


@pytest.mark.parametrize(
    "scope", ["a b", "100%", "x_y", "it's", "čau-🎉", "a!b", "-minus", "semi;colon", "back\\slash", "<b>"]
)
def test_chat_with_an_odd_id_is_named(searched, scope):
    searched.put(f"chats/{scope}/2026-11-01.md", log("tea in an odd chat"))
    searched.put("chats/xzy/2026-11-01.md", log("tea in another chat"))
    searched.walk()
    assert searched.texts(f'tea chat:"{scope}"') == ["tea in an odd chat"]
    assert searched.texts(f'tea -chat:"{scope}"') == ["tea in another chat"]
    assert searched.texts("tea", chat=scope) == ["tea in an odd chat"]


def test_chat_goes_by_its_name_and_by_a_part_of_it(searched):
    for chat in ("telegram-1", "telegram-2", "discord-1"):
        searched.put(f"chats/{chat}/2026-11-01.md", log(f"tea in {chat}"))
    searched.walk()
    ChatName.objects.create(bot=searched.bot, scope="telegram-1", name="Family 100%")
    assert searched.texts("tea chat:family") == ["tea in telegram-1"]
    assert searched.texts('tea chat:"Family 100%"') == ["tea in telegram-1"]
    assert set(searched.texts("tea chat:telegram")) == {"tea in telegram-1", "tea in telegram-2"}
    assert searched.texts("tea -chat:telegram") == ["tea in discord-1"]
    assert searched.texts("tea chat:nobody") == []
    assert "No chat is named nobody." in searched.find("tea chat:nobody").notes


def test_filter_that_is_said_twice_means_either(searched):
    for day, chat in (("2026-11-01", "a-1"), ("2026-11-02", "b-1"), ("2026-11-03", "c-1")):
        searched.put(f"chats/{chat}/{day}.md", log(f"tea in {chat}"))
    searched.walk()
    assert set(searched.texts("tea chat:a-1 chat:b-1")) == {"tea in a-1", "tea in b-1"}
    assert searched.texts("tea -chat:a-1 -chat:b-1") == ["tea in c-1"]
    assert set(searched.texts("tea day:2026-11-01 day:2026-11-03")) == {"tea in a-1", "tea in c-1"}
    assert searched.texts("tea chat:a-1 chat:b-1 after:2026-11-01") == ["tea in b-1"]
    assert searched.texts("tea chat:a-1 -chat:a-1") == []


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_form_of_letters_does_not_matter(searched, form, typed):
    said = "Ünlü café in Kraków, 東京タワー ガ, नमस्ते, 한국어"
    searched.put("MEMORY.md", memory(unicodedata.normalize(form, said), "Something else"))
    searched.walk()
    for word in ("ünlü", "café", "kraków", "ガ", "नमस्ते", "한국어"):
        assert len(searched.texts(unicodedata.normalize(typed, word))) == 1, word


@settings(max_examples=15, deadline=None, suppress_health_check=WITHIN_A_TEST)
@given(
    said=st.lists(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60), min_size=1, max_size=6
    )
)
def test_fact_is_found_by_any_of_its_words(searched, said):
    searched.put("MEMORY.md", memory(*said))
    searched.walk()
    for fact in Fact.objects.filter(bot=searched.bot):
        for _word, typed in query_words(fact.text)[:8]:
            assert fact.pk in [hit.id for hit in searched.find(typed, limit=MOST).hits], typed


@settings(max_examples=times(15, 40), deadline=None, suppress_health_check=WITHIN_A_TEST)
@given(
    query=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                ["tea", '"', "-", ":", "chat", "day", "in", "*", "(", ")", "AND", "NOT", "NEAR", "'", "%", "_", " "]
            ),
            max_size=12,
        ).map("".join),
    ),
    typing=st.booleans(),
)
def test_any_query_has_an_answer(searched, query, typing):
    searched.put("MEMORY.md", memory("tea in long-term memory"))
    searched.walk()
    searched.find(query, typing=typing)
    searched.find(query, typing=typing, chat="telegram-1", tier="chat", limit=3, offset=2)


@pytest.mark.parametrize("seed", range(3))
def test_index_that_has_lived_finds_what_a_new_one_does(searched, seed):
    dice = random.Random(seed)
    words = ["tea", "boat", "harbour", "red", "paint", "müller", "北京烤鸭", "running", "🎉"]

    def text():
        return [" ".join(dice.choices(words, k=dice.randint(1, 5))) for _ in range(dice.randint(1, 6))]

    sets = []
    for _ in range(12):
        path = dice.choice(["MEMORY.md", "2026-11-01.md", "chats/telegram-1/2026-11-02.md"])
        data = (memory if path == "MEMORY.md" else log)(*text()).encode()
        act = dice.choice(["save", "save", "outside", "undo", "look"])
        if act == "save":
            now = searched.desk.read(path)
            put = Put(path, data, None if now is None else digest(now))
            sets.append(searched.desk.applied(put))
        elif act == "outside":
            searched.put(path, data)
        elif act == "undo" and sets:
            journal.undo(searched.bot, sets.pop(dice.randrange(len(sets))), ANA)
        searched.walk()

    def found():
        searched.bot.refresh_from_db()
        hits = {word: searched.find(word, limit=MOST).hits for word in words}
        return {
            word: sorted((hit.path, hit.line, hit.text, round(hit.score, 6)) for hit in some)
            for word, some in hits.items()
        }

    lived = found()
    assert any(lived.values())
    index.reindex(searched.bot)
    assert found() == lived
