"""Secrets in a text: credentials by the forms that their makers give them, card numbers, and passwords, tokens and codes that are
named as such. What is only spoken of (a password in the vault) is none."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from itertools import chain
from urllib.parse import unquote

from memory.text import address_passwords, personal, plain_passwords, private_keys, program_secrets

Span = tuple[int, int]
Stays = Callable[[str], bool]  # whether what was found is no secret there: what people of the desk are called

_FORMS = (
    r"[0-9]{8,10}:[A-Za-z0-9_-]{35}(?!_{0,3}[A-Za-z0-9-])",  # a Telegram bot
    r"sk-[A-Za-z0-9_-]{20,200}",
    r"[rs]k_live_[A-Za-z0-9]{16,200}",
    r"gh[pousr]_[A-Za-z0-9]{36,200}",
    r"github_pat_[A-Za-z0-9_]{22,200}",
    r"glpat-[A-Za-z0-9_-]{20,200}",
    r"hf_[A-Za-z0-9]{30,200}",
    r"npm_[A-Za-z0-9]{36,200}",
    r"xox[abeprs]-[A-Za-z0-9-]{10,200}",
    r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])",
    r"AIza[0-9A-Za-z_-]{35}",
    r"eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,2000}",
)
# What of such a form is left where a list cut a text: its head, so much of it, and then an ellipsis or the end of the line.
_CUT = (
    r"(?:sk-|[rs]k_live_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|eyJ)"
    r"(?:[A-Za-z0-9_.-]{4,2000}…|(?=[A-Za-z_.-]*[0-9])[A-Za-z0-9_.-]{4,2000}$)"
    r"|(?:hf|npm)_(?:[A-Za-z0-9]{4,200}…|(?=[A-Za-z]*[0-9])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{8,200}$)"
)
_BEGINS = r"(?<![A-Za-z0-9])(?<![A-Za-z0-9][_-])"  # a mark of Markdown may stand before it
_CREDENTIAL = re.compile(rf"{_BEGINS}(?:{'|'.join(_FORMS)})")
_SHOWN = re.compile(rf"{_BEGINS}(?:{'|'.join((*_FORMS, _CUT))})", re.MULTILINE)
_HEADS = (
    *("sk-", "k_live_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_", "npm_", "xox", "AKIA"),
    *("ASIA", "AIza", "eyJ"),
)
_CARD = re.compile(
    r"[2-6](?<![0-9A-Za-z.-].)(?:[0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,4}|(?<=3)[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5})"
    r"(?![0-9A-Za-z-])"
)
# What is not read as it is written: an escape of Markdown, signs without any width, codes of HTML for one, and those of addresses.
_NO_WIDTH = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_WRITTEN = re.compile(
    rf"\\(?=[!-/:-@\[-`{{-~])|{_NO_WIDTH.pattern}|&(?:amp;)*(?:#[0-9]{{1,7}}|#[xX][0-9A-Fa-f]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});"
)
_PERCENT = "%(?:25)*"  # a code may stand in another one
# Nor are marks in the middle of a word or a number, with a link's address or a tag, codes of JSON, and a space that breaks no line.
# The first sign is met before what stands in front of it is looked at, so that most places of a text are passed at once.
_INSIDE, _TO, _TAG = r"(?:(?<=[\w@.-].)|(?<=[0-9] .))", r"\([^()\s]{0,500}\)", r"[/!A-Za-z][^<>\n]{0,200}>"
_FIRST = rf"(?:[*`~]{_INSIDE}[*`~]{{0,2}}|\]{_INSIDE}{_TO}|\[{_INSIDE}|<{_INSIDE}{_TAG})"
_MARKS = rf"{_FIRST}(?:[*`~]{{1,3}}|\]{_TO}|\[|<{_TAG}){{0,2}}(?=[\w@.-]| [0-9])"
_CODED = re.compile(
    rf"{_WRITTEN.pattern}|{_MARKS}|\\u[0-9A-Fa-f]{{4}}|\u00a0"
    rf"|{_PERCENT}(?i:[2-7][0-9A-F]|(?:[CD]|E[0-9A-F]{_PERCENT}[89AB])[0-9A-F]{_PERCENT}[89AB][0-9A-F])"
)
_DIGITS = re.compile(r"[0-9]{4}[ -]?[0-9]{4}")  # every card has them, and every token of a Telegram bot

# A name of a secret, perhaps whose or what for, a word or sign that says "is", and the secret itself.
_WHOSE = r"[*_`]{0,3}(?:[ \t]+(?:of|for|to|at|on|in|der|des|für|vom|von|de|del|para)[ \t][^\n.;:=?!]{1,40}?)?"
_IS = (
    r"[*_`\"']{0,3}[ \t]*(?:[:=：]|[ \t](?:is|ist|lautet|es)(?:[ \t](?:now|jetzt|ahora))?(?=[ \t*_`\"'])|[是为][:：]?)"
    r"[*_`]{0,3}[ \t]*[*_`\"'“«]{0,3}"
)
_PASSWORD = re.compile(
    rf"(?:(?:pass(?:word|wort|phrase|code|wd)|kennwort|contraseña)\b|密码|口令){_WHOSE}{_IS}"
    r"(?P<value>[!-~]{3,63}[A-Za-z0-9#*$%@&+=_~^/-])",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"(?:(?:pass(?:word|wort|phrase|code|wd)|kennwort|contraseña)\b|密码|口令){_WHOSE}{_IS}"
    rf"(?P<value>{plain_passwords.PHRASE}|{plain_passwords.WORD}){plain_passwords.END}",
    re.IGNORECASE,
)
_CODE = re.compile(
    rf"(?:\b(?:pin(?:[ -](?:code|number))?|cv[vc]|geheimzahl)\b{_WHOSE}{_IS}|(?:\b(?:(?-i:PIN)|(?:alarm|door|gate|safe|lock|entry"
    r"|garage)[ -]?code|(?:alarm|tür|tor|tresor|zugangs)code|código[ \t]de[ \t](?:la[ \t])?(?:alarma|puerta|acceso))\b"
    rf"|门禁密码|报警密码|取款密码){_WHOSE}(?:{_IS}|[ \t]+))"
    r"(?P<value>[0-9]{3,8}[#*]?)(?![0-9A-Za-z]|[.:/-][0-9]|[ \t]*(?:digits?|cm|mm|%))",
    re.IGNORECASE,
)
# What a list left of a number, a mail address or a password that is longer, before its ellipsis.
_LEFT = re.compile(
    r"(?:(?<![0-9A-Za-z.-])(?P<card>[2-6][0-9]{3}(?:[ -]?[0-9]{4}){1,3}[ -]?[0-9]{0,3})"
    r"|(?<![\w.%+-])(?P<mail>[\w.%+-]{1,64}@[\w.-]{0,80})"
    rf"|(?i:(?:pass(?:word|wort|phrase|code|wd)|kennwort|contraseña)\b|密码|口令){_WHOSE}{_IS}(?P<password>[!-~]{{1,63}}))\Z"
)
_NAMED = re.compile(
    r"p(?:ass(?:wor[dt]|wd|phrase|code)|in\b(?<=\bpin))|kennw|c(?:ontrase|ode\b|v[vc]|ódigo)|geheimz|密码|口令"
)
_UNSURE = re.compile(r"https?:|1password\b|[\d./:-]+$", re.IGNORECASE)
_PLAIN_NUMBER = re.compile(r"[0-9]{4,12}")
_STRONG = re.compile(r"[0-9@#%^*+=]")

# What ends the cell, the link's text or the format in which a secret stands; it is looked so far back for where they begin.
_CELL_ENDS, _LINK_TEXT_ENDS = re.compile(r"(?<!\\)\|"), re.compile(r"\]\(")
_FORMAT_ENDS = re.compile(r"(?:(?<![*\\])\*{1,3}|(?<![~\\])~{1,2}|(?<![_\\])_{1,3}|(?<![`\\])`{1,3}|[\"'])\Z")
_MOST_BEFORE = 200

_ELLIPSIS = re.compile("…")

REMOVED = "[removed]"
FIRST, LAST = 4, 3
DOTS = "•" * 16
# Characters: longer than a secret with what names it; and that a cut goes back where it parts one.
_AROUND, _STEP = 8192, 20
_NEAR = 400  # characters between lines that are read as one stretch


def has_secret(text: str) -> bool:
    """Whether a text holds a secret."""
    return next(_found(text, _CREDENTIAL), None) is not None


def nothing_stays(_found: str) -> bool:
    """Nothing that was found stays."""
    return False


def spans(text: str, stays: Stays = nothing_stays) -> list[Span]:
    """Where the secrets and the personal data of a text stand, in order, none in another; also what is left of a secret that a list
    cut."""
    return merge_spans(_found_as_read(text, lambda some: chain(_found_in(some, _SHOWN), _personal(some, stays))))


def has_hidden(text: str, stays: Stays = nothing_stays) -> bool:
    """Whether a text holds what pages hide."""
    return has_secret(text) or next(_found_as_read(text, lambda some: _personal(some, stays)), None) is not None


def mask_secret(secret: str) -> str:
    """A secret as it is told to who must not read it: a credential by its first and last signs, anything else by none."""
    plain = without_escapes(secret)
    if not _SHOWN.fullmatch(plain) or len(plain) < len(DOTS):
        return DOTS
    return plain[:FIRST] + DOTS + plain[-LAST:]


def without_escapes(secret: str) -> str:
    """A secret as it is read: a credential or a mail address without what is only written in it, anything else as it stands."""
    plain = _WRITTEN.sub(_sign, secret)
    return plain if _SHOWN.fullmatch(plain) or personal.is_mail(plain) else secret


def spans_read(written: re.Pattern[str], text: str, find: Callable[[str], Iterable[Span]]) -> list[Span]:
    """Where something stands in a text, found in it as it is read: without what is only written, or with the sign it stands for."""
    pieces, last = list[str](), 0  # what is read, and how far
    more = 0  # how much further on in the text than in what is read
    places, begins, ends = [0], [0], [0]  # from these places on, what is read begins and ends by so much further on
    for found in written.finditer(text):
        sign, at = _sign(found), found.start() - more
        pieces += [text[last : found.start()], sign]
        last, behind = found.end(), more + len(found[0]) - len(sign)
        places += [at, at + len(sign)]
        begins += [more, behind]
        ends += [behind, behind]
        more = behind
    return [
        (start + begins[bisect_right(places, start) - 1], end + ends[bisect_left(places, end) - 1])
        for start, end in find("".join((*pieces, text[last:])))
    ]


def _sign(written: re.Match[str]) -> str:
    """The sign that is read where this is written, if any."""
    return _decoded(written[0]) if written[0][0] in "&%\u00a0" or written[0][:2] == "\\u" else ""


def _decoded(code: str) -> str:
    before, code = "", chr(int(code[2:], 16)) if code[0] == "\\" else code
    while before != code:
        before, code = code, unquote(unescape(code))
    return _NO_WIDTH.sub("", code).replace("\u00a0", " ")


def mask(text: str, stays: Stays = nothing_stays) -> str:
    """The text with its secrets told only, and its personal data not at all."""
    return _with(text, spans(text, stays), mask_secret)


def place_to_cut(text: str, most: int) -> int:
    """Where a text is cut that may have so many characters: there, or before a secret that this would part, or part from its name,
    as then pages would hide neither half; 0 if there is no such place."""
    if most >= len(text):
        return len(text)
    start = max(0, most - _AROUND)
    near, at = text[start : most + _AROUND], most - start
    hidden = spans(near)
    while at > 0 and (parted := _parted(near, at, hidden)) is not None:
        at = min(at - _STEP, parted)
    return start + at if at > 0 else 0


def _parted(text: str, at: int, hidden: list[Span]) -> int | None:
    """Where the first of these spans begins that would not be found as a whole any more if a text were cut."""
    found = {*spans(text[:at]), *((at + start, at + end) for start, end in spans(text[at:]))} if hidden else set()
    return next((start for start, end in hidden if (start, end) not in found), None)


def remove_secrets(text: str) -> str:
    """The text without its secrets."""
    return _with(text, merge_spans(_found(text, _CREDENTIAL)), lambda _secret: REMOVED)


def holds_more_masks(new: str, old: str) -> bool:
    """Whether a text holds a mask that its former version does not: somebody would write it in the place of a secret."""
    return new.count(DOTS) > old.count(DOTS)


def may_hold(text: str) -> bool:
    """Whether a text is worth a look at all: false for nearly every one, and asked in a fraction of the time."""
    return _may_hold(text) or any(_may_hold(_CODED.sub(_sign, text[start:end])) for start, end in _coded(text))


def _may_hold(text: str) -> bool:
    return (
        _has_head(text)
        or _DIGITS.search(text) is not None
        or _is_named(text)
        or personal.may_hold(text)
        or private_keys.may_hold(text)
        or address_passwords.may_hold(text)
        or program_secrets.may_hold(text)
    )


def _has_head(text: str) -> bool:
    return any(head in text for head in _HEADS)


def _coded(text: str) -> list[Span]:
    """The lines of a text in which something is read that is not written there, those near each other as one stretch; all of a text
    that may hold a private key, which has several."""
    some: list[Span] = []
    if text.isascii() and not any(sign in text for sign in "\\&%*`~[<"):
        return some
    for start, end in (code.span() for code in _CODED.finditer(text)):
        if not some or start > some[-1][1] + _NEAR:
            some.append((text.rfind("\n", 0, start) + 1, start))
        if end > some[-1][1]:
            some[-1] = (some[-1][0], (text.find("\n", end) + 1 or len(text) + 1) - 1)
    return [(0, len(text))] if some and ("-----BEGIN" in text or "PRIVATE" in text) else some


def _found_as_read(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """What is found in a text as it is written, and as it is read."""
    yield from find(text)
    for at, end in _coded(text):
        yield from ((at + start, at + stop) for start, stop in spans_read(_CODED, text[at:end], find))


def _is_named(text: str) -> bool:
    return _NAMED.search(text.casefold()) is not None


def _personal(text: str, stays: Stays) -> Iterator[Span]:
    return ((start, end) for start, end in personal.spans(text) if not stays(text[start:end]))


def _with(text: str, found: Iterable[Span], instead: Callable[[str], str]) -> str:
    parts, at = [], 0
    for start, end in found:
        parts += [text[at:start], instead(text[start:end])]
        at = end
    return "".join([*parts, text[at:]]) if parts else text


def merge_spans(found: Iterable[Span]) -> list[Span]:
    """In order, and what reaches into each other as one."""
    some: list[Span] = []
    for start, end in sorted(found):
        if some and start < some[-1][1]:
            some[-1] = (some[-1][0], max(end, some[-1][1]))
        else:
            some.append((start, end))
    return some


def _found(text: str, credential: re.Pattern[str]) -> Iterator[Span]:
    return _found_as_read(text, lambda some: _found_in(some, credential))


def _found_in(text: str, credential: re.Pattern[str]) -> Iterator[Span]:
    has_digits = _DIGITS.search(text) is not None
    if has_digits or _has_head(text):
        for found in credential.finditer(text):
            end = _before_format_ends(text, *found.span())
            yield found.start(), end if credential.fullmatch(text, found.start(), end) else found.end()
    if private_keys.may_hold(text):
        yield from private_keys.spans(text)
        yield from private_keys.remaining_spans(text) if credential is _SHOWN else ()
    if has_digits:
        yield from (found.span() for found in _CARD.finditer(text) if _adds_up(found[0]))
    yield from _left(text) if credential is _SHOWN else ()
    yield from address_passwords.spans(text, cut=credential is _SHOWN)
    yield from ((start, _before_format_ends(text, start, end)) for start, end in program_secrets.spans(text))
    for at, line in _named_lines(text):
        named = [found.span("value") for found in _CODE.finditer(line)]
        named += [found.span("value") for found in _PLAIN.finditer(line) if plain_passwords.is_password(found["value"])]
        named += _passwords(line)
        yield from ((at + start, at + _before_format_ends(line, start, end)) for start, end in named)


def _left(text: str) -> Iterator[Span]:
    """Where something stands of which a list left the beginning."""
    for dots in _ELLIPSIS.finditer(text):
        if found := _LEFT.search(text, max(0, dots.start() - _MOST_BEFORE), dots.start()):
            yield found.span(str(found.lastgroup))


def _named_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that name a secret, each with where it begins: a name and its secret stand in one line."""
    at = 0
    for line in text.split("\n") if _is_named(text) else ():
        if _is_named(line):
            yield at, line
        at += len(line) + 1


