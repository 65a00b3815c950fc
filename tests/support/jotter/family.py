"""The jotter as a plug-in."""

from __future__ import annotations

from memory.bots.family import Family
from tests.support.jotter import Jotter


class JotterFamily(Family):
    name, dialect = Jotter.name, Jotter()


FAMILY = JotterFamily()
