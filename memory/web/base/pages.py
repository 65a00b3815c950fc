"""Pages of rows whose number is known already."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property


class Counted(Paginator):  # type: ignore[type-arg]
    """Rows in pages; `total` rows, or as many as the database counts."""

    def __init__(self, rows: QuerySet[Any, Any], at_once: int, total: int | None = None) -> None:
        super().__init__(rows, at_once)
        self._rows, self._total = rows, total

    @cached_property
    def count(self) -> int:
        return self._rows.count() if self._total is None else self._total
