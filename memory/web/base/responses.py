"""Answers: a page or a part of it, who asks, and where to go back to."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST
from django_htmx.middleware import HtmxDetails

from memory.journal import By
from memory.models import Bot
from memory.web.base.authors import person
from memory.web.base.translation import translate

View = Callable[..., HttpResponse]
V = TypeVar("V", bound=Callable[..., HttpResponseBase])
_POST_ONLY = "is_post_only"


class HtmxHttpRequest(HttpRequest):
    """A request that says whether htmx made it."""

    htmx: HtmxDetails


def answer(request: HttpRequest, template: str, part: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The page, or only one part of it if htmx asks."""
    details: HtmxDetails | None = getattr(request, "htmx", None)
    name = f"{template}#{part}" if details and not details.history_restore_request else template
    response = render(request, name, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def closed_by(reason: Callable[[Bot], str]) -> Callable[[View], View]:
    """For a view that not every bot has: with 404 it gives the reason why there is none of this bot; "" where there is."""

    def guard(view: View) -> View:
        @wraps(view)
        def looked_at(request: HttpRequest, bot: Bot, **values: Any) -> HttpResponse:
            if why := reason(bot):
                return render(
                    request, "memory/base/lacking.html", {"bot": bot, "place": "", "why": translate(why)}, status=404
                )
            return view(request, bot, **values)

        return looked_at

    return guard


def post_only(view: V) -> V:
    """`require_POST`, with a mark that stays on what is wrapped around it: nobody is sent back to such a view."""
    guarded = require_POST(view)
    setattr(guarded, _POST_ONLY, True)
    return guarded


def by(request: HttpRequest) -> By:
    """The person who asks, as the history names them."""
    user = request.user
    assert isinstance(user, AbstractUser)  # noqa: S101 - every page needs a login
    return By(person(user), user)


def back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    """To the page that the form names, if it is one of ours."""
    return HttpResponseRedirect(ours(request.POST.get("next", "")) or otherwise)


def came_from(request: HttpRequest) -> str:
    """The page that a form stands on, to go back to: what it names itself, else its Referer, its own address or its bot's Home,
    whichever first is a page of ours."""
    sent = (request.POST.get("next", ""), _referer(request), request.get_full_path())
    found = next((one for one in sent if ours(one) and _shows_something(one.partition("?")[0])), "")
    slug = request.resolver_match and request.resolver_match.kwargs.get("slug")
    return found or (reverse("memory:overview", args=[slug]) if slug else "/")


def _referer(request: HttpRequest) -> str:
    try:
        at = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return ""
    return at._replace(scheme="", netloc="").geturl() if at.netloc == request.get_host() else ""


def _shows_something(path: str) -> bool:
    """Whether an address takes more than forms."""
    try:
        return not hasattr(resolve(path).func, _POST_ONLY)
    except Resolver404:
        return False


def ours(address: str) -> str:
    """An address that somebody sent, if it leads to a page of ours; else ""."""
    plain = address.startswith("/") and address.isprintable()  # browsers drop a tab, and "/\t//x" leads to x
    return address if plain and url_has_allowed_host_and_scheme(address, allowed_hosts=None) else ""
