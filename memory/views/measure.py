"""Sizes as gauges and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.utils import formats
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from memory.text.tokens import estimate

# What long-term memory should stay under, by the bot's own documentation.
LONG_TERM_LIMIT = 10 * 1024
AMBER = 80
REMEMBERED = 4096  # sizes and numbers that were said lately
REMEMBERED_TEXTS = 16


@dataclass(frozen=True, slots=True)
class Gauge:
    """How full something is, or which part of something. `percent` may exceed 100, `width` does not.

    `level` is "", `amber` or `red`: only what has a limit can be nearly full."""

    percent: int
    words: str
    limited: bool = False

    @property
    def width(self) -> int:
        return max(0, min(100, self.percent))

    @property
    def level(self) -> str:
        if not self.limited:
            return ""
        return "red" if self.percent > 100 else "amber" if self.percent >= AMBER else ""


@dataclass(frozen=True, slots=True)
class Price:
    """What a text costs now and would cost after the edit: bytes, and tokens by estimate. `gauge` None: it has no limit."""

    size: int
    tokens: int
    size_after: int
    tokens_after: int
    gauge: Gauge | None

    @property
    def changes(self) -> bool:
        return (self.size, self.tokens) != (self.size_after, self.tokens_after)


def long_term_gauge(size: int) -> Gauge:
    """How full long-term memory is."""
    percent = round(size * 100 / LONG_TERM_LIMIT)
    if percent > 100:
        words = _("%(percent)s %% of the 10 KB this bot reads well. All of it is loaded; compact or shorten it.")
    elif percent >= AMBER:
        words = _("%(percent)s %% of the 10 KB this bot reads well, so it is nearly full.")
    else:
        words = _("%(percent)s %% of the 10 KB this bot reads well.")
    return Gauge(percent, words % {"percent": grouped(percent)}, limited=True)


def price(before: str, after: str, limited: bool) -> Price:
    """What an edit does to a text's cost."""
    old, new = len(before.encode("utf-8", "replace")), len(after.encode("utf-8", "replace"))
    same = before == after
    tokens = _tokens(before)
    return Price(old, tokens, new, tokens if same else _tokens(after), long_term_gauge(new) if limited else None)


_tokens = lru_cache(REMEMBERED_TEXTS)(estimate)  # the same text is opened, previewed, saved, and opened by others


def grouped(number: int) -> str:
    """`1,284`, or as the reader's language writes it."""
    return str(number) if -1000 < number < 1000 else _grouped(get_language(), number)


@lru_cache(REMEMBERED)
def _grouped(language: str | None, number: int) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    return formats.number_format(number, force_grouping=True)


def kilobytes(size: int) -> str:
    """`812 bytes`, `8.4 KB`, `1.2 MB`, with the separators of the reader's language."""
    return _kilobytes(get_language(), size)


@lru_cache(REMEMBERED)
def _kilobytes(language: str | None, size: int) -> str:
    """`language` is the active one; it only tells apart what is remembered."""
    if size < 1024:
        return ngettext("%(count)s byte", "%(count)s bytes", size) % {"count": size}
    if size < 1024 * 1024:
        return _("%(size)s KB") % {"size": formats.number_format(size / 1024, 1)}
    return _("%(size)s MB") % {"size": formats.number_format(size / 1024 / 1024, 1, force_grouping=True)}
