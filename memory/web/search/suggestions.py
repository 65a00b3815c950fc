"""What a few typed letters may mean in one bot's memory: documents, days and chats, as far as the database can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import Q
from django.urls import reverse
from django.utils.dates import MONTHS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory import bots
from memory.domain.dialect import Kind, Tier
from memory.models import Bot, Day
from memory.search.statements import placeholders, rows
from memory.templatetags.desk import addresses
from memory.text.words.days import days_meant
from memory.web.base.calendar import name_of
from memory.web.base.chat_names import chat_urls, guess
from memory.web.documents.editor_state import title

CHATS, DAYS, OWN = 60, 8, 200  # rows that are asked for at once
LATEST = 6  # chats, if nothing was typed
ENOUGH = 20  # chats that hold what was typed: then those that only have its letters are left out
LAST = "\U0010ffff"
OWN_KINDS = (Kind.LONG_TERM, Kind.ARCHIVE, Kind.PATTERNS, Kind.IDENTITY)
NAMED_KINDS = (Kind.TOPIC, Kind.TEXT, Kind.HISTORY)

# Written out, since building these queries cost more than running them, on every key that somebody presses.
_CHATS = "SELECT scope FROM memory_chat WHERE bot_id = %s{holds} ORDER BY written_ns DESC LIMIT %s"
_NAMES = "SELECT scope, name FROM memory_chatname WHERE bot_id = %s AND ({called}) LIMIT %s"
_OWN = "FROM memory_document WHERE bot_id = %s AND tier = %s AND scope = '' AND kind IN ({kinds})"
# Sorted by what no index has, so that not all paths of a bot are walked in order to find some of a kind.
_PATHS = """
    SELECT 1, path FROM (SELECT path {own} LIMIT %s) AS own
    UNION ALL SELECT 2, path FROM (SELECT path {named}{holds} ORDER BY path || '' LIMIT %s) AS named
    UNION ALL SELECT 3, path FROM (
        SELECT path FROM memory_document WHERE bot_id = %s AND tier <> %s{begins} ORDER BY path LIMIT %s
    ) AS begun
"""


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


def days(bot: Bot, typed: str) -> list[Hit]:
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
    if not typed:
        return _column(_CHATS.format(holds=""), [bot.pk, LATEST])
    lettered = _column(_CHATS.format(holds=f" AND {_like('scope')}"), [bot.pk, _letters(typed), CHATS])
    if len(lettered) < CHATS and len(typed.split()) == 1:
        return lettered  # all there are, and what holds a word has its letters too
    holds, words = _holds("scope", typed)
    found = _column(_CHATS.format(holds=holds), [bot.pk, *words, CHATS])
    return list(dict.fromkeys([*found, *(lettered if len(found) < ENOUGH else ())]))


def _named(bot: Bot, scopes: Sequence[str], typed: str) -> dict[str, str]:
    """Names by scope: of these chats, and of those that are called like that."""
    ways = (
        sorted({typed, typed.lower(), typed.title()}) if typed else []
    )  # SQLite knows capitals of plain Latin letters only
    called = [f"scope IN ({placeholders(scopes)})"] if scopes else []
    called += [_like("name")] * len(ways)
    if not called:
        return {}
    found = rows(_NAMES.format(called=" OR ".join(called)), [bot.pk, *scopes, *map(_letters, ways), 2 * CHATS])
    return dict(found)


def _chat(scope: str, name: str, url: str) -> Hit:
    return Hit(name or scope, scope if name else guess(scope) or _("chat"), url, names=(scope,))


def documents(bot: Bot, typed: str) -> list[Hit]:
    """The bot's own documents, and those of chats whose path begins with what was typed."""
    url_of = addresses("document", bot)
    own = _OWN.format(kinds=placeholders(OWN_KINDS)), [bot.pk, Tier.GLOBAL, *OWN_KINDS]
    if not typed:
        paths = sorted(_column(f"SELECT path {own[0]} LIMIT %s", [*own[1], OWN]))
    else:
        named = _OWN.format(kinds=placeholders(NAMED_KINDS)), [bot.pk, Tier.GLOBAL, *NAMED_KINDS]
        holds, words = _holds("path", typed)
        begins, beginning = _begins_sql("path", typed)
        sql = _PATHS.format(own=own[0], named=named[0], holds=holds, begins=begins)
        values = [*own[1], OWN, *named[1], *words, ENOUGH, bot.pk, Tier.GLOBAL, *beginning, ENOUGH]
        paths = [path for _which, path in sorted(rows(sql, values))]
    return [_document(path, title(bot, path), url) for path in paths if (url := url_of(path))]


def _document(path: str, called: str, url: str) -> Hit:
    return Hit(path, called, url, names=(called,))


def _begins(field: str, typed: str) -> Q:
    """That a text begins so: on SQLite a stretch of its index; PostgreSQL's order may be a language's, in which that is none."""
    if connection.vendor == "postgresql":
        return Q(**{f"{field}__startswith": typed})
    return Q(**{f"{field}__gte": typed, f"{field}__lt": typed + LAST})


def _begins_sql(column: str, typed: str) -> tuple[str, list[str]]:
    """The same as a condition with its values."""
    if connection.vendor == "postgresql":
        return rf" AND {column} LIKE %s ESCAPE '\'", [f"{_plain(typed)}%"]
    return f" AND {column} >= %s AND {column} < %s", [typed, typed + LAST]


def _holds(column: str, typed: str) -> tuple[str, list[str]]:
    """That a text holds every word, whatever its case, as conditions with their values."""
    words = typed.split()
    return f" AND {_like(column)}" * len(words), [f"%{_plain(word)}%" for word in words]


def _like(column: str) -> str:
    return rf"{column} {'ILIKE' if connection.vendor == 'postgresql' else 'LIKE'} %s ESCAPE '\'"


def _letters(typed: str) -> str:
    """A pattern for texts that have these letters in this order, whatever stands between them."""
    return f"%{'%'.join(_plain(letter) for letter in typed if not letter.isspace())}%"


def _plain(text: str) -> str:
    """A text that stands for itself in a pattern."""
    return text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")


def _column(sql: str, values: Sequence[object]) -> list[str]:
    return [value for (value,) in rows(sql, values)]
