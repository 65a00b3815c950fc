"""How many SQL statements an answer took, told in a header to a client that asks for it; what pages stand beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

HEADER = "X-Statements"
ROWS = "X-Rows"  # how many rows the admin's list is to have
LIST = "/beside/memory/document/"


class Statements:
    """Counts for requests that carry the header; others pass as they are."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if HEADER not in request.headers:
            return self.get_response(request)
        number = 0

        def count(execute: Callable[..., Any], *words: Any) -> Any:
            nonlocal number
            number += 1
            return execute(*words)

        with connection.execute_wrapper(count):
            response = self.get_response(request)
        response[HEADER] = str(number)
        return response
