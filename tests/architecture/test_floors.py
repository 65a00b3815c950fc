"""Imports point down only, and what is plain text work knows neither Django, nor a clock, nor a disk."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Which room stands on which floor; the longest prefix counts. Rooms of one floor do not know each other.
FLOORS = {
    "kenoweb.env": 0,
    "memory.access.keyfile": 0,  # the settings read it
    "memory.text": 1,
    "memory.models": 2,
    "memory.domain": 3,
    "memory.access": 4,
    "memory.storage": 4,
    "memory.bots": 5,
    "memory.llm": 6,
    "memory.journal": 6,
    "memory.search": 6,
    "memory.index": 7,
    "memory.jobs": 8,
    "memory.prompts": 8,
    "memory.curation": 8,
    "memory.checks": 9,
    "memory.numbers": 9,
    "memory.registry": 9,
    "memory.compaction": 9,
    "memory.webhook": 10,
    "memory.digests": 10,
    "memory.migrations": 10,  # going back, one lets the search engine clear up
    "memory.apps": 10,
    "memory.management": 11,
    "memory.web": 11,
    "memory.templatetags": 12,
    "memory.admin": 12,
    "memory.dialects": 12,  # plug-ins: nothing below imports one
    "kenoweb": 13,
}
# Modules of a family that its dialect is made of are pure; what hangs from a `family` module is not.
PLUGGED = (
    "commands",
    "database",
    "pages",
    "family",
    "first_bot",
    "directories",
    "sample",
    "home",
    "maintenance",
    "restore",
)
PLUGGED += ("mirror_sync", "backfill_job", "consolidation", "permissions", "kept", "renewal", "session_store")
PURE = ("memory.text", "memory.domain", "memory.dialects")
IMPURE = {
    "django",
    "os",
    "time",
    "pathlib",
    "io",
    "shutil",
    "tempfile",
    "subprocess",
    "socket",
    "random",
    "secrets",
    "glob",
}
CLOCKS = {"now", "today", "utcnow", "fromtimestamp"}
DISK = {"open", "input", "print"}


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_of(path): path for package in ("memory", "kenoweb") for path in sorted((ROOT / package).rglob("*.py"))
}


@cache
def nodes(module: str) -> list[ast.AST]:
    """All that a module is made of, itself first: to walk takes as long as to parse."""
    return list(ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))))


def room(module: str) -> str:
    return max((name for name in FLOORS if module == name or module.startswith(name + ".")), key=len)


def floor(module: str) -> int:
    return FLOORS[room(module)]


def imports(module: str) -> Iterator[tuple[int, str]]:
    """(line, imported module) of every import, also those inside functions; `from a import b` is `a.b` where that is one."""
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno} imports relatively"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield node.lineno, full if full in MODULES else str(node.module)


def is_pure(module: str) -> bool:
    return module.startswith(PURE) and not set(module.split(".")[3:4]) & set(PLUGGED)


def own(module: str) -> bool:
    return module.split(".")[0] in ("memory", "kenoweb")


def test_modules_import_nothing_from_above_or_beside():
    upward = [
        f"{module}:{line} (floor {floor(module)}) imports {name} (floor {floor(name)})"
        for module in sorted(set(MODULES) - {"memory", "kenoweb"})
        for line, name in imports(module)
        if own(name) and room(name) != room(module) and floor(name) >= floor(module)
    ]
    assert upward == []


def test_floors_are_all_inhabited():
    known = set(MODULES)
    assert [name for name in FLOORS if name not in known] == []


def test_pure_modules_know_no_clock_and_no_disk():
    assert [breach for module in MODULES if is_pure(module) for breach in impurities(module)] == []


def impurities(module: str) -> list[str]:
    impure = [f"{module}:{line} imports {name}" for line, name in imports(module) if name.split(".")[0] in IMPURE]
    for node in nodes(module):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in CLOCKS and isinstance(called.value, ast.Name):
            if called.value.id in ("datetime", "date"):
                impure.append(f"{module}:{node.lineno} asks the clock")
        elif isinstance(called, ast.Name) and called.id in DISK:
            impure.append(f"{module}:{node.lineno} calls {called.id}")
    return impure


def test_only_the_vault_and_its_neighbours_write_files():
    """Memory files are written through the journal; nobody else has a reason to open one for writing."""
    allowed = (
        "memory.storage",
        "memory.access.keyfile",
        *(module for module in MODULES if re.fullmatch(r"memory\.dialects\.\w+\.sample", module)),
        "memory.bots.directories",
        "memory.management.server",  # notes its address for other commands
        "memory.management",
        "memory.management.cli",
        "kenoweb",
    )
    writers = []
    for module in MODULES:
        if module.startswith(allowed) or module in ("memory", "memory.registry.export_zip", "memory.registry.uploads"):
            continue
        for node in nodes(module):
            if isinstance(node, ast.Attribute) and node.attr in (
                "write_text",
                "write_bytes",
                "unlink",
                "rename",
                "rmdir",
            ):
                writers.append(f"{module}:{node.lineno} uses {node.attr}")
    assert writers == []
