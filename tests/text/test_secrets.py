"""Credentials in a text: found by their form, told by their ends, taken out and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.secrets import REMOVED, has_secret, masked, redacted

SECRETS = (
    "123456789:" + "Ab3-_" * 7,
    "sk-" + "proj-Ab12" * 4,
    "ghp_" + "a1B2" * 9,
    "glpat-" + "x1Y2" * 5,
    "xoxb-" + "1234-abcd" * 2,
    "AKIA" + "ABCD1234" * 2,
    "AIza" + "a1-_B" * 7,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_each_form_is_found_masked_and_taken_out(secret):
    text = f"The key of the shop: {secret}, since May"
    assert has_secret(text)
    assert secret not in masked(text)
    assert masked(text).startswith(f"The key of the shop: {secret[:4]}•")
    assert redacted(text) == f"The key of the shop: {REMOVED}, since May"


@pytest.mark.parametrize(
    "text",
    ["It rained at 10:30", "sk-short", "version 1234567890:12", "https://example.org/a_b-c?x=1", "AKIA is a club"],
)
def test_prose_is_none(text):
    assert not has_secret(text)
    assert (masked(text), redacted(text)) == (text, text)


@given(st.text(), st.sampled_from(SECRETS), st.text())
def test_what_is_around_a_secret_stays(before, secret, after):
    text = f"{before} {secret} {after}"
    assert redacted(text).startswith(redacted(f"{before} "))
    assert secret not in redacted(text)
    assert not has_secret(redacted(text))
