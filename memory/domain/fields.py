"""One table for a dialect's settings: the page, the documentation and the validation all read it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from memory.text.sentences import join_sentences, say

S = TypeVar("S")
V = TypeVar("V")
Value = int | float | str | bool | tuple[str, ...]
LONGEST = 200  # characters of a text
MOST_NAMES = 50

_WHOLE = re.compile(r"-?[0-9]{1,10}")
_YES = {"true", "yes", "on", "1"}
_NO = {"false", "no", "off", "0"}


@dataclass(frozen=True, slots=True)
class Configured:
    """What a bot's own configuration says of its settings, and where it says something that the bot cannot take ("" for
    nowhere)."""

    values: Mapping[str, Value] = field(default_factory=dict)
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One setting. A number has `least` and `most`; a choice has `choices`; `is_text` and `has_names` (a list of them) say it of
    themselves; else it is yes or no."""

    name: str
    default: Value
    label: str
    help: str
    env: str = ""  # the environment variable that gives the default, "" if there is none
    least: int | None = None
    most: int | None = None
    places: int = 0  # digits that a number may have after its point
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # the choices for people, in their order; the choices themselves if there are none
    is_text: bool = False
    has_names: bool = False
    # which part of the settings it stands in, of `GROUPS` in `web/site/settings_form.py`; "": what the bot is
    group: str = ""

    @property
    def range(self) -> str:
        """What it may be, for people: `a whole number from 0 to 30`, `same or substring`, `yes or no`."""
        if self.is_text or self.has_names:
            return (
                say("one line of text")
                if self.is_text
                else say("up to %(most)s names, separated by commas", most=MOST_NAMES)
            )
        if self.least is not None and self.most is not None:
            if self.places:
                return say("a number from %(least)s to %(most)s", least=self.least, most=self.most)
            return say("a whole number from %(least)s to %(most)s", least=self.least, most=self.most)
        return join_sentences(*[word for choice in self.choices for word in (say("or"), choice)][1:]) or say(
            "yes or no"
        )

    def value(self, raw: object, called: str = "") -> Value:
        """The setting's value from text or JSON; None and "" are the default. Raises ValueError with a sentence that names it."""
        if raw is None or raw == "":
            return self.default
        found = self._found(raw)
        if found is None:
            raise ValueError(
                say(
                    "%(name)s must be %(range)s, not %(given)s.",
                    name=called or self.name,
                    range=self.range,
                    given=_short(raw),
                )
            )
        return found

    def _found(self, raw: object) -> Value | None:
        if self.is_text or self.has_names:
            return _text(raw) if self.is_text else _names(raw)
        if self.least is not None:
            return self._number(raw)
        if self.choices:
            return raw if isinstance(raw, str) and raw in self.choices else None
        return _yes_or_no(raw)

    def _number(self, raw: object) -> int | float | None:
        if self.places:
            return self._decimal(raw)
        if isinstance(raw, str) and _WHOLE.fullmatch(raw.strip()):
            raw = int(raw)
        if not isinstance(raw, int) or isinstance(raw, bool) or self.least is None or self.most is None:
            return None
        return raw if self.least <= raw <= self.most else None

    def _decimal(self, raw: object) -> float | None:
        try:
            number = round(float(raw), self.places) if isinstance(raw, int | float | str) else math.nan
        except (ValueError, OverflowError):
            return None
        inside = self.least is not None and self.most is not None and self.least <= number <= self.most
        return number if inside and not isinstance(raw, bool) else None


def settings_from(settings: Callable[..., S], own: Sequence[Field], values: Mapping[str, object]) -> S:
    """Settings of a class from saved values, of which those of others are left; what is missing, None or "" is the default. Raises
    ValueError naming the setting."""
    saved = [field for field in own if field.name in values]
    return settings(**read(saved, {field.name: values[field.name] for field in saved}))


def setting(default: V, label: str, help: str, *, between: tuple[int, int] | None = None, **more: Any) -> V:
    """A field of a class of settings with what `Field` says of it; its name is the class's. A number is `between` two."""
    if between:
        more["least"], more["most"] = between
    described = Field("", default, label, help, **more)  # type: ignore[arg-type]
    return field(default=default, metadata={"setting": described})


def table(settings: type) -> tuple[Field, ...]:
    """The settings of a class, in its order."""
    return tuple(
        replace(one.metadata["setting"], name=one.name) for one in fields(settings) if "setting" in one.metadata
    )


def _short(raw: object) -> str:
    shown = repr(raw)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"


def _text(raw: object) -> str | None:
    text = raw.strip() if isinstance(raw, str) else ""
    return text if text.isprintable() and 0 < len(text) <= LONGEST else None


def _names(raw: object) -> tuple[str, ...] | None:
    parts = raw.split(",") if isinstance(raw, str) else raw
    if not isinstance(parts, list | tuple) or len(parts) > MOST_NAMES:
        return None
    names = [_text(part) for part in parts if part != ""]
    return None if None in names else tuple(name for name in dict.fromkeys(names) if name)


def _yes_or_no(raw: object) -> bool | None:
    if isinstance(raw, bool):
        return raw
    word = raw.strip().lower() if isinstance(raw, str) else ""
    return True if word in _YES else False if word in _NO else None


def read(fields: Iterable[Field], values: Mapping[str, object]) -> dict[str, Value]:
    """Every field's value, from `values` or its default. Raises ValueError for an unknown name or a value out of range."""
    table = {field.name: field for field in fields}
    unknown = sorted(set(values) - set(table))
    if unknown:
        raise ValueError(say("No setting is named %(unknown)s.", unknown=repr(unknown[0])))
    return {name: field.value(values.get(name)) for name, field in table.items()}
