"""The schema holds: calls of every kind that it describes, and of kinds that it does not, are answered as it says."""

from __future__ import annotations

from functools import cache
from typing import get_args

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from ninja import Schema
from schemathesis import GenerationMode
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

from memory.domain.places import Kind
from memory.models import ChangeSet
from memory.web.api.application import schema as told
from memory.web.api.changes import ChangeKind
from tests.support.amounts import some, times
from tests.web.api.conftest import LOG, Program
from tests.web.conftest import MEMORY, make_bot

SHARES = 6  # of the operations, for as many processes as there are
EACH = 12  # of how many cases at the edges of values one is tried
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

MODES = list(GenerationMode)


@cache
def schema():
    """Read when the first test wants it: to think of its cases takes as long as to collect all tests."""
    made = schemathesis.openapi.from_dict(told())
    made.app = WSGIHandler()
    made.config.generation.update(modes=MODES, deterministic=True)
    return made


@pytest.fixture
def lasting():
    """The test's own connection, which a handler would close behind each call."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def program_of(folder):
    """A program whose bot nobody else has touched."""
    one = Program(*make_bot(folder, folder.name))
    one.write("MEMORY.md", MEMORY)
    one.write("2026-01-05.md", LOG)
    return one


def check(case, program):
    if "slug" in case.path_parameters:
        case.path_parameters["slug"] = program.bot.slug
    case.call_and_validate(headers={"Authorization": f"Bearer {program.text}"}, checks=CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_every_call_is_answered_as_the_schema_says(home, lasting, share):
    operations = [found.ok() for found in schema().get_all_operations()]
    assert len(operations) >= SHARES
    for number, operation in list(enumerate(operations))[share::SHARES]:
        program = program_of(home / f"bot-{number}")
        generation = schema().config.generation
        edges = schema().iter_coverage_cases(operation, generation_modes=MODES, generation_config=generation)
        for case in some(list(edges), EACH):
            check(case, program)
        anything(operation, program)


def anything(operation, program):
    @settings(
        max_examples=times(2, 100),
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of([operation.as_strategy(mode) for mode in MODES]))
    def answered(case):
        check(case, program)

    answered()


def test_no_two_shapes_share_a_name():
    """In the schema one would stand for both."""
    every = {one for one in shapes(Schema) if one.__module__.startswith("memory.web.api")}
    names = [one.__name__ for one in every if one.__name__ not in ("Page", "Options", "Where")]
    assert sorted(names) == sorted(set(names))
    assert set(get_args(ChangeKind)) == set(ChangeSet.Kind.values)
    assert told()["components"]["schemas"]["Kind"]["enum"] == list(Kind)


def shapes(above):
    for one in above.__subclasses__():
        yield one
        yield from shapes(one)
