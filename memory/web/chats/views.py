"""The chats of a bot by last activity, what people call them, and what was said in one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.bots.opened import DAY_NS
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.models import Bot, Chat, ChatName
from memory.text.sentences import say
from memory.text.storable import as_number, keepable
from memory.web.base.chat_frame import head_or_404
from memory.web.base.chat_names import GROUPS, chat_urls, guess, names_of, rename
from memory.web.base.counts import sidebar_counts
from memory.web.base.frame import closed_pages
from memory.web.base.gauges import grouped
from memory.web.base.pages import Counted
from memory.web.base.responses import back, closed_by, post_only
from memory.web.chats.transcript import placed, talk
from memory.web.chats.weeks import drawn, firsts
from memory.web.overview.tier_cards import LIVELY, prompt_tokens, sums

AT_ONCE = 50
NEEDED = {"fresh": "working", "stale": "working", "due": "due"}  # the place that a filter is about
NO_CHATS = say("Nothing of this bot belongs to a chat, so there are no chats to show.")


class ChatColumns(NamedTuple):
    """What the list shows of a chat's row."""

    scope: str
    written_ns: int
    notes: int
    size: int
    working_ns: int | None
    oldest_day: str


class NameForm(forms.Form):
    """What a chat is to be called; nothing for its session id. `was` is the name that the page had."""

    name = forms.CharField(required=False, max_length=80)
    was = forms.CharField(required=False, max_length=80)

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


def _no_chats(bot: Bot) -> str:
    if bot.walked is None:
        index.refresh(bot)
    has_chats = open_bot(bot).dialect.talking is not None or Chat.objects.filter(bot=bot).exists()
    return NO_CHATS if "chats" in closed_pages(bot.dialect, has_chats=has_chats) else ""


@require_safe
@closed_by(_no_chats)
def chats(request: HttpRequest, bot: Bot) -> HttpResponse:
    query, only = keepable(request.GET.get("q", "")).strip()[:200], request.GET.get("only", "")
    stale, old, numbers = open_bot(bot).stale_before(), open_bot(bot).old_before(), sidebar_counts(bot)
    filters = {
        "active": Q(written_ns__gte=time.time_ns() - LIVELY * DAY_NS),
        "groups": Q(scope__regex=GROUPS),
        "fresh": Q(working_ns__gte=stale),
        "stale": Q(working_ns__lt=stale),
        "due": Q(oldest_day__gt="", oldest_day__lt=old),
    }
    priced = open_bot(bot).reads_by_chat and "tokens" in request.GET
    closed = closed_pages(bot.dialect, has_chats=False)
    only = only if only in filters and NEEDED.get(only) not in closed else ""
    found = _search(bot, Chat.objects.filter(bot=bot), query).filter(filters.get(only, Q()))
    rows = found.order_by("-written_ns", "scope").values_list(*ChatColumns._fields)
    page = Counted(rows, AT_ONCE, None if query or only else numbers.chats).get_page(request.GET.get("page"))
    listed = _listed(bot, [ChatColumns(*row) for row in page], stale, old, priced)
    context = {
        "bot": bot,
        "place": "chats",
        "beside": numbers,
        "page": page,
        "listed": listed,
        "weeks": firsts(open_bot(bot).today()) if any(one["weeks"] for one in listed) else (),
        "prices": open_bot(bot).reads_by_chat and not priced,
        "query": query,
        "only": only,
        "any": bool(numbers.chats),
        "days": open_bot(bot).settings.memory_retention_days,
        "closed": closed,
        "sums": sums(bot),
        "priced": priced,
        "of": _counts(bot, filters),
    }
    return render(request, "memory/chats/chats.html", context)


def _counts(bot: Bot, filters: Mapping[str, Q]) -> dict[str, int]:
    """How many chats each filter would list."""
    return Chat.objects.filter(bot=bot).aggregate(**{name: Count("pk", filter=one) for name, one in filters.items()})


def _search(bot: Bot, found: QuerySet[Chat], query: str) -> QuerySet[Chat]:
    if not query:
        return found
    called = ChatName.objects.filter(bot=bot, name__icontains=query).values("scope")
    return found.filter(Q(scope__icontains=query) | Q(scope__in=called))


def _listed(bot: Bot, found: Sequence[ChatColumns], stale: int, old: str, priced: bool) -> list[dict[str, Any]]:
    scopes = [chat.scope for chat in found]
    names, urls, weeks = names_of(bot, scopes), chat_urls(bot, scopes), drawn(bot, scopes, open_bot(bot).today())
    rows = [
        _one(chat, names.get(chat.scope, ""), urls[chat.scope], weeks.get(chat.scope), stale, old) for chat in found
    ]
    memory = index.BotMemory(bot)
    costs = {scope: prompt_tokens(bot, scope, memory) for scope in scopes} if priced else {}
    return [
        {**row, "tokens": grouped(read[0])} if (read := costs.get(scope)) else row
        for row, scope in zip(rows, scopes, strict=True)
    ]


def _one(
    chat: ChatColumns, name: str, url: str, weeks: dict[str, object] | None, stale: int, old: str
) -> dict[str, Any]:
    """A chat in the list. `working` is "fresh", "stale" or "" for none; `due`: it has notes that are old. `weeks` is None where it
    learned nothing lately; `tokens` is what its prompt costs, where that was asked for."""
    scope = chat.scope
    return {
        "name": name or scope,
        "aside": scope if name else guess(scope) or _("no name yet"),
        "url": url,
        "notes": chat.notes,
        "size": chat.size,
        "written_ns": chat.written_ns,
        "working": "" if chat.working_ns is None else "stale" if chat.working_ns < stale else "fresh",
        "due": "" < chat.oldest_day < old,
        "weeks": weeks,
    }


@post_only
def name(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    chat, form = head_or_404(bot, scope), NameForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Names can have up to 80 characters. The name was not changed."))
        return back(request, chat.url)
    given = form.cleaned_data["name"]
    if "was" in request.POST and chat.given not in (given, form.cleaned_data["was"]):
        words = {"name": chat.name, "typed": given or chat.scope}
        messages.error(request, _("Someone just renamed this chat to %(name)s. “%(typed)s” was not saved.") % words)
        return back(request, chat.url)
    rename(bot, scope, given)
    said = _("Renamed to %(name)s.") % {"name": given} if given else _("Name removed. The chat shows its ID again.")
    messages.success(request, said)
    return back(request, chat.url)


@require_safe
def transcript(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    chat, path = head_or_404(bot, scope), open_bot(bot).dialect.path(Kind.TRANSCRIPT, scope) or ""
    before, after = (as_number(request.GET.get(name, "")) for name in ("before", "after"))
    place = open_bot(bot).dialect.describe(path)
    context = {"bot": bot, "place": "chats", "chat": chat, "chat_tab": "transcript", "path": path, "about": place}
    try:
        timeline = open_bot(bot).family.timeline(bot, scope)
        context["talk"] = found = talk(bot, path, before=before, after=after, timeline=timeline)
        context["placed"] = placed(bot, timeline, at_beginning=found is None or found.before is None)
    except VaultError as error:
        context["refusal"] = str(error)
    return render(request, "memory/chats/transcript.html", context)
