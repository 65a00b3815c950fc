"""What a DiscoClaw's own `.env` says, as the settings of the same meaning.

The bot does not start with a value that it cannot read; here all else holds, and the variable is named. Numbers beyond Kenoweb's
bounds become the nearest inside."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from memory.dialects.discoclaw.settings import FIELDS
from memory.domain.fields import Configured, Value

_PREFIX = "DISCOCLAW_"
_QUOTED = r"""\s*"(?:\\"|[^"])*"|\s*'(?:\\'|[^'])*'|\s*`(?:\\`|[^`])*`"""
# A line as the bot's `dotenv` takes it: quotes may span lines, and what follows a value must be a comment.
_LINE = re.compile(rf"^[ \t]*(?:export\s+)?([\w.-]+)(?:\s*=|:\s+)({_QUOTED}|[^#\n]*)?[ \t]*(?:#.*)?$", re.MULTILINE)
_AROUND = re.compile(r"""(['"`])(.*)\1""", re.DOTALL)
_TRUTHS = {"0": False, "false": False, "1": True, "true": True}
_LONGEST = 50  # digits of a number that JavaScript has by its base
_DECIMAL = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_OTHER_BASE = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")

Reading = Callable[[str], Value | None]


def _truth(raw: str) -> bool | None:
    return _TRUTHS.get(raw.lower())


def _number(raw: str) -> float | None:
    """A number as JavaScript takes it, 0 or more."""
    if _OTHER_BASE.fullmatch(raw):
        return float(int(raw, 0)) if len(raw) < _LONGEST else None
    found = float(raw) if _DECIMAL.fullmatch(raw) else math.nan
    return found if math.isfinite(found) and found >= 0 else None


def _positive(raw: str) -> float | None:
    return _number(raw) or None


def _whole(raw: str) -> int | None:
    found = _number(raw)
    return int(found) if found is not None and found.is_integer() else None


def _count(raw: str) -> int | None:
    return _whole(raw) or None


def _share(raw: str) -> float | None:
    found = _number(raw)
    return found if found is not None and 0 < found < 1 else None


def _text(raw: str) -> str:
    return raw


# Each variable behind DISCOCLAW_: how it is read, and the setting that it gives; "" for one that Kenoweb only checks.
VARIABLES: Mapping[str, tuple[Reading, str]] = {
    "MESSAGE_HISTORY_BUDGET": (_whole, "history_chars"),
    "SUMMARY_ENABLED": (_truth, "summaries"),
    "SUMMARY_MODEL": (_text, ""),
    "SUMMARY_MAX_CHARS": (_whole, "summary_chars"),
    "SUMMARY_EVERY_N_TURNS": (_count, "summary_turns"),
    "SUMMARY_TO_DURABLE_ENABLED": (_truth, "learns"),
    "DURABLE_MEMORY_ENABLED": (_truth, "durable"),
    "DURABLE_INJECT_MAX_CHARS": (_count, "durable_chars"),
    "DURABLE_MAX_ITEMS": (_count, "durable_items"),
    "SHORTTERM_MEMORY_ENABLED": (_truth, "short_term"),
    "SHORTTERM_INJECT_MAX_CHARS": (_count, "short_term_chars"),
    "SHORTTERM_MAX_AGE_HOURS": (_positive, "short_term_hours"),
    "SHORTTERM_MAX_ENTRIES": (_count, "short_term_entries"),
    "MEMORY_COMMANDS_ENABLED": (_truth, "commands"),
    # of March 2026
    "SUMMARY_MAX_TOKENS": (_count, ""),
    "SUMMARY_TARGET_RATIO": (_share, ""),
    "DURABLE_SUPERSESSION_SHADOW": (_truth, ""),
    "BOT_MESSAGE_MEMORY_WRITE": (_truth, ""),
    "DISCORD_ACTIONS_MEMORY": (_truth, ""),
    "MEMORY_CONSOLIDATION_THRESHOLD": (_count, ""),
    "DASHBOARD_ENABLED": (_truth, ""),
    "DASHBOARD_PORT": (_count, ""),
}
# Where each kind of memory lies if it is not where the bot keeps it usually, by the directory that Kenoweb reads.
DIRECTORIES = {"durable": "DURABLE_DATA_DIR", "rolling": "SUMMARY_DATA_DIR", "shortterm": "SHORTTERM_DATA_DIR"}
_BOUNDS = {field.name: (field.least, field.most) for field in FIELDS}


def configured(text: str) -> Configured:
    """The settings of a `.env`; of a variable that stands there twice the last counts, and a blank one says nothing."""
    values: dict[str, Value] = {}
    wrong = ""
    for name, raw in said(text).items():
        read, setting = VARIABLES.get(name, (_text, ""))
        value = read(raw)
        if value is None:
            wrong = wrong or f"{_PREFIX}{name}"
        elif setting:
            values[setting] = _inside(setting, value)
    return Configured(values, wrong)


def elsewhere(text: str) -> Mapping[str, str]:
    """The directories that the bot keeps elsewhere than Kenoweb looks, as name -> variable."""
    told = said(text)
    return {name: f"{_PREFIX}{variable}" for name, variable in DIRECTORIES.items() if variable in told}


def said(text: str) -> dict[str, str]:
    """The bot's own variables behind their prefix, without the blank ones."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = {one[1]: _bare(one[2] or "") for one in _LINE.finditer(lines)}
    return {name.removeprefix(_PREFIX): raw for name, raw in found.items() if name.startswith(_PREFIX) and raw}


def _bare(raw: str) -> str:
    """A value without its quotes, as the bot reads it: white space at its ends counts for nothing."""
    value = raw.strip()
    around = _AROUND.fullmatch(value)
    return (around[2] if around else value).strip()


def _inside(setting: str, value: Value) -> Value:
    least, most = _BOUNDS[setting]
    if least is None or most is None or not isinstance(value, int | float):
        return value
    return type(value)(min(max(value, least), most))
