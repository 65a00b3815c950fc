"""Private keys in a text: hidden however their lines are laid, with what a cut leaves of them; public ones are none."""

from __future__ import annotations

import base64
import random
import time

import pytest

from memory.text.secrets import DOTS, REMOVED, has_secret, mask, place_to_cut, remove_secrets, spans

BODY = base64.b64encode(random.Random(3).randbytes(1190)).decode()
LINES = [BODY[at : at + 64] for at in range(0, len(BODY), 64)]
KEY = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *LINES, "-----END RSA PRIVATE KEY-----"])
FLAT = KEY.replace("\n", " ")


def each(made):
    return "\n".join(made.format(line) for line in KEY.split("\n"))


def told(text):
    """The pieces of the key that a text still says."""
    return [piece for at in range(len(BODY) - 7) if (piece := BODY[at : at + 8]) in text]


NAMED = (
    *(KEY, f"```\n{KEY}\n```", each("    {}"), each("> {}"), each("- {}"), each("`{}`"), each("| {} |"), each("<{}>")),
    *(
        FLAT,
        f"|a|b|\n|---|---|\n|key|{FLAT}|",
        f"## 10:00 — {FLAT}",
        KEY.replace("\n", "\\n"),
        KEY.replace("\n", "\r\n"),
    ),
    *(KEY.replace("\n", "<br>"), KEY.replace("\n", "&#10;"), KEY.replace("-", "\\-").replace("+", "\\+")),
    KEY.replace("\n", "%0A").replace("+", "%2B").replace("/", "%2F").replace("=", "%3D").replace(" ", "%20"),
    KEY.replace("KEY-----", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12AB\n", 1),
    "\n".join(f"{at}\n\n{at + 1}\n+\n {line}" for at, line in enumerate(KEY.split("\n"))),
    *("-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n" + "\n".join(LINES), KEY.rpartition("\n")[0], KEY[:700]),
)
CUT = KEY[300:], KEY[310:900], "\n".join(LINES[3:9]), "\n\n".join(LINES), f"…{FLAT[500:760]}…", KEY[-140:]


@pytest.mark.parametrize("text", NAMED)
def test_a_private_key_is_hidden_and_found_however_its_lines_are_laid(text):
    assert told(text) or "%" in text or "\\" in text
    assert has_secret(text)
    for some in (mask(text), remove_secrets(text)):
        assert not told(some)
        assert not has_secret(some)


@pytest.mark.parametrize("text", CUT)
def test_what_a_cut_leaves_of_a_private_key_is_hidden_and_is_no_finding(text):
    assert not told(mask(text))
    assert not has_secret(text)


def test_what_says_that_it_is_a_key_and_what_follows_stays():
    text = f"The key:\n\n{KEY}\n\nkeep it safe, 12 days"
    assert mask(text) == text.replace("\n".join(LINES), DOTS)
    assert remove_secrets(text) == text.replace("\n".join(LINES), REMOVED)


@pytest.mark.parametrize(
    "text",
    [
        *(KEY.replace("RSA PRIVATE KEY", "CERTIFICATE"), KEY.replace("RSA PRIVATE", "PUBLIC")),
        *(f"ssh-rsa AAAAB3{BODY[:360]} ana@host", f"sha512-{BODY[:86]}==", "0123456789abcdef" * 4),
        *(
            "-----BEGIN PRIVATE KEY----- is how a key begins",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        ),
        "-----BEGIN PRIVATE KEY-----\nwhat your provider has sent to you by mail\n-----END PRIVATE KEY-----",
    ],
)
def test_what_is_public_or_only_spoken_of_stays(text):
    assert mask(text) == text
    assert not has_secret(text)


def test_no_part_of_a_key_is_told_wherever_a_text_is_cut():
    text = f"{'word ' * 90}and\n{KEY}\n{'word ' * 40}"
    for most in range(400, len(text), 37):
        at = place_to_cut(text, most)
        assert not told(mask(text[:at]) + mask(text[at:]))
        assert not told(mask(text[:most]) + mask(text[most:])), most


@pytest.mark.parametrize(
    "part",
    [
        *("-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----Ab12 ", "-----BEGIN X-----", "aB3/", "aB3/ "),
        *(
            "aB3/" * 16 + "\n",
            "aB3/" * 16 + " x ",
            "-----BEGIN PRIVATE KEY----- Proc-Type: a",
            "aB3d-----END PRIVATE KEY-----",
        ),
        *("%25", "%E2%80%8B", "\\n"),
    ],
)
def test_any_text_is_looked_through_in_a_time_that_grows_with_its_length(part):
    def seconds(times):
        start = time.process_time()
        spans(part * times)
        return time.process_time() - start

    assert seconds(16_000) < 40 * max(seconds(1_600), 0.001)
