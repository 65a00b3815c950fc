"""A page of a bot whose memory, or the one document it is about, is out of reach: what writes is off, and a bar on top says why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from memory.bots import open_bot
from memory.bots.directories import Access
from memory.domain.places import Kind
from memory.models import Bot
from memory.web.base.frame import Door

GOES_ON = "settings"  # a place where nothing is written into the memory
_TAG = re.compile(r"<(/?form|button|textarea|input|select)\b([^<>]*)>")
_POSTS = re.compile(r"""\bmethod=["']?post\b|\sformaction=|\sform=""")
_ASKS = re.compile(r"""\shx-trigger=["']change\b""")  # what is chosen in it is answered, and writes nothing
_OFF = re.compile(r"""\s(?:disabled|readonly)\b|\stype=["']?hidden\b|^(?!.*\sname=).*\stype=["']?checkbox\b""", re.S)
_TOLD = 'aria-describedby="'
_TYPED = re.compile(r"""\stype=["']?(?:text|search|number|date|time|datetime-local|email|url|password)\b""")


def is_read_only(bot: Bot, doors: Sequence[Door], about: str) -> bool:
    """Whether nothing can be written on this page; `about`: the document that it is about, "" for several."""
    opened = open_bot(bot)
    access = opened.access
    names = {(door.place.name, link.page.name) for door in doors for link in door.links if link.is_current}
    if any(place == GOES_ON for place, _page in names):
        return False
    if access is Access.PARTLY and not about and any(page == "days" for _place, page in names):
        about = opened.dialect.path(Kind.DAILY, "", opened.today()) or ""
    if access in (Access.FULL, Access.PARTLY) and about:
        return not opened.may_write(about)
    return access is not Access.FULL


def document_of(told: Context) -> str:
    """The path of the one document that a page, or the change on it, is about, by what its template is told; "" for none."""
    if edited := told.get("desk"):
        path = edited["path"]
    elif shown := told.get("open"):
        path = getattr(shown, "path", "")
    else:
        path = told.get("path", "") if told.get("tab") else ""
    is_change_of_one = told.get("set") and told.get("files") == 1 and told.get("diffs")
    return told["diffs"][0].path if is_change_of_one else str(path)


def switched_off(markup: str, why: str, *, inside: bool = False) -> SafeString:
    """A page's own markup with each control off that posts something, and what is typed into only read; the element with the id
    `why` describes them. `inside`: it is a part that stands in a form."""
    asks = False

    def off(found: re.Match[str]) -> str:
        nonlocal inside, asks
        tag, attributes = found.groups()
        posts = _POSTS.search(attributes) is not None
        if tag in ("form", "/form"):
            inside, asks = posts, _ASKS.search(attributes) is not None
            return found[0]
        if not (inside or posts) or (asks and tag != "button") or _OFF.search(attributes):
            return found[0]
        is_typed = tag == "textarea" or (tag == "input" and (_TYPED.search(attributes) or " type=" not in attributes))
        state = "readonly" if is_typed else "disabled"
        if _TOLD in attributes:
            return f"{found[0][:-1].replace(_TOLD, f'{_TOLD}{why} ')} {state}>"
        return f'{found[0][:-1]} {state} {_TOLD}{why}">'

    return mark_safe(_TAG.sub(off, markup))  # noqa: S308 - a page that is safe already
