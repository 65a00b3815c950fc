"""Passwords and tokens that are handed to a program: in a command, a header, an environment or a file of settings."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterator

from memory.text.address_passwords import is_written

Span = tuple[int, int]

# It may hold spaces behind a quotation mark.
_QUOTED = r"(?P<value>[^\s\"'`<>|;&$%{(\[-](?(quote)(?:\\[^\n]|(?!(?P=quote))[^`\\\n])|[^\s\"'`<>|;&]){0,200})"
_VALUE = rf"(?P<quote>[\"'])?{_QUOTED}"
_ON = r"\b(?:[^\n]|(?<=\\)\n){0,300}?[ \t]"  # a command goes on in the next line
_PROGRAMS = ("curl", "sshpass", "mysql", "docker", "podman", "redis-cli")
_USER = rf"curl{_ON}(?:-u|--user|--proxy-user)[ =]?"
_COMMAND = re.compile(
    rf"(?:{_USER}[\"']?[^\s:\"']{{1,100}}:|(?:sshpass|(?:docker|podman)[ ]login){_ON}-p[ ]?"
    rf"|mysql(?:dump|admin)?{_ON}-p|redis-cli{_ON}-a[ ]?){_VALUE}"
)
_QUOTED_USER = re.compile(rf"{_USER}(?P<quote>[\"'])[^:\"'\n]{{1,100}}:{_QUOTED}")
_OPTION = re.compile(
    rf"--(?:[a-z]{{1,20}}-){{0,3}}(?:pass(?:word|wd|phrase)?|token|secret|(?:api|access|secret)-?key)[ =]{_VALUE}"
)
_BASIC = re.compile(r"[Bb]asic[ \t]{1,3}(?P<value>[A-Za-z0-9+/]{4,400}={0,2})(?![\w+/=])")
_BEARER = re.compile(r"[Bb]earer[ \t]{1,3}(?P<value>[\w.~+/-]{8,2000}=*)")
_NETRC = re.compile(
    rf"machine[ \t]{{1,3}}\S{{1,200}}\s{{1,9}}login\s{{1,9}}\S{{1,200}}\s{{1,9}}password\s{{1,9}}{_VALUE}"
)
# Who has the address of such a webhook may write in its channel.
_WEBHOOK = re.compile(
    r"(?:(?i:hooks\.slack\.com)/services/T\w{5,20}/B\w{5,20}"
    r"|(?i:discord(?:app)?\.com)/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,21})/(?P<value>[\w-]{4,200})"
)
# What is named so is a secret where it has the looks of one. The names are looked for as they are mostly written, which takes a
# fraction of the time of any other writing.
_NAMES = re.compile("token|Token|TOKEN|secret|Secret|SECRET|key|Key|KEY|_pass|_PASS|_pwd|_PWD")
_KEYS = "|".join(
    f"(?<={one}.key)" for one in ("api", "access", "secret", "private", "auth", "account", "master", "signing")
)
_ASSIGNED = re.compile(
    rf"(?i:(?<=token)|(?<=secret)|(?<=_pass)|(?<=_pwd)|(?<=apikey)|(?<=accountkey)|{_KEYS})[ \t\"'`*]{{0,4}}"
    r"(?:[:=]|(?<=[ \t])is(?=[ \t]))[ \t\"'`*]{0,6}(?P<value>(?![a-z][a-z0-9_]*\.)[A-Za-z0-9][\w+/.~=!@#^-]{2,500}+)(?![(\[{])"
)
_DIGIT_AND_LETTER = re.compile(r"(?=[^0-9]*[0-9])[^A-Za-z]*[A-Za-z]")
_LEAST = 8  # characters of what has both


def _is_basic(value: str) -> bool:
    """Whether this says somebody's name and password, as a header does."""
    try:
        plain = b64decode(value, validate=True)
    except Error:
        return False
    return plain.isascii() and b":" in plain


def _has_both(value: str) -> bool:
    return _DIGIT_AND_LETTER.match(value) is not None


def _looks_random(value: str) -> bool:
    return len(value) >= _LEAST and _has_both(value)


# Words of which one stands in each, the form, and whether what is found there is a secret.
_FORMS: tuple[tuple[tuple[str, ...], re.Pattern[str], Callable[[str], bool]], ...] = (
    (_PROGRAMS, _COMMAND, is_written),
    (("curl",), _QUOTED_USER, is_written),
    (("--",), _OPTION, _has_both),
    (("basic ", "Basic "), _BASIC, _is_basic),
    (("bearer ", "Bearer "), _BEARER, _looks_random),
    (("machine",), _NETRC, is_written),
    (("/services/T", "/webhooks/"), _WEBHOOK, is_written),
)


def may_hold(text: str) -> bool:
    """Whether a text is worth a look at all."""
    return next(spans(text), None) is not None


def spans(text: str) -> Iterator[Span]:
    """Where they stand in a text."""
    for words, form, is_secret in _FORMS:
        if any(word in text for word in words):
            yield from (found.span("value") for found in form.finditer(text) if is_secret(found["value"]))
    for name in _NAMES.finditer(text):
        if found := _ASSIGNED.match(text, name.end()):
            value, start = found["value"].rstrip("."), found.start("value")
            if is_written(value) and (_looks_random(value) or (name[0][0] == "_" and _has_both(value))):
                yield start, start + len(value)
