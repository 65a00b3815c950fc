"""One document of a bot: to read and edit, its bytes, and which change each line came with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.bots import open_bot
from memory.curation.blame import Origin, blame
from memory.curation.documents import OpenDocument
from memory.domain.places import Kind
from memory.models import Bot, ChangeSet
from memory.text.secrets import place_to_cut
from memory.text.storable import as_number, as_utf8
from memory.web.base.addresses import address
from memory.web.base.change_rows import author_of
from memory.web.base.chat_frame import Head, around, head_or_404, transcript_url
from memory.web.base.dates import at
from memory.web.base.shown_secrets import holds_hidden
from memory.web.documents.editor import PAGE
from memory.web.documents.editor_state import desk, draft_of, open_or_404, title
from memory.web.documents.vanished import Vanished, vanished

AS_TEXT = {"text", "draft", "part", "blame"}  # what an address says that wants a transcript in the editor
AT_ONCE = 200  # lines
LONGEST = 2000  # characters of a line


@dataclass(frozen=True, slots=True)
class _BlameSource:
    """Who made a change, and when. Everything is said already."""

    url: str
    by: str
    when: datetime | None  # None where the line is older


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
    shown = None if problem else _blamed(bot, opened, request.GET.get("page"), request.user.pk)
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


def _blamed(bot: Bot, opened: OpenDocument, number: str | None, reader: int | None) -> dict[str, object]:
    """A page of a document's lines. Of two equal ones the numbers tell which is meant."""
    data = opened.data or b""
    lines = data.decode("utf-8", "replace").removesuffix("\n").split("\n") if data else []
    page = Paginator(lines, AT_ONCE).get_page(number)
    first = page.start_index() - 1 if lines else 0
    here = [(first + at + 1, as_utf8(line[: place_to_cut(line, LONGEST)])) for at, line in enumerate(page.object_list)]
    origins = blame(bot, opened.path, data, first, len(here))
    return {"page": page, "blocks": list(_blocks(bot, here, origins, reader))}


def _blocks(
    bot: Bot, lines: Sequence[tuple[int, str]], origins: Sequence[Origin], reader: int | None
) -> Iterator[dict[str, object]]:
    """Lines that came with the same change, each with its number. `came`: it only moved them here, from `path`, where they had come
    with that one."""
    for origin, some in groupby(zip(lines, origins, strict=True), key=lambda pair: pair[1]):
        block = [line for line, _origin in some]
        came = _source(bot, origin.began, reader) if origin.began else None
        yield {
            "lines": block,
            "source": _source(bot, origin.change, reader),
            "came": came,
            "path": as_utf8(origin.path),
        }


def _source(bot: Bot, made: ChangeSet | None, reader: int | None) -> _BlameSource | None:
    if made is None:
        return None
    url = reverse("memory:change_set", args=[bot.slug, made.pk])
    if made.kind == ChangeSet.Kind.FOUND:
        return _BlameSource(url, _("before Kenoweb’s History"), None)
    return _BlameSource(url, author_of(made, reader), made.finished or made.created)
