"""Facts that are written for a language model and not for people: what a stranger said so that the bot would do it."""

from __future__ import annotations

from collections.abc import Sequence

from memory.checks.subjects import Subject
from memory.models import Bot
from memory.text.injection import Shape, shape
from memory.text.sentences import say

NAME = "injection"
WHY = {
    Shape.ASIDE: say("Tells a model to set aside what it was told."),
    Shape.ROLE: say("Speaks to a model in the role of the system."),
    Shape.HIDDEN: say("Holds characters that nobody sees, or that turn the reading round."),
    Shape.OUTSIDE: say("Would have a model send memory or secrets to an address."),
    Shape.SECRETLY: say("Tells a model to keep something from the user."),
}


def judge(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts that have the shape of an injected prompt: pk -> why."""
    return {one.pk: WHY[found] for one in looked_at if (found := shape(one.text))}
