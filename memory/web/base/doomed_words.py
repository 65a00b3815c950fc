"""What is lost with logs that a bot deletes by itself."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.web.base.gauges import grouped


def will_delete(name: str, logs: int) -> str:
    """That the bot of this name deletes so many logs. On which day nobody knows: it cleans up every so many hours while it runs."""
    words = ngettext(
        "%(bot)s will delete %(count)s log at its next clean-up",
        "%(bot)s will delete %(count)s logs at its next clean-up",
        logs,
    )
    return words % {"bot": name, "count": grouped(logs)}


def only_here(logs: int, facts: int) -> str:
    """How many facts so many logs hold that no other file does."""
    if not facts:
        return _("Other files hold the same facts")
    if logs == 1:
        words = ngettext(
            "It holds %(facts)s fact that is nowhere else", "It holds %(facts)s facts that are nowhere else", facts
        )
    else:
        words = ngettext(
            "They hold %(facts)s fact that is nowhere else", "They hold %(facts)s facts that are nowhere else", facts
        )
    return words % {"facts": grouped(facts)}
