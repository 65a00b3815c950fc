"""How dates read in Spanish, where Django's own form is too long for a line of a list."""

from __future__ import annotations

DATETIME_FORMAT = r"j \d\e F \d\e Y, H:i"
