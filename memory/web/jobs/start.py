"""Jobs that ask the language model, started where they are needed; each leads to its own page."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from memory import journal, llm
from memory.compaction import chats, consolidation, runner
from memory.compaction.runner import BadOption
from memory.models import Bot, Job
from memory.web.base.forms import PlanForm
from memory.web.base.responses import back, by, closed_by, post_only
from memory.web.base.translation import translate


@post_only
@closed_by(runner.compaction_problem)
def consolidate(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Have old logs compacted by meaning."""
    otherwise = reverse("memory:compaction", args=[bot.slug])
    form = PlanForm(request.POST, bot=bot)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return back(request, otherwise)
    if llm.server() is None:
        messages.error(request, translate(llm.NO_MODEL))
        return back(request, otherwise)
    try:
        job = consolidation.start(bot, form.scopes(), by(request), **form.options())
    except BadOption as error:
        messages.error(request, translate(str(error)))
        return back(request, otherwise)
    return redirect("memory:job", bot.slug, job.pk)


@post_only
def summarise(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    """Have a chat summed up for its working memory."""
    return _over_chat(request, bot, scope, chats.summarise)


@post_only
def pick(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    """Have facts picked out of what was said in a chat."""
    return _over_chat(request, bot, scope, chats.pick)


def _over_chat(
    request: HttpRequest, bot: Bot, scope: str, start: Callable[[Bot, str, journal.By], Job]
) -> HttpResponse:
    try:
        job = start(bot, scope, by(request))
    except chats.Unfit as error:
        messages.error(request, translate(str(error)))
        return back(request, reverse("memory:chats", args=[bot.slug]))
    return redirect("memory:job", bot.slug, job.pk)
