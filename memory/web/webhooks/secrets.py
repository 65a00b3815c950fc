"""The secrets of a bot's webhook: listed, made and shown once, replaced, revoked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.access import credentials
from memory.access.permissions import may_operate, operators_only
from memory.models import Bot, Delivery, WebhookSecret
from memory.web.base.responses import post_only
from memory.web.webhooks.forms import SecretForm
from memory.webhook import deliveries, webhook_secrets

IN_USE = timedelta(days=1)  # a secret that was used within it is not revoked without asking
REVOKED = 20  # revoked ones that are still listed
LAST = 100  # deliveries of which it is told how they were signed


@dataclass(frozen=True, slots=True)
class SecretRow:
    """A secret in the list. `pk` None: the environment's. `state`: live, revoked, or sealed (with a key that is not here)."""

    pk: int | None
    name: str
    created: datetime | None
    revoked: datetime | None
    used: datetime | None
    state: str


@require_safe
def secrets(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _page(request, bot, SecretForm())


@post_only
@operators_only
def make(request: HttpRequest, bot: Bot) -> HttpResponse:
    form = SecretForm(request.POST)
    if not form.is_valid():
        return _page(request, bot, form, status=422)
    made = webhook_secrets.make(bot, form.cleaned_data["name"])
    if isinstance(made, credentials.Taken):
        form.add_error("name", _("An active secret already has this name. Choose another or revoke it first."))
        return _page(request, bot, form, status=422)
    return _shown(request, bot, made, None)


@post_only
@operators_only
def replace(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Make a secret beside the one that `secret` names; "" names the environment's."""
    old = _named(bot, request.POST.get("secret", ""))
    made = webhook_secrets.replace(bot, old)
    if isinstance(made, credentials.Taken):
        words = _("“%(name)s” already replaces it and was shown when it was created. Revoke it to create another.")
        messages.error(request, words % {"name": made.name})
        return redirect("memory:webhook_secrets", bot.slug)
    return _shown(request, bot, made, old.name if old else webhook_secrets.ENVIRONMENT)


@post_only
@operators_only
def revoke(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    secret = get_object_or_404(WebhookSecret, bot=bot, pk=pk)
    row = _row(bot, secret)
    others = [one for one in webhook_secrets.live(bot.slug) if one.pk != secret.pk]
    recent = row.used is not None and timezone.now() - row.used < IN_USE
    if row.state == "live" and (recent or not others) and "confirmed" not in request.POST:
        context = {"bot": bot, "place": "webhooks", "tab": "secrets", "row": row, "recent": recent, "others": others}
        return render(request, "memory/webhooks/secrets_revoke.html", context)
    credentials.revoke(secret)
    messages.success(request, _("“%(name)s” was revoked. Deliveries signed with it are rejected.") % {"name": row.name})
    return redirect("memory:webhook_secrets", bot.slug)


@post_only
@operators_only
def standard(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Hold the bot to the standard signature (`only` given), or take both again."""
    bot.standard_webhooks_only = "only" in request.POST
    bot.save(update_fields=["standard_webhooks_only"])
    if bot.standard_webhooks_only:
        words = _("Only Standard Webhooks signatures are accepted now.")
    else:
        words = _("Both signatures are accepted now.")
    messages.success(request, words)
    return redirect("memory:webhook_secrets", bot.slug)


def _page(request: HttpRequest, bot: Bot, form: SecretForm, status: int = 200) -> HttpResponse:
    context = {"bot": bot, "place": "webhooks", "tab": "secrets", "rows": _rows(bot), "form": form}
    context["may_operate"] = may_operate(request.user)
    context["has_secret"] = bool(webhook_secrets.live(bot.slug))
    context["environment"] = webhook_secrets.environment_holds(bot)
    last = Delivery.objects.filter(bot=bot, trial=False).order_by("-received", "-id")[:LAST]
    names = [one or "" for one in last.values_list("webhook_id", flat=True)]
    context |= {"last": len(names), "by_body": sum(one.startswith(deliveries.BODY) for one in names)}
    return render(request, "memory/webhooks/secrets.html", context, status=status)


def _shown(request: HttpRequest, bot: Bot, made: credentials.Made[WebhookSecret], replaces: str | None) -> HttpResponse:
    """The one page that ever holds a secret's text: nothing keeps it, neither an address nor a session nor a cache."""
    context = {"bot": bot, "place": "webhooks", "tab": "secrets", "made": made, "replaces": replaces}
    response = render(request, "memory/webhooks/secrets_made.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _named(bot: Bot, pk: str) -> WebhookSecret | None:
    return get_object_or_404(WebhookSecret, bot=bot, pk=int(pk), revoked=None) if pk.isdecimal() else None


def _rows(bot: Bot) -> Sequence[SecretRow]:
    live = list(bot.secrets.filter(revoked=None).order_by("-pk"))
    ended = bot.secrets.exclude(revoked=None).order_by("-revoked")[:REVOKED]
    rows = [_row(bot, secret) for secret in [*live, *ended]]
    if webhook_secrets.environment_holds(bot):
        rows.append(
            SecretRow(None, webhook_secrets.ENVIRONMENT, None, None, webhook_secrets.last_used(bot, None), "live")
        )
    return rows


def _row(bot: Bot, secret: WebhookSecret) -> SecretRow:
    state = "revoked" if secret.revoked else "live" if webhook_secrets.is_readable(secret) else "sealed"
    used = webhook_secrets.last_used(bot, secret)
    return SecretRow(secret.pk, str(secret), secret.created, secret.revoked, used, state)
