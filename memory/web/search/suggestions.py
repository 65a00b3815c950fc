"""What a few typed letters may mean in one bot's memory: documents, days and chats, as far as the database can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import F, Q, Value
from django.db.models.functions import Concat
from django.db.models.lookups import IContains
from django.urls import reverse
from django.utils.dates import MONTHS
from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.domain.places import Kind, Tier
from memory.models import Bot, Chat, ChatName, Day, Document
from memory.text.words.days import parse_days
from memory.web.base.addresses import addresses
from memory.web.base.calendar import name_of
from memory.web.base.chat_names import chat_urls, guess
from memory.web.base.gauges import number_of
from memory.web.documents.editor_state import title

CHATS, DAYS, OWN = 60, 8, 200  # rows that are asked for at once
LATEST = 6  # chats, if nothing was typed
ENOUGH = 20  # chats that hold what was typed: then those that only have its letters are left out
LAST = "\U0010ffff"
OWN_KINDS = (Kind.LONG_TERM, Kind.ARCHIVE, Kind.PATTERNS, Kind.IDENTITY)
NAMED_KINDS = (Kind.TOPIC, Kind.TEXT, Kind.HISTORY)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something to go to or (`posts`) to do. `names` are what it may be found by beside its label; `keys` lead there too;
    `group` is what the like of it are called."""

    label: str
    note: str
    url: str
    keys: str = ""
    posts: bool = False
    field: str = ""
    value: str = ""
    names: tuple[str, ...] = ()
    group: str = ""


def days(bot: Bot, typed: str) -> list[Suggestion]:
    """Days that were meant and have entries, likeliest first; the newest if nothing was typed."""
    wanted = _days_meant(bot, typed) if typed else []
    if typed and not wanted:
        return []
    begins = Q()
    for beginning in wanted:
        begins |= _begins("day", beginning)
    found = Day.objects.filter(begins, bot=bot).order_by("-day").values_list("day", "facts")
    return [_day(bot, day, facts) for day, facts in found[: DAYS if typed else 3]]


def _days_meant(bot: Bot, typed: str) -> list[str]:
    words = {_("today"): 0, _("yesterday"): -1}
    months = {str(name).casefold(): number for number, name in MONTHS.items()}
    return parse_days(typed, date.fromisoformat(open_bot(bot).today()), words, months)


def _day(bot: Bot, day: str, facts: int) -> Suggestion:
    note = number_of("%(count)s fact", "%(count)s facts", facts)
    return Suggestion(name_of(day), note, reverse("memory:day", args=[bot.slug, day]), names=(day,), group=_("Days"))


def chats(bot: Bot, typed: str) -> list[Suggestion]:
    """Chats whose name or session id may be what was typed, the latest first."""
    scopes = _scopes(bot, typed)
    named = _named(bot, scopes, typed)
    urls = chat_urls(bot, [*scopes, *named])
    return [
        _chat(scope, named.get(scope, ""), urls[scope]) for scope in dict.fromkeys([*scopes, *named]) if urls[scope]
    ]


def _scopes(bot: Bot, typed: str) -> list[str]:
    latest = Chat.objects.filter(bot=bot).order_by("-written_ns").values_list("scope", flat=True)
    if not typed:
        return list(latest[:LATEST])
    lettered = list(latest.filter(_Lettered(F("scope"), typed))[:CHATS])
    if len(lettered) < CHATS and len(typed.split()) == 1:
        return lettered  # all there are, and what holds a word has its letters too
    found = latest.filter(_holds("scope", typed))[:CHATS]
    return list(dict.fromkeys([*found, *(lettered if len(found) < ENOUGH else ())]))


def _named(bot: Bot, scopes: Sequence[str], typed: str) -> dict[str, str]:
    """Names by scope: of these chats, and of those that are called like that."""
    called = Q(scope__in=scopes)
    # SQLite knows capitals of plain Latin letters only.
    for way in sorted({typed, typed.lower(), typed.title()}) if typed else ():
        called |= Q(_Lettered(F("name"), way))
    return dict(ChatName.objects.filter(called, bot=bot).values_list("scope", "name")[: 2 * CHATS])


def _chat(scope: str, name: str, url: str) -> Suggestion:
    return Suggestion(
        name or scope, scope if name else guess(scope) or _("chat"), url, names=(scope,), group=_("Chats")
    )


def documents(bot: Bot, typed: str) -> list[Suggestion]:
    """The bot's own documents, and those of chats whose path begins with what was typed."""
    url_of, paths = addresses("document", bot), _paths(bot, typed)
    return [_document(path, title(bot, path), url) for path in paths if (url := url_of(path))]


def _paths(bot: Bot, typed: str) -> list[str]:
    rows = Document.objects.filter(bot=bot).values_list("path", flat=True)
    own = sorted(rows.filter(tier=Tier.GLOBAL, scope="", kind__in=OWN_KINDS)[:OWN])
    if not typed:
        return own
    # Sorted by no mere column: SQLite would else walk through all paths of a bot in order to find some of a kind.
    named = rows.filter(_holds("path", typed), tier=Tier.GLOBAL, scope="", kind__in=NAMED_KINDS)
    begun = rows.filter(_begins("path", typed)).exclude(tier=Tier.GLOBAL).order_by("path")
    return [*own, *sorted(named.order_by(Concat("path", Value("")))[:ENOUGH]), *begun[:ENOUGH]]


def _document(path: str, called: str, url: str) -> Suggestion:
    return Suggestion(path, called, url, names=(called,), group=_("Files"))


def _begins(field: str, typed: str) -> Q:
    """That a text begins so: on SQLite a stretch of its index; PostgreSQL's order may be a language's, in which that is none."""
    if connection.vendor == "postgresql":
        return Q(**{f"{field}__startswith": typed})
    return Q(**{f"{field}__gte": typed, f"{field}__lt": typed + LAST})


def _holds(field: str, typed: str) -> Q:
    """That a text holds every word, whatever its case."""
    return Q(*(Q(**{f"{field}__icontains": word}) for word in typed.split()))


class _Lettered(IContains):
    """That a text has these letters in this order, whatever stands between them."""

    def process_rhs(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        sql, _words = super().process_rhs(compiler, connection)
        letters = map(connection.ops.prep_for_like_query, "".join(self.rhs.split()))
        return sql, (f"%{'%'.join(letters)}%",)
