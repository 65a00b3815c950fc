"""What is set for any bot beside its dialect's settings."""

from __future__ import annotations

import math

import pytest

from memory.bots.costs import Costs, costs_of
from memory.bots.opened import of_the_dialect
from memory.models import Bot


def test_costs_are_read_from_what_is_saved():
    assert costs_of(Bot()) == Costs()
    saved = {"memory_days": 3, "tokens_of": "llama-2", "token_price": "2.5", "token_budget": 4000}
    assert costs_of(Bot(settings=saved)) == Costs("llama-2", 2.5, 4000)
    assert of_the_dialect(saved) == {"memory_days": 3}


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("tokens_of", "claude", "tokens_of must be gpt-4 or llama-2, not 'claude'."),
        ("token_price", -1, "token_price must be a number from 0 to 10000, not -1."),
        ("token_price", math.nan, "token_price must be a number from 0 to 10000, not nan."),
        ("token_price", "dear", "token_price must be a number from 0 to 10000, not 'dear'."),
        ("token_price", True, "token_price must be a number from 0 to 10000, not True."),
        ("token_budget", 1.5, "token_budget must be a whole number from 0 to 10000000, not 1.5."),
    ],
)
def test_what_cannot_be_a_cost_is_refused(name, value, why):
    with pytest.raises(ValueError) as refused:
        costs_of(Bot(settings={name: value}))
    assert str(refused.value) == why


def test_money_is_by_the_million():
    assert Costs(token_price=3).dollars(250_000) == 0.75
    assert Costs().dollars(250_000) == 0
