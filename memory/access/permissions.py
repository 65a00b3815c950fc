"""Who may see and do what: the one place that answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.defaults import permission_denied

from memory.models import Bot

Visitor = AbstractBaseUser | AnonymousUser
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def may_see(user: Visitor, bot: Bot) -> bool:
    """Whether this user may read and edit this bot's memory: for now, everybody who can log in."""
    return bool(user.is_authenticated and user.is_active and bot.removed is None)


def may_operate(user: Visitor) -> bool:
    """Whether this user may add and remove bots, make secrets, and let people in: superusers."""
    return bool(user.is_authenticated and user.is_active and getattr(user, "is_superuser", False))


def visible_bots(request: HttpRequest) -> list[Bot]:
    """The bots that who asks may see, oldest first. They are asked for once: a page needs one of them, its frame all."""
    found: list[Bot] | None = getattr(request, "visible_bots", None)
    if found is None:
        found = [bot for bot in Bot.present.all() if may_see(request.user, bot)]
        request.visible_bots = found  # type: ignore[attr-defined]
    return found


def bot_or_404(request: HttpRequest, slug: str) -> Bot:
    """The bot of this address, if this user may see it. Raises Http404, the same for missing and for hidden."""
    bot = next((bot for bot in visible_bots(request) if bot.slug == slug), None)
    if bot is None:
        raise Http404("There is no such bot, or it is not yours to see.")
    return bot


def operators_only(view: View[P]) -> View[P]:
    """A view for those who run this Kenoweb; everybody else is told so with 403."""

    @wraps(view)
    def looked_at(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not may_operate(request.user):
            why = _("Only operators can do this.")
            return permission_denied(request, PermissionDenied(why))  # raised it would be logged like a mistake of ours
        return view(request, *args, **kwargs)

    return looked_at
