"""What the bot learned by itself lately, each to be taken back, and what was forgotten, each to be restored."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.dialects.discoclaw import layout
from memory.dialects.discoclaw import restore as restoring
from memory.dialects.discoclaw.durable import ACTIVE, FORGOTTEN
from memory.domain.outcomes import Refused
from memory.models import FactAttributes
from memory.web.base.fact_rows import wanted
from memory.web.base.responses import back, bot_of_family_or_404, by
from memory.web.base.said import said
from memory.web.entries.views import listed

AT_ONCE = 50
MOST = 500  # facts that one form brings back


@require_safe
def learned(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest first; whoever reads on leaves them as they are."""
    return _page(request, slug, "learned", status=ACTIVE, source="summary")


@require_safe
def forgotten(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, slug, "forgotten", status=FORGOTTEN)


@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Forgotten facts count again."""
    bot = bot_of_family_or_404(request, slug, layout.NAME)
    names = [request.POST["one"]] if "one" in request.POST else request.POST.getlist("fact")
    outcome = restoring.restore(bot, [meant for name in names[:MOST] if (meant := wanted(name))], by(request))
    if isinstance(outcome, Refused):
        messages.error(request, said(outcome.reason))
    else:
        messages.success(request, _("Restored"), extra_tags=f"undo-{outcome.pk}" if outcome else "")
    return back(request, reverse("memory:forgotten", args=[bot.slug]))


def _page(request: HttpRequest, slug: str, name: str, **about: str) -> HttpResponse:
    bot = bot_of_family_or_404(request, slug, layout.NAME)
    rows = FactAttributes.objects.filter(bot=bot, **about).order_by("-updated", "-fact_id")
    page: Page[int] = Paginator(rows.values_list("pk", flat=True), AT_ONCE).get_page(request.GET.get("page"))
    context = {"bot": bot, "place": name, "page": page}
    return render(request, f"discoclaw/{name}.html", context | {"listed": listed(bot, list(page))})
