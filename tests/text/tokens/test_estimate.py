from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from memory.text.tokens.estimate import estimate

COUNTED = [  # texts with the number of tokens that cl100k_base makes of them
    ("## 09:41 — Peter prefers short answers and drinks green tea.\n\n## 14:05 — The hook failed twice.\n", 26),
    ("# Memory\n\n- Lives in Lisbon with two cats, Mia and Oscar\n- Works as a nurse, night shifts on Tuesdays\n", 27),
    ("Prefiere que le escriban por la mañana. Su hermana vive en Córdoba y viene a visitarla en Navidad.\n", 29),
    ("她喜欢在早上喝绿茶，周末常和朋友去爬山。她的生日是三月十七日。\n", 43),
    ("彼は毎朝コーヒーを飲みます。週末は友達と山に登るのが好きです。\n", 36),
    ("Она живёт в Казани и работает медсестрой в детской больнице.\n", 29),
    ("그는 매일 아침 커피를 마시고 자전거로 출근합니다.\n", 26),
    (
        "def total(prices: list[float], rate: float = 0.19) -> float:\n    return round(sum(prices) * (1 + rate), 2)\n",
        35,
    ),
    ('{"role": "user", "content": "remind me at 18:30", "timestamp": 1758301200000, "id": "a1"}\n', 36),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_estimate_is_close_to_what_a_tokenizer_counts(text, tokens):
    assert estimate(text * 10) == pytest.approx(tokens * 10, rel=0.2)


def test_estimate_is_closer_than_four_letters_a_token():
    ours = sum(abs(estimate(text) - tokens) for text, tokens in COUNTED)
    assert ours < sum(abs(len(text) / 4 - tokens) for text, tokens in COUNTED) / 3


def test_estimate_of_nothing_is_nothing():
    assert estimate("") == 0


@pytest.mark.parametrize("text", [" ", "\n", "a", "\r", "\ud800", "🙂"])
def test_estimate_of_anything_is_something(text):
    assert estimate(text) >= 1


@given(st.text(), st.text())
def test_estimate_of_two_texts_is_about_the_sum(one, two):
    assert abs(estimate(one + two) - estimate(one) - estimate(two)) <= 4


@given(st.text())
def test_estimate_takes_every_line_end_for_the_same(text):
    assert estimate(text.replace("\n", "\r\n") + "x") == estimate(text + "x")


@pytest.mark.parametrize("text", [COUNTED[0][0], COUNTED[3][0], COUNTED[7][0]])
def test_estimate_of_a_megabyte_is_quick(text):
    text = (text * (1_000_000 // len(text) + 1))[:1_000_000]

    def seconds():
        started = time.process_time()
        assert estimate(text) > 100_000
        return time.process_time() - started

    assert min(seconds() for _ in range(3)) < 0.1
