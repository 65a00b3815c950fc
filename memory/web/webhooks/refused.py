"""Calls that were refused: counted by reason for everybody, by address and minute for operators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.core.paginator import Paginator
from django.db.models import Max, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.access.permissions import may_operate
from memory.models import Bot, RefusedCalls
from memory.webhook.refused_calls import UNKNOWN

LOOKED_AT = timedelta(days=30)
AT_ONCE = 50
LISTED = 10_000  # rows that can be paged through
REASONS = 50  # kinds that are told apart


@require_safe
def refused(request: HttpRequest, bot: Bot) -> HttpResponse:
    now = timezone.now()
    found = RefusedCalls.objects.filter(minute__gt=now - LOOKED_AT)
    yesterday = now - timedelta(days=1)
    context = {
        "bot": bot,
        "place": "webhooks",
        "tab": "refused",
        "days": LOOKED_AT.days,
        "lately": _groups(found.filter(minute__gt=yesterday)),
        "before": _groups(found.filter(minute__lte=yesterday)),
    }
    if may_operate(request.user):
        listed = found.order_by("-minute", "-id")[:LISTED]
        context["unknown"] = UNKNOWN
        context["page"] = Paginator(listed, AT_ONCE).get_page(request.GET.get("page"))
    return render(request, "memory/webhooks/refused.html", context)


def _groups(calls: QuerySet[RefusedCalls]) -> Sequence[dict[str, object]]:
    """Refused calls by kind: how many, when the last one came, what it means and what to do about it."""
    rows = calls.order_by().values("reason", "status").annotate(n=Sum("count"), last=Max("minute"))
    return [
        {**row, "count": row["n"], "words": meaning(row["reason"], row["status"])}
        for row in rows.order_by("-n", "reason")[:REASONS]
    ]


def meaning(reason: str, status: int) -> str:
    """What a refusal means and what to do about it."""
    known = {
        "invalid signature": _(
            "No active secret matches: the bot uses another one, or a proxy changed the body. Standard signatures "
            "also fail if the clocks differ by more than five minutes. Check the secret or create a new one."
        ),
        "method not allowed": _("Someone opened the address or used a method other than POST."),
        "too many calls": _("A secret was used more often than WEBHOOK_RATE allows. Replies said how long to wait."),
        "body too large": _("The body was larger than 1 MiB and wasn’t read."),
        "failed to read body": _("The connection closed before the whole body arrived."),
        "invalid json": _("Signature valid, but the body isn’t JSON in UTF-8."),
        "missing message field": _("Signature valid, but the JSON has no message."),
    }
    other = _("Signature valid, but one field isn’t. The reason names it.") if status == 400 else ""
    return known.get(reason, other)
