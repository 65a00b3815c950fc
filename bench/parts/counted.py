"""The bench's site for pages: as people run it, with its statements counted."""

from __future__ import annotations

from bench.parts.site import *  # noqa: F403
from bench.parts.site import MIDDLEWARE as OF_THE_SITE

MIDDLEWARE = ["bench.parts.counting.Statements", *OF_THE_SITE]
