"""Calls to copy: curl, Python and Node, signed in both ways. They work as they stand, with the secret in WEBHOOK_SECRET."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory.webhook.signatures import Form

ADDRESS = "http://127.0.0.1:8420/webhook"  # stands in the texts for the address of a bot's webhook
FACT = " <memory>Likes tea</memory>"


@dataclass(frozen=True, slots=True)
class Sample:
    """One program that makes a call. `fence` names its language in markdown."""

    form: Form
    language: str
    fence: str
    text: str


_LANGUAGES = (("curl", "sh", "sh"), ("Python", "python", "py.txt"), ("JavaScript (Node)", "js", "js"))


def samples(address: str = ADDRESS, *, remembers: bool = True) -> list[Sample]:
    """Every sample, posting to this address; what a bot answers holds a fact where that would be stored."""
    fact = FACT if remembers else ""
    return [
        Sample(form, language, fence, _text(f"{form}.{suffix}").replace(ADDRESS, address).replace(FACT, fact))
        for form in (Form.BODY, Form.STANDARD)
        for language, fence, suffix in _LANGUAGES
    ]


def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").rstrip("\n")
