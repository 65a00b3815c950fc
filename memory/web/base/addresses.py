"""Where the pages of a document are."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from django.urls import reverse
from django.utils.http import RFC3986_SUBDELIMS

from memory.models import Bot

UNQUOTED = f"{RFC3986_SUBDELIMS}/~:@"  # characters that `reverse` leaves as they are in an address


def address(name: str, bot: Bot, path: str) -> str:
    """The address of one of a document's pages."""
    try:
        return reverse(f"memory:{name}", args=[bot.slug, path])
    except UnicodeEncodeError:
        return ""


def addresses(name: str, bot: Bot) -> Callable[[str], str]:
    """The same for many documents: what makes a path an address, written as `reverse` does."""
    before = reverse(f"memory:{name}", args=[bot.slug, "-"]).removesuffix("-")

    def address_of(path: str) -> str:
        try:
            return before + quote(path, safe=UNQUOTED)
        except UnicodeEncodeError:
            return ""

    return address_of
