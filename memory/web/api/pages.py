"""What the API says of itself: the OpenAPI document, and a page to read it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory.web.api.application import schema
from memory.web.api.authentication import token_of
from memory.web.api.errors import MEANING, Problem, answer
from memory.web.api.reference import groups, pieces


@login_not_required
def openapi(request: HttpRequest) -> HttpResponse:
    """The document, for whoever is logged in or has a token."""
    if not request.user.is_authenticated and token_of(request) is None:
        return answer(Problem(401, "token", "Log in, or show a live token: Authorization: Bearer kw_…"))
    return _told(request)


@require_safe
def _told(request: HttpRequest) -> HttpResponse:
    return JsonResponse(schema())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every call as people read it."""
    meaning = tuple((status, pieces(words)) for status, words in MEANING.items())
    return render(request, "memory/api/reference.html", {"groups": groups(), "meaning": meaning})