def _passwords(line: str) -> Iterator[Span]:
    """Where strong passwords that are named stand in a line."""
    at = 0
    while found := _PASSWORD.search(line, at):
        start, at = found.span("value")
        if _is_password(found["value"]):
            start, at = _without_what_holds_it(line, start, at)
            yield start, at


def _without_what_holds_it(line: str, start: int, end: int) -> Span:
    """A password without the end of the table's cell or of the link's text in which it stands, and what follows there."""
    before = line[max(0, start - _MOST_BEFORE) : start + 1]
    is_row = line.lstrip().startswith("|") and line.rstrip().endswith("|")
    ends = _CELL_ENDS.search(line, start, end) if is_row else None
    if ends is None and before.rfind("[") > before.rfind("]"):
        ends = _LINK_TEXT_ENDS.search(line, start, end)
    begins = start + (line[start] == "[")
    return (begins, ends.start()) if ends and _is_password(line[begins : ends.start()]) else (start, end)


def _before_format_ends(text: str, start: int, end: int) -> int:
    """Where a secret ends without the marks behind it that close what is bold, slanted, struck or code around it."""
    before = text[max(0, start - _MOST_BEFORE) : start + 1].rpartition("\n")[2]
    while (ends := _FORMAT_ENDS.search(text, start, end)) and _is_open(before, mark := ends[0][0]):
        before, end = before.replace(mark, " "), ends.start()
    return end


def _is_open(before: str, mark: str) -> bool:
    """Whether a format is open where this ends, by such marks in turn: what begins a word opens it, and what ends one closes it."""
    is_open = False
    for run in re.finditer(rf"(?<![\\{mark}]){re.escape(mark)}+", before):
        last, following = before[: run.start()][-1:], before[run.end() :][:1]
        stays = not last or last.isspace() or following.isalnum()
        is_open = stays if is_open else not (following.isspace() or last.isalnum())
    return is_open


def _is_password(value: str) -> bool:
    """Whether what follows the word is one: a word of the language is not, nor a date or an address."""
    plain = unescape(value) if "&" in value else value
    if _PLAIN_NUMBER.fullmatch(plain):
        return True
    return bool(_STRONG.search(plain)) and any(map(str.isalnum, plain)) and not _UNSURE.match(plain)


def _adds_up(number: str) -> bool:
    """Whether the digits of a card's number pass the check that every card passes (Luhn)."""
    digits = [int(sign) for sign in reversed(number) if sign.isdigit()]
    doubled = [digit if at % 2 == 0 else digit * 2 - 9 * (digit > 4) for at, digit in enumerate(digits)]
    return 13 <= len(digits) <= 19 and sum(doubled) % 10 == 0
