"""The sessions of a bot with their full IDs: found, compacted, cleared, deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import llm
from memory.bots import open_bot
from memory.curation.writing import Written
from memory.dialects.golemcore.session_store import acts, job, overview
from memory.dialects.golemcore.session_store.overview import ListedSession, SessionFilters
from memory.dialects.golemcore.sessions.compact import threshold
from memory.dialects.golemcore.sessions.record import STATES
from memory.domain.outcomes import Refused
from memory.models import Bot
from memory.text.storable import as_number, keepable
from memory.web.base.chat_names import chat_urls, names_of
from memory.web.base.gauges import grouped, number_of
from memory.web.base.responses import back, by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate

AT_ONCE = 50
LONGEST = 200  # characters of what is looked for
MOST = 10_000  # messages that a compaction may keep
TEMPLATE = "golemcore/sessions.html"


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    settings, found = open_bot(bot).settings, overview.every(bot)
    asked = SessionFilters(
        *(keepable(request.GET.get(name, "")).strip()[:LONGEST] for name in ("q", "channel", "state"))
    )
    paged = Paginator(overview.matching(bot, found, asked), AT_ONCE).get_page(request.GET.get("page"))
    most = threshold(settings.maxContextTokens)
    context = {
        "bot": bot,
        "place": "kept_sessions",
        "page": paged,
        "rows": _rows(bot, list(paged), most if settings.compactionEnabled else 0),
        "asked": asked,
        "any": bool(found),
        "channels": sorted({one.channel for one in found}),
        "states": STATES,
        "threshold": most if settings.compactionEnabled else 0,
        "keep": settings.keepLastMessages,
        "most": MOST,
        "has_model": llm.server() is not None,
    }
    return render(request, TEMPLATE, context)


@post_only
def compact(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Cut a session: at once, or by a job that has a model sum up what goes."""
    keep = _number(request.POST.get("keep", ""))
    if keep is None:
        messages.error(request, _("Type how many messages stay, from 0 to %(most)s.") % {"most": grouped(MOST)})
        return back(request, _here(bot))
    if llm.server() is not None:
        return redirect("memory:job", bot.slug, job.start(bot, _chat(request), keep, by(request)).pk)
    return _told(request, bot, acts.compact(bot, _chat(request), keep, by(request)), _cut)


@post_only
def clear(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _told(request, bot, acts.clear(bot, _chat(request), by(request)), _cut)


@post_only
def delete(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _told(request, bot, acts.delete(bot, _chat(request), by(request)), lambda count: _("Session deleted"))


def _cut(count: int) -> str:
    return number_of("%(count)s message cut", "%(count)s messages cut", count)


def _told(request: HttpRequest, bot: Bot, done: Written[int] | Refused, words: Callable[[int], str]) -> HttpResponse:
    if isinstance(done, Refused):
        messages.error(request, translate(done.reason))
    else:
        say_done(request, words(done.told), done.change_set)
    return back(request, _here(bot))


def _chat(request: HttpRequest) -> str:
    return keepable(request.POST.get("chat", ""))


def _here(bot: Bot) -> str:
    return reverse("memory:kept_sessions", args=[bot.slug])


def _number(value: str) -> int | None:
    found = as_number(value.strip(), 5)
    return found if found is not None and found <= MOST else None


def _rows(bot: Bot, found: Sequence[ListedSession], most: int) -> list[dict[str, object]]:
    """Sessions in the list. `is_due`: the bot compacts it at its next message; `most`: the tokens beyond which it does, 0 for
    never."""
    chats = [one.chat for one in found]
    names, urls = names_of(bot, chats), chat_urls(bot, chats)
    return [
        {
            "one": one,
            "name": names.get(one.chat, ""),
            "url": f"{urls[one.chat]}/transcript" if urls[one.chat] else "",
            "is_due": 0 < most < one.tokens,
            "trouble": translate(one.trouble),
            "warnings": [translate(warning) for warning in one.warnings],
        }
        for one in found
    ]
