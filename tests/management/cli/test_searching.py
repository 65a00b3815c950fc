from __future__ import annotations

import pytest
from django.core.management import CommandError

from memory.models import Use
from memory.text.markdown.normal import key

pytestmark = pytest.mark.database(cases=1)


def test_facts_are_found_best_first(terminal):
    data = terminal.json("search", "red bicycle")
    hit = data["hits"][0]
    assert (hit["path"], hit["line"], hit["text"]) == ("2026-01-02.md", 1, "Owns a red bicycle")
    assert (hit["time"], hit["tier"], hit["scope"], hit["day"]) == ("09:00", "global", "", "2026-01-02")
    assert hit["why"]["words"] == ["red", "bicycle"]
    assert hit["why"]["said"] == "says red, bicycle"
    scores = [hit["score"] for hit in data["hits"]]
    assert scores == sorted(scores, reverse=True)
    assert data["found"] == len(data["hits"])
    assert data["more"] is False


def test_what_is_found_was_used(terminal):
    hits = terminal.json("search", "red bicycle", "--limit", 1)["hits"]
    assert [hit["text"] for hit in hits] == ["Owns a red bicycle"]
    assert list(Use.objects.values_list("key", flat=True)) == [key("Owns a red bicycle")]


def test_what_was_written_a_moment_ago_is_found(terminal):
    terminal("facts")
    (terminal.root / "MEMORY.md").write_text("# Memory\n\n- Keeps bees\n")
    assert [hit["text"] for hit in terminal.json("search", "bees")["hits"]] == ["Keeps bees"]


def test_words_may_stand_alone_or_in_quotes(terminal):
    assert terminal.json("search", "red", "bicycle") == terminal.json("search", "red bicycle")


def test_limit_only_cuts(terminal):
    whole = terminal.json("search", "tea coffee chess trip")["hits"]
    assert len(whole) > 2
    assert terminal.json("search", "tea coffee chess trip", "--limit", 2)["hits"] == whole[:2]


@pytest.mark.parametrize("limit", [0, -1, 201, "x"])
def test_limit_that_is_none_is_a_usage_error(terminal, limit):
    with pytest.raises(CommandError, match="isn’t a number from 1 to 200"):
        terminal("search", "tea", f"--limit={limit}")


def test_tier_is_kept_to(terminal):
    assert {hit["tier"] for hit in terminal.json("search", "trip tea planning", "--tier", "chat")["hits"]} == {"chat"}
    with pytest.raises(CommandError, match="invalid choice"):
        terminal("search", "tea", "--tier", "other")


def test_chat_sees_its_own_and_everybodys(terminal):
    (terminal.root / "chats/telegram-6").mkdir()
    (terminal.root / "chats/telegram-6/MEMORY.md").write_text("- Another trip\n")
    scopes = {hit["scope"] for hit in terminal.json("search", "trip tea", "--chat", "telegram-5")["hits"]}
    assert scopes == {"", "telegram-5"}


def test_chat_that_cannot_be_is_refused(terminal):
    terminal.refused("search", "trip", "--chat", "a/b")


def test_nothing_found_is_no_error_and_says_which_word(terminal):
    data = terminal.json("search", "zzzq")
    assert (data["hits"], data["found"], data["nowhere"]) == ([], 0, ["zzzq"])
    done = terminal("search", "zzzq")
    assert (done.code, done.out) == (0, "No fact contains zzzq.\nNo results.\n")
    assert terminal("search", "tier:chat").out == "The query is empty.\n"


def test_people_read_place_score_text_and_why(terminal):
    line = terminal("search", "chess").out.splitlines()[0]
    assert line.startswith("2026-01-03.md:5")
    assert "Plays chess" in line
    assert line.endswith("says chess")
    assert "more facts; --limit shows them." in terminal("search", "tea coffee chess", "--limit", 1).out


def test_filter_that_cannot_be_is_said(terminal):
    assert terminal.json("search", "tea tier:x")["notes"] == ["tier: use one of these: global, chat, working."]


def test_root_that_is_gone_is_refused(terminal):
    terminal.root.rename(terminal.root.with_name("elsewhere"))
    terminal.refused("search", "tea")
