"""The entries of a database: all of them in one table, narrowed to whichever somebody looks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.bots import families, open_bot
from memory.domain.attributes import usual_status
from memory.index import cached
from memory.models import Bot, FactAttributes
from memory.text.attributes import instant
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import names_of
from memory.web.base.dates import day
from memory.web.base.fact_rows import fact_name
from memory.web.base.pages import Counted
from memory.web.entries.filters import FEW, EntryFilters, ability, asked, choices, rows, with_entries, worded

AT_ONCE = 50
LONGEST = 300  # characters of an entry that a row shows
_AFTER_SIGNS = re.compile("(?<=[:_])")
OF_A_LINE = (
    *("fact__text", "fact__line", "fact__key", "fact__nth", "document__path", "document__scope", "kind", "source"),
    *("importance", "confidence", "updated", "expires", "status", "whose"),
)


@require_safe
@with_entries
def entries(request: HttpRequest, bot: Bot) -> HttpResponse:
    wanted = asked(bot, request.GET)
    page = _page(bot, wanted, request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "entries",
        "asked": wanted,
        "page": page,
        "listed": listed(bot, list(page)),
        "choices": choices(ability(bot)),
        "recalls": families.recalls(bot.dialect),
        "has_details": ability(bot).detailing is not None,
    }
    return render(request, "memory/entries/entries.html", context)


def _page(bot: Bot, wanted: EntryFilters, number: str | None) -> Page[int]:
    """Keys alone: an index has them, and only those of one page are looked up."""
    known = _known(bot, wanted)
    if isinstance(known, tuple):
        return Paginator(known, AT_ONCE).get_page(number)
    return Counted(rows(bot, wanted, open_bot(bot).now()).values_list("pk", flat=True), AT_ONCE, known).get_page(number)


def _known(bot: Bot, wanted: EntryFilters) -> int | tuple[int, ...] | None:
    """How many entries are meant, or which in their order where they are few; None where that depends on the time."""
    if wanted.expiry in ("expired", "soon"):
        return None
    if not wanted.narrows:
        return FactAttributes.objects.filter(bot=bot).count()
    told = sha256(wanted.parameters.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return cached.while_indexed(bot, f"entries-{told}", partial(_counted, bot, wanted))


def _counted(bot: Bot, wanted: EntryFilters) -> int | tuple[int, ...]:
    number = rows(bot, wanted, open_bot(bot).now()).order_by().count()
    if number > FEW:
        return number
    return tuple(rows(bot, wanted, open_bot(bot).now(), few=True).values_list("pk", flat=True))


def listed(bot: Bot, keys: Sequence[int]) -> list[dict[str, Any]]:
    """Entries as rows, in the order of their keys. `name` means one in addresses, `beginning` is as much of its text as a row
    shows, and `whose_in_parts` the name where it may go on in a new line: after its signs. `expired`: it is past its time, and not
    recalled any more. `status`: its word, where it is not the first of those that the bot has. `leaving`: why the bot drops it by
    itself soon."""
    found = {pk: about for pk, *about in FactAttributes.objects.filter(pk__in=keys).values_list("pk", *OF_A_LINE)}
    names = names_of(bot, {about[5] for about in found.values()})
    url_of = addresses("facts", bot)
    known = ability(bot)
    kinds, sources, never = worded(known.kinds), worded(known.sources), _("never")
    sorts = worded(known.sorts) if len(known.sorts) > 1 else {}  # what belongs to no chat is told apart by its sort
    statuses, usual = worded(known.statuses), usual_status(known)
    now, leaving = instant(open_bot(bot).now()), open_bot(bot).family.leaving(bot)
    made = []
    for text, line, key, nth, path, scope, kind, source, importance, confidence, updated, expires, status, whose in (
        found[pk] for pk in keys if pk in found
    ):
        url, owner = url_of(path), names.get(scope, scope) or sorts.get(whose) or _("shared")
        made.append(
            {
                "url": f"{url}?line={line}",
                "name": fact_name(path, key, nth),
                "text": text,
                "beginning": text if len(text) <= LONGEST else f"{text[:LONGEST]}…",
                "kind": kinds.get(kind, kind),
                "source": sources.get(source, source),
                "whose": owner,
                "whose_in_parts": _AFTER_SIGNS.split(owner),
                "whose_url": url,
                "importance": floatformat(importance, 2),
                "confidence": floatformat(confidence, 2),
                "updated": day_of(updated),
                "expires": never if expires == FactAttributes.NEVER else day_of(expires),
                "expired": expires < now,
                "status": statuses.get(status, "") if status != usual else "",
                "leaving": leaving.get((path, line), ""),
            }
        )
    return made


def day_of(at: str) -> str:
    """The day of a time as the bot writes it; what is none as it stands there."""
    return day(at[:10])
