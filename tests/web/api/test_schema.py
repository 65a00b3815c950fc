"""The schema holds: calls of every kind that it describes, and of kinds that it does not, are answered as it says."""

from __future__ import annotations

import os
from typing import get_args

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from ninja import Schema
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from memory.domain.dialect import Kind
from memory.models import ChangeSet
from memory.web.api.application import schema as told
from memory.web.api.changes import ChangeKind
from tests.web.api.conftest import LOG

EXAMPLES = int(
    os.environ.get("API_EXAMPLES", "10")
)  # calls of each operation, besides those at the edges of its values
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
    ignored_auth,
]

schema = schemathesis.openapi.from_dict(told())
schema.app = WSGIHandler()
schema.config.generation.update(modes=list(schemathesis.GenerationMode), deterministic=True)


@pytest.fixture
def lasting():
    """The test's own connection, which a handler would close behind each call."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_call_is_answered_as_the_schema_says(case, program, lasting):
    if not (program.root / "2026-01-05.md").exists():
        program.write("2026-01-05.md", LOG)
    if "slug" in case.path_parameters:
        case.path_parameters["slug"] = program.bot.slug
    case.call_and_validate(headers={"Authorization": f"Bearer {program.text}"}, checks=CHECKS)


def test_no_two_shapes_share_a_name():
    """In the schema one would stand for both."""
    every = {one for one in shapes(Schema) if one.__module__.startswith("memory.web.api")}
    names = [one.__name__ for one in every if one.__name__ not in ("Which", "Page", "Options", "Seen", "Where")]
    assert sorted(names) == sorted(set(names))
    assert set(get_args(ChangeKind)) == set(ChangeSet.Kind.values)
    assert told()["components"]["schemas"]["Kind"]["enum"] == list(Kind)


def shapes(above):
    for one in above.__subclasses__():
        yield one
        yield from shapes(one)
