"""The webhook: method, size, signature, rate, JSON, fields, and only then the turn. Every answer but 200 is `{"error": …}`."""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import OperationalError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from gunicorn.http.errors import ParseException

from memory import bots, deliveries, rates, seal, signatures, turns
from memory.models import Bot, WebhookSecret
from memory.refusals import tally
from memory.signatures import Form, Signature

LARGEST = 1024 * 1024

log = logging.getLogger(__name__)


class _Refusal(Exception):
    """The call ends here, with this status and these words."""

    def __init__(self, status: int, error: str, wait: int = 0) -> None:
        super().__init__(error)
        self.status, self.error, self.wait = status, error, wait


@dataclass(frozen=True, slots=True)
class _Secret:
    """A live secret: whose it is, its text, and a name for it that gives nothing away."""

    bot: Bot
    text: str
    name: str


@csrf_exempt
@login_not_required
def receive(request: HttpRequest) -> JsonResponse:
    """Take a call for the bot whose secret signed it."""
    return _answer(request, None)


@csrf_exempt
@login_not_required
def receive_for(request: HttpRequest, slug: str) -> JsonResponse:
    """Take a call for this bot, signed with one of its own secrets."""
    return _answer(request, slug)


def _answer(request: HttpRequest, slug: str | None) -> JsonResponse:
    started = time.perf_counter()
    try:
        answer = _take(request, slug, started)
    except _Refusal as refusal:
        return _refused(request, refusal)
    except OperationalError:
        return _json(409, deliveries.BUSY)
    except OSError as error:  # the disk of KENOWEB_HOME is full, perhaps
        log.warning("A call was not taken: %s", error.strerror)
        return _json(503, deliveries.NOT_WRITTEN)
    if answer.why:
        log.warning("A call was not taken: %s", answer.why)
    if answer.status == 400:
        return _refused(request, _Refusal(400, answer.body["error"]))
    return _json(answer.status, answer.body, wait=1 if answer.status == 409 else 0)


def _take(request: HttpRequest, slug: str | None, started: float) -> deliveries.Answer:
    if request.method != "POST":
        raise _Refusal(405, "method not allowed")
    raw = _body(request)
    now = timezone.now()
    signature = signatures.claimed(request.headers, raw, now.timestamp())
    secret = _signer(signature, slug)
    if signature is None or secret is None:
        raise _Refusal(401, "invalid signature")
    if wait := rates.wait(secret.name, settings.WEBHOOK_RATE, now.timestamp()):
        raise _Refusal(429, "too many calls", wait)
    call = turns.parse(raw, now)
    if isinstance(call, turns.Refused):
        raise _Refusal(call.status, call.error)
    letter = deliveries.Letter(
        body_sha256=hashlib.sha256(raw).hexdigest(),
        received=now,
        started=started,
        webhook_id=signature.webhook_id,
        remember_body=signature.form is Form.KENOBOT,
    )
    return deliveries.receive(secret.bot, call, letter)


def _body(request: HttpRequest) -> bytes:
    """The raw body, never more than LARGEST of it in memory. Raises _Refusal."""
    declared = request.META.get("CONTENT_LENGTH") or ""
    if declared.isdigit() and int(declared[:12]) > LARGEST:
        raise _Refusal(413, "body too large")
    # Django sees no body where there is no length; a server that ends chunked input itself says so.
    chunked = not declared and request.META.get("wsgi.input_terminated")
    stream = request.META["wsgi.input"] if chunked else request
    parts: list[bytes] = []
    room = LARGEST + 1
    try:
        while room > 0 and (part := stream.read(min(room, 65536))):
            parts.append(part)
            room -= len(part)
    except (OSError, ParseException):  # broken off, or chunks that are none
        raise _Refusal(400, "failed to read body") from None
    if room <= 0:
        raise _Refusal(413, "body too large")
    return b"".join(parts)


def _signer(signature: Signature | None, slug: str | None) -> _Secret | None:
    """The live secret that made the signature. All are tried, so that the time taken tells nothing."""
    found: _Secret | None = None
    for secret in _live(slug):
        allowed = signature and (signature.form is Form.STANDARD or not secret.bot.standard_webhooks_only)
        if signature and allowed and signatures.verifies(signature, secret.text) and found is None:
            found = secret
    return found


def _live(slug: str | None) -> list[_Secret]:
    """The live secrets, of one bot or of all."""
    return [secret for secret in _kept.secrets() if slug in (None, secret.bot.slug)]


class _Kept:
    """Secrets unsealed and bots made once, for as long as their rows are the very same.

    One statement reads the rows as they are; making objects of them takes many times as long and is done when they differ.
    """

    def __init__(self) -> None:
        self._kept: tuple[list[Any], list[_Secret]] = ([], [])

    def secrets(self) -> list[_Secret]:
        with connection.cursor() as cursor:
            cursor.execute(_ROWS)
            rows = [settings.WEBHOOK_SECRET, *cursor.fetchall()]
        kept, secrets = self._kept
        if rows != kept:
            secrets = [*_saved(), *_of_environment()]
            self._kept = (rows, secrets)
        return secrets


_kept = _Kept()
_ROWS = """
    SELECT * FROM memory_bot AS bot
    LEFT JOIN memory_webhooksecret AS secret ON secret.bot_id = bot.id
    LEFT JOIN memory_root AS root ON root.bot_id = bot.id
    ORDER BY bot.id, secret.id, root.id
"""


def _saved() -> list[_Secret]:
    secrets = []
    for row in (
        WebhookSecret.objects.filter(revoked=None, bot__removed=None)
        .select_related("bot")
        .prefetch_related("bot__roots")
    ):
        sealed = bytes(row.sealed)
        try:
            text = seal.unseal(sealed).decode("utf-8")
        except (seal.BrokenSeal, UnicodeDecodeError) as broken:
            log.error("Secret %s of %s: %s", row.pk, row.bot.slug, broken)
        else:
            secrets.append(_Secret(row.bot, text, hashlib.sha256(sealed).hexdigest()[:32]))
    return secrets


def _of_environment() -> list[_Secret]:
    """The environment's secret, which holds until its bot has had one of its own."""
    bot = bots.default_bot() if settings.WEBHOOK_SECRET else None
    return [] if bot is None or bot.secrets.exists() else [_Secret(bot, settings.WEBHOOK_SECRET, "environment")]


def _refused(request: HttpRequest, refusal: _Refusal) -> JsonResponse:
    tally.count(request.META.get("REMOTE_ADDR", ""), refusal.status, refusal.error, timezone.now())
    response = _json(refusal.status, {"error": refusal.error}, refusal.wait)
    if refusal.status == 405:
        response["Allow"] = "POST"
    return response


def _json(status: int, body: dict[str, Any], wait: int = 0) -> JsonResponse:
    response = JsonResponse(body, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response
