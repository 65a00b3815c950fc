"""What is lost with logs that a bot deletes by itself."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.web.base.dates import short_day
from memory.web.base.gauges import grouped


def will_delete(name: str, logs: int, on: date | None = None) -> str:
    """That the bot of this name deletes so many logs, and on which day; today, while it is: it cleans up at least once a day."""
    if on is None:
        words = ngettext("%(bot)s will delete %(count)s log today", "%(bot)s will delete %(count)s logs today", logs)
    else:
        words = ngettext(
            "%(bot)s will delete %(count)s log on %(day)s", "%(bot)s will delete %(count)s logs on %(day)s", logs
        )
    return words % {"bot": name, "count": grouped(logs), "day": short_day(on) if on else ""}


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
