"""A letter by any service that `apprise` knows: asked of a process of its own, `push.py`, which says what came of it."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from memory.access import encryption
from memory.access.permissions import may_operate
from memory.digests import push, subscriptions
from memory.digests.outcomes import SENT, Letter, SendOutcome, failed, unsure
from memory.domain.errors import Refusal
from memory.models import Subscription
from memory.text.sentences import say

log = logging.getLogger(__name__)
SECONDS = 40.0  # for the whole of it
TEMPORARY = (408, 425, 429)
UNKNOWN = say("This isn’t the address of a known service. Write it as Apprise does, like ntfys://ntfy.sh/my-topic.")
REASONS = {
    push.UNKNOWN: UNKNOWN,
    push.LOCAL: say("This isn’t a web service. Services that open files, programs or mail servers aren’t allowed."),
    push.INNER: say("This address belongs to the inner network. Only operators may use such a service."),
}


@dataclass(frozen=True, slots=True)
class Named:
    """An address that will do, and what people call its service."""

    name: str


def named(address: str, *, inside: bool) -> Named:
    """What the service of an address is called. Raises Refusal if it is none that may be used; nothing is sent."""
    told = _asked(address, Letter("", ""), inside=inside, send=False)
    if told is None:
        raise Refusal(say("The address couldn’t be checked. Try again."))
    if told["outcome"] != push.SENT:
        raise Refusal(REASONS[told["outcome"]])
    return Named(str(told["name"])[:80])


def send(subscription: Subscription, letter: Letter) -> SendOutcome:
    """Send a letter to somebody's service."""
    try:
        address = subscriptions.service_address(subscription)
    except encryption.BrokenSeal as broken:
        return failed(str(broken))
    if not address:
        return failed(say("No service is set."))
    told = _asked(address, letter, inside=may_operate(subscription.user), send=True)
    return (
        _outcome(told) if told else unsure(say("The service didn’t answer in time. The message may not have arrived."))
    )


def _outcome(told: dict[str, Any]) -> SendOutcome:
    outcome, status = told["outcome"], int(told.get("status", 0))
    if outcome == push.SENT:
        return SENT
    if outcome in REASONS:
        return failed(REASONS[outcome])
    if outcome == push.UNREACHED:
        return failed(say("The service couldn’t be reached."), passes=True)
    if outcome == push.UNSURE:
        return unsure(say("The connection to the service broke. The message may not have arrived."))
    if status in (401, 403):
        return failed(say("The service refused the password or token in the address."))
    passes = status in TEMPORARY or status >= 500
    return failed(say("The service refused the message (code %(code)s).", code=status), passes=passes)


def _asked(address: str, letter: Letter, *, inside: bool, send: bool) -> dict[str, Any] | None:
    """What the process said; None if it did not in time. The address goes in by a pipe: a process list shows no secret."""
    asked = {"address": address, "title": letter.subject, "body": letter.text, "inside": inside, "send": send}
    command = [sys.executable, "-I", push.__file__]
    try:
        done = subprocess.run(  # noqa: S603 - ourselves
            command, input=json.dumps(asked), capture_output=True, text=True, timeout=SECONDS, env={}, check=True
        )
        told: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        log.warning("the process that talks to a service did not answer: %s", type(error).__name__)
        return None
    return told
