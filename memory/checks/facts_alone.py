"""What may be wrong with a fact that needs no look at any other: a credential in plain text, the same words twice in one file."""

from __future__ import annotations

from collections.abc import Sequence

from memory.checks.leaks import Subject
from memory.domain.dialect import Kind
from memory.models import Bot
from memory.text.markdown.normal import unstamped
from memory.text.secrets import has_secret
from memory.text.sentences import say

SECRET, TWICE = "secret", "twice"
PLAIN = say("Stored as plain text")
SAME_WORDS = say("Exactly the same words")


def related(bot: Bot, fresh: Sequence[Subject]) -> tuple[Subject, ...]:
    """No fact beside the new ones."""
    return ()


def secrets(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts that hold a credential: pk -> why."""
    return {one.pk: PLAIN for one in looked_at if has_secret(one.text)}


def twice(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts that a long-term memory has said before in the same words: pk -> why. With a day it is another event."""
    said = (one for one in looked_at if one.nth and one.kind == Kind.LONG_TERM)
    return {one.pk: SAME_WORDS for one in said if unstamped(one.text) == one.text}
