"""Which facts a search may look at: the bot's, the scope's, and what the filters of the query say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory.bots import families
from memory.models import Bot, Chat, ChatName
from memory.search.shapes import Bounds
from memory.search.statements import placeholders, rows
from memory.text.sentences import say
from memory.text.words.query import Filter

CHATS = 200  # that one chat: filter may mean


@dataclass(slots=True)
class _Conditions:
    """Conditions that all have to hold, and what has to be said about them."""

    sql: list[str] = field(default_factory=list)
    values: list[object] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, sql: str, *values: object) -> None:
        self.sql.append(sql)
        self.values += values


def bounds(bot: Bot, filters: Sequence[Filter], chat: str | None, tier: str | None) -> tuple[Bounds, tuple[str, ...]]:
    """The facts that count, and what has to be said about it, for people. `chat`: as seen from this chat, which reads its own
    documents and those that belong to no chat; None: all of the bot's."""
    found = _Conditions()
    if chat is not None:
        own = ("", chat, *families.dialect(bot.dialect).beside(chat))
        found.add(_any_of("d.scope", own), *own)
    if tier:
        found.add("d.tier = %s", tier)
    for name in dict.fromkeys((one.field, one.wanted) for one in filters):
        same = [one for one in filters if (one.field, one.wanted) == name]
        _add(found, bot, *name, [one.value for one in same])
    narrow = bool(found.sql)
    sql = " AND ".join(["f.bot_id = %s", "d.bot_id = %s", *found.sql])
    return Bounds(sql, (bot.pk, bot.pk, *found.values), narrow), tuple(found.notes)


def _add(found: _Conditions, bot: Bot, name: str, wanted: bool, values: Sequence[str]) -> None:
    """One filter with all its values: any of them is meant, or none."""
    sql, said = "", []
    if name in ("tier", "kind"):
        sql, said = _any_of(f"d.{name}", values), list(values)
    elif name == "chat":
        meant = {value: _scopes(bot, value) for value in values}
        scopes = list(dict.fromkeys(scope for some in meant.values() for scope in some))
        found.notes += [say("No chat is named %(name)s.", name=value) for value, some in meant.items() if not some]
        sql, said = (_any_of("d.scope", scopes), scopes) if scopes else ("1 = 0", [])
    elif name == "in":
        sql = " OR ".join(["d.path = %s OR d.path LIKE %s ESCAPE '!' OR d.path LIKE %s ESCAPE '!'"] * len(values))
        said = [each for value in values for each in (value, f"{_like(value)}%", f"%/{_like(value)}")]
    elif name == "day":
        sql = " OR ".join(["d.day LIKE %s ESCAPE '!'"] * len(values))
        said = [f"{_like(value)}%" for value in values]
    elif name in ("before", "after"):
        sign, ends = ("<", "") if name == "before" else (">", "~")  # after:2026-10 is after all of its days
        sql = " AND ".join([f"(d.day <> '' AND d.day {sign} %s)"] * len(values))
        said = [value + ends for value in values]
    found.add(f"({sql})" if wanted else f"NOT ({sql})", *said)


def _scopes(bot: Bot, value: str) -> list[str]:
    """The chats that a word means: the one with that id, else those that people call so, else those with it in their id."""
    if rows("SELECT 1 FROM memory_chat WHERE bot_id = %s AND scope = %s", [bot.pk, value]):
        return [value]
    named = ChatName.objects.filter(bot=bot, name__icontains=value)[:CHATS]
    return _scopes_of(named) or _scopes_of(Chat.objects.filter(bot=bot, scope__icontains=value)[:CHATS])


def _scopes_of(rows: Iterable[Chat | ChatName]) -> list[str]:
    return [row.scope for row in rows]


def _any_of(column: str, values: Sequence[str]) -> str:
    return f"{column} IN ({placeholders(values)})"


def _like(value: str) -> str:
    return value.replace("!", "!!").replace("%", "!%").replace("_", "!_")
