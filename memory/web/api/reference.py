"""The OpenAPI document, and as people read it: every call with what it takes, a line to try it, and what it answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory.web.api.application import schema
from memory.web.api.authentication import token_of
from memory.web.api.errors import MEANING, Problem, answer

Shape = Mapping[str, Any]
Words = tuple[tuple[str, bool], ...]  # pieces of a text, and whether each is code
PLAIN = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
}
FORMATS = {"date-time": "time"}

_CODE = re.compile("`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Field:
    """A value that is sent or answered. `where`: in the address, the query or the body."""

    name: str
    kind: str
    words: Words
    where: str = ""
    needed: bool = False


def groups() -> tuple[dict[str, object], ...]:
    """Every operation with those it belongs to, in the order of the document."""
    found: dict[str, list[dict[str, object]]] = {}
    for path, methods in schema()["paths"].items():
        for method, told in methods.items():
            found.setdefault(told["tags"][0], []).append(_call(path, method, told))
    return tuple({"name": name.capitalize(), "calls": tuple(calls)} for name, calls in found.items())


def _call(path: str, method: str, told: Shape) -> dict[str, object]:
    """One operation. `sample` is a line of curl, with the token and the site's address as variables."""
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    answered = told["responses"]["200"]["content"]["application/json"]["schema"]
    in_address = [_field(one["name"], one, one["schema"], one["in"], one["required"]) for one in told["parameters"]]
    return {
        "id": told["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": told["summary"],
        "words": pieces(told["description"]),
        "scope": told["x-scope"],
        "sends": (*in_address, *_fields(body, "body")),
        "answers": tuple(_fields(answered)),
        "sample": _sample(path, method, told["parameters"], _resolved(body).get("example")),
    }


def _fields(shape: Shape, where: str = "") -> Iterator[Field]:
    found = _resolved(shape)
    for name, one in found.get("properties", {}).items():
        yield _field(name, one, one, where, name in found.get("required", ()))
        for below in _fields(one.get("items", {}), where):  # of a list, also what each of its entries has
            yield replace(below, name=f"{name}[].{below.name}")


def _field(name: str, told: Shape, shape: Shape, where: str, needed: bool) -> Field:
    kind, words = _kind(shape), pieces(told.get("description", ""))
    return Field(name, kind.removesuffix(" or null") if where == "query" else kind, words, where, needed)


def pieces(text: str) -> Words:
    """A text in which what stands between backticks is code."""
    return tuple((piece, bool(at % 2)) for at, piece in enumerate(_CODE.split(text)) if piece)


def _resolved(shape: Shape) -> Shape:
    name = shape.get("$ref", "").rpartition("/")[2]
    found: Shape = schema()["components"]["schemas"][name] if name else shape
    return found


def _kind(shape: Shape) -> str:
    """What a value is, in words."""
    found = _resolved(shape)
    if "enum" in found:
        return ", ".join(str(one) for one in found["enum"])
    if "anyOf" in found:
        return " or ".join(dict.fromkeys(_kind(one) for one in found["anyOf"]))
    if isinstance(found.get("type"), list):
        return " or ".join(PLAIN.get(one, one) for one in found["type"])
    if found.get("type") == "array":
        entry = _resolved(found.get("items", {}))
        return "list" if "properties" in entry or not entry else f"list of {_kind(entry)}"
    return str(FORMATS.get(found.get("format", "")) or PLAIN.get(found.get("type", ""), found.get("type", "null")))


def _sample(path: str, method: str, parameters: Sequence[Shape], body: object) -> str:
    where = path.replace("{slug}", "$BOT")
    for name in ("change_set", "token"):
        where = where.replace(f"{{{name}}}", "1")
    asked = [
        f"{one['name']}={one['schema']['example']}" for one in parameters if one["in"] == "query" and one["required"]
    ]
    query = f"?{'&'.join(asked).replace(' ', '+')}" if asked else ""
    act = f" -X {method.upper()}" if method in ("put", "patch", "delete") else ""
    sent = f" --json '{json.dumps(body, ensure_ascii=False)}'" if method in ("post", "put", "patch") else ""
    return f'curl{act} -H "Authorization: Bearer $TOKEN"{sent} "$KENOWEB{where}{query}"'


@login_not_required
def openapi(request: HttpRequest) -> HttpResponse:
    """The document, for whoever is logged in or has a token."""
    if not request.user.is_authenticated and token_of(request) is None:
        return answer(Problem(401, "token", "Log in, or show a live API key: Authorization: Bearer kw_…"))
    return _told(request)


@require_safe
def _told(request: HttpRequest) -> HttpResponse:
    return JsonResponse(schema())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every call as people read it."""
    meaning = tuple((status, pieces(words)) for status, words in MEANING.items())
    return render(request, "memory/api/reference.html", {"groups": groups(), "meaning": meaning})
