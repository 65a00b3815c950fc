"""Every example of docs/api.md is called as it stands there, in order, and answered as it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from memory.domain.changes import digest
from memory.web.api import errors

TEXT = (Path(__file__).resolve().parents[3] / "docs/api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(.+?)\n```\n\n```json\n(.+?)\n```", TEXT, re.DOTALL)
MEMORY = "# Memory\n\n- Likes tea\n"
ANYTHING = "…"
VALUES = {"SHA-OF-MEMORY": digest(MEMORY.encode()), "$KENOWEB": "", "$TOKEN": "TOKEN", "$BOT": "kenobot"}


def put_in(text):
    for name, value in VALUES.items():
        text = text.replace(name, value)
    return text


def called(program, command):
    """The answer to a line of curl."""
    method, body, where, *parts = None, None, None, *shlex.split(put_in(command))
    assert parts.pop(0) == "curl"
    headers = {}
    while parts:
        match parts.pop(0):
            case "-X":
                method = parts.pop(0)
            case "-d":
                body = parts.pop(0)
            case "-H":
                name, _, value = parts.pop(0).partition(": ")
                headers[name] = value
            case address:
                where = address
    assert headers.pop("Authorization") == "Bearer TOKEN"
    assert (body is None) == (headers.get("Content-Type") is None)
    split = urlsplit(where)
    query = dict(pair.split("=") for pair in split.query.split("&") if pair)
    return program.raw(method or ("POST" if body else "GET"), split.path, body, **query).json()


def differences(told, shown, where=""):
    """Where an answer is not what the example shows; the example may leave fields out, and stand … for what varies."""
    if shown == ANYTHING:
        return
    if isinstance(shown, dict) and isinstance(told, dict):
        for name, value in shown.items():
            yield from differences(told.get(name), value, f"{where}.{name}")
    elif isinstance(shown, list) and isinstance(told, list) and len(shown) == len(told):
        for number, (one, other) in enumerate(zip(told, shown, strict=True)):
            yield from differences(one, other, f"{where}.{number}")
    elif told != shown:
        yield where, told, shown


def test_every_example_is_as_it_says(program):
    program.write("MEMORY.md", MEMORY)
    program.bot.slug = VALUES["$BOT"]
    program.bot.save()
    assert len(EXAMPLES) == TEXT.count("curl ") >= 9
    for command, shown in EXAMPLES:
        told = called(program, command)
        assert list(differences(told, json.loads(put_in(shown)))) == [], command


@pytest.mark.parametrize("status", errors.MEANING)
def test_every_status_is_explained(status):
    assert re.search(rf"^\| {status} \| `", TEXT, re.MULTILINE)


def test_every_code_is_explained():
    sources = (Path(errors.__file__).parent).glob("*.py")
    used = {code for path in sources for code in re.findall(r'Problem\(\s*(?:\d+|[\w.]+), "(\w+)"', path.read_text())}
    assert len(used) > 10
    assert {code for code in used if f"`{code}`" not in TEXT} == {"broken"}
