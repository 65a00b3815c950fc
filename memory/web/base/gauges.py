"""Sizes as gauges and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import formats
from django.utils.translation import gettext as _, ngettext

from memory.domain.prompt import NEARLY_FULL, Limit
from memory.text.byte_cache import byte_cached
from memory.text.tokens.estimate import estimate

LEAST = 50  # millionths of a dollar that four places can say
ROOM = 8 << 20  # bytes of texts whose cost is kept


@dataclass(frozen=True, slots=True)
class Gauge:
    """How full something is, or which part of something. `percent` may exceed 100, `width` does not.

    `level` is "", `amber` or `red`: only what has a limit can be nearly full."""

    percent: int
    words: str
    limited: bool = False
    cuts: bool = False  # what is beyond the limit is not loaded
    lost: int = 0  # so many percent of it are not loaded

    @property
    def width(self) -> int:
        """Of the bar; where something is not loaded, the rest of it stands for that."""
        return 100 - self.lost if self.lost else max(0, min(100, self.percent))

    @property
    def level(self) -> str:
        if not self.limited:
            return ""
        return "red" if self.percent > 100 else "amber" if self.percent >= NEARLY_FULL else ""


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


def long_term_gauge(size: int, limit: Limit | None) -> Gauge:
    """How full long-term memory is."""
    if limit is None:
        return Gauge(0, _("No limit known"))
    taken, lost = limit.taken(size), limit.lost(size)
    percent = round(size * 100 / taken)
    said = {"percent": grouped(percent), "limit": kilobytes(taken), "lost": kilobytes(surplus(size, taken))}
    words = (_loaded(percent, limit) if limit.cuts else _read_well(percent)) % said
    return Gauge(percent, words, limited=True, cuts=limit.cuts, lost=round(lost * 100 / size) if lost else 0)


def _loaded(percent: int, limit: Limit) -> str:
    if percent > 100 and limit.keeps:
        return _(
            "%(percent)s%% of the %(limit)s this bot loads. %(lost)s in its middle are never read; shorten this file."
        )
    if percent > 100:
        return _("%(percent)s%% of the %(limit)s this bot loads. The rest is never read; shorten this file.")
    if percent >= NEARLY_FULL:
        return _("%(percent)s%% of the %(limit)s this bot loads. Nearly full.")
    return _("%(percent)s%% of the %(limit)s this bot loads")


def _read_well(percent: int) -> str:
    if percent > 100:
        return _("%(percent)s%% of the recommended 10 KB. Still loaded in full; shorten this file.")
    if percent >= NEARLY_FULL:
        return _("%(percent)s%% of the recommended 10 KB. Nearly full.")
    return _("%(percent)s%% of the recommended 10 KB")


def price(before: str, after: str, gauge: Callable[[int], Gauge] | None) -> Price:
    """What an edit does to a text's cost. `gauge` makes one of a size; None for a text that has no limit."""
    (old, tokens), (new, tokens_after) = _cost(before), _cost(after)
    return Price(old, tokens, new, tokens_after, gauge(new) if gauge else None)


@byte_cached(ROOM, 1)
def _cost(text: str) -> tuple[int, int]:
    """(bytes, tokens) of a text."""
    return len(text.encode("utf-8", "replace")), estimate(text)


def grouped(number: int) -> str:
    """`1,284`, or as the reader's language writes it."""
    return formats.number_format(number, force_grouping=True)


def number_of(one: str, many: str, count: int, **values: str | int) -> str:
    """`1,284 facts`: a sentence in which `count` things are counted, in the reader's language."""
    return ngettext(one, many, count) % {"count": grouped(count), **values}


def dollars(amount: float) -> str:
    """As many digits as say something: 0.0031, 0.42, 31.50."""
    places = 2 if amount >= 0.1 else 4
    # which by itself cuts and does not round
    return formats.number_format(round(amount, places), places, force_grouping=True)


def money(micros: int) -> str:
    """`$1.20`, `$0.0031`, from millionths of a dollar; "" for none."""
    if not micros:
        return ""
    return _("under $0.0001") if micros < LEAST else f"${dollars(micros / 1_000_000)}"


def kilobytes(size: int) -> str:
    """`812 bytes`, `10 KB`, `8.4 KB`, `1.2 MB`, with the separators of the reader's language."""
    if size < 1024:
        return ngettext("%(count)s byte", "%(count)s bytes", size) % {"count": size}
    if size < 1024 * 1024:
        return _("%(size)s KB") % {"size": formats.number_format(size / 1024, 1 if size % 1024 else 0)}
    return _("%(size)s MB") % {"size": formats.number_format(size / 1024 / 1024, 1, force_grouping=True)}


def surplus(size: int, taken: int) -> int:
    """By how many bytes one size is more than another, so that it reads as the difference of what `kilobytes` says of the two."""
    unit = 1024 * 1024 if size >= 1024 * 1024 else 1024
    tenths = size * 10 // unit - taken * 10 // unit
    return -(-tenths * unit // 10) if tenths >= 10 and taken >= 1024 else max(0, size - taken)


def limit_words(limit: Limit | None, size: int) -> str:
    """What a bot loads of a document of that size, or what is recommended."""
    if limit is None:
        return _("Limit unknown")
    words = _("%(limit)s loaded") if limit.cuts else _("%(limit)s recommended")
    return words % {"limit": kilobytes(limit.taken(size))}
