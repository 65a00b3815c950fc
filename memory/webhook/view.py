"""The webhook: method, size, signature, rate, JSON, fields, and only then the turn. Every answer but 200 is `{"error": …}`."""

from __future__ import annotations

import hashlib
import logging
import time
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import OperationalError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from memory.access import rate_limit, request_body
from memory.access.request_body import RefusedCall
from memory.domain.changes import By
from memory.storage import database
from memory.webhook import call as turn_calls, deliveries, signatures, webhook_secrets
from memory.webhook.refused_calls import tally
from memory.webhook.signatures import Form, Signature

LARGEST = 1024 * 1024

log = logging.getLogger(__name__)


@csrf_exempt
@login_not_required
def receive(request: HttpRequest) -> JsonResponse:
    """Take a call for the bot whose secret signed it."""
    return answer(request, None)


@csrf_exempt
@login_not_required
def receive_for(request: HttpRequest, slug: str) -> JsonResponse:
    """Take a call for this bot, signed with one of its own secrets."""
    return answer(request, slug)


def answer(request: HttpRequest, slug: str | None, tried_by: By | None = None) -> JsonResponse:
    """What a call is answered. `tried_by` names the person at the desk who sends it to try the webhook."""
    started = time.perf_counter()
    try:
        outcome = _take(request, slug, started, tried_by)
    except RefusedCall as refused:
        return _refused(request, refused)
    except OperationalError as error:
        if database.is_full(error):
            return _json(503, deliveries.FULL)
        return _json(409, deliveries.BUSY)
    except OSError as error:  # the disk of KENOWEB_HOME is full, perhaps
        log.error("A call was not taken: %s", error.strerror)
        return _json(503, deliveries.NOT_WRITTEN)
    if outcome.why:
        log.error("A call was not taken: %s", outcome.why)
    if outcome.status == 400:
        return _refused(request, RefusedCall(400, outcome.body["error"]))
    response = _json(outcome.status, outcome.body, wait=outcome.wait or (1 if outcome.status == 409 else 0))
    if outcome.repeated:
        response["Idempotent-Replayed"] = "true"
    return response


def _take(request: HttpRequest, slug: str | None, started: float, tried_by: By | None) -> deliveries.DeliveryAnswer:
    if request.method != "POST":
        raise RefusedCall(405, "method not allowed")
    raw = request_body.read(request, LARGEST)
    now = timezone.now()
    signature = signatures.claimed(request.headers, raw, now.timestamp())
    secret = _signer(signature, slug)
    if signature is None or secret is None:
        raise RefusedCall(401, "invalid signature")
    if wait := rate_limit.wait(secret.name, settings.WEBHOOK_RATE, now.timestamp()):
        raise RefusedCall(429, "too many calls", wait)
    call = turn_calls.parse(raw, now)
    letter = deliveries.Letter(
        body_sha256=hashlib.sha256(raw).hexdigest(),
        received=now,
        started=started,
        webhook_id=signature.webhook_id,
        remember_body=signature.form is Form.BODY,
        secret=secret.pk,
        by=tried_by or deliveries.DELIVERED,
        trial=tried_by is not None,
    )
    return deliveries.receive(secret.bot, call, letter)


def _signer(signature: Signature | None, slug: str | None) -> webhook_secrets.Live | None:
    """The live secret that made the signature. All are tried, so that the time taken tells nothing."""
    found: webhook_secrets.Live | None = None
    for secret in webhook_secrets.live(slug):
        allowed = signature and (signature.form is Form.STANDARD or not secret.bot.standard_webhooks_only)
        if signature and allowed and signatures.verifies(signature, secret.text) and found is None:
            found = secret
    return found


def _refused(request: HttpRequest, refused: RefusedCall) -> JsonResponse:
    tally.count(request.META.get("REMOTE_ADDR", ""), refused.status, refused.error, timezone.now())
    response = _json(refused.status, {"error": refused.error}, refused.wait)
    if refused.status == 405:
        response["Allow"] = "POST"
    return response


def _json(status: int, body: dict[str, Any], wait: int = 0) -> JsonResponse:
    response = JsonResponse(body, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response
