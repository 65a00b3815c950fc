"""What is found in a turn beside the items: files and tests, in time that grows with the text alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from time import process_time

import pytest
from hypothesis import given, strategies as st

from memory.dialects.golemcore import DIALECT, extraction

AT = datetime(2026, 2, 22, 12, tzinfo=UTC)
BOTS_OWN = re.compile(r"\b[A-Za-z0-9_$.]+Test(?:#[A-Za-z0-9_$]+)?\b", re.ASCII)
SIGNS = st.text(st.sampled_from("aT$.#_ é9"), max_size=12)


@given(st.lists(SIGNS | st.just("Test"), max_size=8).map("".join))
def test_tests_are_those_that_the_bots_pattern_finds(text):
    assert extraction.references(text) == tuple(dict.fromkeys(BOTS_OWN.findall(text)))


@pytest.mark.parametrize("part", ["a.", "a$", "a.md", "Test", "Test#", "./", "must ", "-"])
def test_a_long_turn_is_read_in_time(part):
    begun = process_time()
    extraction.extracted(extraction.event("x", part * 50_000, AT), DIALECT.settings({}))
    assert process_time() - begun < 5


def test_a_message_of_space_alone_has_no_title_of_its_own():
    (told,) = extraction.extracted(extraction.event("\u3000", "Yes.", AT), DIALECT.settings({}))
    assert told.title == extraction.UPDATE
