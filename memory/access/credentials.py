"""What lets a program in, each under a name of its own: made once, its text shown once, revoked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memory.models import ApiToken, Bot, WebhookSecret

Row = TypeVar("Row", ApiToken, WebhookSecret)


@dataclass(frozen=True, slots=True)
class Made(Generic[Row]):
    """A new credential and its text, which nobody can read again later."""

    row: Row
    text: str


@dataclass(frozen=True, slots=True)
class Taken:
    """None was made: a live one of this bot has that name."""

    name: str


def make(bot: Bot, rows: QuerySet[Row], name: str, keep: Callable[[], Made[Row]]) -> Made[Row] | Taken:
    """One more beside a bot's `rows`, by `keep`, unless the name is taken: two of one name could not be told apart."""
    with transaction.atomic():
        one_at_a_time(bot)
        return Taken(name) if rows.filter(name=name, revoked=None).exists() else keep()


def one_at_a_time(bot: Bot) -> None:
    """Let nobody else make a credential of this bot until the transaction ends."""
    Bot.objects.select_for_update().get(pk=bot.pk)


def revoke(row: ApiToken | WebhookSecret) -> None:
    """End a credential: from now on it opens nothing."""
    type(row).objects.filter(pk=row.pk, revoked=None).update(revoked=timezone.now())
