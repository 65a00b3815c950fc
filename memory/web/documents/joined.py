"""What is said of lines that others added while somebody wrote."""

from __future__ import annotations

from django.utils.translation import ngettext

from memory.curation.joined import Joined
from memory.web.base.gauges import grouped


def joined_words(joined: Joined) -> str:
    """That it is saved, and what was kept beside it."""
    if joined.by_bot:
        words = ngettext(
            "Saved. One line added by the bot was kept.",
            "Saved. %(count)s lines added by the bot were kept.",
            joined.lines,
        )
    else:
        words = ngettext(
            "Saved. One line added by someone else was kept.",
            "Saved. %(count)s lines added by someone else were kept.",
            joined.lines,
        )
    return words % {"count": grouped(joined.lines)}
