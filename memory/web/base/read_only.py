"""A page of a bot whose memory is out of reach: its buttons that write are off, and the bar on top says why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.safestring import SafeString, mark_safe

from memory.web.base.frame import Door

GOES_ON = "settings"  # a place where nothing is written into the memory
_TAG = re.compile(r"<(/?form|button)\b([^<>]*)>")
_POSTS = re.compile(r"""\bmethod=["']?post\b|\sformaction=|\sform=""")
_OFF = re.compile(r"\sdisabled\b")


def is_read_only(access: str, doors: Sequence[Door]) -> bool:
    """Whether nothing can be written on this page."""
    return bool(access) and not any(door.is_current and door.place.name == GOES_ON for door in doors)


def switched_off(markup: str, why: str) -> SafeString:
    """A page's own markup with each button off that posts something; the element with the id `why` describes them."""
    inside = False

    def off(found: re.Match[str]) -> str:
        nonlocal inside
        tag, attributes = found.groups()
        posts = _POSTS.search(attributes) is not None
        if tag != "button":
            inside = posts
            return found[0]
        if not (inside or posts) or _OFF.search(attributes):
            return found[0]
        return f'{found[0][:-1]} disabled aria-describedby="{why}">'

    return mark_safe(_TAG.sub(off, markup))  # noqa: S308 - a page that is safe already
