"""Personal data in a text: telephone numbers, mail and postal addresses, accounts and the numbers of identity papers. What has a
check digit is checked; a plain number is one of these only where it is named as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

Span = tuple[int, int]

_MAIL = re.compile(
    r"(?:(?<=mailto:)|(?<![A-Za-z0-9._%+@/:-]))[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![A-Za-z0-9@-])"
)
# Nobody's own: addresses of offices and of documentation, and what some chats are called.
_OFFICES = frozenset(
    (
        *(
            "info",
            "support",
            "contact",
            "sales",
            "admin",
            "office",
            "hello",
            "help",
            "team",
            "git",
            "noreply",
            "no-reply",
        ),
        *("postmaster", "webmaster", "kontakt", "soporte", "ventas"),
    )
)
_NOWHERE = (".test", ".invalid", ".localhost", ".local", "@s.whatsapp.net", "@c.us", "@g.us")
_EXAMPLES = ("example.com", "example.org", "example.net")
_DIGIT = re.compile("[0-9]")
_DIGITS = r"[0-9](?:[ ()./-]{0,2}[0-9])"
_IS = r"[:=：]|[ ](?:is|ist|lautet|es)[ ]"
_ABROAD = re.compile(r"\+(?<![^\W_].)(?<![+./-].)[1-9](?:[ ()./-]{0,2}[0-9]){7,14}(?![0-9])")
_PHONE = re.compile(
    r"(?:\b(?:(?:tele)?phone|mobile|cell|whatsapp|telefon|handy|mobil|teléfono|móvil|tel|tlf)(?:[ -]?(?:number|nummer|no))?\b\.?"
    rf"[^\n.;?!0-9:=]{{0,30}}?(?:{_IS}|[ ](?=\(?0))|电话(?:号码)?(?:是|为|[:：])?|手机号?(?:是|为|[:：])?)"
    rf"[ *_`]{{0,4}}(?P<value>\(?{_DIGITS}{{6,13}})(?![0-9]|[.,][0-9])",
    re.IGNORECASE,
)
_PAPER = re.compile(
    r"(?:\b(?:passport|pasaporte|reisepass|personalausweis|ausweis|steuer-?id|tax[ ]id|driving[ ]licence|social[ ]security)\b"
    rf"|护照|身份证)[^\n.;?!0-9:=]{{0,30}}?(?:{_IS}|是|为|(?:number|no\.?|nr\.?|nummer|número)[ ])[ *_`]{{0,4}}"
    r"(?P<value>(?![0-9]{4}-[0-9]{2}-)(?-i:[A-Z]{0,3}[0-9][0-9A-Z -]{5,15}[0-9A-Z]))(?![0-9A-Za-z])",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_SSN = re.compile(r"[0-8](?<![0-9-].)[0-9]{2}(?<!000)(?<!666)-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9-])")
_DNI = re.compile(r"(?<![A-Za-z0-9])(?:[0-9]{8}|[XYZ]-?[0-9]{7})-?[A-Z](?![A-Za-z0-9])")
_RESIDENT = re.compile(
    r"[1-9](?<![0-9].)[0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9Xx](?![0-9])"
)
_CAPITAL = "A-ZÄÖÜÁÉÍÓÚÑ"
_NAME = rf"[{_CAPITAL}][\w’'-]{{1,20}}"
_HOUSE = re.compile(
    rf"(?<![0-9.,:-])[0-9]{{1,5}}[a-z]?[ ](?:{_NAME}[ ]){{1,3}}(?:Street|St\b|Road|Rd\b|Avenue|Ave\b|Lane|Drive|Boulevard)"
    rf"|\b[{_CAPITAL}][\w-]{{2,30}}(?:straße|strasse|str\.|gasse|allee)[ ][0-9]{{1,4}}[a-z]?\b"
    rf"|\b(?:Calle|Avenida|Avda\.|Paseo|Carrer)[ ](?:de[ ](?:la[ ]|los[ ])?|del[ ])?{_NAME}(?:[ ]{_NAME}){{0,2}},?[ ]"
    r"(?:n[º°][ ]?)?[0-9]{1,4}\b"
    r"|[\u4e00-\u9fff]{1,8}(?:路|街|大道)[0-9]{1,5}号"
)
_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
# What is looked for in lines with one of these words, in small letters.
_NAMED: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        _PHONE,
        (
            *("phone", "mobile", "cell", "whatsapp", "telefon", "handy", "mobil", "teléfono", "móvil", "tel", "tlf"),
            *("电话", "手机"),
        ),
    ),
    (
        _PAPER,
        (
            *("passport", "pasaporte", "ausweis", "reisepass", "steuer", "tax id", "licence", "social sec"),
            *("护照", "身份证"),
        ),
    ),
    (
        _HOUSE,
        (
            *("street", " st", "road", " rd", "avenue", " ave", "lane", "drive", "boulevard", "strasse", "str."),
            *("gasse", "allee", "calle", "avenida", "avda", "paseo", "carrer", "号"),
        ),
    ),
)
_NUMBER = re.compile(r"[0-9](?<![0-9][0-9])[0-9]{2}(?:[0-9]{4}|-[0-9]{2}-[0-9]{4})")  # a day, 2026-01-31, is none
_HEAD = re.compile(r"[A-Z]{2}[0-9]{2} ?[A-Z0-9]{4}")


def may_hold(text: str) -> bool:
    """Whether a text is worth a look at all."""
    return next(_looked_for(text), None) is not None


def _looked_for(text: str) -> Iterator[tuple[re.Pattern[str], Sequence[str]]]:
    """The forms that may be in a text, with the words of which one stands in its line; the dearest are asked for by their words."""
    if "@" in text:
        yield _MAIL, ()
    if "+" in text:
        yield _ABROAD, ()
    if _NUMBER.search(text):
        yield from ((form, ()) for form in (_SSN, _DNI, _RESIDENT))
    if _HEAD.search(text):
        yield _ACCOUNT, ()
    if _DIGIT.search(text):
        small = text.casefold()
        for form, words in _NAMED:
            if there := [word for word in words if word in small]:
                yield form, there


def has_personal(text: str) -> bool:
    """Whether a text holds personal data."""
    return next(_found(text), None) is not None


def remove_personal_data(text: str, instead: str) -> str:
    """The text with something else in the place of its personal data."""
    parts, at = [], 0
    for start, end in spans(text):
        if start >= at:
            parts += [text[at:start], instead]
            at = end
    return "".join([*parts, text[at:]])


def spans(text: str) -> list[Span]:
    """Where personal data stands, in order."""
    return sorted(_found(text))


def is_mail(text: str) -> bool:
    """Whether a text is a mail address and nothing else."""
    return _MAIL.fullmatch(text) is not None


def _found(text: str) -> Iterator[Span]:
    for form, words in _looked_for(text):
        is_right = _CHECKED.get(form)
        for at, line in _lines_with(words, text) if words else ((0, text),):
            for found in form.finditer(line):
                if is_right is None or is_right(found[0]):
                    start, end = found.span("value" if "value" in form.groupindex else 0)
                    yield at + start, at + end


def _lines_with(words: Sequence[str], text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that have a digit and one of these words, each with where it begins."""
    at = 0
    for line, small in zip(text.split("\n"), text.casefold().split("\n"), strict=True):
        if _DIGIT.search(line) and any(word in small for word in words):
            yield at, line
        at += len(line) + 1


def _is_somebodys(mail: str) -> bool:
    small = mail.casefold()
    return not (small.partition("@")[0] in _OFFICES or small.endswith((*_NOWHERE, *_EXAMPLES)))


def _is_account(text: str) -> bool:
    """The check of an IBAN: its letters as numbers, turned by four, leave one of 97."""
    plain = text.replace(" ", "")
    return 15 <= len(plain) <= 34 and int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def _is_dni(text: str) -> bool:
    plain = text.replace("-", "")
    return _LETTERS[int(plain[:-1].translate(str.maketrans("XYZ", "012"))) % 23] == plain[-1]


def _is_resident(text: str) -> bool:
    total = sum(int(sign) * weight for sign, weight in zip(text[:17], _WEIGHTS, strict=True))
    return _CHECKS[total % 11] == text[17].upper()


_CHECKED: dict[re.Pattern[str], Callable[[str], bool]] = {
    _MAIL: _is_somebodys,
    _ACCOUNT: _is_account,
    _DNI: _is_dni,
    _RESIDENT: _is_resident,
}
