"""How facts are found: one ranking over two engines, SQLite's FTS5 and PostgreSQL's text search.

The engine of the database brings what could be meant (`best`, `parts`); `rank` decides what comes first and says why, with the
same arithmetic on both. What belongs to one chat is left out by the engine's own query, before anything is ranked.
"""

from __future__ import annotations

from memory.search.engines import engine
from memory.search.find import FEW, MOST, Hit, Results, search
from memory.search.rank import Why
from memory.search.spots import Counts, Spots, all_spots, count_spots

__all__ = ["FEW", "MOST", "Counts", "Hit", "Results", "Spots", "Why", "all_spots", "count_spots", "engine", "search"]
