"""Passwords in addresses, scheme://somebody:password@host."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

# One, or what a list left of it; and one with a sign that would have to be written as a percent code there.
_IN_AN_ADDRESS = re.compile(
    r"://(?<=[A-Za-z0-9]://)(?P<user>[^\s/?#:<>\"`]{0,200}):"
    r"(?P<value>[^\s/?#@<>\"`…]{1,2000}+(?:@[^\s/?#@<>\"`…]{1,2000}+(?=@)){0,9}+)(?:@(?=\S)|(?P<cut>(?=…)))"
)
_NOT_ENCODED = re.compile(
    r"://(?<=[A-Za-z0-9]://)(?P<user>[^\s/?#:@<>\"`]{0,200}):(?![0-9]{0,5}[/?#])(?=(?P<begin>[\w.~!$&*+=%^:-]{1,200}+)[/?#])"
    r"(?P<value>[\w.~!$&*+=%^:/?#-]{1,400}+)@(?=[A-Za-z0-9])",
    re.ASCII,
)
# None is in http://host:8080/@somebody, in what follows such an address in a sentence, nor where instructions say what
# belongs there.
_PORT = re.compile(r"[0-9]{1,5}(?:[^\w\x00-\x7f]|'[,}\]]|(?=[^\w@]*[]),;|])[^\w@]*+\Z)")
_WEB, _PORT_AND_WORDS = ("http", "https"), re.compile(r"[0-9]{2,5}(?:[][(){}|;:'][^\W\d_]*+)+")
_HOST, _PORT_OF_A_HOST = re.compile(r"localhost|[0-9.]+"), re.compile(r"[0-9]{1,5}\W")
_NUMBERS_HOST = re.compile(r"\[[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]+\]")
_NO_PASSWORD = re.compile(
    r"(?i:(?:your[-_]?)?pass(?:word|wort|wd)?|pwd|port|contraseña|x{3,})"
    r"|\$\{[^{}]*\}|\$[A-Z_][A-Z0-9_]*|%\w+%|%\(\w+\)s|\{+[^{}]*\}+|\[+[^\[\]]*\]+"
)


def may_hold(text: str) -> bool:
    """Whether a text is worth a look at all."""
    return "://" in text and any(form.search(text) is not None for form in (_IN_AN_ADDRESS, _NOT_ENCODED))


def spans(text: str, *, cut: bool) -> Iterator[Span]:
    """Where passwords stand in the addresses of a text; with `cut` also what a list left of one."""
    if "://" in text:
        in_addresses = (found for found in _IN_AN_ADDRESS.finditer(text) if _is_in_an_address(found))
        yield from (found.span("value") for found in in_addresses if cut or found["cut"] is None)
        yield from (found.span("value") for found in _NOT_ENCODED.finditer(text) if is_written(found["begin"]))


def _is_in_an_address(found: re.Match[str]) -> bool:
    """Whether what stands between somebody and a host is a password: not a host's port and what a sentence goes on with."""
    value, text = found["value"], found.string
    if _PORT.match(text, found.start("value"), found.end("value") + (found["cut"] is not None)):
        return False
    if _HOST.fullmatch(found["user"]) and _PORT_OF_A_HOST.match(value):
        return False
    if found["user"] and text.endswith(_WEB, 0, found.start()) and _PORT_AND_WORDS.fullmatch(value):
        return False
    is_image = text.startswith("@sha256:", found.end("value"))
    return is_written(value) and not is_image and not _NUMBERS_HOST.match(text, found.start("user"))


def is_written(value: str) -> bool:
    """Whether what stands in the place of a password is one: not its name, a variable or dots."""
    return any(map(str.isalnum, value)) and not _NO_PASSWORD.fullmatch(value)
