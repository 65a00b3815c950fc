"""Recall tests said for a page: what each wants, what came of it, and what to look at where it does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from memory.models import Bot, RecallTest
from memory.search import MOST
from memory.web.base.change_rows import ChangeRow, change_rows
from memory.web.base.chat_names import names_of
from memory.web.base.fact_rows import fact_name
from memory.web.base.gauges import grouped
from memory.web.documents.editor_state import title

SHOWN = 240  # characters of a fact beside its question


def lines(bot: Bot, tests: Sequence[RecallTest]) -> list[dict[str, object]]:
    """Recall tests as lines, with a fixed number of statements."""
    scopes = {one.scope for one in tests if one.scope}
    names = names_of(bot, scopes) if scopes else {}
    sets = [one.since for one in tests if one.since]
    causes = {one.pk: one for one in change_rows(sets, bot)} if sets else {}
    return [_row(bot, one, names, causes.get(one.since_id or 0)) for one in tests]


def _row(bot: Bot, one: RecallTest, names: Mapping[str, str], cause: ChangeRow | None) -> dict[str, object]:
    """One of them; what is "" is not shown. `level` is good, warn, bad or "" with `chip` as its word; `words` say what came of it,
    `broken` when it broke. `since` is the change that broke it, `first` what stands first instead, each with its address. `moves`:
    the fact can be followed."""
    where = one.elsewhere or one.path
    level, chip = _state(one)
    first = one.instead if one.broken else {}
    here = {"question": one.question, **({"chat": one.scope} if one.scope else {})}
    return {
        "pk": one.pk,
        "question": one.question,
        "question_url": f"?{urlencode(here)}#new",
        "search_url": reverse("memory:search", args=[bot.slug]) + "?" + urlencode({"q": one.question}),
        "asked_by": names.get(one.scope, one.scope),
        "text": _cut(one.text),
        "place": title(bot, where),
        "url": "" if one.missing else _fact_url(bot, where, one.key, one.nth if where == one.path else 0),
        "level": level,
        "chip": chip,
        "words": " ".join(_words(bot, one)),
        "first": _cut(first.get("text", "")),
        "first_url": _fact_url(bot, first["path"], first["key"], first["nth"]) if first else "",
        "broken": one.broken,
        "since": cause.headline if cause else "",
        "since_url": cause.url if cause else "",
        "moves": bool(one.elsewhere),
    }


def _state(one: RecallTest) -> tuple[str, str]:
    """(level, one word)."""
    if one.checked is None:
        return "", _("not checked yet")
    if one.missing:
        return "bad", _("gone")
    if one.rank is None:
        return "bad", _("not found")
    if one.rank > one.within:
        return "bad", _too_low(one)
    if one.is_read is False:
        return "bad", _("not in the prompt")
    return ("warn", _("moved")) if one.elsewhere else ("good", _("found"))


def _too_low(one: RecallTest) -> str:
    """How far down the fact is, and where it was while the test passed."""
    if one.was is None or one.rank is None:
        return _("too low")
    return _("rank %(rank)s, was %(was)s") % {"rank": grouped(one.rank), "was": grouped(one.was)}


def _words(bot: Bot, one: RecallTest) -> Iterator[str]:
    if one.checked is None:
        return
    if one.missing:
        yield _("The fact no longer exists.")
    elif one.rank is None:
        yield _("Not in the first %(number)s results for this question") % {"number": grouped(MOST)}
    elif one.rank > one.within:
        yield _("Found at %(rank)s, expected within the first %(within)s") % {
            "rank": grouped(one.rank),
            "within": grouped(one.within),
        }
    elif one.rank == 1:
        yield _("Found first")
    else:
        yield _("Found at %(rank)s, within the first %(within)s") % {
            "rank": grouped(one.rank),
            "within": grouped(one.within),
        }
    if one.elsewhere:
        yield _("It moved to %(document)s.") % {"document": title(bot, one.elsewhere)}
    if one.is_read is not None and not one.missing:
        yield _("In the prompt") if one.is_read else _("Not in the prompt")


def _fact_url(bot: Bot, path: str, key: str, nth: int) -> str:
    return f"{reverse('memory:fact', args=[bot.slug])}?{urlencode({'fact': fact_name(path, key, nth)})}"


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SHOWN else f"{flat[:SHOWN].rstrip()}…"
