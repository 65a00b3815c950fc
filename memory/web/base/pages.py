"""Pages of rows whose number is known already, or that are laid out already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from django.core.paginator import Page, Paginator
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


class Laid(Paginator):  # type: ignore[type-arg]
    """Pages that are laid out already, with `sizes` rows each."""

    def __init__(self, pages: Sequence[Sequence[Any]], sizes: Iterable[int]) -> None:
        super().__init__(pages, 1)
        self.ends = [0, *accumulate(sizes)]

    @cached_property
    def count(self) -> int:
        return self.ends[-1]

    @cached_property
    def num_pages(self) -> int:
        return len(self.object_list)

    def page(self, number: int | str) -> LaidPage:
        number = self.validate_number(number)
        return LaidPage(self.object_list[number - 1], number, self)


class LaidPage(Page):  # type: ignore[type-arg]
    """One of them; it has an address of its own beside that of a page of files."""

    paginator: Laid
    of_rows = True

    def start_index(self) -> int:
        return self.paginator.ends[self.number - 1] + 1

    def end_index(self) -> int:
        return self.paginator.ends[self.number]
