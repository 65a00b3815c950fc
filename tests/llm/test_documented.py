"""The table of faults in docs/model.md, each of its rows played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory import spending
from memory.answering import FAULTS
from memory.llm import PASSING, Fault, ModelFailed
from memory.text.talk import Message
from tests.llm import server
from tests.llm.server import broken, busy, refused, trickling
from tests.views.conftest import make_bot

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| ([a-z ]+?)( \*)? \| ([^|]+) \| (The [^|]+|No [^|]+|What [^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs/model.md").read_text(encoding="utf-8"))

PLAYS = {
    "no model is set up": server.good(),
    "nobody listens, or the connection is torn": server.reset(),
    "the answer takes longer than LLM_TIMEOUT, or comes byte by byte": trickling(),
    "429 four times": busy(),
    "5xx four times": broken(),
    "the key is wrong": server.denied(),
    "there is no such model": broken(404),
    "the account is empty": refused(429, code="insufficient_quota"),
    "the question is too long": refused(400, "This model's maximum context length is 4096 tokens."),
    "the address redirects": server.moved("http://127.0.0.1:1/v1/chat/completions"),
    "any other status": refused(422),
    "the model would rather not, or a filter took its answer": server.refusal(),
    "the answer is blank, or only thoughts": server.good("<think>Hm.</think>"),
    "the answer was longer than it may be": server.cut_off("Some words."),
    "JSON ends before its end": server.halfway('{"facts": ["one", "two"]}'),
    "prose where JSON was asked for": server.not_json_text(),
    "a page of HTML, an empty object, numbers for texts": server.html(),
    "JSON of another shape than was asked for": server.answers({}),
    "the bound of the day is reached": server.good("Yes.", usage={"prompt_tokens": 1000, "completion_tokens": 1}),
}


def of_another_shape(found):
    raise ValueError("no facts")


@pytest.fixture
def bot(db, tmp_path):
    return make_bot(tmp_path)[0]


def arranged(when, bot, model, settings):
    """The site as the row has it."""
    settings.LLM_TIMEOUT = 2
    model.plays(PLAYS[when])
    if when == "no model is set up":
        settings.LLM_BASE_URL = settings.LLM_MODEL = ""
    if when == "the bound of the day is reached":
        spending.ask(bot, "answer", [Message("user", "Hello")])
        bot.settings = {"daily_tokens": 1000}
        bot.save()


def test_the_table_has_every_fault():
    assert {fault for fault, *_ in ROWS} == set(Fault) - {Fault.UNFINISHED}
    assert {when for _fault, _passes, when, *_ in ROWS} == set(PLAYS)


@pytest.mark.parametrize(("fault", "passes", "when", "sentence", "delivery"), ROWS, ids=[row[2] for row in ROWS])
def test_each_fault_is_as_the_table_says(bot, model, settings, fault, passes, when, sentence, delivery):
    arranged(when, bot, model, settings)
    with pytest.raises(ModelFailed) as caught:
        spending.ask_json(bot, "summary", [Message("user", "?")], schema={"type": "object"}, check=of_another_shape)
    assert (caught.value.fault, str(caught.value)) == (fault, sentence)
    assert bool(passes) == caught.value.passes == (fault in PASSING)
    if "JSON" not in delivery:
        status, error = FAULTS[Fault(fault)]
        assert delivery == f"{status} `{error}`"
