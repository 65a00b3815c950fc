"""Everything that is posted from the desk: save, draft, preview, compare, and what to do when the file moved on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django_htmx.http import HttpResponseClientRedirect, HttpResponseStopPolling, reswap, retarget, trigger_client_event

from memory.bots import open_bot
from memory.curation import documents
from memory.curation.documents import Conflict, OpenDocument, Saved
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused
from memory.journal import Busy
from memory.models import Bot
from memory.text.sentences import say
from memory.web.base.addresses import address
from memory.web.base.chat_frame import around
from memory.web.base.differences import blocks
from memory.web.base.forms import TextForm
from memory.web.base.responses import HtmxHttpRequest, answer, by, post_only
from memory.web.base.shown_secrets import asked_again, holds_hidden
from memory.web.base.shown_text import isolated
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.documents.editor_state import Bar, desk, drop_draft, joined_words, keep_draft, lines, open_or_404
from memory.web.documents.sections import part_number, span_of
from memory.web.documents.what_if import foreseen

PAGE = "memory/documents/document.html"
Written = Saved | Conflict | Refused
TextView = Callable[[HtmxHttpRequest, Bot, str, TextForm], HttpResponse]


NOT_SAVED = gettext_lazy("The form was incomplete. Nothing was saved.")
NOT_CHANGED = gettext_lazy("The form was incomplete. Nothing was changed.")
NOT_KEPT = gettext_lazy("The form was incomplete. The draft was not saved.")
HOMELESS = gettext_lazy(
    "The version of this part is no longer in History, so it can’t be replaced. Nothing was saved. Copy your text, "
    "open the file again and paste it."
)


def takes_text(*, or_else: Promise) -> Callable[[TextView], Callable[..., HttpResponse]]:
    """A view that is sent a text and the version it was made from: the bot and the form are looked at first. `or_else`: what
    is said if the form is damaged."""

    def decorate(view: TextView) -> Callable[..., HttpResponse]:
        @post_only
        @asked_again
        @wraps(view)
        def looked_at(request: HtmxHttpRequest, bot: Bot, path: str) -> HttpResponse:
            form = TextForm(request.POST)
            if not form.is_valid():
                return HttpResponseBadRequest(str(or_else))
            if not _is_whole(bot, path, form):
                return _homeless(request)
            return view(request, bot, path, form)

        return looked_at

    return decorate


def _is_whole(bot: Bot, path: str, form: TextForm) -> bool:
    """Make the text of a part that of its document. False if the version it is a part of is not known any more."""
    sent = form.cleaned_data
    if (span := span_of(sent["span"])) is None:
        return True
    made_from = documents.version(bot, open_or_404(bot, path), sent["base"])
    whole = "" if made_from is None else documents.as_text(made_from)
    if made_from is None or not span.fits(whole):
        return False
    sent["text"] = span.put_back(whole, lines(sent["text"]))
    return True


def _homeless(request: HtmxHttpRequest) -> HttpResponse:
    """What is said of a part whose document is not known as it was."""
    messages.error(request, HOMELESS)
    if not request.htmx:
        return HttpResponse(str(HOMELESS), status=409, content_type="text/plain; charset=utf-8")
    return render(request, "memory/base/_messages.html", status=409)


@takes_text(or_else=NOT_SAVED)
def save(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    sent = form.cleaned_data
    open_or_404(bot, path)
    try:
        outcome = documents.save(bot, path, sent["text"], sent["base"], by(request))
    except (Busy, VaultError) as error:
        outcome = Refused(str(error))
    return _after_writing(request, bot, path, form, outcome)


@takes_text(or_else=NOT_SAVED)
def overwrite(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    sent, opened = form.cleaned_data, open_or_404(bot, path)
    if "confirmed" not in request.POST or not documents.only_grew(bot, opened, sent["theirs"]):
        bar = _bar(bot, opened, form, "confirm", saving=True)
        return _shown(request, bot, opened, form, bar, 409 if bar else 200)
    try:
        outcome = documents.overwrite(bot, path, sent["text"], sent["base"], sent["theirs"], by(request))
    except (Busy, VaultError) as error:
        outcome = Refused(str(error))
    return _after_writing(request, bot, path, form, outcome)


@takes_text(or_else=NOT_CHANGED)
def merge(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    opened = open_or_404(bot, path)
    conflict = documents.conflict(bot, opened, form.cleaned_data["text"], form.cleaned_data["base"])
    if conflict.merged is None or opened.data is None:
        return _shown(request, bot, opened, form, _bar(bot, opened, form, "ask", saving=True), 409)
    text = documents.as_text(conflict.merged)
    joined = TextForm({"text": text, "base": opened.sha256, "span": form.cleaned_data["span"]})
    joined.is_valid()
    try:
        outcome = documents.save(
            bot, path, text, opened.sha256, by(request), why=say("Merged with someone else’s change")
        )
    except (Busy, VaultError) as error:
        outcome = Refused(str(error))
    return _after_writing(request, bot, path, joined, outcome, fresh=True)


@takes_text(or_else=NOT_CHANGED)
def compare(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    opened = open_or_404(bot, path)
    return _shown(request, bot, opened, form, _bar(bot, opened, form, "compare", "saving" in request.POST))


@post_only
def moved(request: HtmxHttpRequest, bot: Bot, path: str) -> HttpResponse:
    """The desk asks now and then whether the file is still the version it was opened at."""
    form = TextForm(request.POST)
    if not form.is_valid() or not _is_whole(bot, path, form):
        return HttpResponseStopPolling()
    opened = open_or_404(bot, path)
    if opened.read_only or not open_bot(bot).may_write(path):
        return HttpResponse(status=204)
    if form.cleaned_data["base"] == opened.sha256 or form.cleaned_data["theirs"] == opened.sha256:
        return HttpResponse(status=204)
    return _shown(request, bot, opened, form, _bar(bot, opened, form, "ask", saving=False))


@takes_text(or_else=NOT_CHANGED)
def preview(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    sent = form.cleaned_data
    shown = desk(bot, open_or_404(bot, path), sent["text"], sent["base"], span=span_of(sent["span"]))
    return answer(request, PAGE, "told", _context(shown, part=True))


@takes_text(or_else=NOT_CHANGED)
def review(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    sent = form.cleaned_data
    shown = desk(bot, open_or_404(bot, path), sent["text"], sent["base"], review=True, span=span_of(sent["span"]))
    return answer(request, PAGE, "review", _context(shown))


@takes_text(or_else=NOT_CHANGED)
def foresee(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    """What saving this would do to the prompt; part of the desk, or the whole of it."""
    sent, opened = form.cleaned_data, open_or_404(bot, path)
    effect = foreseen(bot, opened, sent["text"], sent["base"])
    if request.htmx:
        return answer(request, PAGE, "foreseen", {"bot": bot, "foreseen": effect})
    shown = desk(bot, opened, sent["text"], sent["base"], span=span_of(sent["span"]))
    return answer(request, PAGE, "desk", {**_context(shown), "foreseen": effect})


@takes_text(or_else=NOT_KEPT)
def draft(request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm) -> HttpResponse:
    sent = form.cleaned_data
    kept = keep_draft(bot, request.user, open_or_404(bot, path), sent["text"], sent["base"])
    return HttpResponse(_("draft saved") if kept else "")


@post_only
def discard(request: HttpRequest, bot: Bot, path: str) -> HttpResponse:
    drop_draft(bot, request.user, path)
    return redirect(address("document", bot, path))


def _after_writing(
    request: HtmxHttpRequest, bot: Bot, path: str, form: TextForm, outcome: Written, *, fresh: bool = False
) -> HttpResponse:
    """What the person sees after an attempt to write: done, or the bar, or why not - their text always still there."""
    span = span_of(form.cleaned_data["span"])
    if isinstance(outcome, Saved):
        drop_draft(bot, request.user, path)
        opened = open_or_404(bot, path)
        _say_saved(request, opened, outcome)
        number = part_number(opened.text, span)
        page = address("document", bot, path) + (f"?part={number}" if number else "")
        if not request.htmx:
            return redirect(page)
        shown, comes_anew = desk(bot, opened, number=number), fresh or outcome.joined
        if comes_anew and holds_hidden(request, bot, shown["text"]):  # of the lines that came
            return trigger_client_event(HttpResponseClientRedirect(page), "kenoweb:saved", {"base": outcome.sha256})
        response = answer(request, PAGE, "desk" if comes_anew else "saved", _context(shown, oob=True))
        if outcome.joined and not fresh:  # the desk comes anew with their lines, unless somebody typed on by then
            response = reswap(retarget(response, "#desk"), "outerHTML")
            return trigger_client_event(response, "kenoweb:saved", {"base": outcome.sha256})
        return trigger_client_event(response, "kenoweb:saved", {"base": outcome.sha256}, after="settle")
    keep_draft(bot, request.user, open_or_404(bot, path), form.cleaned_data["text"], form.cleaned_data["base"])
    opened = open_or_404(bot, path)
    if isinstance(outcome, Conflict):
        return _shown(request, bot, opened, form, Bar(outcome, saving=True), 409)
    messages.error(request, translate(outcome.reason))
    sent = form.cleaned_data
    shown = desk(bot, opened, sent["text"], sent["base"], span=span)
    return answer(request, PAGE, "saved", _context(shown, oob=True), 422)


def _say_saved(request: HttpRequest, opened: OpenDocument, outcome: Saved) -> None:
    path = isolated(opened.path)
    if outcome.change_set is None:
        messages.info(request, _("%(path)s already says this. Nothing was saved.") % {"path": path})
        return
    words = joined_words(outcome.joined) if outcome.joined else _("Saved %(path)s") % {"path": path}
    say_done(request, words, outcome.change_set)
    if opened.caution:
        messages.warning(request, translate(opened.caution))


def _bar(bot: Bot, opened: OpenDocument, form: TextForm, step: str, saving: bool) -> Bar | None:
    """The bar for a file that moved on; None if it did not."""
    sent = form.cleaned_data
    if sent["base"] == opened.sha256:
        return None
    conflict = documents.conflict(bot, opened, sent["text"], sent["base"])
    bar = Bar(conflict, step, saving)
    return replace(bar, sides=blocks(opened.text, lines(sent["text"]))) if step != "ask" else bar


def _shown(
    request: HtmxHttpRequest, bot: Bot, opened: OpenDocument, form: TextForm, bar: Bar | None, status: int = 200
) -> HttpResponse:
    sent = form.cleaned_data
    shown = desk(bot, opened, sent["text"], sent["base"], bar=bar, span=span_of(sent["span"]))
    return reswap(retarget(answer(request, PAGE, "barred", _context(shown), status), "#bar"), "innerHTML")


def _context(shown: dict[str, Any], **more: bool) -> dict[str, object]:
    return {"bot": shown["bot"], "desk": shown, "tab": "text", **around(shown["bot"], shown["path"]), **more}
