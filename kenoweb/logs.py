"""What of a log record is worth its lines."""

from __future__ import annotations

import threading
from logging import ERROR, Filter, Formatter, LogRecord

LINES_A_MINUTE = 60


class Masked(Formatter):
    """Lines in which a secret is told only: an address or the text of an error may hold one of a memory."""

    def format(self, record: LogRecord) -> str:
        from memory.text.secrets import mask  # most programs log nothing, and begin sooner without it

        return mask(super().format(record))


class Traceless(Filter):
    """Keeps the line of what strangers do wrong, without the way through our code."""

    def filter(self, record: LogRecord) -> bool:
        record.exc_info = None
        return True


class Bounded(Filter):
    """So many lines a minute of what strangers are refused, without the way through our code; the next one says how many were left
    out. What broke here passes."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._minute, self._lines = 0, 0

    def filter(self, record: LogRecord) -> bool:
        broke = record.exc_info or record.levelno >= ERROR
        if getattr(record, "status_code", 500 if broke else 400) >= 500:
            return True
        record.exc_info = None
        with self._lock:
            over = self._begin(int(record.created // 60))
            self._lines += 1
            passes = self._lines <= LINES_A_MINUTE
        if over > 0:
            record.msg, record.args = f"{record.getMessage()} (and {over} lines of an earlier minute were left out)", ()
        return passes

    def _begin(self, minute: int) -> int:
        """How many lines were left out before this minute, at its first line."""
        if minute == self._minute:
            return 0
        over, self._minute, self._lines = self._lines - LINES_A_MINUTE, minute, 0
        return over
