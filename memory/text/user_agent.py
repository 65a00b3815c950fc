"""Browsers as they name themselves, in two words that people know."""

from __future__ import annotations

# Each claims to be those that stand after it, so the first that occurs is what it is.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser(agent: str) -> tuple[str, str]:
    """Which browser and which system a User-Agent line means: ("Firefox", "Linux"); "" for what it does not say."""
    return _first(_BROWSERS, agent), _first(_SYSTEMS, agent)


def _first(marks: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for mark, name in marks if mark in agent), "")
