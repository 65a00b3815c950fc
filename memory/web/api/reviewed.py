"""What programs may not write at once and what cannot be held either: it is a person's, who sees what it does."""

from __future__ import annotations

from collections.abc import Sequence

from memory.domain.changes import Change
from memory.models import Bot
from memory.web.api.errors import Problem
from memory.webhook import held_writes

TOO_MUCH = (
    "This removes more of a file than programs may remove from this bot's. Nothing was changed; do it on the desk."
)
REVIEWED = "People review what programs write to this bot's memory. Nothing was changed; do it on the desk."


def may_write(bot: Bot, changes: Sequence[Change] = ()) -> None:
    """Raises Problem where a program's changes would have to wait, or all that programs write has to."""
    if held_writes.reviews(bot):
        raise Problem(422, "refused", REVIEWED)
    if held_writes.removes_much(bot, changes):
        raise Problem(422, "refused", TOO_MUCH)
