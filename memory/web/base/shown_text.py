"""Text of files as pages can send it."""

from __future__ import annotations

from django.utils.translation import ngettext

from memory.web.base.gauges import grouped

SHOWN = 1024 * 1024  # characters of a text that is only shown


def shown(text: str) -> str:
    """Text that can be sent: bytes that are no UTF-8 become the replacement character."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def beginning(text: str) -> str:
    """As much of a text as a page shows."""
    if len(text) <= SHOWN:
        return text
    left = len(text) - SHOWN
    more = ngettext("… and %(count)s more character", "… and %(count)s more characters", left) % {
        "count": grouped(left)
    }
    return f"{text[:SHOWN]}\n{more}"
