"""The mirrors: the lines that match no entry any more, and what can be done about each or about all of them."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.dialects.nanobot import mirror_sync
from memory.dialects.nanobot.backfill import moment
from memory.dialects.nanobot.mirrors import Unmatched
from memory.models import Bot
from memory.web.base.addresses import addresses
from memory.web.base.responses import back, by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate

AT_ONCE = 50


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    found: Page[Unmatched] = Paginator(mirror_sync.unmatched(bot), AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "mirrors",
        "page": found,
        "rows": _rows(bot, list(found)),
    }
    return render(request, "nanobot/mirrors.html", context | {"files": mirror_sync.files(bot)})


@post_only
def mend(request: HttpRequest, bot: Bot) -> HttpResponse:
    """One line, or all of them, as one change set."""
    one = request.POST.get("one")
    outcome = mirror_sync.mend(bot, None if one is None else [one], by(request))
    say_done(request, _("Fixed"), outcome)
    return back(request, reverse("memory:mirrors", args=[bot.slug]))


def _rows(bot: Bot, found: Sequence[Unmatched]) -> list[dict[str, object]]:
    """Lines of mirrors. `name` means one in a form; `instead` is what it would say, "" if it would only go."""
    url_of = addresses("document", bot)
    return [
        {
            "name": mirror_sync.name_of(one.line),
            "text": one.line.text,
            "at": moment(one.line.at),
            "why": translate(one.why),
            "instead": one.instead,
            "place": _("%(document)s, line %(line)s") % {"document": one.line.path, "line": one.line.number},
            "url": f"{url_of(one.line.path)}?line={one.line.number}",
        }
        for one in found
    ]
