"""Chats and days in sums over their documents, kept in the transaction in which the documents' rows change.

Raw SQL, the same on both databases: one statement counts some chats anew and replaces their rows, and building it by queries
would cost more than running it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection

from memory.models import Bot, Day, quick

_KEYS_AT_ONCE = 400

_CHATS = """
INSERT INTO memory_chat
    (bot_id, scope, written_ns, notes, logs, oldest_day, newest_day, size, working_ns, transcript_size)
SELECT bot_id, scope, MAX(mtime_ns),
    SUM(CASE WHEN kind IN ('daily', 'long-term') THEN facts_count ELSE 0 END),
    SUM(CASE WHEN kind = 'daily' THEN 1 ELSE 0 END),
    COALESCE(MIN(CASE WHEN kind = 'daily' THEN day END), ''),
    COALESCE(MAX(CASE WHEN kind = 'daily' THEN day END), ''),
    SUM(CASE WHEN tier = 'chat' AND kind <> 'transcript' THEN size ELSE 0 END),
    MAX(CASE WHEN tier = 'working' THEN mtime_ns END),
    MAX(CASE WHEN kind = 'transcript' THEN size END)
FROM memory_document
WHERE bot_id = %s AND tier IN ('chat', 'working') AND scope IN ({keys})
GROUP BY bot_id, scope
ON CONFLICT (bot_id, scope) DO UPDATE SET
    written_ns = excluded.written_ns, notes = excluded.notes, logs = excluded.logs, oldest_day = excluded.oldest_day,
    newest_day = excluded.newest_day, size = excluded.size, working_ns = excluded.working_ns,
    transcript_size = excluded.transcript_size
"""
# What a history tells of a day counts with the day's logs, archived ones too; the file itself is of no day.
_DAYS = """
INSERT INTO memory_day (bot_id, day, facts, logs, chats, size, written_ns)
SELECT bot_id, day, SUM(facts), SUM(logs), SUM(chats), SUM(size), MAX(written_ns) FROM (
    SELECT bot_id, day, SUM(facts_count) AS facts, COUNT(*) AS logs,
        COUNT(*) - COUNT(CASE scope WHEN '' THEN 1 END) AS chats, SUM(size) AS size, MAX(mtime_ns) AS written_ns
    FROM memory_document
    WHERE bot_id = %s AND kind IN ('daily', 'archive') AND day IN ({keys})
    GROUP BY bot_id, day
    UNION ALL
    SELECT history.bot_id, substr(fact.text, 2, 10), COUNT(*), 0, 0, 0, 0
    FROM memory_document AS history JOIN memory_fact AS fact
        ON fact.bot_id = history.bot_id AND fact.document_id = history.id
    WHERE history.bot_id = %s AND history.kind = 'history'
        AND substr(fact.text, 1, 1) = '[' AND substr(fact.text, 2, 10) IN ({keys})
    GROUP BY history.bot_id, substr(fact.text, 2, 10)
) AS told WHERE day <> '' GROUP BY bot_id, day
ON CONFLICT (bot_id, day) DO UPDATE SET
    facts = excluded.facts, logs = excluded.logs, chats = excluded.chats, size = excluded.size,
    written_ns = excluded.written_ns
"""
_NO_CHAT = """
DELETE FROM memory_chat WHERE bot_id = %s AND scope IN ({keys}) AND NOT EXISTS (
    SELECT 1 FROM memory_document WHERE memory_document.bot_id = memory_chat.bot_id
    AND memory_document.tier IN ('chat', 'working') AND memory_document.scope = memory_chat.scope)
"""
_NO_DAY = "DELETE FROM memory_day WHERE bot_id = %s AND day IN ({keys})"


def bump(bot: Bot) -> None:
    """Say that rows of a bot's index changed. Until the transaction ends, sums of this bot wait here for one another."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_bot SET indexed = indexed + 1 WHERE id = %s", [bot.pk])


def recount(bot: Bot, touched: Iterable[tuple[str, str]], *, dropped: bool = False) -> None:
    """Count anew the chats and days of the (scope, day) pairs whose documents changed; after `bump`, in its transaction.

    `dropped`: documents are gone, so that chats and days may be too.
    """
    pairs = set(touched)
    scopes = sorted({scope for scope, _ in pairs if scope})
    days = sorted({day for _, day in pairs if day})
    _run(_CHATS, bot, scopes)
    if dropped:
        _run(_NO_CHAT, bot, scopes)
        _run(_NO_DAY, bot, days)
    _run(_DAYS, bot, days, times=2)


def retell(bot: Bot, days: Iterable[str]) -> None:
    """Count all days anew because a history changed, which tells of these (YYYY-MM-DD) and told of others before; after `bump`,
    in its transaction."""
    every = sorted({*days, *Day.objects.filter(bot=bot).values_list("day", flat=True)})
    _run(_NO_DAY, bot, every)
    _run(_DAYS, bot, every, times=2)


def _run(statement: str, bot: Bot, keys: Sequence[str], times: int = 1) -> None:
    """`times`: how often the statement names the bot and the keys."""
    with connection.cursor() as cursor:
        for some in quick.batches(keys, _KEYS_AT_ONCE):
            cursor.execute(statement.format(keys=", ".join(["%s"] * len(some))), [bot.pk, *some] * times)
