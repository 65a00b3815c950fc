from __future__ import annotations

import base64
import json
import re
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.http.request import HttpHeaders
from hypothesis import given, strategies as st

from memory.models import Bot, Delivery, RefusedCalls, WebhookSecret
from memory.webhook import signatures

DOCS = Path(__file__).parents[2] / "docs" / "webhook.md"
TURN = b'{"message": "hello", "response": "ok <memory>likes tea</memory>"}'


def vectors() -> list[dict]:
    return json.loads(re.search(r"```json\n(.*?)```", DOCS.read_text(), re.DOTALL)[1])


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["form"])
def test_documented_vectors_verify(vector):
    headers = HttpHeaders(
        {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in vector["headers"].items()}
    )
    body = vector["body"].encode()
    now = float(vector["headers"].get("webhook-timestamp", 0))
    claimed = signatures.claimed(headers, body, now)
    assert claimed is not None
    assert claimed.form == vector["form"]
    assert signatures.verifies(claimed, vector["secret"])
    assert not signatures.verifies(claimed, vector["secret"] + "x")
    other = signatures.claimed(headers, body + b" ", now)
    assert other is not None
    assert not signatures.verifies(other, vector["secret"])


def test_documented_kenobot_signature_is_what_sign_makes():
    for vector in vectors():
        if vector["form"] == "body":
            made = signatures.sign_body(vector["secret"], vector["body"].encode())
            assert made == vector["headers"]["X-Webhook-Signature"]


@given(st.text(), st.binary(max_size=200))
def test_kenobot_header_that_is_not_exact_claims_nothing(header, body):
    headers = HttpHeaders({"HTTP_X_WEBHOOK_SIGNATURE": header})
    found = signatures.claimed(headers, body, 0)
    assert (found is not None) == bool(re.fullmatch("sha256=[0-9a-f]{64}", header))


def refused(answer) -> bool:
    return answer.status_code == 401 and answer.json() == {"error": "invalid signature"}


def test_signature_of_kenobot_is_taken(sender):
    answer = sender.raw(TURN)
    assert answer.status_code == 200
    assert answer.json()["response"] == "ok"


@pytest.mark.parametrize(
    "change",
    [
        lambda good: "",
        lambda good: good.upper(),
        lambda good: "sha256=" + good[7:].upper(),
        lambda good: good.removeprefix("sha256="),
        lambda good: good.replace("sha256", "sha1"),
        lambda good: good[:-1],
        lambda good: good[:-2],
        lambda good: good + "0",
        lambda good: f"{good},{good}",
        lambda good: f"{good}, {good}",
        lambda good: " " + good,
        lambda good: good[:-1] + ("0" if good[-1] != "0" else "1"),
        lambda good: "sha256=" + "é" * 64,
    ],
)
def test_signature_that_is_not_exact_is_refused(sender, change):
    good = signatures.sign_body(sender.secret, TURN)
    assert refused(sender.raw(TURN, change(good)))
    assert sender.files() == {}
    assert not Delivery.objects.exists()


def test_signature_of_another_secret_is_refused(sender):
    assert refused(sender.raw(TURN, signatures.sign_body("another", TURN)))


def test_signature_is_judged_before_the_body_is_parsed(sender):
    assert refused(sender.raw(b"no json", "sha256=" + "0" * 64))


def test_empty_secret_verifies_nothing():
    claimed = signatures.claimed(HttpHeaders({"HTTP_X_WEBHOOK_SIGNATURE": signatures.sign_body("", TURN)}), TURN, 0)
    assert claimed is not None
    assert not signatures.verifies(claimed, "")


def test_revoked_secret_is_refused_and_a_second_live_one_is_taken(sender):
    from memory.access import encryption as seal

    WebhookSecret.objects.create(bot=sender.bot, sealed=seal.seal(b"the next secret"))
    WebhookSecret.objects.filter(pk=sender.bot.secrets.first().pk).update(revoked=datetime.now(UTC))
    assert refused(sender.raw(TURN))
    assert sender.raw(TURN, signatures.sign_body("the next secret", TURN)).status_code == 200


