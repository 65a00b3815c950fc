from __future__ import annotations

import json
import time

import pytest

from memory.text.purging import MASK, longest_word, mask_lines, masked, pattern

SECRETS = ("sk-abc123", 'pass "word" \\ ñandú 😀 x', "密码是秘密的", "two words")


@pytest.mark.parametrize("secret", SECRETS)
def test_it_is_found_however_it_is_kept_and_masked_at_its_length(secret):
    once = json.dumps(secret)
    for kept in (secret, once, json.dumps(once), json.dumps(json.dumps(once)), secret.replace(" ", " \n\t")):
        for data in (kept.encode(), json.dumps([kept], ensure_ascii=False).encode()):
            found = masked(b"before " + data + b" after", pattern(secret))
            assert len(found) == len(data) + 13
            assert MASK[:4] in found
            assert pattern(secret).search(found) is None
            assert longest_word(secret) in data


def test_nothing_else_is_found():
    data = b"sk-abc12 3 SK-ABC123 sk-abc124 two-words twowords"
    for secret in SECRETS:
        assert masked(data, pattern(secret)) == data


@pytest.mark.parametrize("secret", ["", "   ", "abc", "a b c"])
def test_what_stands_everywhere_is_refused(secret):
    with pytest.raises(ValueError):
        pattern(secret)


def test_lines_with_a_mask_are_named():
    data = masked(b"- one\n- the key is sk-abc123, keep it\n- two\n", pattern("sk-abc123"))
    assert mask_lines(data) == {b"- the key is [purged][, keep it"}
    assert mask_lines(b"- one\n") == set()


@pytest.mark.parametrize("pump", [b"\\", b" ", b"\\n", b"s", b"\\u00f1"])
def test_a_long_run_of_anything_is_looked_through_in_time(pump):
    begun = time.process_time()
    for secret in SECRETS:
        masked(pump * 500_000, pattern(secret))
    assert time.process_time() - begun < 8
