"""The families of bots that are plugged in: those that `settings.DIALECTS` names, each a package below `memory/dialects`."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from types import ModuleType
from typing import cast

from django.conf import settings
from django.urls import URLPattern

from memory.bots.family import CommandLine, Family, Recalls, Recognised
from memory.domain.dialect import Dialect

NOTHING = Recognised()


def _import(word: str) -> Family:
    family: Family = import_module(word if "." in word else f"memory.dialects.{word}.family").FAMILY
    return family


def every() -> list[Family]:
    """All families, in the order of `settings.DIALECTS`: the one first that a directory with nothing in it most likely is."""
    return [_import(word) for word in settings.DIALECTS]


def first() -> Family:
    """The family that brings the bot of the environment."""
    return _import(settings.DIALECTS[0])


def names() -> list[str]:
    """Their names."""
    return [family.name for family in every()]


def get(name: str) -> Family:
    """The family of that name, of which no other is imported: its package is called so. Raises KeyError if there is none."""
    return _import(name) if name in settings.DIALECTS else {family.name: family for family in every()}[name]


def dialect(name: str) -> Dialect:
    """How a family writes in a directory of which nothing more is known. Raises KeyError."""
    return get(name).dialect


def recognise(path: str, names: Collection[str]) -> Recognised:
    """Whose memory the directory of this path is, that holds these names (top-level, and one level below `memory`)."""
    found = [one for family in every() if (one := family.recognise(path, names))]
    return max(found, key=lambda one: one.certain, default=NOTHING)


def choices() -> list[tuple[str, str]]:
    """Whose memory one may be, as (name, label), for a form."""
    return [choice for family in every() for choice in family.choices()]


def split_name(name: str) -> tuple[str, str]:
    """(family, flavour) of what a form sent."""
    family, _, flavour = name.partition(":")
    return family, flavour


def urlpatterns() -> list[URLPattern]:
    """The addresses of pages that families have of their own."""
    return [pattern for one in every() if one.pages for pattern in import_module(one.pages).urlpatterns]


def apis() -> list[ModuleType]:
    """The modules with operations of the API that families have of their own."""
    return [import_module(one.api) for one in every() if one.api]


def commands() -> list[tuple[str, ModuleType]]:
    """The modules that register commands that families have of their own, each with its family."""
    return [(one.name, import_module(module)) for one in every() for module in one.commands]


def recalls(name: str) -> Recalls | None:
    """What a family adds to the page of the prompt; None for one that chooses nothing by the message."""
    module = get(name).recalls_by
    return cast(Recalls, import_module(module)) if module else None


def command_lines() -> list[CommandLine]:
    """What the families add to commands of every bot."""
    return [cast(CommandLine, import_module(one.command_line)) for one in every() if one.command_line]


def command_line(name: str) -> CommandLine | None:
    """What a family adds to commands of every bot; None for one that adds nothing."""
    module = get(name).command_line
    return cast(CommandLine, import_module(module)) if module else None
