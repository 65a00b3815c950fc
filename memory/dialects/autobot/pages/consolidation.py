"""Each chat with its messages: stored, in the prompt, in neither prompt nor memory; when the next consolidation falls; and the
messages that wait for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import index, llm
from memory.bots import open_bot
from memory.dialects.autobot import sessions, window
from memory.dialects.autobot.consolidation import blocks, job
from memory.dialects.autobot.layout import scope_of_block
from memory.dialects.autobot.window import Window
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused
from memory.domain.places import Kind
from memory.models import Bot, Document, Job
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import chat_urls, names_of
from memory.web.base.gauges import number_of
from memory.web.base.responses import by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.jobs.words import state_of

AT_ONCE = 50
TEMPLATE = "autobot/consolidation.html"


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as a row. `taken`: messages that a consolidation takes now, 0 for none; `trouble`: why it can't be read."""

    scope: str
    name: str
    url: str
    written_ns: int
    line: Window | None
    taken: int = 0
    trouble: str = ""
    damaged: int = 0


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    files = Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT).order_by("-mtime_ns", "path")
    paged = Paginator(files.values_list("path", "scope", "mtime_ns"), AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "consolidation",
        "page": paged,
        "chats": _chats(bot, list(paged)),
        "blocks": _blocks(bot),
        "window": open_bot(bot).settings.memory_window,
        "sent": open_bot(bot).settings.session_history_limit,
        "has_model": llm.server() is not None,
    }
    return render(request, TEMPLATE, context)


@post_only
def archive(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Set messages of a chat aside, then have them summed up; without a model they wait."""
    moved = blocks.archive(bot, _scope(request, bot), by(request))
    if isinstance(moved, Refused):
        messages.error(request, translate(moved.reason))
        return _here(bot)
    words = number_of("%(count)s message set aside", "%(count)s messages set aside", moved.count)
    say_done(request, words, moved.change_set)
    return _asked(request, bot, moved.path)


@post_only
def retry(request: HttpRequest, bot: Bot) -> HttpResponse:
    path = request.POST.get("block", "")
    if path not in blocks.waiting(bot):
        messages.error(request, translate(blocks.GONE))
        return _here(bot)
    return _asked(request, bot, path)


@post_only
def put_back(request: HttpRequest, bot: Bot) -> HttpResponse:
    path = request.POST.get("block", "")
    moved = blocks.put_back(bot, path, by(request)) if path in blocks.waiting(bot) else Refused(blocks.GONE)
    if isinstance(moved, Refused):
        messages.error(request, translate(moved.reason))
        return _here(bot)
    words = number_of("%(count)s message put back", "%(count)s messages put back", moved.count)
    say_done(request, words, moved.change_set)
    return _here(bot)


@post_only
def repair(request: HttpRequest, bot: Bot) -> HttpResponse:
    mended = blocks.repair(bot, _scope(request, bot), by(request))
    if isinstance(mended, Refused):
        messages.error(request, translate(mended.reason))
        return _here(bot)
    words = number_of("%(count)s damaged line removed", "%(count)s damaged lines removed", mended.count)
    messages.success(request, words)
    return _here(bot)


def _asked(request: HttpRequest, bot: Bot, path: str) -> HttpResponse:
    if llm.server() is None:
        messages.info(request, _("The messages wait here until a language model is set up."))
        return _here(bot)
    return redirect("memory:job", bot.slug, job.start(bot, path, by(request)).pk)


def _scope(request: HttpRequest, bot: Bot) -> str:
    """The chat that a form names. Raises Http404."""
    scope = keepable(request.POST.get("chat", ""))
    if not Document.objects.filter(bot=bot, kind=Kind.TRANSCRIPT, scope=scope).exists():
        raise Http404("There is no such chat.")
    return scope


def _here(bot: Bot) -> HttpResponse:
    return redirect("memory:consolidation", bot.slug)


def _chats(bot: Bot, files: Sequence[tuple[str, str, int]]) -> list[Chat]:
    scopes = [scope for _path, scope, _mtime in files]
    names, urls = names_of(bot, scopes), chat_urls(bot, scopes)
    wait = {scope_of_block(path) for path in blocks.waiting(bot)}
    found = []
    for path, scope, written in files:
        about = (scope, names.get(scope, scope), urls[scope], written)
        try:
            found.append(_chat(bot, path, about, takes=scope not in wait))
        except VaultError as error:
            found.append(Chat(*about, None, trouble=translate(str(error))))
    return found


def _chat(bot: Bot, path: str, about: tuple[str, str, str, int], *, takes: bool) -> Chat:
    session, settings = sessions.read(index.BotMemory(bot), path), open_bot(bot).settings
    if session.damaged:
        return Chat(*about, None, trouble=translate(session.damage), damaged=len(session.damaged))
    stored = len(session.messages)
    line = window.timeline(stored, settings.memory_window, settings.session_history_limit)
    taken = stored - window.kept(settings.memory_window) if takes else 0
    return Chat(*about, line, taken=max(0, taken))


def _blocks(bot: Bot) -> list[dict[str, object]]:
    paths = blocks.waiting(bot)
    named = names_of(bot, {scope_of_block(path) for path in paths})
    url_of, memory = addresses("document", bot), index.BotMemory(bot)
    newest = job.newest(bot) if paths else {}
    return [_block(bot, path, named, url_of(path), memory.read(path), newest.get(path)) for path in paths]


def _block(
    bot: Bot, path: str, named: dict[str, str], url: str, data: bytes | None, last: Job | None
) -> dict[str, object]:
    """Messages that wait. `job_url` leads to the newest job about them, "" for none; `is_open`: it is not over."""
    scope = scope_of_block(path)
    state = state_of(last) if last else None
    return {
        "path": path,
        "url": url,
        "name": named.get(scope, scope),
        "count": len(sessions.parse(data or b"").messages),
        "job_url": reverse("memory:job", args=[bot.slug, last.pk]) if last else "",
        "state": state.word if state else "",
        "level": state.level if state else "",
        "is_open": bool(last and (last.is_open or last.state == Job.State.PLANNED)),
    }
