"""Who signed a call: `X-Webhook-Signature` over its body, or the Standard Webhooks headers, checked over the raw bytes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

TOLERANCE = 300  # seconds that a standard call's timestamp may be away from now, either way
PREFIX = "whsec_"
SIGNATURES_AT_MOST = 16

_BODY = re.compile(r"sha256=([0-9a-f]{64})")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")
_ID_LENGTH = 255


class Form(StrEnum):
    """How a call is signed."""

    BODY = "body"  # over its body alone
    STANDARD = "standard"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call's headers claim, before anything is verified. `signed` is exactly what the signatures were made over."""

    form: Form
    claims: tuple[bytes, ...]
    signed: tuple[bytes, ...]
    webhook_id: str | None = None


def claimed(headers: Mapping[str, str], body: bytes, now: float) -> Signature | None:
    """What the headers claim about a body at `now` (seconds since 1970); None if nothing usable is claimed."""
    if any(name in headers for name in ("webhook-signature", "webhook-id", "webhook-timestamp")):
        return _standard(headers, body, now)
    found = _BODY.fullmatch(headers.get("X-Webhook-Signature", ""))
    return Signature(Form.BODY, (bytes.fromhex(found[1]),), (body,)) if found else None


def verifies(signature: Signature, secret: str) -> bool:
    """Whether this secret made one of the claimed signatures; compared in constant time."""
    good = False
    for key in keys(secret, signature.form):
        expected = _hmac(key, signature.signed)
        for claim in signature.claims:
            good |= hmac.compare_digest(expected, claim)
    return good


def keys(secret: str, form: Form) -> Iterable[bytes]:
    """The bytes a secret stands for: over a body alone its text itself, by the standard the base64 behind `whsec_`."""
    if not secret:
        return ()
    text = secret.encode("utf-8", "surrogatepass")
    if form is Form.BODY:
        return (text,)
    decoded = _base64(secret.removeprefix(PREFIX))
    if secret.startswith(PREFIX):
        return (decoded,) if decoded else ()
    return (text, decoded) if decoded else (text,)


def sign_body(secret: str, body: bytes) -> str:
    """The value of `X-Webhook-Signature` for a body."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def sign_standard(secret: str, name: str, stamp: str, body: bytes) -> str:
    """The value of `webhook-signature` for a body sent under an id at a time (seconds since 1970)."""
    key = next(iter(keys(secret, Form.STANDARD)), b"")
    made = _hmac(key, (f"{name}.{stamp}.".encode(), body))
    return "v1," + base64.b64encode(made).decode("ascii")


def _standard(headers: Mapping[str, str], body: bytes, now: float) -> Signature | None:
    name, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not name or len(name) > _ID_LENGTH or not name.isascii() or not _TIMESTAMP.fullmatch(stamp):
        return None
    if abs(now - int(stamp)) > TOLERANCE:
        return None
    parts = headers.get("webhook-signature", "").split(" ")[:SIGNATURES_AT_MOST]
    claims = [_base64(part.removeprefix("v1,")) for part in parts if part.startswith("v1,")]
    usable = tuple(claim for claim in claims if claim and len(claim) == hashlib.sha256().digest_size)
    return Signature(Form.STANDARD, usable, (f"{name}.{stamp}.".encode(), body), name) if usable else None


def _hmac(key: bytes, parts: tuple[bytes, ...]) -> bytes:
    made = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        made.update(part)
    return made.digest()


def _base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
