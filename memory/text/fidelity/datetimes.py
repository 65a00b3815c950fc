"""Dates and clocks inside a sentence, in the forms people write them, and the one form they are compared in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from memory.text.markdown.titles import MONTH

_NAMES = "|".join(sorted(MONTH, key=len, reverse=True))
_YEAR = r"(?:,?\s+(?:of\s+|del?\s+)?(?P<{name}>[0-9]{{4}})(?![\w]))?"

# Parts of a pattern: their groups have names, so each is to be used once.
DATE = (
    r"(?<![\w.])(?:(?P<y1>[0-9]{4})-(?P<m1>[0-9]{1,2})-(?P<d1>[0-9]{1,2})(?:(?![\w-])|(?=T[0-9]))"
    r"|(?P<y2>[0-9]{4})(?P<s2>[/.])(?P<m2>[0-9]{1,2})(?P=s2)(?P<d2>[0-9]{1,2})(?![\w/]|\.[0-9])"
    r"|(?P<a3>[0-9]{1,2})(?P<s3>[/.])(?P<b3>[0-9]{1,2})(?P=s3)(?P<y3>[0-9]{4})(?![\w/]|\.[0-9])"
    r"|(?P<y4>[0-9]{4})[年년]\s?(?P<m4>[0-9]{1,2})[月월]\s?(?P<d4>[0-9]{1,2})[日일号]"
    rf"|(?P<d5>[0-9]{{1,2}})(?:st|nd|rd|th|º|\.)?\s+(?:of\s+|de\s+)?(?i:(?P<m5>{_NAMES}))\b\.?{_YEAR.format(name='y5')}"
    rf"|(?i:(?P<m6>{_NAMES}))\b\.?\s+(?P<d6>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![\w:%]|[.,][0-9]){_YEAR.format(name='y6')}"
    rf"|(?i:(?P<m7>{_NAMES}))\b\.?,?\s+(?:of\s+|del?\s+)?(?P<y7>(?:19|20)[0-9]{{2}})(?!\w))"
)
TIME = (
    r"(?<![\w.:])(?:(?P<h1>[0-9]{1,2})[:：](?P<n1>[0-5][0-9])(?:[:：](?P<s1>[0-5][0-9]))?(?![0-9:])(?:\s?(?P<p1>[aApP])\.?[mM]\b\.?)?"
    r"|(?P<h2>[0-9]{1,2})\s?(?P<p2>[aApP])\.?[mM]\b\.?|(?P<h3>[0-9]{1,2})h(?P<n3>[0-5][0-9])(?!\w))"
)


def date_form(found: re.Match[str]) -> str:
    """ "2026-01-05", "----01-05" without a year, "2026-01" without a day; "" if it is none or may be two ("1/5/2026")."""
    parts = found.groupdict()
    if parts["a3"]:
        first, second = _day_and_month(int(parts["a3"]), int(parts["b3"]), parts["s3"])
        return _form(parts["y3"], second, first)
    number = next(n for n in "124567" if parts[f"m{n}"])
    named = str(parts[f"m{number}"])
    month = int(named) if named.isdigit() else MONTH[named.casefold()]
    return _form(parts.get(f"y{number}"), month, int(parts.get(f"d{number}") or 0))


def has_date(date_forms: Iterable[str], wanted: str) -> bool:
    """Whether one of some dates is this one, or this one with more said ("January 5" in "January 5, 2026")."""
    return any(
        form == wanted or (wanted.startswith("----") and form[4:] == wanted[4:]) or form.startswith(f"{wanted}-")
        for form in date_forms
    )


def time_form(found: re.Match[str]) -> str:
    """ "HH:MM" or "HH:MM:SS" of twenty-four hours; "" if no clock shows it."""
    parts = found.groupdict()
    number = next(n for n in "123" if parts.get(f"h{n}"))
    hour, minute = int(str(parts[f"h{number}"])), int(parts.get(f"n{number}") or 0)
    half = (parts.get(f"p{number}") or "").lower()
    if hour > (12 if half else 23):
        return ""
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}" + (f":{parts['s1']}" if parts.get("s1") else "")


def _day_and_month(first: int, second: int, sign: str) -> tuple[int, int]:
    """(0, 0) where both orders are used."""
    if sign == "." or first > 12:
        return first, second
    return (second, first) if second > 12 else (0, 0)


def _form(year: str | None, month: int, day: int) -> str:
    try:
        date(int(year or 2000), month, day or 1)
    except ValueError:
        return ""
    return f"{year or '----'}-{month:02}" + (f"-{day:02}" if day else "")
