"""Markdown to HTML that is safe to show: rendered, then cleaned, always."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from html import escape
from itertools import islice
from typing import Any, NamedTuple

import markdown
import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown.blockprocessors import BlockProcessor
from markdown.extensions.toc import slugify_unicode as slugify
from pymdownx.magiclink import MagiclinkExtension
from pymdownx.tilde import DeleteSubExtension

from memory.text.byte_cache import byte_cached
from memory.text.secrets import DOTS, mask, place_to_cut
from memory.text.storable import as_utf8
from memory.web.base.markdown_lists import Lists
from memory.web.base.markdown_secrets import MailLinks, WithoutSecrets, without_secrets

# More than this is not laid out: rendering takes a second for so many characters, and a browser long for so many elements.
PREVIEW_LIMIT = 64 * 1024
MOST_NODES = 2000
_TRIES = 4  # how often less of a text is laid out than was thought to fit
ROOM, TIMES = 4 << 20, 3  # bytes: of what was rendered last; what a text takes, rendered

# The renderer's time grows with the square of the brackets in a paragraph, and it reads the rest of a block again for every
# part that it takes from it. This much of either is about a second; beyond it a text is shown as it stands.
_MOST_BRACKETS = 5_000_000
_MOST_READ = 6_000_000  # characters
_EACH = 30  # characters' worth of work for a block of any length
_FIRST = 1000  # before what the extensions bring

# Every id and every link to one gets this in front, so that a memory's heading cannot take the place of the page's own.
PREFIX = "text-"

_TAGS = {
    *("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "kbd", "sup", "sub", "abbr"),
    *("ul", "ol", "li", "dl", "dt", "dd", "em", "strong", "del", "ins", "mark", "a", "input", "label", "div", "span"),
    *("table", "thead", "tbody", "tfoot", "tr", "th", "td"),
}
_CLASSES = {
    "ul": {"task-list"},
    "li": {"task-list-item"},
    "div": {"admonition", "note", "warning", "footnote"},
    "p": {"admonition-title"},
}
_ATTRIBUTES = {
    "a": {"href", "title", "id"},
    "abbr": {"title"},
    "input": {"type", "checked", "disabled"},
    "ol": {"start"},
    "li": {"id"},
    "sup": {"id"},
    "th": {"align"},
    "td": {"align"},
    **{f"h{level}": {"id"} for level in range(2, 7)},
}
_EXTENSIONS = [
    Lists(),
    MailLinks(),
    "extra",
    "sane_lists",
    "toc",
    "admonition",
    "pymdownx.tasklist",
    "pymdownx.tilde",
    "pymdownx.magiclink",
    "pymdownx.superfences",
    "pymdownx.saneheaders",
    "pymdownx.highlight",
]
_OPTIONS: dict[str, dict[str, Any]] = {
    "toc": {"toc_depth": "1-6", "marker": ""},
    "pymdownx.highlight": {"use_pygments": False},
    "pymdownx.tasklist": {"custom_checkbox": False},
}
_IN_A_LINE = {"a", "code", "del", "em", "strong"}
_NOT_IN_A_LINE = ("html", "entity", "linebreak", "reference", "short_reference", "image_reference", "short_image_ref")
_MARKUP = re.compile(r"[*_`~\\]|\]\(|://|www\.|@")  # without any of these a line reads as it stands
_MOST_IN_A_LINE = 2000  # characters
# a link relative to this page would lead nowhere, or somewhere it must not; "http:/x" is one, too
_ELSEWHERE = re.compile(r"https?://|mailto:", re.IGNORECASE)
_LEADS_NOWHERE = re.compile(r'<a(?: title="[^"]*")? rel="noopener noreferrer nofollow">([^<]*(?:<(?!/?a\b)[^<]*)*)</a>')
_MAKES = re.compile(r"^[ \t]*(?=\S)|(?<=\S)$|[*`|]+|\]\(", re.MULTILINE)  # two of them an element, or less
_IMAGE = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
_ALT = re.compile(r'\balt="([^"]*)"', re.IGNORECASE)
_SOURCE = re.compile(r'\bsrc="([^"]*)"', re.IGNORECASE)


Leads = Callable[[str], str]  # where a link that is no address leads; "" for nowhere: then it is no link


def nowhere(link: str) -> str:
    """Where links lead in a text that stands in no file."""
    return ""


class Laid(NamedTuple):
    """A text as it reads, and as it stands what of it is not laid out, because it is too long or too much."""

    html: SafeString
    rest: str = ""


def html(text: str, level: int = 2, leads: Leads = nowhere) -> SafeString:
    """Markdown as safe HTML, as much of it as is laid out."""
    return laid_out(text, level, leads).html


def laid_out(text: str, level: int = 2, leads: Leads = nowhere) -> Laid:
    """Markdown as safe HTML, and the rest of it. At most PREVIEW_LIMIT characters are rendered and MOST_NODES elements made of
    them; images are named and led to, never fetched, and HTML is shown as it stands. `level`: of its first heading, for the page
    has others above it."""
    end = _end(text, min(PREVIEW_LIMIT, _fitting(text)))
    for _try in range(_TRIES):
        some = without_secrets(as_utf8(text[:end]).removeprefix("\ufeff"))
        cleaned = _cleaned(_rendered(some.text, level), some, _TAGS, leads)
        nodes = cleaned.count("<") - cleaned.count("</")
        if nodes <= MOST_NODES:
            return Laid(mark_safe(cleaned), as_utf8(text[end:]))  # noqa: S308 - nh3 cleaned it
        end = _end(text, end * MOST_NODES // (nodes + nodes // 8))
    return Laid(SafeString(), as_utf8(text))


def line(text: str, *, links: bool = True, leads: Leads = nowhere) -> SafeString:
    """A line with what is bold, code or a link in it as safe HTML; everything else as it stands. Without `links` it may stand in
    a link itself."""
    if len(text) > _MOST_IN_A_LINE or not _MARKUP.search(text):
        return format_html("{}", str(text))
    try:
        some, tags = without_secrets(text), _IN_A_LINE if links else _IN_A_LINE - {"a"}
        return mark_safe(_cleaned(_lines.renderer.reset().convert(some.text), some, tags, leads))  # noqa: S308 - nh3 cleaned it
    except RecursionError:
        return format_html("{}", text)


def verbatim(text: str) -> Laid:
    """What is no markdown as it stands, at once as much of it as of markdown."""
    end = _end(text, PREVIEW_LIMIT)
    return Laid(format_html("<pre>{}</pre>", text[:end]) if end else SafeString(), text[end:])


def _cleaned(rendered: str, some: WithoutSecrets, tags: set[str], leads: Leads) -> str:
    cleaned = nh3.clean(
        _IMAGE.sub(_named, rendered),
        tags=tags,
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        url_schemes={"http", "https", "mailto"},
        attribute_filter=partial(_filtered, lambda link: leads(some.link(link))),
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": "", "aria-label": "Task"}},
        clean_content_tags={"script", "style", "iframe", "object", "svg", "math"},
    )
    return some.put_back(_LEADS_NOWHERE.sub(r"\1", cleaned))


def _rendered(text: str, level: int) -> str:
    """Markdown as HTML that is not safe yet; as it stands where the renderer would take too long or nest too deeply."""
    if (converted := _converted(text, level)) is not None:
        return converted
    why = _("Formatting this text would take too long, so it is shown as plain text.")
    return f"<p>{escape(why)}</p><pre>{escape(text)}</pre>"


@byte_cached(ROOM, TIMES)
def _converted(text: str, level: int) -> str | None:
    """What the renderer makes of a text; None where it would take too long."""
    if sum(map(_brackets, text.split("\n\n"))) > _MOST_BRACKETS:
        return None
    options = {**_OPTIONS, "toc": {**_OPTIONS["toc"], "slugify": _Names(), "baselevel": level}}
    renderer = markdown.Markdown(extensions=_EXTENSIONS, extension_configs=options)
    renderer.preprocessors.deregister("html_block")  # HTML is shown as it stands: the bot reads it, too
    renderer.inlinePatterns.deregister("html")
    renderer.parser.blockprocessors.register(_Bound(renderer.parser), "bound", _FIRST)
    try:
        return str(renderer.convert(text))
    except (RecursionError, _TooMuch):
        return None


class _Lines(threading.local):
    """A renderer for each thread that knows paragraphs only; to make one takes as long as a line."""

    def __init__(self) -> None:
        self.renderer = markdown.Markdown(extensions=[DeleteSubExtension(), MagiclinkExtension(), MailLinks()])
        self.renderer.preprocessors.deregister("html_block")
        for name in _NOT_IN_A_LINE:
            self.renderer.inlinePatterns.deregister(name)
        blocks = self.renderer.parser.blockprocessors
        for name in ("indent", "code", "hashheader", "setextheader", "hr", "olist", "ulist", "quote", "reference"):
            blocks.deregister(name)


_lines = _Lines()


def _brackets(part: str) -> int:
    """What the brackets of a paragraph cost: each is held against all others."""
    return (part.count("[") + part.count("<")) ** 2


class _TooMuch(Exception):
    """The renderer has read more than anybody would wait for."""


class _Bound(BlockProcessor):  # type: ignore[misc]
    """Is asked first about every block, however often it comes back, and counts."""

    def __init__(self, parser: Any) -> None:
        super().__init__(parser)
        self._left = _MOST_READ

    def test(self, parent: Any, block: str) -> bool:
        self._left -= len(block) + _EACH
        if self._left < 0:
            raise _TooMuch
        return False


class _Names:
    """Ids for the headings of one text. The renderer's own way to tell equal ones apart tries every number for each of them."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def __call__(self, heading: str, separator: str) -> str:
        name: str = slugify(mask(heading).replace(DOTS, "secret"), separator)
        self._seen[name] += 1
        return name if self._seen[name] == 1 else f"{name}_{self._seen[name] - 1}"


