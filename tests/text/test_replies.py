from __future__ import annotations

import json
import time
from contextlib import suppress

import pytest
from hypothesis import example, given, strategies as st

from memory.text.replies import DEEPEST, NoJson, read_json, strip_thoughts, without_unstorable

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)
PROSE = st.text(st.characters(exclude_characters="{[\0", exclude_categories=["Cs"]), max_size=60)


def clean(value):
    """What can be held, as what was written as JSON comes back."""
    return json.loads(json.dumps(value, ensure_ascii=False).replace("\\u0000", "\ufffd"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('\ufeff  {"a": 1}\n', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```json {"a": 1}```', {"a": 1}),
        ('~~~\n{"a": 1}\n~~~', {"a": 1}),
        ('{"a": "```json\\n{\\"b\\": 2}\\n```"}', {"a": '```json\n{"b": 2}\n```'}),
        ('Sure! {"a": 1} Anything else?', {"a": 1}),
        ('The set {x, y} and [1]: {"a": "}"}', {"a": "}"}),
        ('I use { "quoted" braces }. Then {"a": 1}', {"a": 1}),
        ('{"a": 1}\n{"a": 2}', {"a": 1}),
        ('{"a": 1 2} was wrong; {"a": 3}', {"a": 3}),
        ('[1, 2] {"a": 1}', {"a": 1}),
        ('{"a": [1, 2,], "b": {"c": 3, },}', {"a": [1, 2], "b": {"c": 3}}),
        ('{"a": ",]", "b": ",}"}', {"a": ",]", "b": ",}"}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": "nul \\u0000, half \\ud83d, whole \\ud83e\\udd80"}', {"a": "nul \ufffd, half \ufffd, whole 🦀"}),
        ('<think>{"a": 0}</think>{"a": 1}', {"a": 0}),
        ("{}", {}),
        ('{"a": 1e5, "b": -0.5}', {"a": 100000.0, "b": -0.5}),
    ],
)
def test_an_object_is_found_wherever_it_stands(text, found):
    assert read_json(text) == found


@pytest.mark.parametrize(
    ("text", "found"), [("[]", []), ("Here: [1, [2]].", [1, [2]]), ('{"a": 1} ["x",]', ["x"]), ("[null]", [None])]
)
def test_an_array_where_one_is_wanted(text, found):
    assert read_json(text, list) == found
    assert read_json(text, (list, dict)) in (found, {"a": 1})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No.",
        '"a text"',
        "42",
        "null",
        "[1, 2]",
        "{a: 1}",
        "{'a': 1}",
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 1}}',
        '{"a": 1,, "b": 2}',
        '{"a" 1}',
        '{"a": [1}, {"b": 2}',
        '{"a": [{"b": 1} {"c": 2}]}',
        '{"a": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_object_is_none(text):
    with pytest.raises(NoJson, match="wasn’t valid JSON") as caught:
        read_json(text)
    assert not caught.value.cut_off


@pytest.mark.parametrize(
    "text",
    ['{"a": 1', '{"a": "b', '{"a": [{"b": 1}, {"b": 2}, {"b"', 'Sure: ```json\n{"a": {"b": 1},', '{"a', '{"a\\', "{"],
)
def test_half_of_an_object_is_none_and_said_to_be_cut_off(text):
    with pytest.raises(NoJson, match="was cut off") as caught:
        read_json(text)
    assert caught.value.cut_off


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_nesting_is_an_error_and_no_crash(opening):
    with pytest.raises(NoJson, match="nested too deeply"):
        read_json(opening * 100_000, (dict, list))
    depth = DEEPEST // 2
    assert read_json('{"a":[' * depth + "]}" * depth)


@given(OBJECTS, PROSE, PROSE)
@example({"a": "```"}, "```json\n", "\n```")
def test_any_object_is_read_back_out_of_any_prose(value, before, after):
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert read_json(f"{before}{text}{after}") == clean(value)


@given(OBJECTS, st.data())
def test_no_part_of_an_object_is_taken_for_it(value, data):
    text = json.dumps({"facts": [value, value]})
    cut = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(NoJson) as caught:
        read_json(text[:cut])
    assert caught.value.cut_off


@given(st.text(st.sampled_from('{}[]",:\\ \n`atrue1-.')) | st.text())
def test_nothing_else_is_ever_raised(text):
    try:
        found = read_json(text, (dict, list))
    except NoJson:
        return
    json.dumps(found, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "piece",
    ["{", "[", '"', '{"', '{ "a ', "\\", '\\"', '{"a":', "[1,", '{"a":{}} ', '{"a" ', "{}x", "[1] ", '{"a":1,}', '[",'],
)
@pytest.mark.slow
def test_time_is_in_proportion_to_the_text(piece):
    def seconds(size):
        text = piece * (size // len(piece))
        began = time.thread_time()
        with suppress(NoJson):
            read_json(text, str)  # nothing is, so all of it is looked at
        return time.thread_time() - began

    few, many = (min(seconds(size) for _ in range(3)) for size in (25_000, 100_000))
    assert many < 10 * few + 0.05  # in proportion it is 4 times as much, in proportion to the square 16 times


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Plain.", "Plain."),
        ("<think>hm</think>\n\nYes.", "Yes."),
        ("\n<think>\nhm\n</think>Yes.\n", "Yes."),
        ("<THINKING>hm</THINKING> Yes.", "Yes."),
        ("[THINK]hm[/THINK]Yes.", "Yes."),
        ("<think></think>", ""),
        ("<think>still at it", ""),
        ("<think>a</think>\n<reasoning>b</reasoning>\nYes.", "Yes."),
        ("hm, the prompt had begun it\n</think>\nYes.", "Yes."),
        ("In HTML, <think> is no tag.", "In HTML, <think> is no tag."),
        ("Say `</think>` to end it.", "Say `</think>` to end it."),
        ("<think>a</think>Use <think>b</think>.", "Use <think>b</think>."),
    ],
)
def test_thoughts_before_an_answer_are_none_of_it(text, answer):
    assert strip_thoughts(text) == answer


@given(st.text())
def test_what_is_held_can_be_written(text):
    assert "\0" not in without_unstorable(text)
    without_unstorable(text).encode()
