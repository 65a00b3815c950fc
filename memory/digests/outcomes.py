"""What is sent, and how sending it ended."""

from __future__ import annotations

from dataclasses import dataclass

from memory.models import Dispatch

State = Dispatch.State


@dataclass(frozen=True, slots=True)
class Letter:
    """What somebody is told, in their words: plain text."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class SendOutcome:
    """How it ended: `sent`, `unsure`, or `failed` with the reason for people. `passes`: it was certainly not taken, and another try
    may go well."""

    state: Dispatch.State
    trouble: str = ""
    passes: bool = False


SENT = SendOutcome(State.SENT)


def failed(trouble: str, *, passes: bool = False) -> SendOutcome:
    """It was certainly not taken."""
    return SendOutcome(State.FAILED, trouble, passes)


def unsure(trouble: str) -> SendOutcome:
    """It was handed over, and nobody said that it was taken."""
    return SendOutcome(State.UNSURE, trouble)
