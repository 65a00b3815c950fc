"""Every regular expression of the project, and how each is asked."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

AT_A_PLACE = {"match", "fullmatch"}
ANYWHERE = {"search", "sub", "subn", "split", "findall", "finditer"}
ASKED = re.compile(rf"(?:\b(\w+)\.)?\b(\w+)\.({'|'.join(AT_A_PLACE | ANYWHERE)})\b")


class Found(NamedTuple):
    """A pattern and the ways in which it is asked: `match` and `fullmatch` at one place, `findall` for all that go on looking."""

    where: str
    pattern: re.Pattern[Any]
    ways: frozenset[str]


def every(names: Iterable[str]) -> list[Found]:
    """The patterns that these modules hold, in whatever they hold them, each once. One that is asked nobody knows how is looked for
    everywhere."""
    modules = [importlib.import_module(name) for name in names]
    ways: dict[re.Pattern[Any], set[str]] = defaultdict(set)
    for module in modules:
        for pattern, way in _asked(module):
            ways[pattern].add(way if way in AT_A_PLACE else "findall")
    found = {}
    for module in modules:
        for name, value in vars(module).items():
            for pattern in _within(value, module.__name__):
                found.setdefault(
                    pattern, Found(f"{module.__name__}.{name}", pattern, frozenset(ways[pattern] or {"findall"}))
                )
    return list(found.values())


def inline(tree: ast.Module) -> Iterator[int]:
    """The lines where a pattern is asked or made inside a function, unless it is of escaped words."""
    for node in tree.body:
        for function in [node, *getattr(node, "body", ())]:
            if isinstance(function, ast.FunctionDef):
                calls = {one.attr: one.lineno for one in ast.walk(function) if _is_of_re(one)}
                if "escape" not in calls:
                    yield from (line for name, line in calls.items() if name in {"compile", *AT_A_PLACE, *ANYWHERE})


def _is_of_re(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"


def _asked(module: ModuleType) -> Iterator[tuple[re.Pattern[Any], str]]:
    """What a module asks of patterns that have a name there, or in a module that it knows."""
    for whose, name, way in ASKED.findall(Path(str(module.__file__)).read_text("utf-8")):
        holder = getattr(module, whose, module) if whose else module
        if isinstance(pattern := getattr(holder, name, None), re.Pattern):
            yield pattern, way


def _within(value: Any, module: str, deep: int = 4) -> Iterator[re.Pattern[Any]]:
    """The patterns that a value of a module is or holds."""
    if isinstance(value, re.Pattern):
        yield value
    elif deep:
        for one in _parts(value, module):
            yield from _within(one, module, deep - 1)


def _parts(value: Any, module: str) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    return (
        list(vars(value).values()) if getattr(value, "__module__", "") == module and hasattr(value, "__dict__") else []
    )
