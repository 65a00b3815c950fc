"""What stands on a screen instead of a secret. It is put over the finished markup, in one place: whatever page, list or part a text
comes on, and by whatever way, it is looked at here last."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from html import escape, unescape
from urllib.parse import unquote

from django.template.loader import render_to_string

from memory.text import personal, secrets
from memory.text.secrets import Span, Stays

CHIP = "memory/base/_secret.html"
UNTOLD, TOLD = 'id="hidden-secrets" hidden', 'id="hidden-secrets"'
# Around what the text that was rendered says is a secret, whatever is left around it of what names it.
KEPT, KEPT_ENDS = "<span data-kept>", "</span>"
_UNSEEN = '<span class="unseen"'
# Where nothing is masked: what somebody types into, and what no reader sees. An editor holds a secret only if it was asked for.
_UNTOUCHED = {"style", "textarea"}
# Where a button may not stand; there the secret is only told.
_TELLING = {"a", "button", "summary", "label", "option", "title", "svg", "select"}
_NAMING = {"title", "option", "h1", "nav"}  # where texts are names of pages and chats
_WORDS = {"title", "option", "svg", "select"}  # and no element at all
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# Tags that may stand in the middle of a word: what is marked, changed, or laid out in a memory's text. What readers of a screen
# hear of a change is none of it.
_IN_A_WORD = re.compile(
    r'</?(?:mark|del|ins|em|strong|code|b|i|sub|sup)>|</(?:a|abbr)>|<abbr title="[^"]*">|<a [^<>]*nofollow">'
    r'|<span class="unseen">[^<]*</span>'
)
_SPLIT = re.compile(r"(<[^<>]*>)")
_TAG = re.compile(r"<(/?)([a-zA-Z0-9]+)")
_ATTRIBUTE = re.compile(r'(\s(?!value=|action=|formaction=|hx-)[a-z-]+=")([^"]+)(?=")')
_VALUE = re.compile(r'(<option value=")([^"]+)(?=")')
_TEXT = re.compile(r">([^<>]*[^<>\s])")
_FIELD = re.compile(r"<textarea[^<]*</textarea>")
_LINK = re.compile(r'<a [^<>]*?href="((?:mailto:|https?:)[^"]*)"[^<>]*>([^<]*(?:<(?!/?a\b)[^<]*)*)</a>')
_SAID = ('title="', '-label="', 'href="http', 'href="mailto')


def hidden(
    markup: str, asked: str = "", names: Callable[[], Iterable[str]] = tuple, stays: Stays = secrets.nothing_stays
) -> str | None:
    """A page's or a part's markup with its secrets masked, and a word that they are; None where it holds none. `asked` is the
    address that was asked for: what somebody typed into it stays in the addresses that lead on. `names` are what chats are called:
    a chat that goes by a telephone number is told from others by it, so it stays where it stands by itself. What `stays` names
    stays wherever it stands."""
    if KEPT not in markup and not _may_hold(markup, stays):
        return None
    page = _Page(_SPLIT.split(_LINK.sub(partial(_unlinked, stays), markup)), asked, names, stays)
    return page.masked().replace(UNTOLD, TOLD, 1) if page.find() else None


def _may_hold(markup: str, stays: Stays) -> bool:
    said = unescape("\n".join(_said(markup)))
    return secrets.may_hold(said) and bool(secrets.spans(said, stays))


def _said(markup: str) -> dict[str, None]:
    """What a page says, roughly and fast: its texts, and the attributes that say something or lead elsewhere, what stands
    there often once."""
    read = _FIELD.sub("", markup) if "<textarea" in markup else markup
    whole = _IN_A_WORD.sub("", read)
    said = [name[6:] + part[: part.find('"')] for name in _SAID for part in read.split(name)[1:]]
    heard = [part.partition("<")[0] for part in read.split(f"{_UNSEEN}>")[1:]]
    return dict.fromkeys([whole[: whole.find("<")], *_TEXT.findall(whole), *said, *heard])


@dataclass(slots=True)
class _Page:
    """Markup in parts, in turn a text and a tag. Texts that a word may go on in are one to look at."""

    parts: list[str]
    asked: str
    names: Callable[[], Iterable[str]]
    stays: Stays
    texts: list[int] = field(default_factory=list)  # the numbers of the parts that are looked at
    read: dict[int, str] = field(default_factory=dict)  # of them, what each says
    starts: list[int] = field(default_factory=list)  # where each begins in `whole`
    inside: dict[int, frozenset[str]] = field(default_factory=dict)  # of them, what each stands in
    whole: str = ""
    spans: list[Span] = field(default_factory=list)
    known: list[str] | None = None  # the names, once they are asked for
    changed: bool = False
    chips: dict[tuple[str, bool], str] = field(default_factory=dict)

    def find(self) -> bool:
        """Mask what is in the tags and what is heard only, and put the texts together. Whether there is any secret."""
        pieces: list[str] = []
        is_inside: list[str] = []
        kept: list[Span] = []
        length, unseen, begins = 0, False, -1
        for number, part in enumerate(self.parts):
            if number % 2:
                if part == KEPT:
                    begins = length
                elif begins >= 0 and part == KEPT_ENDS:
                    kept.append((begins, length))
                    begins = -1
                elif not (unseen or part.startswith(_UNSEEN) or _IN_A_WORD.match(part)):
                    pieces.append("\n")
                    length += 1
                unseen = part.startswith(_UNSEEN) or (unseen and part != "</span>")
                _enter(is_inside, part)
                self._keep(number, self._without(part))
            elif unseen:
                self._keep(number, self._hidden_in(part))
            elif part and is_inside[-1:] == ["script"]:
                self._keep(number, self._hidden_in_data(part))
            elif part and not _UNTOUCHED.intersection(is_inside):
                self.texts.append(number)
                self.starts.append(length)
                self.inside[number] = frozenset(is_inside)
                self.read[number] = unescape(part)
                pieces.append(self.read[number])
                length += len(pieces[-1])
        self.whole = "".join(pieces)
        found = secrets.merge_spans([*secrets.spans(self.whole, self.stays), *filter(self._is_hidden, kept)])
        self.spans = [span for span in found if not self._names_a_chat(*span)]
        return self.changed or bool(self.spans)

    def _is_hidden(self, span: Span) -> bool:
        """Whether what was kept is nobody's of the desk."""
        said = self.whole[slice(*span)]
        return not (personal.has_personal(said) and self.stays(said))

    def _names_a_chat(self, start: int, end: int) -> bool:
        """Whether a stretch is no more than what a chat is called, or stands in its name where nothing but names are."""
        number = self.texts[bisect_right(self.starts, start) - 1]
        text, found = self.read[number].strip(), self.whole[start:end]
        if self.inside[number] & _NAMING:
            return any(found in name and name in text for name in self._known())
        return any(text in name for name in self._known())

    def _known(self) -> list[str]:
        if self.known is None:
            self.known = [one for one in self.names() if secrets.may_hold(one) and not secrets.has_secret(one)]
        return self.known

    def masked(self) -> str:
        """The markup with each secret told only."""
        cuts: dict[int, list[tuple[Span, str]]] = {}
        for start, end in self.spans:
            said = secrets.mask_secret(self.whole[start:end])
            for number, span, is_first in self._within(start, end):
                cuts.setdefault(number, []).append((span, self._chip(number, said) if is_first else ""))
        for number, some in cuts.items():
            self.parts[number] = _replaced(self.read[number], some)
        return "".join(self.parts)

    def _within(self, start: int, end: int) -> Iterator[tuple[int, Span, bool]]:
        """The parts of which a stretch of the whole is made: (number, stretch, whether something is shown there)."""
        at, kind = bisect_right(self.starts, start) - 1, None
        while at < len(self.texts) and self.starts[at] < end:
            number, begin = self.texts[at], self.starts[at]
            stretch = max(start - begin, 0), min(end - begin, len(self.read[number]))
            side = self.inside[number] & {"del", "ins"}
            if stretch[0] < stretch[1]:
                yield number, stretch, side != kind
                kind = side
            at += 1

    def _chip(self, number: int, said: str) -> str:
        inside = self.inside[number]
        if inside & _WORDS:
            return said
        key = said, not inside & _TELLING
        if key not in self.chips:
            self.chips[key] = render_to_string(CHIP, {"said": said, "shows": key[1]}).strip()
        return self.chips[key]

    def _keep(self, number: int, part: str) -> None:
        self.changed = self.changed or part != self.parts[number]
        self.parts[number] = part

    def _without(self, tag: str) -> str:
        """A tag whose attributes hold no secret."""
        if '="' not in tag or not secrets.may_hold(unescape(tag)):
            return tag
        return _ATTRIBUTE.sub(self._told, _VALUE.sub(self._told, tag))

    def _told(self, found: re.Match[str]) -> str:
        beginning, value = found[1], unescape(found[2])
        typed = beginning.endswith('href="') and all(
            unquote(value[start:end]) in unquote(self.asked) for start, end in secrets.spans(value, self.stays)
        )
        names_one = not typed and any(value in name for name in self._known() if secrets.spans(value))
        return found[0] if typed or names_one else beginning + self._hidden_in(found[2])

    def _hidden_in(self, markup: str) -> str:
        """A text of the markup, its secrets told only."""
        said = unescape(markup)
        hidden = secrets.mask(said, self.stays)
        return markup if hidden == said else escape(hidden)

    def _hidden_in_data(self, data: str) -> str:
        """A text that a page's script is handed, as JSON, its secrets told only."""
        try:
            said = json.loads(data)
        except ValueError:
            return data
        hidden = secrets.mask(said, self.stays) if isinstance(said, str) else said
        return data if hidden == said else json.dumps(hidden).replace("<", "\\u003C")


def _unlinked(stays: Stays, link: re.Match[str]) -> str:
    """A link as it stands, or what it says and the secrets of its address: while they are hidden, it leads nowhere."""
    address, said = unescape(link[1]), unescape(_SPLIT.sub("", link[2]))
    found = [address[start:end] for start, end in secrets.spans(address, stays)]
    unsaid = (f" {KEPT}{escape(one)}{KEPT_ENDS}" for one in found if one not in said)
    return "".join([link[2], *unsaid]) if found else link[0]


def _enter(inside: list[str], tag: str) -> None:
    """Keep what one stands in after a tag."""
    found = _TAG.match(tag)
    if found is None or found[2].lower() in _VOID:
        return
    name = found[2].lower()
    if not found[1]:
        inside.append(name)
    elif name in inside:
        while inside.pop() != name:
            pass


def _replaced(text: str, cuts: list[tuple[Span, str]]) -> str:
    pieces, at = [], 0
    for (start, end), instead in cuts:
        pieces += [escape(text[at:start]), instead]
        at = end
    return "".join([*pieces, escape(text[at:])])
