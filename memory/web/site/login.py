"""The ways in: a one-time link, a name with a password; and the page where a password is set."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login as let_in
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from memory.access import login_links as links

_with_password = csrf_protect(
    LoginView.as_view(template_name="memory/site/login.html", redirect_authenticated_user=True)
)


@sensitive_post_parameters()
@csrf_exempt  # a page without a referrer sends no origin; a link's token is its own proof, the password form is checked below
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: HttpRequest) -> HttpResponseBase:
    if request.method == "POST" and "token" in request.POST:
        return _redeem(request, request.POST["token"])
    if request.method != "POST" and "token" in request.GET:
        return _ask(request, request.GET["token"])
    return _with_password(request)


def _ask(request: HttpRequest, token: str) -> HttpResponse:
    """A page with one button. Looking at it uses nothing up, so a prefetch or a preview cannot burn the link."""
    usable = links.is_open(token)
    return _unseen(
        render(
            request, "memory/site/login_link.html", {"token": token if usable else ""}, status=200 if usable else 410
        )
    )


def _redeem(request: HttpRequest, token: str) -> HttpResponse:
    user = links.redeem(token) if _is_our_page(request) else None
    if user is None:
        return _unseen(render(request, "memory/site/login_link.html", {"token": ""}, status=410))
    let_in(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return _unseen(redirect("home"))


def _is_our_page(request: HttpRequest) -> bool:
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def _unseen(response: HttpResponse) -> HttpResponse:
    response["Referrer-Policy"] = "no-referrer"
    return response


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - the middleware lets nobody else come here
    form = _password_form(user, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "memory/site/password.html", {"form": form}, status=422 if form.is_bound else 200)
    form.save()
    update_session_auth_hash(request, user)
    messages.info(request, _("The password is set. Next time you can log in with it."))
    return redirect("account")


def _password_form(user: User, data: Any) -> SetPasswordForm[User]:
    """Whoever has a password states it first; whoever came by a link and has none sets one."""
    kind = PasswordChangeForm if user.has_usable_password() else SetPasswordForm
    return kind(user, data)
