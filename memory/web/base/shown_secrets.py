"""Who sees the secrets of a bot's memory: nobody until they ask, and then they alone, in this session and for some minutes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.http import HttpRequest
from django.utils import timezone

from memory.access.permissions import visible_bots
from memory.bots import privacy
from memory.models import Bot
from memory.text.secrets import has_hidden

FOR = timedelta(minutes=5)
_KEPT = "secrets_shown"  # in the session: until when, by the bot's slug

log = logging.getLogger(__name__)


def are_hidden(request: HttpRequest, bot: Bot) -> bool:
    """Whether who asks sees no secrets of this bot's memory."""
    return privacy.hides_secrets(bot) and shown_until(request, bot) is None


def holds_hidden(request: HttpRequest, bot: Bot, *texts: str) -> bool:
    """Whether texts that somebody wants to edit hold what is hidden from them. Then there is no field: a mask is never in one."""
    return any(map(has_hidden, texts)) and are_hidden(request, bot)


def are_hidden_at(request: HttpRequest, slug: str) -> bool:
    """The same on a page of a bot by its slug; "" for a page of none, which never shows any."""
    bot = next((bot for bot in visible_bots(request) if bot.slug == slug), None) if slug else None
    return bot is None or are_hidden(request, bot)


def shown_until(request: HttpRequest, bot: Bot) -> datetime | None:
    """Until when who asks sees them; None if they do not."""
    kept = _kept(request).get(bot.slug)
    until = datetime.fromisoformat(kept) if kept else None
    return until if until and until > timezone.now() else None


def show(request: HttpRequest, bot: Bot) -> None:
    """Show them from now on; that somebody looked is logged."""
    log.warning("%s looked at the secrets of the bot %s", request.user.pk, bot.slug)
    request.session[_KEPT] = {**_kept(request), bot.slug: (timezone.now() + FOR).isoformat()}


def hide(request: HttpRequest, bot: Bot) -> None:
    """Hide them again."""
    request.session[_KEPT] = {slug: until for slug, until in _kept(request).items() if slug != bot.slug}


def _kept(request: HttpRequest) -> Mapping[str, str]:
    kept: Mapping[str, str] = request.session.get(_KEPT, {})
    return kept
