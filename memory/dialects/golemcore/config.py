"""A GolemCore's own settings: `preferences/memory.json` and `preferences/compaction.json`, read and written in its form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memory.dialects.golemcore import layout
from memory.dialects.golemcore.settings import FIELDS
from memory.domain.fields import Configured, Value

# Each file's keys in the bot's order, and the settings that they give.
MEMORY = {
    name: name
    for name in (
        *("enabled", "recentDays", "softPromptBudgetTokens", "maxPromptBudgetTokens", "workingTopK", "episodicTopK"),
        *("semanticTopK", "proceduralTopK", "promotionEnabled", "promotionMinConfidence", "decayEnabled", "decayDays"),
        *("codeAwareExtractionEnabled", "legacyDailyNotesEnabled"),
    )
}
COMPACTION = {
    "enabled": "compactionEnabled",
    "maxContextTokens": "maxContextTokens",
    "keepLastMessages": "keepLastMessages",
}
FILES: Mapping[str, Mapping[str, str]] = dict(zip(layout.SETTINGS, (MEMORY, COMPACTION), strict=True))

_FIELDS = {field.name: field for field in FIELDS}


def configured(files: Mapping[str, bytes]) -> Configured:
    """What the bot's files say, by their names. The bot takes a whole file for its defaults that is no JSON; a value out of bounds
    it takes as it is, here it counts as not said and is named."""
    values: dict[str, Value] = {}
    wrong = ""
    for name, keys in FILES.items():
        if name not in files:
            continue
        try:
            found = read(files[name])
        except ValueError:
            wrong = wrong or name
            continue
        for key, setting in keys.items():
            try:
                if found.get(key) is not None:
                    values[setting] = _FIELDS[setting].value(found[key])
            except ValueError:
                wrong = wrong or key
    return Configured(values, wrong)


def read(data: bytes) -> dict[str, Any]:
    """The values of a file. Raises ValueError."""
    try:
        found = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def written(name: str, before: bytes | None, values: Mapping[str, object]) -> bytes:
    """A file that says these settings, in the bot's form; what else stands in it stays. Raises ValueError for one that is no
    JSON."""
    told = read(before) if before else {}
    said = {key: values[setting] for key, setting in FILES[name].items() if setting in values}
    return json.dumps({**told, **said}, indent=2, separators=(",", " : "), ensure_ascii=False).encode()
