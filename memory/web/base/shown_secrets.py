"""Who sees the secrets of a bot's memory: nobody until they ask, and then they alone, in this session and for some minutes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache, wraps
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from memory import journal
from memory.access.permissions import visible_bots
from memory.bots import privacy
from memory.models import Bot, Chat, ChatName, Subscription
from memory.text.secrets import Stays, has_hidden
from memory.web.base.responses import View

FOR = timedelta(minutes=5)
ARE = "secrets_are"  # the field by which a form that was sent is asked about again: `shown` or `hidden`
_OURS = (ARE, "csrfmiddlewaretoken")
_KEPT = "secrets_shown"  # in the session: until when, by the bot's slug

log = logging.getLogger(__name__)


def are_hidden(request: HttpRequest, bot: Bot) -> bool:
    """Whether who asks sees no secrets of this bot's memory."""
    return privacy.hides_secrets(bot) and shown_until(request, bot) is None


def holds_hidden(request: HttpRequest, bot: Bot, *texts: str) -> bool:
    """Whether texts that somebody wants to edit hold what is hidden from them. Then there is no field: a mask is never in one."""
    stays = of_the_desk()
    return are_hidden(request, bot) and any(has_hidden(text, stays) for text in set(texts))


def are_hidden_at(request: HttpRequest, slug: str) -> bool:
    """Whether they are hidden on a page of the bot of this slug; "" for a page of no bot, which never shows any."""
    bot = next((bot for bot in visible_bots(request) if bot.slug == slug), None) if slug else None
    return bot is None or are_hidden(request, bot)


def names_at(slug: str) -> Iterator[str]:
    """What the chats of a bot are called, by its slug."""
    yield from Chat.objects.filter(bot__slug=slug).values_list("scope", flat=True)
    yield from ChatName.objects.filter(bot__slug=slug).values_list("name", flat=True)


def of_the_desk() -> Stays:
    """Whether something is what somebody of this desk is called, by their login or where their digests go."""
    people = cache(lambda: frozenset(_people()))  # few pages have anything to ask about
    return lambda found: found.casefold() in people()


def _people() -> Iterator[str]:
    for names in (*User.objects.values_list("username", "email"), *Subscription.objects.values_list("mail")):
        yield from map(str.casefold, names)


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


def asked_again(view: View) -> View:
    """For a view whose answer to a form may hide something. Where it does, Show and Hide send the same form again: it is answered
    anew, and what it would write is not written."""

    @wraps(view)
    def looked_at(request: HttpRequest, bot: Bot, *named: Any, **values: Any) -> HttpResponse:
        if request.method == "POST":
            request.sent = [(name, one) for name, some in request.POST.lists() if name not in _OURS for one in some]  # type: ignore[attr-defined]
        if ARE not in request.POST:
            return view(request, bot, *named, **values)
        (show if request.POST[ARE] == "shown" else hide)(request, bot)
        with journal.no_writes():
            return view(request, bot, *named, **values)

    return looked_at


def _kept(request: HttpRequest) -> Mapping[str, str]:
    kept: Mapping[str, str] = request.session.get(_KEPT, {})
    return kept
