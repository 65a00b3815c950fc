"""Who may see and change what: the one place that answers."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest

from memory.models import Bot

Visitor = AbstractBaseUser | AnonymousUser


def may_see(user: Visitor, bot: Bot) -> bool:
    """Whether this user may read and edit this bot's memory: for now, everybody who can log in."""
    return bool(user.is_authenticated and user.is_active)


def visible_bots(user: Visitor) -> list[Bot]:
    """The bots this user may see, oldest first."""
    return [bot for bot in Bot.objects.all() if may_see(user, bot)]


def bot_or_404(request: HttpRequest, slug: str) -> Bot:
    """The bot of this address, if this user may see it. Raises Http404, the same for missing and for hidden."""
    bot = Bot.objects.filter(slug=slug).first()
    if bot is None or not may_see(request.user, bot):
        raise Http404("There is no such bot, or it is not yours to see.")
    return bot
