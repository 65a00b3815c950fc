from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from memory.text.difference import pack, unpack


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_what_was_packed_comes_back(data, over):
    assert unpack(pack(data, over), over) == data
    assert unpack(pack(over + data, over), over) == over + data


@pytest.mark.parametrize("size", [100_000, 3_000_000])
def test_a_difference_is_as_large_as_what_differs_however_far_back_it_is(size):
    over = random.Random(1).randbytes(size)
    for data in (over + b"- one line more\n", over[: size // 2] + b"between" + over[size // 2 :], over[100:]):
        assert len(pack(data, over)) < 200 + size / 500


def test_what_pack_did_not_make_is_refused():
    with pytest.raises(ValueError):
        unpack(b"no zstd")
