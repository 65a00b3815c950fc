"""What every dialect keeps, whatever its family: the same cases over each of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from hypothesis import given, strategies as st

from memory.bots import families
from memory.domain.changes import Append, Put, digest, is_safe_path
from memory.domain.places import Kind
from memory.domain.turns import Turn
from tests.dialects.memories import FakeMemory, results_of
from tests.support.jotter import Jotter

NOW = datetime(2026, 3, 20, 10, 17, tzinfo=UTC)
CHATS = ("telegram_1", "telegram:1", "discord:dm:710000000000000011")
TODAY = NOW.date().isoformat()
NAMES = ("MEMORY.md", "memory", "memory/2026-03-01.md")
FAMILIES = [*(families.dialect(name).seen(NAMES) for name in families.names()), Jotter()]
WITH_LOGS = [family for family in FAMILIES if family.path(Kind.DAILY, "", TODAY)]
_PATHS = st.lists(
    st.sampled_from(
        ["memory", "MEMORY.md", "2026-03-01.md", "chats", "working", "a.md", "..", "", ".git", "x.jsonl", "@sessions"]
    ),
    min_size=1,
    max_size=4,
).map("/".join)
_TEXTS = st.text(st.sampled_from("ab -#*\n\r\t`[]:0129—é\ufeff\0"), max_size=120)
_LINES = st.sampled_from(
    [
        "- tea\n",
        "tea",
        "10:00 tea\n",
        "## 09:00 — tea\n\n",
        "# tea\r\n",
        "[09:00] tea\n",
        "- 9:30 a\n  b\n",
        "```",
        "{}\n",
        "* tea\r",
    ]
)
everyone = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
those_with_logs = pytest.mark.parametrize("family", WITH_LOGS, ids=lambda family: family.name)


@pytest.mark.parametrize("word", [word for word in settings.DIALECTS if "." not in word])
def test_a_family_is_called_as_its_package(word):
    assert families.get(word).name == word


@everyone
@given(path=_PATHS)
def test_a_document_has_a_safe_path_and_a_place_that_agrees_with_itself(family, path):
    place = family.describe(path)
    if place is not None:
        assert is_safe_path(path)
        assert place.is_read or not (place.editable or place.holds_facts or place.keeps_history)
        assert family.describe(path) == place


@everyone
def test_what_a_family_keeps_lies_where_it_says(family):
    for kind in Kind:
        for scope in ("", "telegram_1"):
            path = family.path(kind, scope, TODAY)
            if path is not None and (place := family.describe(path)):
                assert (place.kind, place.scope) == (kind, scope)
                assert place.day in ("", TODAY)


@everyone
@given(text=_TEXTS)
def test_facts_stand_in_order_within_the_text_and_are_told_apart(family, text):
    for kind in (Kind.LONG_TERM, Kind.DAILY, Kind.IDENTITY):
        path = family.path(kind, "", TODAY) or "MEMORY.md"
        if not family.describe(path):
            continue
        facts = family.facts(path, text.encode())
        assert all(0 <= fact.start < fact.end <= len(text) for fact in facts)
        assert [fact.start for fact in facts] == sorted(fact.start for fact in facts)
        assert len({(fact.key, fact.nth) for fact in facts}) == len(facts)


@those_with_logs
@pytest.mark.parametrize(
    "before", [None, b"", b"- frost\n", b"# 2026-03-20\n\n## Frost\ntext\n", b"## 08:00 \xe2\x80\x94 frost\n\n"]
)
def test_an_entry_of_today_is_added_and_read_back(family, before):
    path = family.path(Kind.DAILY, "", TODAY)
    change = family.add(path, before, ["Likes tea"], NOW)
    after = (before or b"") + change.data if isinstance(change, Append) else change.data
    was, now = family.facts(path, before or b""), family.facts(path, after)
    assert [fact.text for fact in now[: len(was)]] == [fact.text for fact in was]
    assert now[-1].text == "Likes tea"


@everyone
@given(
    number=st.integers(min_value=0),
    before=st.none() | st.lists(_LINES, max_size=4).map("".join),
    texts=st.lists(_LINES | _TEXTS, min_size=2, max_size=5),
)
def test_facts_added_at_once_are_written_as_one_after_the_other(family, number, before, texts):
    paths = sorted(taking(family))
    path = paths[number % len(paths)]
    data = None if before is None else before.encode()
    assert added(family, path, data, [texts]) == added(family, path, data, [[text] for text in texts])


def taking(family):
    """Documents that facts are added to: of each kind that the family keeps, of a chat and of a user."""
    kinds = (Kind.LONG_TERM, Kind.DAILY, Kind.HISTORY, Kind.WORKING)
    found = {family.path(kind, scope, TODAY) for kind in kinds for scope in ("", *CHATS)}
    if known := family.attributes:
        found |= {known.path(known.scope(sort, chat)) for sort in known.addable for chat in CHATS}
    places = {path: family.describe(path) for path in found if path}
    return [path for path, place in places.items() if place and place.holds_facts]


def added(family, path, data, portions):
    """What a document says after these portions of facts; None where one of them is refused."""
    for texts in portions:
        try:
            change = family.add(path, data, texts, NOW)
        except ValueError:
            return None
        data = (data or b"") + change.data if isinstance(change, Append) else change.data
    return data


@everyone
def test_a_fact_of_long_term_memory_is_reworded_and_forgotten(family):
    path = family.path(Kind.LONG_TERM) or ""
    data = b"# Memory\r\n\r\n- tea\r\n- frost\r\n"
    if not family.describe(path):
        pytest.skip("this family keeps no long-term memory of its own")
    first, second = family.facts(path, data)
    edited = family.edit(path, data, second, "hail")
    assert edited == Put(path, data.replace(b"frost", b"hail"), digest(data))
    gone = family.forget(path, data, [first])
    assert [fact.text for fact in family.facts(path, gone.data)] == ["frost"]
    assert family.refused(path, data, edited.data) == ""


@those_with_logs
@given(text=_TEXTS.filter(lambda text: "\0" not in text))
def test_compaction_accounts_for_every_fact(family, text):
    old = (NOW - timedelta(days=60)).date().isoformat()
    memory = FakeMemory({family.path(Kind.LONG_TERM): "- tea\n", family.path(Kind.DAILY, "", old): text})
    if family.compacting is None:
        assert family.no_logs
        return
    plan = family.compacting.compact(memory, TODAY, ("",), family.settings({}))
    assert plan.stopped or family.compacting.verify(plan, memory, results_of(plan.changes)) == ""
    facts = family.facts(family.path(Kind.DAILY, "", old), text.encode())
    if not plan.stopped:
        decided = {decision.key for decision in plan.decisions if decision.is_fact}
        assert {fact.key for fact in facts} <= decided


@everyone
def test_a_setting_that_there_is_not_is_refused_by_name(family):
    with pytest.raises(ValueError, match="no_such"):
        family.settings({"no_such": 1})
    assert family.settings({}) == family.settings({field.name: "" for field in family.fields})


@everyone
def test_an_empty_memory_has_a_prompt(family):
    read = family.prompt(FakeMemory({}), None, "", NOW, family.settings({}))
    assert read.text == "".join(section.text for section in read.sections)
    assert read.left_out == ()


@everyone
@pytest.mark.parametrize("session", ["", ".", "..", "a/b", "a\0b", "\ud800"])
def test_a_session_id_that_can_name_nothing_says_why(family, session):
    assert family.session_id_problem(session)


@pytest.mark.parametrize("family", [one for one in FAMILIES if one.capturing], ids=lambda family: str(family.label))
@pytest.mark.parametrize("capture", ["write", "observe"])
def test_a_turn_that_is_not_written_down_changes_nothing(family, capture):
    chooses = any(field.name == "capture" for field in family.fields)
    settings, chat = (
        family.settings({"capture": capture} if chooses else {}),
        family.session("telegram:1", "telegram", "1"),
    )
    turn = Turn(chat, "Remember that I like tea", "<memory>Likes tea</memory>", NOW)
    assert family.capturing.writes_turns(settings) == (chooses and capture == "write")
    if not family.capturing.writes_turns(settings):
        assert family.capturing.capture(turn, FakeMemory({}), settings).changes == ()
