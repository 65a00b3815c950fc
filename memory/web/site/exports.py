"""A whole memory out as one file, and back: sent, looked at, then written or not."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Mapping, Sequence

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_safe

from memory import journal
from memory.bots import open_bot
from memory.domain.errors import Refusal, VaultError
from memory.jobs.expected import takes_long
from memory.models import Bot, Document
from memory.registry import export_zip, importing, uploads
from memory.registry.import_zip import State
from memory.web.base.gauges import kilobytes
from memory.web.base.responses import by, post_only
from memory.web.base.translation import translate
from memory.web.history.undo_words import tell_import
from memory.web.site.account import asking

log = logging.getLogger(__name__)
LARGEST_UPLOAD = 512 * 1024 * 1024
PAGE = 50
NAMED = 10  # documents that are named beside the button


@require_safe
def export(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _page(request, bot)


@post_only
def export_file(request: HttpRequest, bot: Bot) -> HttpResponseBase:
    """The zip, made in a file without a name, so that nothing of it stays."""
    whole = request.POST.get("secrets") != "no"
    if whole:
        log.warning("%s exported the bot %s with its secrets", request.user.pk, bot.slug)
    file = tempfile.TemporaryFile(dir=settings.KENOWEB_HOME)  # noqa: SIM115 - the answer closes it
    try:
        export_zip.write_into(bot, file, secrets=whole)
    except Refusal as refused:
        file.close()
        return _page(request, bot, translate(str(refused)), status=409)
    file.seek(0)
    name = f"{slugify(bot.name) or bot.slug}-{open_bot(bot).today()}{'' if whole else '-without-secrets'}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@csrf_exempt  # the token is looked for in the body, and that must not be read before its size is known; checked below
@post_only
def upload(request: HttpRequest, bot: Bot) -> HttpResponse:
    if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST_UPLOAD:
        return _page(request, bot, _("This file is too large. Nothing was written."), status=413)
    request.upload_handlers = [TemporaryFileUploadHandler(request)]
    return _upload(request, bot)


@csrf_protect
def _upload(request: HttpRequest, bot: Bot) -> HttpResponse:
    sent = request.FILES.get("file")
    if sent is None:
        return _page(request, bot, _("Choose a Kenoweb export, a ZIP file."), status=422)
    try:
        arrival = uploads.keep(bot, asking(request).pk, sent.chunks(), sent.name or "export.zip")
    except Refusal as refused:
        return _page(request, bot, translate(str(refused)), status=422)
    return redirect("memory:import", bot.slug, arrival.token)


@require_safe
def look(request: HttpRequest, bot: Bot, token: str) -> HttpResponse:
    arrival = uploads.find(bot, asking(request).pk, token)
    if arrival is None:
        return _gone(request, bot)
    if job := importing.open_job(bot, arrival):
        return redirect("memory:job", bot.slug, job.pk)
    state = request.GET.get("state", "")
    by_state = arrival.seen.by_state
    numbers = {one.name.lower(): len(items) for one, items in by_state.items()}
    shown = by_state[State(state)] if state in list(State) else _what_differs(by_state)
    page = Paginator(shown, PAGE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "export",
        "arrival": arrival,
        "state": state,
        "page": page,
        "items": map(uploads.item, page),
        "numbers": numbers,
        "writes": numbers["new"] + numbers["changed"],
    }
    return render(request, "memory/site/import.html", context)


@post_only
def decide(request: HttpRequest, bot: Bot, token: str) -> HttpResponse:
    """`act=write` writes what was shown, `act=look` looks again; anything else drops the file. What a job writes is left to it."""
    arrival = uploads.find(bot, asking(request).pk, token)
    if arrival is None:
        return _gone(request, bot)
    if job := importing.open_job(bot, arrival):
        return redirect("memory:job", bot.slug, job.pk)
    act = request.POST.get("act")
    if act not in ("write", "look"):
        uploads.drop(arrival)
        messages.info(request, _("Import discarded. Nothing was written."))
        return redirect("memory:export", bot.slug)
    if act == "look":
        return _look_again(request, bot, arrival)
    fresh = [item.size for item in arrival.items if item.is_to_write]
    if takes_long(files=len(fresh), fresh=sum(fresh)):
        return redirect("memory:job", bot.slug, importing.start(bot, arrival, by(request)).pk)
    return _write(request, bot, arrival)


def _look_again(request: HttpRequest, bot: Bot, arrival: uploads.Arrival) -> HttpResponse:
    try:
        uploads.renew(bot, arrival)
    except (Refusal, VaultError) as error:
        return _page(request, bot, translate(str(error)), status=409)
    return redirect("memory:import", bot.slug, arrival.token)


def _write(request: HttpRequest, bot: Bot, arrival: uploads.Arrival) -> HttpResponse:
    try:
        outcome = uploads.apply(bot, arrival, by(request))
        if isinstance(outcome, journal.Conflict):
            uploads.renew(bot, arrival)
            words = _("The memory has changed. Nothing was written; check the updated preview.")
            messages.error(request, words)
            return redirect("memory:import", bot.slug, arrival.token)
    except (Refusal, VaultError, journal.Busy) as error:
        return _page(request, bot, translate(str(error)), status=409)
    made = outcome.change_set
    if made is None:
        messages.info(request, _("Everything already matches; nothing was written."))
        return redirect("memory:export", bot.slug)
    tell_import(request, made)
    return redirect("memory:change_set", bot.slug, made.pk)


def _page(request: HttpRequest, bot: Bot, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "bot": bot,
        "place": "export",
        "problem": problem,
        "limit": kilobytes(LARGEST_UPLOAD),
        **_left_out(bot),
    }
    return render(request, "memory/site/export.html", context, status=status)


def _left_out(bot: Bot) -> dict[str, object]:
    """What an export would leave out, as far as the index knows: how many documents, and the first of them with what is wrong."""
    rows = Document.objects.filter(bot=bot).exclude(error="")
    first = list(rows.order_by("path").values_list("path", "error")[:NAMED])
    return {"left_out": rows.count() if len(first) == NAMED else len(first), "named": first}


def _gone(request: HttpRequest, bot: Bot) -> HttpResponse:
    words = _("This import is finished, discarded or older than an hour. Upload the file again.")
    return _page(request, bot, words, status=404)


def _what_differs(by_state: Mapping[State, Sequence[uploads.Kept]]) -> list[uploads.Kept]:
    """New ones first; what is as it should be only if asked for."""
    return [one for state in (State.NEW, State.CHANGED, State.LEFT_OUT) for one in by_state[state]]
