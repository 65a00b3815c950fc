"""The chats of a bot by last activity, what people call them, and what was said in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memory import bots
from memory.dialects.base import Kind
from memory.models import Bot, Chat, ChatName
from memory.text.keep import keepable
from memory.vault import VaultError
from memory.views.access import bot_or_404
from memory.views.answers import back
from memory.views.chat import head_or_404
from memory.views.measure import grouped
from memory.views.names import chat_urls, guess, names_of, rename
from memory.views.transcript import talk

AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Listed:
    """A chat in the list, said already. `working` is "fresh", "stale" or "" for none; `due`: it has notes that are old."""

    name: str
    aside: str
    url: str
    notes: str
    size: int
    written_ns: int
    working: str
    due: bool


class NameForm(forms.Form):
    """What a chat is to be called; nothing for its session id. `was` is the name that the page had."""

    name = forms.CharField(required=False, max_length=80)
    was = forms.CharField(required=False, max_length=80)

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


@require_safe
def chats(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    query, only = keepable(request.GET.get("q", "")).strip()[:200], request.GET.get("only", "")
    every = Chat.objects.filter(bot=bot)
    filters = {"fresh": Q(working_ns__gte=bots.stale_before(bot)), "due": _due(bot)}
    found = _search(bot, every, query).filter(filters.get(only, Q()))
    page = Paginator(found.order_by("-written_ns", "scope"), AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "chats",
        "page": page,
        "listed": _listed(bot, list(page)),
        "query": query,
        "only": only if only in filters else "",
        "any": bool(page.paginator.count) or every.exists(),
        "days": bots.settings(bot).memory_retention_days,
    }
    return render(request, "memory/chats.html", context)


def _search(bot: Bot, found: QuerySet[Chat], query: str) -> QuerySet[Chat]:
    if not query:
        return found
    called = ChatName.objects.filter(bot=bot, name__icontains=query).values("scope")
    return found.filter(Q(scope__icontains=query) | Q(scope__in=called))


def _due(bot: Bot) -> Q:
    """Chats with notes that are old enough to be compacted."""
    return Q(oldest_day__gt="", oldest_day__lt=bots.old_before(bot))


def _listed(bot: Bot, found: Sequence[Chat]) -> list[Listed]:
    scopes = [chat.scope for chat in found]
    names, urls = names_of(bot, scopes), chat_urls(bot, scopes)
    stale, old = bots.stale_before(bot), bots.old_before(bot)
    return [_one(chat, names, urls[chat.scope], stale, old) for chat in found]


def _one(chat: Chat, names: Mapping[str, str], url: str, stale: int, old: str) -> Listed:
    scope, name = chat.scope, names.get(chat.scope, "")
    notes = ngettext("%(number)s note", "%(number)s notes", chat.notes) % {"number": grouped(chat.notes)}
    return Listed(
        name=name or scope,
        aside=scope if name else guess(scope),
        url=url,
        notes=notes,
        size=chat.size,
        written_ns=chat.written_ns,
        working="" if chat.working_ns is None else "stale" if chat.working_ns < stale else "fresh",
        due="" < chat.oldest_day < old,
    )


@require_POST
def name(request: HttpRequest, slug: str, scope: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    chat, form = head_or_404(bot, scope), NameForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("A name has at most 80 characters. The chat keeps the name it has."))
        return back(request, chat.url)
    given = form.cleaned_data["name"]
    if "was" in request.POST and chat.given not in (given, form.cleaned_data["was"]):
        words = {"name": chat.name, "typed": given or chat.scope}
        messages.error(request, _("Somebody called this chat %(name)s meanwhile. “%(typed)s” was not saved.") % words)
        return back(request, chat.url)
    rename(bot, scope, given)
    said = (
        _("This chat is now called %(name)s.") % {"name": given} if given else _("This chat has its session id again.")
    )
    messages.success(request, said)
    return back(request, chat.url)


@require_safe
def transcript(request: HttpRequest, slug: str, scope: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
    chat, path = head_or_404(bot, scope), bots.dialect(bot).path(Kind.TRANSCRIPT, scope) or ""
    before, after = (_offset(request.GET.get(name, "")) for name in ("before", "after"))
    context = {"bot": bot, "place": "chats", "chat": chat, "chat_tab": "transcript", "path": path}
    try:
        context["talk"] = talk(bot, path, before=before, after=after)
    except VaultError as error:
        context["refusal"] = str(error)
    return render(request, "memory/chat_transcript.html", context)


def _offset(value: str) -> int | None:
    """A place in a file from an address, None for what is no number."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
