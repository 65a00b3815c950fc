"""The keys of the desk: the page that lists them, the switch that turns them off, and the one that undoes."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory.access.permissions import Visitor, visible_bots
from memory.journal import pinning
from memory.journal.undone import NEVER_WRITTEN, undone
from memory.models import Bot, ChangeSet
from memory.web.base import frame
from memory.web.base.counts import sidebar_counts
from memory.web.base.responses import answer, back, post_only
from memory.web.history import views

YEAR = 365 * 24 * 3600
LOOKED_AT = 50  # a person's newest change sets, whether one was redone
MINE = (ChangeSet.Kind.EDIT, ChangeSet.Kind.COMPACTION, ChangeSet.Kind.RESTORE, ChangeSet.Kind.IMPORT)


@require_http_methods(["GET", "HEAD", "POST"])
def keys(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return _switched(request)
    off = request.COOKIES.get("keys") == "off"
    return answer(request, "memory/search/keys.html", "table", {"groups": frame.keys(_closed(request)), "off": off})


def _closed(request: HttpRequest) -> frozenset[str]:
    """The pages that are not there for the bot that somebody looks at, or for any."""
    bot = next((bot for bot in visible_bots(request) if bot.slug == request.GET.get("bot")), None)
    if bot is None:
        return frame.FOR_SOME
    numbers = sidebar_counts(bot)
    return frame.closed_pages(bot.dialect, has_chats=numbers.chats > 0, has_days=numbers.days)


def _switched(request: HttpRequest) -> HttpResponse:
    response = back(request, reverse("memory:keys"))
    if request.POST.get("keys") == "off":
        response.set_cookie("keys", "off", max_age=YEAR, samesite="Lax", httponly=True, secure=request.is_secure())
    else:
        response.delete_cookie("keys", samesite="Lax")
    return response


@post_only
def undo_last(request: HttpRequest, bot: Bot) -> HttpResponse:
    last = last_of(bot, request.user)
    if last is None:
        messages.info(request, _("You have no changes to undo here."))
        return back(request, reverse("memory:overview", args=[bot.slug]))
    return views.undo(request, bot, last.pk)


def last_of(bot: Bot, user: Visitor) -> ChangeSet | None:
    """The newest change set that this person made, that was written and still stands; None if there is none."""
    wrote = Q(revisions__done=True) | pinning.MARKS
    mine = ChangeSet.objects.filter(wrote, bot=bot, user_id=int(user.pk or 0), kind__in=MINE)
    mine = mine.exclude(state__in=NEVER_WRITTEN).defer("details").order_by("-id").distinct()
    some = list(mine[:LOOKED_AT])
    gone = undone(bot, [one.pk for one in some])
    return next((one for one in some if one.pk not in gone), None) or mine.filter(undone_by__isnull=True).first()
