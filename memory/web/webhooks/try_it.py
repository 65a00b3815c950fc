"""Trying the webhook from the desk: a call through the very door that bots use, and samples to copy."""

from __future__ import annotations

import json
import uuid
from io import BytesIO
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory.access.permissions import may_operate, operators_only
from memory.bots import open_bot
from memory.journal import By
from memory.models import Bot, Delivery
from memory.web.base.responses import by
from memory.web.webhooks.forms import TrialForm
from memory.web.webhooks.outcome_words import has_memory, outcome_of, told
from memory.web.webhooks.stored import pretty
from memory.webhook import signatures, view, webhook_secrets
from memory.webhook.code_samples import samples
from memory.webhook.signatures import Form

CHAT = "http-kenoweb-trial"


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The page, and on POST a call."""
    if request.method == "POST":
        return _send(request, bot)
    live = webhook_secrets.live(bot.slug)
    return _page(request, bot, TrialForm(initial=_initial("memory" in request.GET), live=live))


@operators_only
def _send(request: HttpRequest, bot: Bot) -> HttpResponse:
    live = webhook_secrets.live(bot.slug)
    form = TrialForm(request.POST, live=live)
    if not form.is_valid():
        return _page(request, bot, form, status=422)
    outcome = send(bot, form.turn(), form.chosen(), by(request), request.META.get("REMOTE_ADDR", ""))
    return _page(request, bot, form, outcome)


def send(bot: Bot, turn: dict[str, Any], secret: webhook_secrets.Live, person: By, address: str) -> dict[str, object]:
    """Sign a turn and hand it to the webhook as if it had come in; nothing leaves this process. What came back: the status and the
    answer as JSON, what was stored in words, and the delivery if there is one. `said`: what the language model answered, "" if it
    was not asked."""
    turn = {**turn, "message_id": f"trial-{uuid.uuid4()}"}
    body = json.dumps(turn, ensure_ascii=False).encode()
    answer = view.answer(_request(bot, body, secret, address), bot.slug, tried_by=person)
    said = json.loads(answer.content)
    call = Delivery.objects.filter(bot=bot, message_id=turn["message_id"]).select_related("change_set").first()
    made = call.change_set if call else None
    written = call is not None and outcome_of(call.status, call.change_set_id, made.state if made else None).written
    stored, reply = said.get("stored"), "" if "response" in turn else said.get("response", "")
    words = told(stored, said.get("error"), made.kind if made else None) or _("Nothing was stored.")
    undo = made.pk if made and written and has_memory(bot, stored) else None
    return {
        "status": answer.status_code,
        "answer": pretty(said),
        "said": reply,
        "words": words,
        "delivery": call,
        "undo": undo,
    }


def _request(bot: Bot, body: bytes, secret: webhook_secrets.Live, address: str) -> WSGIRequest:
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": reverse("webhook_for", args=[bot.slug]),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": address,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
    }
    if bot.standard_webhooks_only:
        name, stamp = f"trial-{uuid.uuid4()}", str(int(timezone.now().timestamp()))
        environ |= {"HTTP_WEBHOOK_ID": name, "HTTP_WEBHOOK_TIMESTAMP": stamp}
        environ["HTTP_WEBHOOK_SIGNATURE"] = signatures.sign_standard(secret.text, name, stamp, body)
    else:
        environ["HTTP_X_WEBHOOK_SIGNATURE"] = signatures.sign_body(secret.text, body)
    return WSGIRequest(environ)


def _initial(with_memory: bool) -> dict[str, str]:
    if with_memory:
        said = _("Noted. <memory>%(text)s</memory>") % {"text": _("Tested the webhook from Kenoweb")}
    else:
        said = _("It works. This reply contains nothing to remember.")
    return {"chat": CHAT, "message": _("Is the webhook working?"), "response": said}


def _page(
    request: HttpRequest, bot: Bot, form: TrialForm, outcome: dict[str, object] | None = None, status: int = 200
) -> HttpResponse:
    address = request.build_absolute_uri(reverse("webhook_for", args=[bot.slug]))
    stores = open_bot(bot).writes_turns
    found = samples(address, remembers=stores)
    context = {
        "bot": bot,
        "place": "webhooks",
        "tab": "try",
        "form": form,
        "outcome": outcome,
        "may_operate": may_operate(request.user),
        "has_secret": bool(form.live),
        "stores": stores,
        "address": address,
        "plain": [one for one in found if one.form is Form.BODY],
        "standard": [one for one in found if one.form is Form.STANDARD],
    }
    return render(request, "memory/webhooks/try_it.html", context, status=status)
