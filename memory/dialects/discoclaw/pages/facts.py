"""What the bot learned by itself lately, each to be taken back, and what was forgotten, each to be restored."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.dialects.discoclaw import kept, restore as restoring
from memory.dialects.discoclaw.durable import ACTIVE, FORGOTTEN
from memory.domain.fact_ref import FactRef
from memory.models import Bot, FactAttributes
from memory.web.base.fact_rows import fact_name, fact_ref
from memory.web.base.responses import back, by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.entries.views import listed

AT_ONCE = 50
MOST = 500  # facts that one form brings back


@require_safe
def learned(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The newest first: those that nobody has kept yet, or (`all`) the others, too."""
    rows, everything = FactAttributes.objects.filter(status=ACTIVE, source="summary"), "all" in request.GET
    shown = rows if everything else kept.unlooked(rows)
    context = {"everything": everything, "has_kept": kept.has_any(bot)}
    return _page(request, bot, "learned", shown, context)


@require_safe
def forgotten(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _page(request, bot, "forgotten", FactAttributes.objects.filter(status=FORGOTTEN), {})


@post_only
def keep(request: HttpRequest, bot: Bot) -> HttpResponse:
    """What the bot learned is right, and need not be looked at any more."""
    if kept.keep(bot, _meant(request), by(request).user):
        messages.success(request, _("Kept"))
    else:
        messages.error(request, translate(restoring.GONE))
    return back(request, reverse("memory:learned", args=[bot.slug]))


@post_only
def restore(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Forgotten facts count again."""
    say_done(request, _("Restored"), restoring.restore(bot, _meant(request), by(request)))
    return back(request, reverse("memory:forgotten", args=[bot.slug]))


def _meant(request: HttpRequest) -> list[FactRef]:
    """The facts that a form names."""
    names = [request.POST["one"]] if "one" in request.POST else request.POST.getlist("fact")
    return [meant for name in names[:MOST] if (meant := fact_ref(name))]


def _page(
    request: HttpRequest, bot: Bot, name: str, found: QuerySet[FactAttributes], more: Mapping[str, object]
) -> HttpResponse:
    rows = found.filter(bot=bot).order_by("-updated", "-fact_id")
    page: Page[int] = Paginator(rows.values_list("pk", flat=True), AT_ONCE).get_page(request.GET.get("page"))
    context = {"bot": bot, "place": name, "page": page, "listed": _rows(bot, list(page))}
    return render(request, f"discoclaw/{name}.html", {**context, **more})


def _rows(bot: Bot, keys: list[int]) -> list[dict[str, object]]:
    """Facts as rows, each with the channel that it comes from, "" for none."""
    told = ("document__path", "fact__key", "fact__nth", "fact__heading")
    about = FactAttributes.objects.filter(pk__in=keys).values_list(*told)
    channels = {fact_name(path, key, nth): heading.partition(" #")[2] for path, key, nth, heading in about}
    return [{"fact": line, "channel": channels.get(line["name"], "")} for line in listed(bot, keys)]
