"""The bot's own settings, and the button that makes its files say what is set here."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.dialects.golemcore import preferences
from memory.domain.errors import VaultError
from memory.models import Bot
from memory.web.base.responses import by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    context: dict[str, object] = {"bot": bot, "place": "preferences"}
    try:
        context["rows"] = found = preferences.rows(bot)
        context["differing"] = sum(row.differs for row in found)
    except (VaultError, ValueError) as error:
        context["refusal"] = translate(str(error))
    return render(request, "golemcore/preferences.html", context)


@post_only
def write(request: HttpRequest, bot: Bot) -> HttpResponse:
    say_done(request, _("Settings written"), preferences.write(bot, by(request)))
    return redirect("memory:preferences", bot.slug)
