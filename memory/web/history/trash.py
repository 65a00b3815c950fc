"""Trash: what was forgotten in any document, by whom and why; put back one by one or many at once."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import Truncator
from django.views.decorators.http import require_safe

from memory.curation import trash as act
from memory.curation.trash import Gone
from memory.domain.outcomes import Refused
from memory.models import Bot
from memory.text.storable import as_number, as_utf8
from memory.web.base.change_rows import author_of
from memory.web.base.fact_rows import fact_name
from memory.web.base.gauges import number_of
from memory.web.base.responses import back, by, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate

AT_ONCE = 50
LONGEST = 400  # characters of a fact
QUOTED = 20  # characters of a fact by which a reason is known to quote it


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    query, path = request.GET.get("q", "").strip(), request.GET.get("path", "")
    before = as_number(request.GET.get("before", ""))

    def is_wanted(one: Gone) -> bool:
        return (not path or one.revision.path == path) and query.casefold() in one.fact.text.casefold()

    found = act.look(bot, before, AT_ONCE, is_wanted)
    context = {
        "bot": bot,
        "place": "trash",
        "rows": _rows(found.facts, request.user.pk),
        "query": query,
        "path": path,
        "before": before,
        "older": found.older,
        "large": found.large,
    }
    return render(request, "memory/history/trash.html", context)


@post_only
def restore(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Put back what `one` names, or else all that `fact` names."""
    names = request.POST.getlist("one") or request.POST.getlist("fact")
    outcome = act.restore(bot, [named for name in names if (named := _named(name))], by(request))
    if isinstance(outcome, Refused):
        messages.error(request, translate(outcome.reason))
    else:
        words = number_of("%(count)s fact restored", "%(count)s facts restored", outcome.count)
        say_done(request, words, outcome.change_set)
        for why in outcome.left:
            messages.warning(request, translate(why))
    return back(request, reverse("memory:trash", args=[bot.slug]))


def _rows(found: Sequence[Gone], reader: int | None) -> list[dict[str, object]]:
    """Facts that were forgotten: the text of each, where it was, who took it out, when and why, as far as that says more; `fact` is
    its name."""
    rows = []
    for one in found:
        made, text = one.revision.change_set, as_utf8(Truncator(one.fact.text).chars(LONGEST))
        why = translate(made.why)
        rows.append(
            {
                "name": ".".join(map(str, one.named)),
                "text": text,
                "path": one.revision.path,
                "by": author_of(made, reader),
                "why": "" if " ".join(text.split())[:QUOTED] in why else why,
                "when": made.finished or made.created,
                "change": made.pk,
                "again": one.again,
                "fact": fact_name(one.revision.path, one.fact.key, one.fact.nth),
            }
        )
    return rows


def _named(text: str) -> act.Named | None:
    """Which fact a box names: 12.abc.0."""
    pk, _dot, rest = text.partition(".")
    key, _dot, nth = rest.rpartition(".")
    numbers = as_number(pk), as_number(nth)
    return (numbers[0], key, numbers[1]) if numbers[0] is not None and numbers[1] is not None and key else None