def test_secret_of_a_removed_bot_signs_nothing(sender):
    Bot.objects.filter(pk=sender.bot.pk).update(removed=datetime.now(UTC))
    assert refused(sender.raw(TURN))


def test_secret_of_the_environment_holds_until_the_bot_has_its_own(sender, settings):
    settings.WEBHOOK_SECRET = "from the environment"
    signed = signatures.sign_body("from the environment", TURN)
    assert refused(sender.raw(TURN, signed))
    WebhookSecret.objects.all().delete()
    assert sender.raw(TURN, signed).status_code == 200


def test_sealed_secret_that_cannot_be_opened_refuses_and_does_not_fail(sender):
    WebhookSecret.objects.update(sealed=b"broken")
    assert refused(sender.raw(TURN))


def test_standard_form_is_taken(sender):
    assert sender.standard(TURN).status_code == 200


def test_standard_form_takes_base64_keys(sender):
    from memory.access import encryption as seal

    key = b"0123456789abcdef01234567"
    text = "whsec_" + base64.b64encode(key).decode()
    WebhookSecret.objects.update(sealed=seal.seal(text.encode()))
    assert sender.standard(TURN, key=key).status_code == 200
    assert refused(sender.standard(TURN, name="msg_2", key=text.encode()))
    assert sender.raw(TURN, signatures.sign_body(text, TURN)).status_code == 200


@pytest.mark.parametrize("off", [-301, 310, -86400])
def test_standard_timestamp_out_of_bounds_is_refused(sender, off):
    assert refused(sender.standard(TURN, at=time.time() + off))


@pytest.mark.parametrize("off", [-290, 290])
def test_standard_timestamp_within_bounds_is_taken(sender, off):
    assert sender.standard(TURN, at=time.time() + off).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"webhook-id": ""},
        {"webhook-id": "x" * 256},
        {"webhook-id": "msg_1,msg_1"},
        {"webhook-timestamp": "soon"},
        {"webhook-timestamp": "-5"},
        {"webhook-timestamp": ""},
        {"webhook-timestamp": "9" * 40},
        {"webhook-signature": ""},
        {"webhook-signature": "v1,"},
        {"webhook-signature": "v1,not base64"},
        {"webhook-signature": "v2,bm9uc2Vuc2U="},
    ],
)
def test_standard_header_that_is_not_exact_is_refused(sender, headers):
    stamp = str(int(time.time()))
    good = sender.standard(TURN).wsgi_request.headers
    given = {
        "webhook-id": "msg_1",
        "webhook-timestamp": stamp,
        "webhook-signature": good["webhook-signature"],
        **headers,
    }
    answer = sender.client.post("/webhook", TURN, content_type="application/json", headers=given)
    assert refused(answer)


def test_standard_headers_are_judged_alone(sender):
    """A KenoBot signature beside a stale standard one must not bring the call through."""
    body = TURN
    answer = sender.raw(body, **{"webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"})
    assert refused(answer)


def test_bot_held_to_the_standard_refuses_kenobots_form(sender):
    sender.bot.standard_webhooks_only = True
    sender.bot.save()
    assert refused(sender.raw(TURN))
    assert sender.standard(TURN).status_code == 200


def test_refused_calls_are_counted_by_reason(sender):
    for _ in range(3):
        sender.raw(TURN, "sha256=" + "0" * 64)
    sender.raw(b"[]")
    counted = Counter()  # a minute may end meanwhile
    for row in RefusedCalls.objects.all():
        counted[row.reason] += row.count
    assert counted["invalid signature"] == 3
    assert counted["missing message field"] == 1
    assert set(RefusedCalls.objects.values_list("address", flat=True)) == {"127.0.0.1"}
