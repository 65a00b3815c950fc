"""One's own account: name, password, language, colours, and where one is logged in."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_http_methods

from memory.access import people as act
from memory.models import Session
from memory.text.user_agent import browser
from memory.web.base.gauges import number_of
from memory.web.base.responses import post_only

MOST_SESSIONS = 50


class NameForm(forms.Form):
    """What the history calls somebody."""

    name = forms.CharField(
        max_length=150,
        required=False,
        label=later("Display name"),
        help_text=later("Shown beside your changes. Leave empty to use your login."),
    )


def asking(request: HttpRequest) -> User:
    """Who asks: on every page but the open ones somebody is logged in."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - the middleware lets nobody else come here
    return user


@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    user = asking(request)
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": user.get_full_name()})
    if form.is_valid():
        user.first_name, user.last_name = form.cleaned_data["name"], ""
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, _("History shows you as %(name)s.") % {"name": user.first_name or user.username})
        return redirect("account")
    here = request.session.session_key or ""
    context = {"place": "account", "form": form, "places": places(user, here), "languages": settings.LANGUAGES}
    return render(request, "memory/site/account.html", context, status=422 if form.is_bound else 200)


@post_only
def end_session(request: HttpRequest) -> HttpResponse:
    """End the session that `session` names, or with `others` all but this one."""
    user = asking(request)
    if "others" in request.POST:
        count = act.end_sessions(user, but=request.session.session_key)
        said = number_of("%(count)s session was logged out.", "%(count)s sessions were logged out.", count)
        messages.success(request, said)
    elif act.end_session(user, request.POST.get("session", "")):
        messages.success(request, _("The session was logged out."))
    else:
        messages.info(request, _("That session had already ended."))
    return redirect("account")


def places(user: User, here: str) -> list[dict[str, object]]:
    """Where somebody is logged in, this place first; `here` is the key of the session that asks."""
    found = [_place(one, here) for one in act.sessions(user).defer("session_data")[:MOST_SESSIONS]]
    return sorted(found, key=lambda place: not place["is_this"])


def _place(session: Session, here: str) -> dict[str, object]:
    """One place where somebody is logged in."""
    program, system = browser(session.agent)
    if program and system:
        words = _("%(browser)s on %(system)s") % {"browser": program, "system": system}
    else:
        words = program or system or _("Unknown browser")
    key = session.session_key
    return {
        "reference": act.reference(key),
        "words": words,
        "agent": session.agent,
        "started": session.started,
        "is_this": key == here,
    }
