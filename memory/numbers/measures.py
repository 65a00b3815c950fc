"""How a bot stands today, written down once on each of its days: what nobody could find out afterwards."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Q, Sum
from django.utils import timezone

from memory.bots import open_bot
from memory.bots.automation import automation_of
from memory.domain.errors import VaultError
from memory.models import Bot, Document, Finding, Measure, Tally
from memory.prompts import build as prompts
from memory.prompts.build import PromptRefused

LONGEST = 3660  # days that are kept where the history is kept for ever


def measure(bot: Bot) -> None:
    """Write down how a bot stands, unless that is done today, and let go of what its history would not keep either."""
    today = open_bot(bot).today()
    if bot.walked is None or Measure.objects.filter(bot=bot, day=today).exists():
        return
    Measure.objects.bulk_create([_measured(bot, today)], ignore_conflicts=True)
    _forget(bot, date.fromisoformat(today))


def last_prompt(bot: Bot) -> Measure | None:
    """How a bot stood when the size of its prompt was measured last; None if it never was."""
    return Measure.objects.filter(bot=bot, tokens__isnull=False).first()


def _measured(bot: Bot, today: str) -> Measure:
    last = Measure.objects.filter(bot=bot).first()
    documents = Document.objects.filter(bot=bot)
    return Measure(
        bot=bot,
        day=today,
        at=timezone.now(),
        facts=documents.aggregate(facts=Sum("facts_count"))["facts"] or 0,
        size=documents.filter(path=open_bot(bot).long_term).values_list("size", flat=True).first(),
        tokens=prompt_tokens(bot),
        open=Finding.objects.filter(bot=bot, gone=None, ignored=None).count(),
        settled=_settled_since(bot, last),
    )


def prompt_tokens(bot: Bot) -> int | None:
    """The tokens of the prompt before anything is said; None where that can't be told."""
    try:
        read = prompts.build(bot, None)
    except (VaultError, PromptRefused):
        return None
    return None if read.unsure and not read.tokens else read.tokens


def _settled_since(bot: Bot, last: Measure | None) -> int:
    if last is None:
        return 0
    return Finding.objects.filter(Q(gone__gt=last.at) | Q(gone=None, ignored__gt=last.at), bot=bot).count()


def _forget(bot: Bot, today: date) -> None:
    kept = automation_of(bot).history_days or LONGEST
    before = (today - timedelta(days=kept)).isoformat()
    Measure.objects.filter(bot=bot, day__lt=before).delete()
    Tally.objects.filter(bot=bot, day__lt=before).delete()
