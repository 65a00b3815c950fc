"""What every request and every page passes through."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.translation import gettext as _

from memory.access.passwords import TooMany
from memory.storage import database
from memory.text.personal import is_mail
from memory.text.secrets import mask
from memory.web.base.masking import hidden
from memory.web.base.responses import came_from
from memory.web.base.shown_secrets import are_hidden_at, names_at, of_the_desk
from memory.web.base.translation import translate

Answer = Callable[[HttpRequest], HttpResponse]

_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT")


class TrustedProxy:
    """Believe the forwarding headers of the proxy that KENOWEB_TRUSTED_PROXY names, and drop everybody else's."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        meta = request.META
        if is_trusted(meta.get("REMOTE_ADDR", "")):
            meta["REMOTE_ADDR"] = client(meta["REMOTE_ADDR"], meta.get("HTTP_X_FORWARDED_FOR", ""))
        else:
            for name in _FORWARDED:
                meta.pop(name, None)
        return self.get_response(request)


def is_trusted(address: str) -> bool:
    """Whether a proxy that we trust has this address."""
    found = _parsed(address) if settings.TRUSTED_PROXY else None
    return found is not None and any(
        found in network for network in settings.TRUSTED_PROXY if network.version == found.version
    )


def client(peer: str, forwarded: str) -> str:
    """Who really asks: from the right, the first forwarded address that is no proxy of ours; `peer` if there is none."""
    nearest = peer
    for item in reversed(forwarded.split(",")):
        found = _parsed(item.strip())
        if found is None:
            break
        nearest = str(found)
        if not is_trusted(nearest):
            break
    return nearest


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


class PrivatePages:
    """Pages hold memories: no cache keeps them, and a cache that looks at all tells fragments from pages."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        patch_vary_headers(response, ["HX-Request"])
        return response


class LoginRequired(LoginRequiredMiddleware):
    """Every page needs a login. A part of a page is not led to the login's page, which would be laid into the part's place;
    a form is led back to the page it was sent from, since its own address may show nothing."""

    def handle_no_permission(  # type: ignore[override]  # the stubs know of a redirect only
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=401)
        if request.method not in ("GET", "HEAD"):
            messages.error(request, _("You were logged out, so nothing was saved. Log in and try again."))
            return redirect_to_login(came_from(request))
        return super().handle_no_permission(request, view_func)


class NotNow:
    """A page for what cannot be done just now and is nobody's mistake, and for an address that only takes forms."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD", "OPTIONS") and database.is_lost():
            return _not_now(request, translate(database.LOST), 503)
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render(request, "405.html").content
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page for this exception, None if it is one for the page of what broke."""
        if isinstance(exception, TooMany):
            return _too_many(request, exception)
        if database.is_busy(exception):
            response = _not_now(request, translate(database.BUSY), 503)
            response["Retry-After"] = "1"
            return response
        return _not_now(request, translate(database.FULL), 503) if database.is_full(exception) else None


class HiddenSecrets:
    """Whatever page a secret of a memory comes on, it is masked there until who reads it asks for it. What goes to programs, and
    what is sent as a file, is not: a bot has to be told what its memory says."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        kind = response.get("Content-Type", "")
        if response.streaming or not kind.startswith(("text/html", "text/plain")) or not _is_read_by_people(request):
            return response
        found = request.resolver_match
        slug = str(found.kwargs.get("slug", "")) if found else ""
        if not are_hidden_at(request, slug):
            return response
        # A page of no memory speaks of people alone: a name that somebody typed there is no one's secret.
        is_of_memory = bool(slug) or request.path.startswith("/admin/")
        text, stays = response.content.decode(), of_the_desk() if is_of_memory else is_mail
        if kind.startswith("text/html"):
            instead = hidden(text, request.get_full_path(), partial(names_at, slug), stays)
        else:
            instead = mask(text, stays)
        if instead is not None:
            response.content = instead.encode()
        return response


def _is_read_by_people(request: HttpRequest) -> bool:
    return request.user.is_authenticated and not request.path.startswith("/api/")


def _too_many(request: HttpRequest, exception: TooMany) -> HttpResponse:
    if exception.here:
        why = _("Too many password attempts from your address. Wait a minute and try again.")
    else:
        why = _("Too many people are logging in right now. Wait a few seconds and try again.")
    response = _not_now(request, why, 429 if exception.here else 503)
    response["Retry-After"] = str(exception.wait)
    return response


def _not_now(request: HttpRequest, why: str, status: int) -> HttpResponse:
    """A page; for programs, the one shape of what they are told."""
    if request.path.startswith("/api/"):
        return JsonResponse({"error": {"code": "not_written", "message": why}}, status=status)
    if request.path == "/webhook" or request.path.startswith("/webhook/"):
        return JsonResponse({"error": why, "status": "error"}, status=status)
    return render(request, "not_now.html", {"why": why}, status=status)
