"""One fact's life in words: where it came from, each wording with who and why, what took it, where it was used."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from memory.bots import open_bot
from memory.curation import lineage
from memory.curation.lineage import FactLineage, LineageStep
from memory.journal import How
from memory.models import Bot, ChangeSet, Fetched, Use
from memory.prompts import served, uses
from memory.search import log
from memory.text.storable import as_utf8
from memory.web.base.addresses import address
from memory.web.base.change_rows import author_of
from memory.web.base.chat_names import chat_url, name_of
from memory.web.base.dates import ago, near
from memory.web.base.fact_rows import excerpt, fact_name
from memory.web.base.gauges import number_of
from memory.web.base.shown_text import isolated
from memory.web.base.translation import translate

DEEDS = {
    How.ADDED: gettext_lazy("Added"),
    How.REWORDED: gettext_lazy("Reworded"),
    How.MOVED: gettext_lazy("Moved"),
    How.PROMOTED: gettext_lazy("Moved to long-term memory"),
    How.MERGED: gettext_lazy("Merged"),
    How.SPLIT: gettext_lazy("Split"),
    How.SUPERSEDED: gettext_lazy("Replaced"),
    How.FORGOTTEN: gettext_lazy("Forgotten"),
    How.RETURNED: gettext_lazy("Restored"),
}
REMEMBERED = {
    ChangeSet.Kind.CAPTURE: gettext_lazy("Remembered from a message"),
    ChangeSet.Kind.ANSWER: gettext_lazy("Remembered from a message"),
    ChangeSet.Kind.OUTSIDE: gettext_lazy("Written to the file"),
    ChangeSet.Kind.FOUND: gettext_lazy("Already there at the first import"),
}
QUOTED = 12  # characters of a fact by which a reason is known to quote it


def told(bot: Bot, path: str, key: str, reader: int | None) -> dict[str, Any]:
    """The life of a fact, by any name that it had. `where` it is now, with its address; `became` names its last wording, if that is
    another one than was asked for; when it was last in a prompt (`prompted`) and found by a search (`searched`), in how many
    prompts that programs fetched (`prompts`, the last of them at `fetched`), and by the words of which of their `searches`, and
    when."""
    life = lineage.lineage_of(bot, path, key)
    now, used, fetched = life.stands, uses.last_days(bot, life.keys), served.holding(bot, _names(life))
    return {
        "rows": [_row(bot, one, before, reader) for before, one in pairwise([None, *life.steps]) if one],
        "is_older": not life.is_known_from_the_start,
        "gone": now is None,
        "where": _("%(path)s, line %(line)s") % {"path": isolated(as_utf8(life.path)), "line": now.line} if now else "",
        "where_url": f"{address('document', bot, life.path)}?line={now.line}" if now else "",
        "became": fact_name(life.path, life.key, now.nth) if now and (life.path, life.key) != (path, key) else "",
        "text": as_utf8(life.text),
        "prompted": near(used.get(Use.How.PROMPT, ""), open_bot(bot).today()),
        "searched": near(used.get(Use.How.SEARCH, ""), open_bot(bot).today()),
        "prompts": _prompts(bot, fetched),
        "fetched": fetched[0].at if fetched else None,
        "searches": [(as_utf8(one.words), one.at) for one in log.searches_of(bot, life.keys)],
    }


def _row(bot: Bot, one: LineageStep, before: LineageStep | None, reader: int | None) -> dict[str, object]:
    """One step, in words; what is "" is not shown. `untold`: what it said then is not in the history any more; `path` is where it
    stands since then, where that is another document; `restores` is what the trash calls it."""
    made, path = one.change_set, one.has[0]
    is_elsewhere = bool(path) and (before is None or path != (before.has[0] or before.was[0]))
    when, chat = made.finished or made.created, one.delivery.session_id if one.delivery else ""
    scope = open_bot(bot).chat(chat)
    text, why = as_utf8(excerpt(one.text)[0]), translate(made.why) if one.how else ""
    return {
        "deed": _deed(one),
        "by": "" if made.kind == ChangeSet.Kind.FOUND else author_of(made, reader),
        "when": when,
        "url": reverse("memory:change_set", args=[bot.slug, made.pk]),
        "text": text,
        "untold": not text and not one.is_end,
        "why": "" if _quotes(why, one) or (before and _quotes(why, before)) else as_utf8(why),
        "path": as_utf8(path) if is_elsewhere else "",
        "path_url": address("document", bot, path) if is_elsewhere else "",
        "chat": as_utf8(name_of(bot, scope)) if scope else "",
        "chat_url": chat_url(bot, scope) if scope else "",
        "delivery_url": reverse("memory:delivery", args=[bot.slug, one.delivery.pk]) if one.delivery else "",
        "beside": [as_utf8(excerpt(text)[0]) for text in one.beside if text],
        "restores": f"{one.revision}.{one.was[1]}.0" if one.revision else "",
    }


def _quotes(why: str, one: LineageStep) -> bool:
    """Whether a reason only says what the steps say."""
    return bool(one.text) and " ".join(one.text.split())[:QUOTED] in why


def _deed(one: LineageStep) -> str:
    if one.how is None:
        return str(REMEMBERED.get(ChangeSet.Kind(one.change_set.kind), DEEDS[How.ADDED]))
    return str(DEEDS[one.how])


def _prompts(bot: Bot, found: Sequence[Fetched]) -> str:
    """In how many prompts that programs fetched it was."""
    if not found:
        return ""
    return number_of(
        "%(count)s prompt, last %(ago)s", "%(count)s prompts, last %(ago)s", len(found), ago=ago(found[0].at, bot)
    )


def _names(life: FactLineage) -> dict[str, set[str]]:
    """The texts that it had in each document."""
    found: dict[str, set[str]] = {}
    for path, text in [*((one.has[0], one.text) for one in life.steps), (life.path, life.text)]:
        if path and text:
            found.setdefault(path, set()).add(text)
    return found
