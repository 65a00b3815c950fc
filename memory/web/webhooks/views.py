"""What bots posted: the deliveries, and one of them with what it stored."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from memory.journal.undone import undone
from memory.models import Bot, Chat, Delivery
from memory.web.base.change_rows import became
from memory.web.base.chat_names import chat_url, guess, latest, name_of
from memory.web.base.responses import HtmxHttpRequest, answer
from memory.web.base.shown_text import SHOWN
from memory.web.jobs.held import of_delivery
from memory.web.model.calls import calls_for
from memory.web.webhooks.chart import last_deliveries
from memory.web.webhooks.forms import CallsForm
from memory.web.webhooks.list import Filters, chips, listing
from memory.web.webhooks.outcome_words import has_memory, outcome_of, told, took
from memory.web.webhooks.stored import parts_of, pretty
from memory.webhook import chat_lock, deliveries, held as held_back, webhook_secrets

MOST = 10_000  # characters of a text of a delivery that are shown of themselves


@require_safe
def webhooks(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    form = CallsForm(request.GET)
    known = form.cleaned_data if form.is_valid() else {}
    wanted = Filters(known.get("outcome", ""), known.get("chat", ""), known.get("day"))
    calls = listing(bot, wanted, known.get("before"), known.get("after"))
    if request.htmx and request.GET.get("seen") == calls.mark:
        return HttpResponse(status=204)  # nothing is new: what has the focus, or is selected, stays as it is
    context = {
        "bot": bot,
        "place": "webhooks",
        "tab": "deliveries",
        "form": form,
        "calls": calls,
        "chart": last_deliveries(bot) if wanted.any and not calls.newer else None,
        "wanted": wanted,
        "chips": SimpleLazyObject(partial(chips, bot, wanted)),  # a part of the page needs none
        "chats": latest(bot),
        "has_secret": bool(webhook_secrets.live(bot.slug)),
    }
    return answer(request, "memory/webhooks/deliveries.html", "calls", context, status=200 if form.is_valid() else 422)


@require_safe
def delivery(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    call = get_object_or_404(Delivery.objects.select_related("change_set", "secret"), bot=bot, pk=pk)
    made = call.change_set
    is_being_answered = call.status == 0 and call.session_id in chat_lock.chats_answering(bot, [call.session_id])
    outcome = outcome_of(
        call.status,
        call.change_set_id,
        made.state if made else None,
        made.kind if made else None,
        is_being_answered=is_being_answered,
        waits=held_back.waits([call.pk]).get(call.pk),
    )
    back = undone(bot, [made.pk]).get(made.pk) if made else None
    is_known = Chat.objects.filter(bot=bot, scope=call.session_id).exists()
    context = {
        "bot": bot,
        "place": "webhooks",
        "call": call,
        "outcome": outcome,
        "took": took(call.milliseconds),
        "words": told(call.answer.get("stored"), call.answer.get("error"), made.kind if made else None),
        "chat": name_of(bot, call.session_id),
        "guess": guess(call.session_id),
        "chat_url": chat_url(bot, call.session_id) if is_known else "",
        "answer": pretty(call.answer),
        "most": SHOWN if "whole" in request.GET else MOST,
        # Of a call without an id the webhook notes its body's hash in that place.
        "standard_id": "" if (call.webhook_id or "").startswith(deliveries.BODY) else call.webhook_id,
        "parts": parts_of(bot, made) if made else [],
        "held": of_delivery(request, bot, call),
        "back": back,
        "became": became(back),
        "can_undo": outcome.written and not (back and back.wholly) and has_memory(bot, call.answer.get("stored")),
        "asked": calls_for(bot, call) if call.body.get("response") is None else [],
    }
    return render(request, "memory/webhooks/delivery.html", context)