def _fitting(text: str) -> int:
    """About how many characters of a text make as many elements as are laid out: one each of a line and of two marks in it."""
    made = islice(_MAKES.finditer(text, 0, PREVIEW_LIMIT), 2 * MOST_NODES, None)
    return next((found.start() for found in made), len(text))


def _end(text: str, most: int) -> int:
    """Where a text is cut that has more than so many characters: behind the last line that fits, or in it outside of secrets."""
    return len(text) if len(text) <= most else text.rfind("\n", 0, most) + 1 or place_to_cut(text, most)


def _named(tag: re.Match[str]) -> str:
    """What stands in an image's place: its description, which leads to it where it stands in no other link."""
    alt, source = _ALT.search(tag.group()), _SOURCE.search(tag.group())
    words = f"[image: {alt[1]}]" if alt and alt[1] else "[image]"
    before = tag.string[: tag.start()]
    is_linked = before.rfind("<a ") > before.rfind("</a>")
    return f'<a href="{source[1]}">{words}</a>' if source and not is_linked else words


def _filtered(leads: Leads, tag: str, attribute: str, value: str) -> str | None:
    if attribute == "id":
        return PREFIX + value
    if tag == "a" and attribute == "href":
        if value.startswith("#"):
            return f"#{PREFIX}{value[1:]}"
        return value if _ELSEWHERE.match(value) else leads(value) or None
    return value
