"""Who may come in: a token before anything else is looked at, then its rate, then the body."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from ninja.security import HttpBearer

from memory import index
from memory.access import api_tokens, rate_limit, request_body
from memory.access.request_body import RefusedCall
from memory.index import watch
from memory.index.watch import State
from memory.models import ApiToken, Bot
from memory.web.api.errors import MEANING, Problem, answer, understood

LARGEST = 8 * 1024 * 1024
FRESH = timedelta(seconds=15)  # as often as an open page asks for a walk
MISSED = timedelta(seconds=5 * watch.NET)  # who watches walks more often, or does not watch
SCHEME = "bearer "

NOT_FOUND = "There is no such bot, or this API key is not for it."
View = Callable[..., HttpResponse]


class Called(HttpRequest):
    """A request that came in with a token."""

    token: ApiToken


class Token(HttpBearer):
    """Says in the schema that a token is needed, and holds it to its scope; the door has looked at it."""

    openapi_description = "An API key of one bot, created on its page API keys: `Authorization: Bearer kw_…`"

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> ApiToken:
        token = cast(Called, request).token
        if not api_tokens.may(token, self.scope):
            has, needs = token.scope, self.scope
            raise Problem(403, "scope", f"This API key has the scope {has}; {needs} is needed.")
        return token

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        return api_tokens.find(token)


READ, WRITE, ADMIN = (Token(scope) for scope in api_tokens.SCOPES)


def door(view: View) -> View:
    """A view behind the door. No cookie counts here, so there is nothing to forge."""

    @csrf_exempt
    @login_not_required
    @wraps(view)
    def behind(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            _let_in(request)
        except (Problem, OperationalError) as error:
            return answer(understood(error))
        response = view(request, *args, **kwargs)
        if response.status_code != 405:
            return response
        refused = answer(Problem(405, "method", MEANING[405]))
        refused["Allow"] = response["Allow"]
        return refused

    return behind


def missing(request: HttpRequest) -> HttpResponse:
    """Nothing is here."""
    return answer(Problem(404, "not_found", "There is nothing at this address. /api/v1/docs says what there is."))


def token_of(request: HttpRequest) -> ApiToken | None:
    """The live token that a request shows."""
    shown = request.headers.get("Authorization", "")
    return api_tokens.find(shown[len(SCHEME) :].strip()) if shown[: len(SCHEME)].lower() == SCHEME else None


def bot_of(request: HttpRequest, slug: str) -> Bot:
    """The bot that an address names, if the token is for it."""
    bot = cast(Called, request).token.bot
    if bot.slug != slug:
        raise Problem(404, "not_found", NOT_FOUND)
    return bot


def fresh_bot_of(request: HttpRequest, slug: str) -> Bot:
    """The same, with its index in step: where nobody watches its files, a desk that nobody has open walks over none."""
    bot = bot_of(request, slug)
    age = timezone.now() - bot.walked if bot.walked else None
    if age is None or (age > FRESH and (age > MISSED or watch.state(bot) is not State.WATCHED)):
        index.refresh(bot)
    return bot


def caller(request: HttpRequest) -> ApiToken:
    """The token that this call came in with."""
    return cast(Called, request).token


def _let_in(request: HttpRequest) -> None:
    token = token_of(request)
    if token is None:
        raise Problem(401, "token", "A live API key is needed: Authorization: Bearer kw_…")
    now = timezone.now()
    if wait := rate_limit.wait(f"token-{token.pk}", settings.API_RATE, now.timestamp()):
        raise Problem(429, "too_many", "This API key calls too often.", wait=wait)
    api_tokens.note_use(token, now)
    cast(Called, request).token = token
    if request.method in ("POST", "PUT", "PATCH"):
        _read(request)


def _read(request: HttpRequest) -> None:
    """The body, as much of it as may be, where Django and Ninja look for it."""
    try:
        raw = request_body.read(request, LARGEST)
    except RefusedCall as refused:
        code = "too_large" if refused.status == 413 else "body"
        raise Problem(refused.status, code, MEANING[refused.status]) from None
    if raw and request.content_type != "application/json":
        raise Problem(415, "media_type", "Send JSON, and say so with Content-Type: application/json.")
    request._body = raw
