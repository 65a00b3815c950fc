"""One document of a bot: to read and edit, and its bytes."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.bots import open_bot
from memory.curation.documents import OpenDocument
from memory.domain.places import Kind
from memory.models import Bot
from memory.text.storable import as_number
from memory.web.base.addresses import address
from memory.web.base.chat_frame import Head, around, head_or_404, transcript_url
from memory.web.base.dates import at
from memory.web.base.shown_secrets import holds_hidden
from memory.web.documents.blame import blamed
from memory.web.documents.editor import PAGE
from memory.web.documents.editor_state import desk, draft_of, open_or_404, title
from memory.web.documents.vanished import Vanished, vanished

AS_TEXT = {"text", "draft", "part", "blame"}  # what an address says that wants a transcript in the editor


@require_safe
def memory(request: HttpRequest, bot: Bot) -> HttpResponse:
    return document(request, bot, open_bot(bot).long_term)


@require_safe
def working(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    """The working memory of one chat."""
    chat = head_or_404(bot, scope)
    path = open_bot(bot).dialect.path(Kind.WORKING, chat.scope)
    if path is None:
        raise Http404("This bot keeps no working memory.")
    return document(request, bot, path, chat)


@require_safe
def document(request: HttpRequest, bot: Bot, path: str, chat: Head | None = None) -> HttpResponse:
    """A document's page; `chat` is the head of its chat, where that is known already."""
    if not AS_TEXT & request.GET.keys() and (transcript := transcript_url(bot, path)):
        return redirect(transcript)
    opened = open_or_404(bot, path)
    if "blame" in request.GET:
        return _blame(request, bot, opened)
    draft = draft_of(bot, request.user, path)
    if draft and draft.text == opened.text:
        draft.delete()
        draft = None
    if draft and "draft" in request.GET and not opened.read_only:
        note = _("Your draft from %(ago)s") % {"ago": at(draft.saved, bot)}
        shown = desk(bot, opened, draft.text, draft.base, note=note, at_first=True)
    else:
        part, line = (as_number(request.GET.get(name, "")) or 0 for name in ("part", "line"))
        shown = desk(bot, opened, draft=draft, at_first=True, number=part, line=line)
    shown["hides"] = holds_hidden(request, bot, shown["text"], shown["base_text"])
    context = {"bot": bot, "tab": "text", "desk": shown, "gone": _gone(request, bot, opened)}
    return render(request, PAGE, {**context, **around(bot, path, chat)})


def _gone(request: HttpRequest, bot: Bot, opened: OpenDocument) -> Vanished | None:
    return vanished(bot, opened.path, request.user) if opened.data is None and not opened.read_only else None


def _blame(request: HttpRequest, bot: Bot, opened: OpenDocument) -> HttpResponse:
    path = opened.path
    place = open_bot(bot).dialect.describe(path)
    problem = opened.read_only if opened.data is None or (place and not place.is_text) else ""
    shown = None if problem else blamed(bot, opened, request.GET.get("page"), request.user.pk)
    context = {"bot": bot, "tab": "blame", "title": title(bot, path), "path": path, "blamed": shown, "problem": problem}
    context["gone"] = _gone(request, bot, opened)
    return render(request, "memory/documents/blame.html", {**context, **around(bot, path)})


@require_safe
def raw(request: HttpRequest, bot: Bot, path: str) -> HttpResponse:
    opened = open_or_404(bot, path)
    if opened.data is None:
        if _gone(request, bot, opened):
            return redirect(address("document", bot, path))
        raise Http404("This document is not there.")
    response = HttpResponse(opened.data, content_type="application/octet-stream")
    response["Content-Disposition"] = 'attachment; filename="document"'
    return response
