"""What a nanobot's own `config.json` says under `memory`, as the settings of the same meaning.

The bot reads it as a whole: one value of the wrong type, and it goes by its defaults in everything. So does this. Numbers that are
out of Kenoweb's bounds become the nearest inside, which the bot cannot tell from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from memory.dialects.nanobot.settings import FIELDS
from memory.domain.fields import Configured, Value
from memory.text.storable import is_keepable

_YES = {"1", "on", "t", "true", "y", "yes"}
_NO = {"0", "off", "f", "false", "n", "no"}
_MISSING = object()


def _whole(raw: object) -> int | None:
    if isinstance(raw, str):
        try:
            return int(raw)
        except ValueError:
            return None
    return int(raw) if isinstance(raw, int) or (isinstance(raw, float) and raw.is_integer()) else None


def _number(raw: object) -> float | None:
    try:
        found = float(raw) if isinstance(raw, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(found) else found


def _truth(raw: object) -> bool | None:
    if isinstance(raw, bool):
        return raw
    word = raw.lower() if isinstance(raw, str) else str(_whole(raw))
    return True if word in _YES else False if word in _NO else None


def _text(raw: object) -> str | None:
    return raw if isinstance(raw, str) and is_keepable(raw) else None


def _texts(raw: object) -> tuple[str, ...] | None:
    is_list = isinstance(raw, list) and all(_text(one) is not None for one in raw)
    return tuple(raw) if is_list and isinstance(raw, list) else None


def _one_of(*words: str) -> Callable[[object], str | None]:
    return lambda raw: raw if isinstance(raw, str) and raw in words else None


# Each key of the file under `memory`: how it is read, and the setting that it gives ("" for none).
_KEYS: Mapping[str, tuple[Callable[[object], Value | None], str]] = {
    "enabled": (_truth, "enabled"),
    "dbPath": (_text, ""),
    "backend": (_one_of("sqlite_fts", "reserved_hybrid"), ""),
    "recall.maxResults": (_whole, "max_results"),
    "recall.maxPromptChars": (_whole, "max_prompt_chars"),
    "recall.userPreferenceLayerResults": (_whole, "user_results"),
    "capture.enabled": (_truth, "picks_messages"),
    "capture.mode": (_one_of("heuristic"), ""),
    "capture.captureAssistant": (_truth, "picks_replies"),
    "capture.minConfidence": (_number, "min_confidence"),
    "capture.minImportance": (_number, "min_importance"),
    "capture.maxEntriesPerTurn": (_whole, "max_entries_per_turn"),
    "capture.channels": (_texts, "channels"),
    "retention.episodicDays": (_whole, "episodic_days"),
    "retention.factDays": (_whole, "fact_days"),
    "retention.preferenceDays": (_whole, "preference_days"),
    "retention.decisionDays": (_whole, "decision_days"),
    "wal.enabled": (_truth, "notes_sessions"),
    "wal.stateDir": (_text, "state_dir"),
    "embedding.enabled": (_truth, ""),
    "embedding.backend": (_text, ""),
}
_TABLE = {one.name: one for one in FIELDS}


def configured(config: object) -> Configured:
    """The settings in a whole `config.json`; keys it does not have, and those that the bot does not know, are passed over."""
    memory = _get(config, "memory")
    values: dict[str, Value] = {}
    for section in ("", "recall", "capture", "retention", "wal", "embedding"):
        found = memory if not section else _get(memory, section)
        if found is not _MISSING and not isinstance(found, Mapping):
            return Configured(wrong=f"memory.{section}".rstrip("."))
    for key, (reads, name) in _KEYS.items():
        raw = memory
        for part in key.split("."):
            raw = _get(raw, part)
        if raw is _MISSING:
            continue
        value = reads(raw)
        if value is None:
            return Configured(wrong=f"memory.{key}")
        if name:
            values[name] = _bounded(name, value)
    return Configured(MappingProxyType(values))


def _get(found: object, name: str) -> object:
    """A key in the form that the file has it in, or the one that the bot's own code has."""
    if not isinstance(found, Mapping):
        return _MISSING
    inside = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name)
    return found.get(name, found.get(inside, _MISSING))


def _bounded(name: str, value: Value) -> Value:
    told = _TABLE[name]
    if told.least is None or told.most is None or not isinstance(value, int | float):
        return value
    inside = min(max(value, told.least), told.most)
    return round(float(inside), told.places) if told.places else int(inside)
