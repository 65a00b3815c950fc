"""The API as a whole: its operations, its addresses, and what it says of itself."""

from __future__ import annotations

import json
from functools import cache
from http.client import responses
from typing import Any, cast

from django.urls import URLPattern
from ninja import NinjaAPI
from ninja.operation import Operation

from memory.bots import families
from memory.web.api import (
    acts,
    bots,
    changes,
    compaction,
    documents,
    errors,
    facts,
    jobs,
    numbers,
    prompts,
    search,
    tokens,
    turns,
)
from memory.web.api.authentication import Token, door

ROOT = "api/v1/"
OWN = (bots, documents, facts, acts, search, prompts, turns, compaction, jobs, changes, numbers, tokens)
MODULES = (*OWN, *families.apis())
DESCRIPTION = """
What a bot remembers, for programs. Each call carries a token of one bot, made on its page **API**:
`Authorization: Bearer kw_…`. A token with the scope `read` reads, `write` also writes, `admin` also looks after tokens.

Every answer that is not a success has one shape: `{"error": {"code", "message", …}}`. A program goes by `code`, a person reads
`message`. Lists come a page at a time; `next` says how to go on.
""".strip()


class Api(NinjaAPI):
    """An operation is called as its function is."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


api = Api(title="Kenoweb", version="1", description=DESCRIPTION, openapi_url=None, urls_namespace="api")
api.add_router("", bots.router)
for module in MODULES[1:]:
    api.add_router("/bots/{slug}", module.router)
errors.listen(api)


def addresses() -> list[URLPattern]:
    """The operations, each behind the door."""
    found = [one for one in api.urls[0] if isinstance(one, URLPattern) and one.name != "api-root"]
    for one in found:
        one.callback = door(one.callback)
    return found


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI document."""
    made: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=ROOT)))
    scopes = _scopes()
    for operation in (one for methods in made["paths"].values() for one in methods.values()):
        operation["x-scope"] = scopes[operation["operationId"]]
        for status, told in operation["responses"].items():
            told["description"] = errors.MEANING.get(int(status), responses[int(status)])
            _explain(int(status), told)
    return made


def _scopes() -> dict[str, str]:
    """What a token needs for each operation."""
    views = (view for module in MODULES for view in module.router.path_operations.values())
    return {one.view_func.__name__: cast(Token, one.auth_param).scope for view in views for one in view.operations}


def _explain(status: int, told: dict[str, Any]) -> None:
    """Headers that a refusal carries."""
    if status == 429:
        told["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
