"""What chats are called: the name people gave, or what the session id seems to say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from urllib.parse import quote

from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from memory.bots import open_bot
from memory.models import Bot, Chat, ChatName
from memory.web.base.translation import translate

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
SHORTEST = 4  # letters of a session id that tell chats apart
OFFERED = 50  # chats, before anything is typed
_ONE_OFF = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_GROUP = re.compile(r"-[0-9]+")


GROUPS = "^(" + "|".join(CHANNELS) + r")--[0-9]+$"  # what their session ids look like


def latest(bot: Bot) -> list[tuple[str, str]]:
    """(session id, name or "") of the chats that are offered before anything is typed, the last written first."""
    called = ChatName.objects.filter(bot=bot, scope=OuterRef("scope")).values("name")[:1]
    chats = Chat.objects.filter(bot=bot).order_by("-written_ns", "scope")
    return list(chats.values_list("scope", Coalesce(Subquery(called), Value("")))[:OFFERED])


def names_of(bot: Bot, scopes: Iterable[str]) -> dict[str, str]:
    """What people call some chats, by scope, told apart where several are called the same; one statement at most."""
    wanted = set(scopes)
    if not wanted:
        return {}
    named = ChatName.objects.filter(bot=bot)
    meant = named.filter(name__in=named.filter(scope__in=wanted).values("name")).values_list("scope", "name")
    called: dict[str, list[str]] = {}
    for scope, name in meant:
        called.setdefault(name, []).append(scope)
    return {scope: _apart(scope, name, called[name]) for scope, name in meant if scope in wanted}


def own_name(bot: Bot, scopes: Collection[str] = ()) -> str:
    """What is said of that which is of no chat, beside some of these: that it is shared; "" where the bot has no chats."""
    return _("shared") if scopes or Chat.objects.filter(bot=bot).exists() else ""


def given_name(bot: Bot, scope: str) -> str:
    """The very name that people gave to a chat, "" for none."""
    return ChatName.objects.filter(bot=bot, scope=scope).values_list("name", flat=True).first() or ""


def _apart(scope: str, name: str, alike: Collection[str]) -> str:
    """The name of one of some chats, with the shortest end of its session id that no other of that name has."""
    if len(alike) == 1:
        return name
    last = scope.rpartition("-")[2]
    for part in (last[-length:] for length in range(min(SHORTEST, len(last)), len(last) + 1) if length):
        if sum(other.endswith(part) for other in alike) == 1:
            return f"{name} ({'…' if part != last else ''}{part})"
    return f"{name} ({scope})"


def name_of(bot: Bot, scope: str) -> str:
    """What a chat is called: its name, or its session id."""
    return names_of(bot, [scope]).get(scope, scope)


def rename(bot: Bot, scope: str, name: str) -> None:
    """Call a chat by a name; "" gives it back its session id. The bot's files do not know of it."""
    if name:
        ChatName.objects.update_or_create(bot=bot, scope=scope, defaults={"name": name})
    else:
        ChatName.objects.filter(bot=bot, scope=scope).delete()


@dataclass(frozen=True, slots=True)
class Meant:
    """The chat that somebody typed: its session id and the name that people gave it; both "" for none, with the reason in
    `problem` if something was typed."""

    scope: str = ""
    name: str = ""
    problem: str = ""


def chat_meant(bot: Bot, typed: str) -> Meant:
    """The chat with this session id, else the one that people call so."""
    if not typed.strip():
        return Meant()
    scope = open_bot(bot).chat(typed)
    if problem := open_bot(bot).dialect.session_id_problem(scope):
        return Meant(problem=translate(problem))
    if Chat.objects.filter(bot=bot, scope=scope).exists():
        return Meant(scope, given_name(bot, scope))
    called = ChatName.objects.filter(bot=bot, name=typed.strip()).values_list("scope", "name")[:2]
    if not called:
        return Meant(problem=_("Unknown chat. Choose one from the list or leave it empty."))
    if len(called) > 1:
        return Meant(problem=_("Several chats have this name. Choose one by ID."))
    return Meant(*called[0])


def scope_meant(bot: Bot, typed: str) -> tuple[str, str]:
    """The same as (session id, why there is none)."""
    found = chat_meant(bot, typed)
    return found.scope, found.problem


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
        return _("%(channel)s, one delivery") % words
    return _("%(channel)s group") % words if _GROUP.fullmatch(rest) else words["channel"]


def chat_urls(bot: Bot, scopes: Iterable[str]) -> dict[str, str]:
    """Where each chat is shown, by scope; "" for what no address can name."""
    base = reverse("memory:chats", args=[bot.slug])
    return {scope: "" if scope in (".", "..") else base + quote(scope, safe="") for scope in scopes}


def chat_url(bot: Bot, scope: str) -> str:
    """Where a chat is shown; "" for what no address can name."""
    return chat_urls(bot, [scope])[scope]
