"""Notifications: what one person hears of, trying it, their feed, and what went out lately. It is theirs, whichever bot it stands
beside."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext as _, gettext_lazy as later
from django.views.decorators.http import require_http_methods

from memory.digests import mail, outbox, post, subscriptions
from memory.digests.outcomes import SendOutcome
from memory.models import Bot, Dispatch, Notice, Subscription
from memory.web.base import time_zones
from memory.web.base.responses import post_only
from memory.web.base.translation import translate
from memory.web.digests.forms import SubscriptionForm
from memory.web.digests.letter import Words, period, written
from memory.web.site.account import asking

LATELY = 20
State = Dispatch.State
WAYS: dict[str, str | Promise] = {
    Dispatch.Way.MAIL: later("mail"),
    Dispatch.Way.SERVICE: later("service"),
}


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    subscription = subscriptions.of(asking(request))
    form = SubscriptionForm(
        request.POST if request.method == "POST" else None, subscription=subscription, zone=bot.time_zone
    )
    if form.is_valid():
        form.save(get_language() or "", request.build_absolute_uri("/"))
        messages.success(request, _("Notifications saved"))
        return redirect("memory:notifications", bot.slug)
    return _page(request, bot, form, status=422 if form.is_bound else 200)


@post_only
def trial(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Send a test message by `way` and say what came of it."""
    subscription = subscriptions.of(asking(request))
    ways = {way.value: way for way in outbox.ways_of(subscription)}
    way = ways.get(request.POST.get("way", ""))
    if way is None:
        messages.error(request, _("Save a mail address or a service first."))
    else:
        _say(request, post.send(subscription, way, Words.trial(subscription)))
    return redirect("memory:notifications", bot.slug)


def _say(request: HttpRequest, outcome: SendOutcome) -> None:
    if outcome.state == State.SENT:
        messages.success(request, _("The test message was sent. Check that it arrived."))
    elif outcome.state == State.UNSURE:
        messages.warning(request, translate(outcome.trouble))
    else:
        messages.error(request, _("The test message wasn’t sent. %(why)s") % {"why": translate(outcome.trouble)})


@post_only
def remove_service(request: HttpRequest, bot: Bot) -> HttpResponse:
    subscription = subscriptions.of(asking(request))
    if subscription.service:
        subscriptions.set_service(subscription, "", "")
        messages.success(request, _("The service was removed."))
    return redirect("memory:notifications", bot.slug)


@post_only
def make_feed(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The one page that ever holds the address of a feed; the one before is gone."""
    word = subscriptions.new_feed(subscriptions.of(asking(request)))
    address = request.build_absolute_uri(reverse("feed", args=[word]))
    response = render(request, "memory/digests/feed.html", {"bot": bot, "place": "notifications", "address": address})
    response["Cache-Control"] = "no-store"
    return response


@post_only
def end_feed(request: HttpRequest, bot: Bot) -> HttpResponse:
    subscriptions.end_feed(subscriptions.of(asking(request)))
    messages.success(request, _("The feed was removed. Its address no longer works."))
    return redirect("memory:notifications", bot.slug)


@post_only
def again(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    user = asking(request)
    one = get_object_or_404(Dispatch, pk=pk, notice__user=user)
    if outbox.again(user, one.pk, timezone.now()):
        messages.success(request, _("It will be sent again within a minute."))
    else:
        messages.info(request, _("It has already been sent or is on its way."))
    return redirect("memory:notifications", bot.slug)


def _page(request: HttpRequest, bot: Bot, form: SubscriptionForm, status: int) -> HttpResponse:
    one = form.subscription
    context = {
        "bot": bot,
        "place": "notifications",
        "form": form,
        "zones": time_zones.offered(),
        "subscription": one,
        "ways": [
            (way.value, one.mail if way == Dispatch.Way.MAIL else one.service_name) for way in outbox.ways_of(one)
        ],
        "has_mail": mail.is_set_up(),
        "lines": lines(one),
    }
    return render(request, "memory/digests/notifications.html", context, status=status)


def lines(subscription: Subscription) -> list[dict[str, object]]:
    """What somebody was told lately."""
    now = timezone.now()
    return [_row(subscription, one, now) for one in outbox.newest(subscription.user)[:LATELY]]


def _row(subscription: Subscription, notice: Notice, now: datetime) -> dict[str, object]:
    """A notice in the list."""
    headline, _lines = written(subscription, notice)
    return {
        "headline": headline,
        "days": period(notice),
        "made": notice.made,
        "sent": [_sent(one, now) for one in notice.dispatches.all()],
    }


def _sent(one: Dispatch, now: datetime) -> dict[str, object]:
    """A notice by one way: the word for how it ended, how bad that is, why, and whether it can be sent again."""
    broken = one.state == State.SENDING and one.claimed is not None and one.claimed < now - outbox.LONGEST
    word, level = {
        State.WAITING: (_("waiting"), "warn" if one.trouble else ""),
        State.SENDING: (_("may not have arrived"), "warn") if broken else (_("being sent"), ""),
        State.SENT: (_("sent"), "good"),
        State.UNSURE: (_("may not have arrived"), "warn"),
        State.FAILED: (_("not sent"), "bad"),
    }[State(one.state)]
    trouble = _("Kenoweb stopped while sending it.") if broken else translate(one.trouble)
    return {
        "pk": one.pk,
        "way": WAYS[one.way],
        "word": word,
        "level": level,
        "trouble": trouble,
        "again": broken or one.state in (State.UNSURE, State.FAILED),
    }
