"""Where each message of a chat is: in the prompt, in neither prompt nor memory, set aside and waiting, summed up."""

from __future__ import annotations

from itertools import pairwise

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, strategies as st

from memory import index, journal
from memory.dialects.autobot import layout, sessions
from memory.dialects.autobot.consolidation import blocks, job
from memory.dialects.autobot.consolidation.whereabouts import NEITHER, SENT, stretches
from memory.dialects.autobot.sessions import SessionMessage
from memory.dialects.autobot.settings import Settings
from memory.dialects.autobot.window import archived, dropped
from memory.jobs import review
from memory.models import ChangeSet
from tests.dialects.autobot.test_consolidation import ADDED, BY, CHAT, PATH, done, says, set_aside
from tests.dialects.autobot.test_formats import NOW

HEAD = sessions.metadata(NOW)


def numbered(first, last):
    """A transcript of messages that say their numbers."""
    return HEAD + b"".join(sessions.said(SessionMessage("user", str(number), "x")) for number in range(first, last + 1))


def placed(data, settings):
    """(words, first, last) of each stretch, by what the lines at its bytes say."""
    return [
        (one.words, *(sessions.parse(data[one.start : one.end]).messages[end].message.content for end in (0, -1)))
        for one in stretches(sessions.parse(data), settings)
    ]


def page(owner, chat=CHAT, **query):
    shown = owner.client.get(f"/{owner.bot.slug}/chats/{chat}/transcript", query)
    return BeautifulSoup(shown.content.decode(), "lxml")


def counts(soup):
    return [chip.get_text(strip=True) for chip in soup.select(".placed .chip")]


def chips(soup, where=".talk:not(details *)"):
    """The places that a page says of messages, as runs: (words, how many)."""
    found = []
    for chip in soup.select(f"{where} > li > p:first-child .chip"):
        words = chip.get_text(strip=True)
        if found and found[-1][0] == words:
            found[-1][1] += 1
        else:
            found.append([words, 1])
    return found


# The three examples of the bot's description, against what its code does


