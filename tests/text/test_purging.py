from __future__ import annotations

import json
import time
import unicodedata

import pytest

from memory.text import sentences
from memory.text.purging import MASK, longest_word, mask_bytes, mask_json, mask_lines, pattern

SECRETS = ("sk-abc123", 'pass "word" \\ ñandú 😀 x', "密码是秘密的", "two words")


@pytest.mark.parametrize("secret", SECRETS)
def test_it_is_found_however_it_is_kept_and_masked_at_its_length(secret):
    once = json.dumps(secret)
    for kept in (secret, once, json.dumps(once), json.dumps(json.dumps(once)), secret.replace(" ", " \n\t")):
        for data in (kept.encode(), json.dumps([kept], ensure_ascii=False).encode()):
            found = mask_bytes(b"before " + data + b" after", pattern(secret))
            assert len(found) == len(data) + 13
            assert MASK[:4] in found
            assert pattern(secret).search(found) is None
            assert longest_word(secret) in data


def test_nothing_else_is_found():
    data = b"sk-abc12 3 SK-ABC123 sk-abc124 two-words twowords"
    for secret in SECRETS:
        assert mask_bytes(data, pattern(secret)) == data


@pytest.mark.parametrize("secret", ["", "   ", "abc", "a b c"])
def test_what_stands_everywhere_is_refused(secret):
    with pytest.raises(ValueError):
        pattern(secret)


def test_lines_with_a_mask_are_named():
    data = mask_bytes(b"- one\n- the key is sk-abc123, keep it\n- two\n", pattern("sk-abc123"))
    assert mask_lines(data) == {b"- the key is [purged][, keep it"}
    assert mask_lines(b"- one\n") == set()


@pytest.mark.parametrize("pump", [b"\\", b" ", b"\\n", b"s", b"\\u00f1"])
def test_a_long_run_of_anything_is_looked_through_in_time(pump):
    begun = time.process_time()
    for secret in SECRETS:
        mask_bytes(pump * 500_000, pattern(secret))
    assert time.process_time() - begun < 8


@pytest.mark.parametrize(
    "secret", ["contraseña 4711", "Tiếng Việt", "비밀번호", "pass\u3000word", "a <b> & c/d", "C:\\new\\table x"]
)
def test_its_letters_may_be_composed_otherwise_and_its_spaces_be_any(secret):
    words = "\u2003".join(secret.split())
    for form in ("NFC", "NFD"):
        for typed in (secret, unicodedata.normalize("NFD", secret)):
            kept = unicodedata.normalize(form, words)
            for data in (kept, json.dumps(kept), json.dumps(json.dumps(kept)), _as_go(kept), kept.replace("/", "\\/")):
                assert pattern(typed).search(data.encode()), (typed, data)
                assert longest_word(typed) in data.encode()


def _as_go(text):
    """As programs write JSON that may stand in a page."""
    return json.dumps(text).translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&/"})


@pytest.mark.parametrize("secret", ["purged", "[pur", "ged]", "x" * 2001])
def test_what_its_own_mask_would_have_and_what_is_too_long_is_refused(secret):
    with pytest.raises(ValueError):
        pattern(secret)


def test_in_json_only_texts_are_masked():
    kept = {"count": 471147, "sha": "4711" + "a" * 60, "at": "2026-01-02T03:04:05.004711+00:00", "path": "a-4711.md"}
    text = sentences.dumps(sentences.say("%(count)s of %(what)s", count=4711, what="pin 4711"))
    found = mask_json({**kept, "said": ["pin 4711", {"4711": text}]}, pattern("4711"), {"path"})
    assert {name: found[name] for name in kept} == kept
    assert found["said"] == [
        "pin [pur",
        {"4711": sentences.dumps(sentences.say("%(count)s of %(what)s", count=4711, what="pin [pur"))},
    ]


@pytest.mark.parametrize("secret", ["\\\\host\\share", '\\"a\\"', "\\ \\ \\ \\ \\x", "\\" * 50, '"' * 40, "n n n n n"])
@pytest.mark.parametrize("pump", ["\\", '"', "\\n", "\\ ", "n\\n"])
def test_backslashes_in_the_text_itself_cost_no_more(secret, pump):
    begun = time.process_time()
    mask_bytes(pump.encode() * 30_000, pattern(secret))
    assert time.process_time() - begun < 3
