"""The language model: which one is set up, whether it answers, what it was asked for and what that cost."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import formats
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory import llm
from memory.access.permissions import may_operate, operators_only
from memory.bots.automation import automation_of
from memory.bots.costs import costs_of
from memory.llm import budget
from memory.models import Bot
from memory.text.message import Message
from memory.text.storable import as_number
from memory.web.base.gauges import Gauge, grouped, money, number_of
from memory.web.base.translation import translate
from memory.web.model.calls import calls_of, days_of, summed
from memory.web.site.setting_conflicts import doubts
from memory.web.site.settings import asked, saved
from memory.web.site.settings_form import SettingsForm
from memory.web.webhooks.outcome_words import took

GROUPS = frozenset({"model"})
QUESTION = (Message("user", "Answer with the one word: ready"),)
TRIAL_TOKENS = 500  # a model that thinks before it answers takes some hundred
TRIAL_SECONDS = 60.0
TRIAL_SHOWN = 80  # characters of what it answered


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """How a trial went, in a sentence."""

    went_well: bool
    words: str


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The page with its settings, and on POST of `test` a question to the model."""
    if "test" in request.POST:
        return _try(request, bot)
    form = asked(request, bot, GROUPS)
    if saved(request, form):
        return redirect("memory:model", bot.slug)
    return _page(request, bot, form, status=422 if form.errors else 200)


@operators_only
def _try(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _page(request, bot, SettingsForm(None, bot=bot, groups=GROUPS), tried(bot))


def tried(bot: Bot) -> TrialOutcome:
    """Ask the model one short question, on the bot's account."""
    seconds = min(TRIAL_SECONDS, settings.LLM_TIMEOUT)
    try:
        reply = budget.ask(bot, budget.TRIAL, QUESTION, most=TRIAL_TOKENS, seconds=seconds)
    except llm.ModelFailed as failed:
        return TrialOutcome(False, translate(str(failed)))
    text = reply.text if len(reply.text) <= TRIAL_SHOWN else f"{reply.text[:TRIAL_SHOWN]}…"
    words = _("Connected. It answered “%(text)s” after %(time)s.") % {"text": text, "time": took(reply.seconds * 1000)}
    return TrialOutcome(True, words)


def _page(
    request: HttpRequest, bot: Bot, form: SettingsForm, outcome: TrialOutcome | None = None, status: int = 200
) -> HttpResponse:
    where = llm.server()
    operates = may_operate(request.user)
    context = {
        "bot": bot,
        "place": "model",
        "model": where.model if where else "",
        "address": _without_password(where.address) if where and operates else "",
        "has_key": bool(where and where.key),
        "timeout": number_of("%(count)s second", "%(count)s seconds", settings.LLM_TIMEOUT),
        "may_operate": operates,
        "outcome": outcome,
        "form": form,
        "doubts": doubts(bot, GROUPS),
        "today": _today(bot),
        "month": days_of(bot),
        "calls": calls_of(bot, as_number(request.GET.get("before", ""))),
    }
    return render(request, "memory/model/model.html", context, status=status)


def _today(bot: Bot) -> dict[str, object]:
    """What a bot's calls of its day came to, and how much of each bound that is."""
    spent, limits, costs = budget.of_today(bot), automation_of(bot), costs_of(bot)
    gauges = []
    if limits.daily_tokens:
        percent = spent.tokens * 100 // limits.daily_tokens
        words = _("%(percent)s%% of the daily limit of %(bound)s tokens")
        left = grouped(max(0, limits.daily_tokens - spent.tokens))
        gauges.append(_gauge(percent, words, grouped(limits.daily_tokens), left))
    if limits.daily_dollars:
        percent = int(spent.micros * 100 / (limits.daily_dollars * budget.MICROS))
        words = _("%(percent)s%% of the daily limit of $%(bound)s")
        bound = formats.number_format(limits.daily_dollars, 2, force_grouping=True)
        left = money(max(0, round(limits.daily_dollars * budget.MICROS) - spent.micros))
        gauges.append(_gauge(percent, words, bound, left))
    return {
        "words": summed(spent) if spent.calls else _("Not used yet."),
        "gauges": gauges,
        "has_price": bool(costs.token_price or limits.answer_price),
    }


def _gauge(percent: int, words: str, bound: str, left: str) -> Gauge:
    """`left`: what the next question may take, since one that needs more is refused though the bound is not reached."""
    said = words % {"percent": grouped(percent), "bound": bound}
    if percent >= 100:
        return Gauge(percent, f"{said} · {_('Requests resume tomorrow.')}", limited=True)
    rest = _("Requests that need more than the %(left)s left wait until tomorrow.") % {"left": left}
    return Gauge(percent, f"{said} · {rest}", limited=True)


def _without_password(address: str) -> str:
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
