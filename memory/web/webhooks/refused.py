"""Calls that were refused: counted by reason for everybody, by address and minute for operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Paginator
from django.db.models import Max, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.access.permissions import bot_or_404, may_operate
from memory.models import RefusedCalls
from memory.turns.refused_calls import UNKNOWN

LOOKED_AT = timedelta(days=30)
AT_ONCE = 50
LISTED = 10_000  # rows that can be paged through
REASONS = 50  # kinds that are told apart


@dataclass(frozen=True, slots=True)
class Group:
    """Refused calls of one kind: how many, when the last one came, what it means and what to do about it."""

    reason: str
    status: int
    count: int
    last: datetime
    words: str


@require_safe
def refused(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_or_404(request, slug)
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


def _groups(calls: QuerySet[RefusedCalls]) -> Sequence[Group]:
    rows = calls.order_by().values("reason", "status").annotate(n=Sum("count"), last=Max("minute"))
    return [
        Group(row["reason"], row["status"], row["n"], row["last"], meaning(row["reason"], row["status"]))
        for row in rows.order_by("-n", "reason")[:REASONS]
    ]


def meaning(reason: str, status: int) -> str:
    """What a refusal means and what to do about it."""
    known = {
        "invalid signature": _(
            "No live secret made the signature: the bot has another secret, or a proxy changed the body on its way. A standard "
            "signature is also refused when the two clocks are more than five minutes apart. Compare the secret, or make a new one."
        ),
        "method not allowed": _("Somebody opened the address, or sent something else than POST. Bots post."),
        "too many calls": _("One secret was used more often than WEBHOOK_RATE allows. Answers said how long to wait."),
        "body too large": _("The body was larger than 1 MiB and was not read."),
        "failed to read body": _("The connection broke before the whole body was there."),
        "invalid json": _("The signature was good, the body is no JSON in UTF-8."),
        "missing message field": _("The signature was good, the JSON has no message with the user's words."),
    }
    other = (
        _("The signature was good, one field cannot be taken. Its name stands in the reason.") if status == 400 else ""
    )
    return known.get(reason, other)
