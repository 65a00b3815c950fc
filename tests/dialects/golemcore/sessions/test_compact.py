"""Sessions made smaller: what stays, what it says, and what the bot takes it for."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory.dialects.golemcore.sessions import compact, files
from memory.dialects.golemcore.sessions.flatten import arguments, flattened, text_of
from memory.dialects.golemcore.sessions.record import SUMMARY, Session, SessionMessage, ToolCall, WrittenLine
from tests.dialects.golemcore.sessions.conftest import file

ROLES = st.sampled_from(["user", "assistant", "tool", "system", ""])
TOLD = st.builds(
    SessionMessage,
    ROLES,
    st.text(max_size=9) | st.text(max_size=9).map(SUMMARY.__add__),
    calls=st.lists(st.builds(ToolCall, st.sampled_from(["", "a", "b"]), st.just("t")), max_size=2).map(tuple),
    call_id=st.sampled_from(["", "a", "b", "c"]),
)


def _session(*messages: SessionMessage) -> Session:
    return Session("x:1", "x", "1", messages)


def _texts(*messages: SessionMessage, first: int = 0) -> list[tuple[int | None, str]]:
    return [(line.source, text_of(messages, line)) for line in flattened(messages, first)]


def test_a_call_and_its_result_become_one_text() -> None:
    calls = (ToolCall("a", "shell", {"command": "ls", "timeout": 30}), ToolCall("b", "memory"))
    told = _texts(
        SessionMessage("user", "go"),
        SessionMessage("assistant", "One moment.", calls=calls),
        SessionMessage("tool", "x  y", call_id="a"),
    )

    assert told == [
        (0, "go"),
        (
            1,
            'One moment.\n\n[Tool: shell | Args: {"command": "ls", "timeout": 30}]\n[Result: x  y]\n'
            "\n[Tool: memory | Args: {}]\n[Result: <no response>]",
        ),
    ]


def test_odd_calls() -> None:
    assert _texts(SessionMessage("assistant", calls=(ToolCall("a"),)), SessionMessage("tool", "", call_id="a")) == [
        (0, "\n[Tool: null | Args: {}]\n[Result: <empty>]")
    ]
    assert _texts(SessionMessage("tool", "late", call_id="z", tool="shell"), SessionMessage("tool")) == [
        (0, "[Tool: shell]\n[Result: late]"),
        (1, "[Tool: unknown]\n[Result: <empty>]"),
    ]
    two = SessionMessage("tool", "old", call_id="a"), SessionMessage("tool", "new", call_id="a")
    assert "[Result: new]" in _texts(SessionMessage("assistant", calls=(ToolCall("a", "t"),)), *two)[0][1]


def test_long_calls_are_cut_in_units() -> None:
    text = _texts(
        SessionMessage("assistant", calls=(ToolCall("a", "t", {"k": "🎈" * 300}),)),
        SessionMessage("tool", "r" * 2001, call_id="a"),
    )[0][1]

    assert f'Args: {{"k": "{"🎈" * 96}...]' in text
    assert f"[Result: {'r' * 2000}...]" in text


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"k": [1, "x", None, True]}, "{k=[1, x, null, true]}"),
        (0.9, "0.9"),
        (1e7, "1.0E7"),
        (-123456789.5, "-1.234567895E8"),
        (0.00012, "1.2E-4"),
        (0.001, "0.001"),
        (9999999.0, "9999999.0"),
        (0.0, "0.0"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (None, "null"),
        ('a"b', '"a"b"'),
    ],
)
def test_values_as_java_prints_them(value: object, said: str) -> None:
    assert arguments(ToolCall(arguments={"v": value})) == f'{{"v": {said}}}'


@given(st.lists(TOLD, max_size=8), st.integers(0, 8))
def test_flattening_again_changes_nothing(messages: list[SessionMessage], first: int) -> None:
    lines = flattened(messages, first)
    made = [
        SessionMessage(
            "assistant" if line.text is not None else messages[line.source or 0].role, text_of(messages, line)
        )
        for line in lines
    ]

    assert all(line.text is None for line in flattened(made))
    untouched = [line.source for line in lines if line.text is None]
    assert untouched == [n for n, one in enumerate(messages) if n >= first and not _is_changed(one)]


def _is_changed(one: SessionMessage) -> bool:
    return one.role == "tool" or (one.role == "assistant" and bool(one.calls))


def test_a_compaction_without_a_model_keeps_the_newest() -> None:
    session = files.read(*file("telegram_5550199", ".pb"))

    cut = compact.cut(session, 2)

    assert cut is not None
    assert (cut.first, cut.lines()) == (4, [WrittenLine(4), WrittenLine(5)])
    assert compact.cut(session, 6) is None
    assert [line.source for line in compact.cut(session, 0).lines()] == []  # type: ignore[union-attr]


def test_an_older_summary_is_carried_whole() -> None:
    older = SessionMessage("system", SUMMARY + "long " * 200)
    session = _session(older, *(SessionMessage("user", str(number)) for number in range(5)))

    cut = compact.cut(session, 2)

    assert cut is not None
    assert cut.lines() == [WrittenLine(0), WrittenLine(4), WrittenLine(5)]
    assert [one.content for one in cut.going] == ["0", "1", "2"]
    new = compact.summary(" all of it ", "", "n")
    assert cut.lines(new) == [
        WrittenLine(told=SessionMessage("system", SUMMARY + "all of it", id="n")),
        WrittenLine(4),
        WrittenLine(5),
    ]
    assert list(cut.summaries) == [older]
    assert compact.cut(session, 5) is None  # nothing but the summary is older


@given(st.lists(TOLD, max_size=8), st.integers(-1, 9))
def test_no_compaction_loses_a_summary_or_what_stays(messages: list[SessionMessage], keep: int) -> None:
    cut = compact.cut(_session(*messages), keep)
    if cut is None:
        return

    lines = cut.lines()

    summaries = [number for number, one in enumerate(messages) if one.is_summary]
    assert [line.source for line in lines if line.source in summaries and line.text is None] == summaries
    assert cut.first == len(messages) - max(0, keep)
    assert len(lines) <= len(summaries) + max(0, keep)


def test_tokens_as_the_bot_estimates_them() -> None:
    session = files.read(*file("telegram_48213377", ".pb"))

    assert compact.tokens(session) == 10304  # beyond what this bot's settings allow: 10,300
    assert compact.tokens(_session(SessionMessage("user", "🎈" * 7))) == 8004
    assert compact.tokens(_session()) == 8000


@pytest.mark.parametrize(
    ("most", "model", "wanted"), [(50_000, 128_000, 50_000), (200_000, 128_000, 102_400), (9, 11, 8)]
)
def test_the_threshold_is_the_lower_of_two(most: int, model: int, wanted: int) -> None:
    assert compact.threshold(most, model) == wanted
