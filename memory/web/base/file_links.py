"""Links from one file of a memory to another one: where they lead here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, starmap
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from memory.bots import open_bot
from memory.models import Bot, Document
from memory.web.base.addresses import address
from memory.web.base.markdown import PREFIX, Leads

MOST = 500  # files that the texts of one page are asked about
LOOKED_AT = 20_000  # links in them: more than are ever laid out
_LINK = re.compile(
    r"""\]\([ ]{0,9}([^\s<>"]{1,1000}) | \]\(<([^<>\n]{1,1000})> | ^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]{0,9}<?([^\s<>]{1,1000})""",
    re.MULTILINE | re.VERBOSE,
)
_BRACKET = re.compile(r"\)")
_TITLE = re.compile(r"[ \t\n]{1,9}[\"']")
_ENDS = 4  # closing brackets in what stands behind an opening one, of which any may end the link
_ELSEWHERE = re.compile(r"[/#?]|[^/]*:|.*[?\\]")  # a host, a scheme, a query
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")
_SECTION = re.compile(r"[\w-]{1,100}")


def leading(bot: Bot, texts: Iterable[tuple[str, str]]) -> Callable[[str], Leads]:
    """What says of the document of a path where its links lead: to the page of another document of the bot, or "" for nowhere.
    `texts` are all that a page renders, each with its document's path; one statement for them, none where they hold no links."""
    links = dict.fromkeys(islice(((path, link) for path, text in texts for link in _links(text)), LOOKED_AT))
    wanted = list(islice(dict.fromkeys(filter(None, starmap(target_of, links))), MOST))
    found = Document.objects.filter(bot=bot, path__in=wanted).values_list("path", flat=True) if wanted else ()
    there = {path for path in found if open_bot(bot).dialect.describe(path)}
    return lambda path: lambda link: _url(bot, target_of(path, link), link, there)


def target_of(path: str, link: str) -> str:
    """The path that a link in the document of another path names; "" where it names no file beside, above or below that one."""
    if not link or _ELSEWHERE.match(link):
        return ""
    name = unquote(link.partition("#")[0])
    if _CONTROL.search(name) or name.startswith("/") or name.endswith("/"):
        return ""
    found = normpath(join(dirname(path), name))
    return found if _root(found) == _root(path) else ""


def _root(path: str) -> str:
    """Which directory of the bot's a path is in, "" for its memory; ".." for what is in none."""
    first = path.partition("/")[0]
    return first if first == ".." or first.startswith("@") else ""


def _links(text: str) -> Iterator[str]:
    """What may stand in a text as the target of a link: at least what the renderer finds there."""
    if "](" not in text and "]:" not in text:
        return
    for found in _LINK.finditer(text):
        link = found[1] or found[2] or found[3]
        if not found[1] or ")" not in link or _TITLE.match(text, found.end()):
            yield link
        if found[1]:
            yield from (link[: end.start()] for end in islice(_BRACKET.finditer(link), _ENDS))


def _url(bot: Bot, path: str, link: str, there: set[str]) -> str:
    url = address("document", bot, path) if path in there else ""
    section = unquote(link.partition("#")[2]).lower()
    return f"{url}#{PREFIX}{section}" if url and _SECTION.fullmatch(section) else url
