"""What a few typed letters may mean in one bot's memory: documents, days and chats, as far as the database can tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import CharField, Lookup, Q, QuerySet
from django.urls import reverse
from django.utils.dates import MONTHS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory import bots
from memory.dialects.base import Kind, Tier
from memory.models import Bot, Chat, ChatName, Day, Document
from memory.templatetags.desk import address
from memory.text.days import days_meant
from memory.views.calendar import name_of
from memory.views.desk import title
from memory.views.names import chat_urls, guess

CHATS, DAYS, OWN = 60, 8, 200  # rows that are asked for at once
ENOUGH = 20  # chats that hold what was typed: then those that only have its letters are left out
LAST = "\U0010ffff"
OWN_KINDS = (Kind.LONG_TERM, Kind.ARCHIVE, Kind.PATTERNS, Kind.IDENTITY)


@dataclass(frozen=True, slots=True)
class Hit:
    """Something to go to or (`posts`) to do. `names` are what it may be found by beside its label; `keys` lead there too."""

    label: str
    note: str
    url: str
    keys: str = ""
    posts: bool = False
    field: str = ""
    value: str = ""
    names: tuple[str, ...] = ()


@CharField.register_lookup
class Letters(Lookup):
    """Whether a text has these letters in this order, whatever stands between them."""

    lookup_name = "letters"

    def get_prep_lookup(self) -> str:
        letters = (rf"\{letter}" if letter in r"\%_" else letter for letter in self.rhs if not letter.isspace())
        return f"%{'%'.join(letters)}%"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        left, left_params = self.process_lhs(compiler, connection)
        right, right_params = self.process_rhs(compiler, connection)
        like = "ILIKE" if connection.vendor == "postgresql" else "LIKE"
        return rf"{left} {like} {right} ESCAPE '\'", (*left_params, *right_params)


def days(bot: Bot, typed: str) -> list[Hit]:
    """Days that were meant and have entries, likeliest first; the newest if nothing was typed."""
    rows = Day.objects.filter(bot=bot).order_by("-day").values_list("day", "facts")
    if typed:
        wanted = _days_meant(bot, typed)
        begins = Q(pk__in=[])
        for beginning in wanted:
            begins |= _begins("day", beginning)
        rows = rows.filter(begins) if wanted else rows.none()
    found = [_day(bot, day, facts) for day, facts in rows[: DAYS if typed else 3]]
    return found


def _days_meant(bot: Bot, typed: str) -> list[str]:
    words = {_("today"): 0, _("yesterday"): -1}
    months = {str(name).casefold(): number for number, name in MONTHS.items()}
    return days_meant(typed, date.fromisoformat(bots.today(bot)), words, months)


def _day(bot: Bot, day: str, facts: int) -> Hit:
    note = ngettext("%(number)s entry", "%(number)s entries", facts) % {"number": facts}
    return Hit(name_of(day), note, reverse("memory:day", args=[bot.slug, day]), names=(day,))


def chats(bot: Bot, typed: str) -> list[Hit]:
    """Chats whose name or session id may be what was typed, the latest first."""
    scopes = _scopes(bot, typed)
    named = _named(bot, scopes, typed)
    urls = chat_urls(bot, [*scopes, *named])
    return [
        _chat(scope, named.get(scope, ""), urls[scope]) for scope in dict.fromkeys([*scopes, *named]) if urls[scope]
    ]


def _scopes(bot: Bot, typed: str) -> list[str]:
    rows = Chat.objects.filter(bot=bot).order_by("-written_ns").values_list("scope", flat=True)
    if not typed:
        return list(rows[:6])
    lettered = list(rows.filter(scope__letters=typed)[:CHATS])
    if len(lettered) < CHATS and len(typed.split()) == 1:
        return lettered  # all there are, and what holds a word has its letters too
    found = list(_holding(rows, "scope", typed)[:CHATS])
    return list(dict.fromkeys([*found, *(lettered if len(found) < ENOUGH else ())]))


def _named(bot: Bot, scopes: Iterable[str], typed: str) -> dict[str, str]:
    """Names by scope: of these chats, and of those that are called like that."""
    names = ChatName.objects.filter(bot=bot)
    called = Q(scope__in=list(scopes))
    if typed:
        for way in {typed, typed.lower(), typed.title()}:  # SQLite knows capitals of plain Latin letters only
            called |= Q(name__letters=way)
    return dict(names.filter(called).values_list("scope", "name")[: 2 * CHATS])


def _chat(scope: str, name: str, url: str) -> Hit:
    return Hit(name or scope, scope if name else guess(scope) or _("chat"), url, names=(scope,))


def documents(bot: Bot, typed: str) -> list[Hit]:
    """The bot's own documents, and those of chats whose path begins with what was typed."""
    rows = Document.objects.filter(bot=bot)
    own = rows.filter(tier=Tier.GLOBAL, scope="", kind__in=OWN_KINDS)
    paths = sorted(own.values_list("path", flat=True)[:OWN])
    if typed:
        topics = rows.filter(tier=Tier.GLOBAL, scope="", kind__in=(Kind.TOPIC, Kind.TEXT, Kind.HISTORY))
        paths += _holding(topics.order_by("path").values_list("path", flat=True), "path", typed)[:ENOUGH]
        begun = rows.filter(_begins("path", typed)).exclude(tier=Tier.GLOBAL).order_by("path")
        paths += begun.values_list("path", flat=True)[:ENOUGH]
    return [Hit(path, title(bot, path), url, names=(title(bot, path),)) for path in paths if (url := _url(bot, path))]


def _url(bot: Bot, path: str) -> str:
    return address("document", bot, path)


def _begins(field: str, typed: str) -> Q:
    """That a text begins so: on SQLite a stretch of its index; PostgreSQL's order may be a language's, in which that is none."""
    if connection.vendor == "postgresql":
        return Q(**{f"{field}__startswith": typed})
    return Q(**{f"{field}__gte": typed, f"{field}__lt": typed + LAST})


def _holding(rows: QuerySet[Any, str], field: str, typed: str) -> QuerySet[Any, str]:
    for word in typed.split():
        rows = rows.filter(**{f"{field}__icontains": word})
    return rows
