"""What a DiscoClaw's own `.env` says, as the settings of the same meaning.

The bot does not start with a value that it cannot read; here all else holds, and the variable is named. Numbers beyond Kenoweb's
bounds become the nearest inside."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from memory.dialects.discoclaw.settings import FIELDS
from memory.domain.fields import Configured, Value

_LINE = re.compile(r"""\s*(?:export\s+)?DISCOCLAW_(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#\n]*))""")
_TRUTHS = {"0": False, "false": False, "1": True, "true": True}


def _truth(raw: str) -> bool | None:
    return _TRUTHS.get(raw.lower())


def _number(raw: str) -> float | None:
    try:
        found = float(raw)
    except ValueError:
        return None
    return found if math.isfinite(found) and found > 0 else None


def _whole(raw: str) -> int | None:
    found = _number(raw)
    return int(found) if found is not None and found.is_integer() else None


# Each variable behind DISCOCLAW_: how it is read, and the setting that it gives.
VARIABLES: Mapping[str, tuple[Callable[[str], Value | None], str]] = {
    "DURABLE_MEMORY_ENABLED": (_truth, "durable"),
    "DURABLE_INJECT_MAX_CHARS": (_whole, "durable_chars"),
    "DURABLE_MAX_ITEMS": (_whole, "durable_items"),
    "SUMMARY_ENABLED": (_truth, "summaries"),
    "SHORTTERM_MEMORY_ENABLED": (_truth, "short_term"),
    "SHORTTERM_INJECT_MAX_CHARS": (_whole, "short_term_chars"),
    "SHORTTERM_MAX_AGE_HOURS": (_number, "short_term_hours"),
    "SHORTTERM_MAX_ENTRIES": (_whole, "short_term_entries"),
    "MEMORY_COMMANDS_ENABLED": (_truth, "commands"),
}
_BOUNDS = {field.name: (field.least, field.most) for field in FIELDS}


def configured(text: str) -> Configured:
    """The settings of a `.env`; of a variable that stands there twice the last counts, and a blank one says nothing."""
    values: dict[str, Value] = {}
    wrong = ""
    for name, raw in _said(text).items():
        read, setting = VARIABLES[name]
        value = read(raw)
        if value is None:
            wrong = wrong or f"DISCOCLAW_{name}"
        else:
            values[setting] = _inside(setting, value)
    return Configured(values, wrong)


def _said(text: str) -> dict[str, str]:
    found = (_LINE.match(line) for line in text.splitlines())
    said = {one[1]: (one[2] or one[3] or one[4] or "").strip() for one in found if one and one[1] in VARIABLES}
    return {name: raw for name, raw in said.items() if raw}


def _inside(setting: str, value: Value) -> Value:
    least, most = _BOUNDS[setting]
    if least is None or most is None or not isinstance(value, int | float):
        return value
    return type(value)(min(max(value, least), most))
