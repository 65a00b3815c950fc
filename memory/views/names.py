"""What chats are called: the name people gave, or what the session id seems to say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory import bots
from memory.models import Bot, Chat, ChatName
from memory.views.said import said

CHANNELS = {
    "telegram": gettext_lazy("Telegram"),
    "http": gettext_lazy("Webhook"),
    "api": gettext_lazy("API"),
    "discord": gettext_lazy("Discord"),
    "slack": gettext_lazy("Slack"),
    "whatsapp": gettext_lazy("WhatsApp"),
    "signal": gettext_lazy("Signal"),
    "matrix": gettext_lazy("Matrix"),
}
_ONE_OFF = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_GROUP = re.compile(r"-[0-9]+")


def names_of(bot: Bot, scopes: Iterable[str]) -> dict[str, str]:
    """The names that people gave to some chats, by scope; one statement."""
    return dict(ChatName.objects.filter(bot=bot, scope__in=list(scopes)).values_list("scope", "name"))


def name_of(bot: Bot, scope: str) -> str:
    """What a chat is called: its name, or its session id."""
    return names_of(bot, [scope]).get(scope, scope)


def rename(bot: Bot, scope: str, name: str) -> None:
    """Call a chat by a name; "" gives it back its session id. The bot's files do not know of it."""
    if name:
        ChatName.objects.update_or_create(bot=bot, scope=scope, defaults={"name": name})
    else:
        ChatName.objects.filter(bot=bot, scope=scope).delete()


def scope_meant(bot: Bot, typed: str) -> tuple[str, str]:
    """The session id that somebody typed, or of the chat that people call so; "" for nothing typed. If none can be meant, why,
    for people, in the second place."""
    if not typed.strip():
        return "", ""
    named = list(ChatName.objects.filter(bot=bot, name=typed.strip()).values_list("scope", flat=True)[:2])
    if len(named) > 1:
        return "", _("Several chats have this name. Choose one by its session id.")
    scope = named[0] if named else typed
    if problem := bots.dialect(bot).session_id_problem(scope):
        return "", said(problem)
    if not named and not Chat.objects.filter(bot=bot, scope=scope).exists():
        return "", _("There is no such chat. Choose one of the list, or leave this empty.")
    return scope, ""


def is_only(bot: Bot, name: str) -> bool:
    """Whether no two chats are called so, and the name alone means one."""
    return ChatName.objects.filter(bot=bot, name=name).count() < 2


def guess(scope: str) -> str:
    """What a session id says about its chat, in words: `Telegram group`; "" if it says nothing that we know."""
    channel, _dash, rest = scope.partition("-")
    if channel not in CHANNELS or not rest:
        return ""
    words = {"channel": str(CHANNELS[channel])}
    if _ONE_OFF.fullmatch(rest):
        return _("%(channel)s, one call") % words
    return _("%(channel)s group") % words if _GROUP.fullmatch(rest) else words["channel"]


def chat_urls(bot: Bot, scopes: Iterable[str]) -> dict[str, str]:
    """Where each chat is shown, by scope; "" for what no address can name."""
    base = reverse("memory:chats", args=[bot.slug])
    return {scope: "" if scope in (".", "..") else base + quote(scope, safe="") for scope in scopes}


def chat_url(bot: Bot, scope: str) -> str:
    """Where a chat is shown; "" for what no address can name."""
    return chat_urls(bot, [scope])[scope]
