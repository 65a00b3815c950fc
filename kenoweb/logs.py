"""What of a log record is worth its lines."""

from __future__ import annotations

from logging import Filter, LogRecord


class Traceless(Filter):
    """Keeps the line of what strangers do wrong, without the way through our code."""

    def filter(self, record: LogRecord) -> bool:
        record.exc_info = None
        return True
