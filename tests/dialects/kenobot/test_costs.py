"""What every line of a prompt costs, line for line: golden tables, by each counter. Each sums to what the whole text costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory.text.tokens.counters import Estimate, Exact
from memory.text.tokens.estimate import GPT_4, LLAMA_2
from tests.dialects.kenobot.test_prompt import answered

GOLDEN = Path(__file__).parent / "golden"
COUNTERS = (Estimate(GPT_4), Estimate(LLAMA_2), Exact(GPT_4))
CASES = {
    "seed-full": {},
    "seed-no-chat": {"chat": None},
    "seed-empty": {"documents": {}},
    "0.7-no-message": {"version": "0.7"},
    "0.7-message": {"version": "0.7", "query": "When do we deploy, and does Ana speak spanish?"},
    "0.7-nothing-found": {"version": "0.7", "query": "hi"},
    "0.7-languages": {
        "version": "0.7",
        "documents": {
            "MEMORY.md": "# Memory\r\n\r\n- Wohnt in Köln, trinkt gern grünen Tee\r\n- 她喜欢在早上喝绿茶\n- 👩‍👩‍👧 lives here\n",
            "2026-03-20.md": b"## 10:30 \xe2\x80\x94 caf\xe9 \xff\n\n",
        },
    },
}


def told(arguments):
    """A line for each run: what it costs by each counter, whether it is a fact, where it stands, what it says."""
    runs = [run for section in answered(**arguments).sections for run in section.lines]
    costs = zip(*(counter.spread([run.text for run in runs]) for counter in COUNTERS), strict=True)
    return [
        "\t".join(
            [
                *map(str, tokens),
                "fact" if run.fact else "",
                f"{run.path}:{run.line}" if run.path else "",
                json.dumps(run.text, ensure_ascii=False),
            ]
        )
        for run, tokens in zip(runs, costs, strict=True)
    ]


@pytest.mark.parametrize("name", CASES)
def test_every_line_costs_what_it_did(name):
    golden = (GOLDEN / f"{name}.costs.tsv").read_bytes().decode().splitlines()
    assert told(CASES[name]) == golden[1:]


@pytest.mark.parametrize("name", CASES)
def test_lines_of_the_table_sum_to_the_whole(name):
    head, *lines = (GOLDEN / f"{name}.costs.tsv").read_bytes().decode().splitlines()
    text = answered(**CASES[name]).text
    assert head.split("\t")[:3] == [counter.name for counter in COUNTERS]
    for column, counter in enumerate(COUNTERS):
        assert sum(int(line.split("\t")[column]) for line in lines) == counter.count(text)
    assert "".join(json.loads(line.split("\t")[5]) for line in lines) == text
