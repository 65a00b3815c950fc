"""What somebody should look at, kind by kind and the worst first, each with the reason and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AbstractUser
from django.core.paginator import Paginator
from django.db.models import Case, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import trigger_client_event

from memory.checks import (
    facts_alone,
    findings,
    job as check_job,
    stale,
)
from memory.models import Bot, Finding
from memory.text.storable import keepable
from memory.web.base.finding_words import KINDS, kind_of, rules_of
from memory.web.base.responses import HtmxHttpRequest, back, by, post_only
from memory.web.base.translation import translate
from memory.web.checks.finding_rows import FindingRow, rows_of
from memory.web.checks.tidy import around, here, named
from memory.web.jobs import views as jobs
from memory.web.overview.attention import LEVELS, Need

WHOLE, SOME = 5, 3  # of a kind: so many are all shown, else some
AT_ONCE = 50
FOLDED = 50  # ignored ones on the page
REASON = 200  # characters


@require_safe
def page(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    """Tidy up: what there is to review, or what else was asked for."""
    return jobs.shown(request, bot) if request.GET.get("show") == jobs.SHOW else _shown(request, bot)


def _shown(request: HtmxHttpRequest, bot: Bot) -> HttpResponse:
    tidy = around(bot, request.user, kind_of(request.GET.get("kind", "")))
    found = _findings(bot, request.GET.get("page"), tidy["only"], request.user.pk)
    others = () if tidy["only"] else [one for one in tidy["needs"] if one.about not in tidy["counts"]]
    context = {
        **tidy,
        "place": "tidy",
        "back": request.get_full_path(),
        "levels": _levels(others, found["kinds"]),
        "running": jobs.running(bot),
        "unknown": translate(stale.unknown(bot)),
        "findings": found,
    }
    response = render(request, "memory/checks/findings.html", context)
    if request.htmx.target == "running" and not context["running"]:
        return trigger_client_event(response, jobs.CHANGED)  # what the jobs found or changed is not on the page yet
    return response


@post_only
def check(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Let the rules look at everything, as a job."""
    check_job.start(bot, by(request))
    messages.success(request, _("Checking everything. You can leave this page."))
    return redirect(here(bot))


@post_only
def ignore(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    user = request.user
    assert isinstance(user, AbstractUser)  # noqa: S101 - every page needs a login
    why = " ".join(keepable(request.POST.get("why", "")).split())[:REASON]
    findings.ignore(get_object_or_404(bot.findings, pk=pk), why, user)
    messages.success(request, _("Ignored. You can find it below."))
    return back(request, here(bot))


@post_only
def heed(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    findings.heed(get_object_or_404(bot.findings, pk=pk))
    messages.success(request, _("Back in the list"))
    return back(request, here(bot))


def _levels(found: Sequence[Need], kinds: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Everything on the page by gravity, the worst first: of what is bad, what has a page of its own before findings, else after
    them."""
    levels: list[dict[str, object]] = []
    for level in LEVELS:
        needs = [one for one in found if one.level == level]
        some = [one for one in kinds if one["level"] == level]
        levels += [{"needs": needs}, {"kinds": some}] if level == "bad" else [{"kinds": some}, {"needs": needs}]
    return [level for level in levels if any(level.values())]


def _findings(bot: Bot, number: str | None, only: str, reader: int | None) -> dict[str, Any]:
    """What is open (`only` one kind of it, or ""), and what is ignored (some of it, and how many there are)."""
    there = Finding.objects.filter(bot=bot, gone=None)
    worst = Case(*(When(rule=rule, then=at) for at, rule in enumerate(KINDS)), default=len(KINDS))
    some = there.filter(ignored=None, **{"rule__in": rules_of(only)} if only else {})
    page = Paginator(some.order_by(worst, "rule", "-found", "-pk"), AT_ONCE).get_page(number)
    folded = there.exclude(ignored=None)
    ignored = list(folded.select_related("ignored_by").order_by("-ignored", "-pk")[:FOLDED])
    rows = rows_of(bot, [*page, *ignored], reader)
    many = folded.count() if len(ignored) == FOLDED else len(ignored)
    kinds = [
        _kind(bot, rule, [row for _one, row in pairs], whole=bool(only))
        for rule, pairs in groupby(zip(page, rows, strict=False), key=lambda pair: kind_of(pair[0].rule))
    ]
    return {
        "only": only,
        "kinds": kinds,
        "page": page,
        "ignored": rows[len(page) :],
        "ignored_count": many,
        "longest_reason": REASON,
    }


def _kind(bot: Bot, rule: str, rows: Sequence[FindingRow], *, whole: bool) -> dict[str, object]:
    """The findings of one kind on a page: what they are called, how bad they are (`bad`, `warn` or ""), and some of them; the rest
    is folded."""
    title, level = named(bot, rule)
    first = rows if whole or len(rows) <= WHOLE else rows[:SOME]
    return {
        "name": rule,
        "title": title,
        "level": level,
        "rows": first,
        "folded": rows[len(first) :],
        "keeps_each": rule == facts_alone.TWICE and len(rows) > 1,  # one press can keep one of each
    }
