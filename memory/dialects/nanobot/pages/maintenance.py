"""A database as a whole: what it holds, what the files say that it does not, its search index, and what was forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.dialects.nanobot import attributes, backfill_job, maintenance, restore, scopes
from memory.dialects.nanobot.backfill_job import BackfillPlan
from memory.dialects.nanobot.database import forgotten as gone, whole
from memory.domain.errors import VaultError
from memory.domain.outcomes import Refused
from memory.models import Bot
from memory.text.storable import as_number
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import names_of
from memory.web.base.gauges import number_of
from memory.web.base.responses import back, by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.entries.filters import worded

AT_ONCE = 50
MOST_BACK = 500  # entries that one form brings back


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    context: dict[str, object] = {"bot": bot, "place": "upkeep"}
    try:
        context["upkeep"] = _upkeep(bot, as_number(request.GET.get("page", ""), 5) or 1, looks="look" in request.GET)
    except (VaultError, ValueError) as error:
        context["refusal"] = translate(str(error))
    return render(request, "nanobot/maintenance.html", context)


@post_only
def backfill(request: HttpRequest, bot: Bot) -> HttpResponse:
    """What the files say and no entry does is taken in, for the whole workspace."""
    left = 0
    try:
        plan = backfill_job.plan(bot)
        left = len(plan.left)
        outcome = backfill_job.take_in(bot, scopes.GLOBAL, plan, by(request))
    except (VaultError, ValueError) as error:
        outcome = Refused(str(error))
    if isinstance(outcome, Refused):
        messages.error(request, translate(outcome.reason))
    elif outcome.change_set:
        say_done(request, _("Imported from the files"), outcome.change_set)
    else:
        messages.info(request, _("The files contain nothing new. Nothing was changed."))
    if left and not isinstance(outcome, Refused):
        words = number_of(
            "%(count)s line can’t become an entry and is skipped",
            "%(count)s lines can’t become entries and are skipped",
            left,
        )
        messages.info(request, words)
    if not isinstance(outcome, Refused) and outcome.trouble:
        messages.error(request, translate(outcome.trouble))
    return back(request, _here(bot))


@post_only
def reindex(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The bot's own search index says what its entries say."""
    try:
        done = maintenance.refill(bot, by(request))
    except (VaultError, ValueError) as error:
        messages.error(request, translate(str(error)))
        return back(request, _here(bot))
    if done.mended:
        words = number_of(
            "%(count)s entry was missing or wrong", "%(count)s entries were missing or wrong", done.mended
        )
        messages.success(request, words)
    elif done.was_damaged:
        messages.success(request, _("The search index was damaged and has been rebuilt."))
    else:
        messages.info(request, _("The search index matches the entries. Nothing was changed."))
    return back(request, _here(bot))


@post_only
def bring_back(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Forgotten entries count again."""
    ids = [request.POST["one"]] if "one" in request.POST else request.POST.getlist("entry")
    outcome = restore.bring_back(bot, ids[:MOST_BACK], by(request))
    say_done(request, _("Restored"), outcome)
    return back(request, _here(bot))


def _here(bot: Bot) -> str:
    return reverse("memory:upkeep", args=[bot.slug])


def _upkeep(bot: Bot, number: int, *, looks: bool) -> dict[str, object]:
    """The page. `plan` None: nobody asked yet what the files say; `unfit`: the first of its lines that can be no entry; `next`: the
    page of forgotten ones after this one, 0 for none. Raises VaultError, and ValueError for a bot whose database is not known."""
    holding = maintenance.asked_once(bot, "holding", whole.holding)
    newest = partial(gone.newest, most=AT_ONCE + 1, start=(number - 1) * AT_ONCE)
    some = maintenance.asked_once(bot, f"forgotten-{number}", newest)
    plan = backfill_job.plan(bot) if looks else None
    kinds, sorts = worded(attributes.KINDS), worded(attributes.SORTS)
    return {
        "holding": holding,
        "kinds": [(kinds.get(kind, kind), count) for kind, count in holding.kinds.items()],
        "whose": [(sorts.get(sort, _("Other")), count) for sort, count in holding.scopes.items()],
        "plan": plan,
        "unfit": _unfit(bot, plan) if plan else (),
        "forgotten": _rows(bot, some[:AT_ONCE]),
        "number": number,
        "next": number + 1 if len(some) > AT_ONCE else 0,
    }


def _unfit(bot: Bot, plan: BackfillPlan) -> list[dict[str, object]]:
    """The lines of files that can be no entry, and why."""
    url_of = addresses("document", bot)
    return [
        {
            "url": f"{url_of(one.path)}?line={one.line}",
            "place": f"{one.path}:{one.line}",
            "why": translate(one.why),
        }
        for one in plan.left[:AT_ONCE]
    ]


def _rows(bot: Bot, some: Sequence[gone.Gone]) -> list[dict[str, object]]:
    """Forgotten entries. `name` means one in a form."""
    names, kinds = names_of(bot, {one.name for one in some}), worded(attributes.KINDS)
    return [
        {
            "name": one.id,
            "text": one.text,
            "kind": kinds.get(one.kind, one.kind),
            "whose": names.get(one.name, one.name),
            "at": _moment(one.at),
        }
        for one in some
    ]


def _moment(at: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    return found if found.tzinfo else None
