"""How many SQL statements and how much CPU an answer took, told in headers to a client that asks; what pages stand beside."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

HEADER = "X-Statements"
CPU = "X-CPU"  # seconds of the thread that answered
ROWS = "X-Rows"  # how many rows the admin's list is to have
LIST = "/beside/memory/document/"


class Statements:
    """Counts for requests that carry the header; others pass as they are."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if HEADER not in request.headers:
            return self.get_response(request)
        number, begun = 0, time.thread_time()

        def count(execute: Callable[..., Any], *words: Any) -> Any:
            nonlocal number
            number += 1
            return execute(*words)

        with connection.execute_wrapper(count):
            response = self.get_response(request)
        response[HEADER], response[CPU] = str(number), str(time.thread_time() - begun)
        return response