def lived(window, until, step):
    """(turn, messages stored at its start, first and last archived, first and last kept) as a chat grows by `step`."""
    first, last, found = 1, 0, []
    while last < until:
        stored = last - first + 1
        if gone := archived(stored, window) or dropped(stored, window):
            found.append((last // 2 + 1, stored, (first, first + gone - 1), (first + gone, last)))
            first += gone
        last += step
    return found


@pytest.mark.parametrize(
    ("window", "step", "wanted"),
    [
        # "at 51: keep 41-51, archive 1-40; next at 102", says its description
        (50, 1, [(51, (1, 41), (42, 51)), (51, (42, 82), (83, 92))]),
        # "at 11 keep 2-11, at 12 keep 3-12"
        (0, 1, [(11, (1, 1), (2, 11)), (11, (2, 2), (3, 12))]),
        # "at 21, 41 and 61, keep 11 each"
        (20, 1, [(21, (1, 11), (12, 21)), (21, (12, 22), (23, 32)), (21, (23, 33), (34, 43))]),
    ],
)
def test_three_examples_counted_message_by_message(window, step, wanted):
    assert [(stored, gone, stay) for _turn, stored, gone, stay in lived(window, 95, step)][: len(wanted)] == wanted


@pytest.mark.parametrize(
    ("window", "first", "second", "every"),
    [
        (50, (27, 52, (1, 42), (43, 52)), (48, 52, (43, 84), (85, 94)), 21),
        (0, (7, 12, (1, 2), (3, 12)), (8, 12, (3, 4), (5, 14)), 1),
        (20, (12, 22, (1, 12), (13, 22)), (18, 22, (13, 24), (25, 34)), 6),
    ],
)
def test_three_examples_as_the_bot_runs_in_turns_of_two(window, first, second, every):
    found = lived(window, 300, 2)
    assert found[:2] == [first, second]
    turns = [turn for turn, *_ in found]
    assert {later - turn for turn, later in pairwise(turns)} == {every}


@pytest.mark.parametrize(
    ("window", "stored", "sent", "wanted"),
    [
        (50, (1, 51), 25, [(NEITHER, "1", "26"), (SENT, "27", "51")]),
        (50, (42, 51), 25, [(SENT, "42", "51")]),
        (50, (1, 51), 50, [(NEITHER, "1", "1"), (SENT, "2", "51")]),
        (0, (2, 11), 25, [(SENT, "2", "11")]),
        (20, (1, 21), 25, [(SENT, "1", "21")]),
        (20, (1, 21), 0, [(NEITHER, "1", "21")]),
    ],
)
def test_each_message_of_the_examples_is_where_the_bot_has_it(window, stored, sent, wanted):
    assert placed(numbered(*stored), Settings(memory_window=window, session_history_limit=sent)) == wanted


@given(
    lines=st.lists(
        st.sampled_from([sessions.said(SessionMessage("user", "é", "x")), b"\n", HEAD, b"{cut\n", b" \r\n"]),
        max_size=12,
    ),
    sent=st.integers(0, 6),
)
def test_every_message_is_in_one_stretch_and_no_other_line_is(lines, sent):
    session = sessions.parse(b"".join(lines))
    found = list(stretches(session, Settings(session_history_limit=sent)))
    assert sum(one.count for one in found) == len(session.messages)
    assert sum(one.count for one in found if one.words == SENT) == (
        0 if session.damaged else min(sent, len(session.messages))
    )
    inside = b"".join(session.data[one.start : one.end] for one in found)
    assert [line.message for line in sessions.parse(inside).lines] == [line.message for line in session.messages]


# The page


def test_page_says_of_each_message_where_it_is(owner):
    soup = page(owner)
    assert counts(soup) == ["33 in neither prompt nor memory", "25 in the prompt"]
    assert chips(soup) == [["in neither prompt nor memory", 33], ["in the prompt", 25]]
    assert "The next consolidation is in 8 turns." in soup.get_text()
    owner.bot.settings = {"session_history_limit": 50, "memory_window": 50}
    owner.bot.save()
    soup = page(owner)
    assert chips(soup) == [["in neither prompt nor memory", 8], ["in the prompt", 50]]
    assert "the bot archives the oldest 48 messages" in soup.get_text()


def test_messages_that_wait_and_that_are_summed_up_are_shown_with_the_others(owner, model):
    memory = owner.read(layout.MEMORY).decode()
    moved = set_aside(owner)
    soup = page(owner)
    assert counts(soup) == ["48 waiting", "10 in the prompt"]
    assert len(soup.select("details.left li")) == 48
    model.plays(says(memory + ADDED))
    planned = done(job.start(owner.bot, moved.path, BY))
    change = review.accept(planned, None, BY).change_set
    soup = page(owner)
    assert counts(soup) == ["48 archived in HISTORY.md", "10 in the prompt"]
    assert soup.select_one("details.left a")["href"].endswith(f"/changes/{change.pk}")
    assert "8 🙋 today" in soup.select_one("details.left").get_text()
    undone = journal.undo(owner.bot, change, by=BY)
    index.refresh(owner.bot)
    assert counts(page(owner)) == ["48 waiting", "10 in the prompt"]
    journal.undo(owner.bot, undone.change_set, by=BY)
    index.refresh(owner.bot)
    assert counts(page(owner)) == ["48 archived in HISTORY.md", "10 in the prompt"]


def test_what_was_summed_up_undone_and_put_back_is_in_the_transcript_again(owner, model):
    memory, before = owner.read(layout.MEMORY).decode(), counts(page(owner))
    moved = set_aside(owner)
    model.plays(says(memory + ADDED))
    review.accept(done(job.start(owner.bot, moved.path, BY)), None, BY)
    journal.undo(owner.bot, ChangeSet.objects.filter(bot=owner.bot).latest("id"), by=BY)
    index.refresh(owner.bot)
    assert isinstance(blocks.put_back(owner.bot, moved.path, BY), blocks.Moved)
    assert counts(page(owner)) == before


def test_damaged_transcript_is_in_no_prompt(owner):
    file = owner.root / PATH
    file.write_bytes(file.read_bytes() + b"{cut\n")
    soup = page(owner)
    assert counts(soup) == ["58 in neither prompt nor memory"]
    assert "Line 60 is damaged" in soup.get_text()


def test_bot_that_sums_nothing_up_says_what_it_drops(owner):
    owner.bot.settings = {"memory_window": 0}
    owner.bot.save()
    assert "drops all but the newest 10" in page(owner).get_text()


def test_each_page_of_a_long_transcript_says_the_same_and_costs_the_same(owner):
    page(owner)
    with CaptureQueriesContext(connection) as few:
        page(owner)
    (owner.root / PATH).write_bytes(numbered(1, 500))
    with CaptureQueriesContext(connection) as many:
        first = page(owner)
    assert counts(first) == ["475 in neither prompt nor memory", "25 in the prompt"]
    assert chips(first) == [["in neither prompt nor memory", 75], ["in the prompt", 25]]
    earlier = first.select_one("a[rel=prev]")["href"].partition("=")[2]
    assert chips(page(owner, before=earlier)) == [["in neither prompt nor memory", 100]]
    assert len(many) == len(few)
