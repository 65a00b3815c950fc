"""What may be wrong with a fact by itself or in its file: a credential in plain text, personal data, the same words twice."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory.checks.subjects import Subject, by_key
from memory.domain.places import Kind
from memory.index.attributes import unusual
from memory.models import Bot
from memory.text.markdown.normal import unstamped_text
from memory.text.personal import has_personal
from memory.text.secrets import has_secret
from memory.text.sentences import say

SECRET, PERSONAL, TWICE = "secret", "personal", "twice"
PLAIN = say("Stored as plain text")
OF_SOMEBODY = say("A number or an address of somebody")
SAME_WORDS = say("Exactly the same words")


def secrets(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts that hold a credential: pk -> why."""
    return {one.pk: PLAIN for one in looked_at if has_secret(one.text)}


def personal_data(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts that hold somebody's numbers or addresses: pk -> why."""
    return {one.pk: OF_SOMEBODY for one in looked_at if has_personal(one.text)}


def twice(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts that a long-term memory has said once before in the same words: pk -> why; however often, it is one. With a day it is
    another event, and what the bot has forgotten says nothing."""
    again = (one for one in looked_at if one.nth and one.kind == Kind.LONG_TERM)
    said = [one for one in again if unstamped_text(one.text) == one.text]
    seconds = {some[1].pk for some in copies(bot, {one.key for one in said}).values() if len(some) > 1}
    return {one.pk: SAME_WORDS for one in said if one.pk in seconds}


def copies(bot: Bot, keys: Collection[str]) -> dict[tuple[str, str], list[Subject]]:
    """The facts with these keys that the bot reads, those of one file and key together and in order."""
    there = sorted(by_key(bot, keys), key=lambda one: one.nth)
    unread = unusual(bot, [one.pk for one in there])
    found: dict[tuple[str, str], list[Subject]] = {}
    for one in there:
        if one.pk not in unread:
            found.setdefault((one.path, one.key), []).append(one)
    return found
