"""What is lost with logs that a bot deletes by itself."""

from __future__ import annotations

from django.utils.translation import gettext as _

from memory.web.base.gauges import number_of


def will_delete(name: str, logs: int) -> str:
    """That the bot of this name deletes so many logs. On which day nobody knows: it cleans up every so many hours while it runs."""
    return number_of(
        "%(bot)s will delete %(count)s log at its next clean-up",
        "%(bot)s will delete %(count)s logs at its next clean-up",
        logs,
        bot=name,
    )


def only_here(logs: int, facts: int) -> str:
    """How many facts so many logs hold that no other file does."""
    if not facts:
        return _("Other files hold the same facts")
    if logs == 1:
        return number_of(
            "It holds %(count)s fact that is nowhere else", "It holds %(count)s facts that are nowhere else", facts
        )
    return number_of(
        "They hold %(count)s fact that is nowhere else", "They hold %(count)s facts that are nowhere else", facts
    )
