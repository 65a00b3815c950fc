"""What of the memory others may read, and one button that ends it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.dialects.autobot.permissions import narrow, wide
from memory.domain.errors import VaultError
from memory.models import Bot
from memory.web.base.responses import by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    context: dict[str, object] = {"bot": bot, "place": "permissions"}
    try:
        context["found"] = wide(bot)
    except VaultError as error:
        context["refusal"] = translate(str(error))
    return render(request, "autobot/permissions.html", context)


@post_only
def fix(request: HttpRequest, bot: Bot) -> HttpResponse:
    say_done(request, _("Only the owner can read the memory now"), narrow(bot, by(request)))
    return redirect("memory:permissions", bot.slug)
