"""The ways in: a one-time link, a name with a password; and the page where a password is set."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login as let_in, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import REASON_NO_REFERER
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from memory.access import login_links as links

View = Callable[[HttpRequest], HttpResponseBase]


def from_our_page(view: View) -> View:
    """A form that says not where it comes from logs nobody in. Django compares an `Origin`, and lets it be absent."""

    @wraps(view)
    def checked(request: HttpRequest, **more: Any) -> HttpResponseBase:
        if request.method == "POST" and "Origin" not in request.headers and not _is_referred_by_us(request):
            return csrf_failure(request, REASON_NO_REFERER)
        return view(request, **more)

    return checked


def _is_referred_by_us(request: HttpRequest) -> bool:
    try:
        at = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return False
    ours = f"{request.scheme}://{request.get_host()}"
    return f"{at.scheme}://{at.netloc}" in (ours, *settings.CSRF_TRUSTED_ORIGINS)


@sensitive_post_parameters()
@login_not_required
@from_our_page
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: HttpRequest) -> HttpResponseBase:
    if request.method == "POST" and "token" in request.POST:
        return _redeem(request, request.POST["token"])
    if request.method != "POST" and "token" in request.GET:
        return _ask(request, request.GET["token"])
    # Who is in and opens the page goes home; who sends the form wants to be somebody else.
    page = LoginView.as_view(
        template_name="memory/site/login.html", redirect_authenticated_user=request.method != "POST"
    )
    return page(request)


def _ask(request: HttpRequest, token: str) -> HttpResponse:
    """A page with one button. Looking at it uses nothing up, so a prefetch or a preview cannot burn the link."""
    if not links.is_open(token):
        return _over(request)
    response = render(request, "memory/site/login_link.html", {"token": token})
    # No token is told with it; `no-referrer` would hide from ourselves where our form stands.
    response["Referrer-Policy"] = "strict-origin"
    return response


def _redeem(request: HttpRequest, token: str) -> HttpResponse:
    user = links.redeem(token)
    if user is None:
        return _over(request)
    let_in(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return _unseen(redirect("home"))


def _over(request: HttpRequest) -> HttpResponse:
    return _unseen(render(request, "memory/site/login_link.html", {"token": ""}, status=410))


def _unseen(response: HttpResponse) -> HttpResponse:
    response["Referrer-Policy"] = "no-referrer"
    return response


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - the middleware lets nobody else come here
    # Whoever has a password states it first; whoever came by a link and has none sets one.
    kind = PasswordChangeForm if user.has_usable_password() else SetPasswordForm
    form = kind(user, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "memory/site/password.html", {"form": form}, status=422 if form.is_bound else 200)
    form.save()
    update_session_auth_hash(request, user)
    messages.info(request, _("Password saved. You can use it next time you log in."))
    return redirect("account")
