"""Numbers about a bot that every page or the overview shows: each a count over a stretch of one index, in one statement."""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.db import connection

from memory import bots
from memory.models import Bot

LIVELY = 7  # days; a chat that was written to since is an active one
DAY_NS = 86_400 * 10**9

_COUNTS = """
SELECT
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s),
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s AND written_ns >= %(lively)s),
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s AND oldest_day > '' AND oldest_day < %(old)s),
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s AND working_ns < %(stale)s),
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s AND working_ns >= %(stale)s),
    (SELECT COUNT(*) FROM memory_document
        WHERE bot_id = %(bot)s AND tier = 'global' AND scope = '' AND kind = 'daily' AND day < %(old)s),
    (SELECT COUNT(*) FROM memory_document WHERE bot_id = %(bot)s AND NOT (error = '')),
    (SELECT COUNT(*) FROM memory_pin WHERE bot_id = %(bot)s AND broken IS NOT NULL),
    (SELECT COUNT(*) FROM memory_finding WHERE bot_id = %(bot)s AND gone IS NULL AND ignored IS NULL),
    (SELECT COUNT(*) FROM memory_job WHERE bot_id = %(bot)s AND state = 'planned')
"""
_BESIDE = """
SELECT
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s),
    (SELECT COUNT(*) FROM memory_chat WHERE bot_id = %(bot)s AND working_ns < %(stale)s),
    (SELECT COUNT(*) FROM memory_pin WHERE bot_id = %(bot)s AND broken IS NOT NULL),
    (SELECT COUNT(*) FROM memory_finding WHERE bot_id = %(bot)s AND gone IS NULL AND ignored IS NULL),
    (SELECT COUNT(*) FROM memory_job WHERE bot_id = %(bot)s AND state = 'planned')
"""


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the places on every page: how many chats there are, stale working memories, broken recall tests, open
    findings, jobs whose proposals wait for somebody."""

    chats: int
    stale: int
    broken: int
    findings: int
    deciding: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many there are: chats, of them active ones and ones with old notes; working memories, stale and fresh; old logs of the
    bot's own; documents that cannot be read; recall tests that are broken; findings that are open; jobs whose proposals wait."""

    chats: int
    active: int
    old_chats: int
    stale: int
    fresh: int
    old_logs: int
    unreadable: int
    broken: int
    findings: int
    deciding: int


def tally(bot: Bot) -> Tally:
    """The numbers as of now."""
    bounds: dict[str, int | str] = {
        "bot": bot.pk,
        "lively": time.time_ns() - LIVELY * DAY_NS,
        "old": bots.old_before(bot),
        "stale": bots.stale_before(bot),
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, bounds)
        return Tally(*cursor.fetchone())


def beside(bot: Bot) -> Beside:
    """The numbers that no page is without: few counts, for they are counted on each."""
    with connection.cursor() as cursor:
        cursor.execute(_BESIDE, {"bot": bot.pk, "stale": bots.stale_before(bot)})
        return Beside(*cursor.fetchone())
