"""Imports point down only, and what is plain text work knows neither Django, nor a clock, nor a disk."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Who stands on which floor; the longest prefix counts. Modules of one floor may know each other.
FLOORS = {
    "memory.domain.changes": 1,
    "memory.access.keyfile": 1,
    "memory.access.encryption": 1,
    "memory.access.sessions": 1,
    "memory.models": 1,
    "memory.migrations": 2,  # going back, one lets the search engine clear up
    "memory.text": 1,
    "memory.dialects": 2,
    "memory.storage": 2,
    "memory.search": 2,
    "memory.bots.directories": 2,
    "memory.dialects.kenobot.sample": 2,
    "memory.dialects.nanobot.sample_text": 2,
    "memory.dialects.kenobot.sample_text": 2,
    "memory.turns.signatures": 2,
    "memory.llm": 2,
    "memory.bots.automation": 3,
    "memory.bots": 3,
    "memory.bots.costs": 3,
    "memory.journal.versions": 3,
    "memory.journal": 3,
    "memory.dialects.nanobot.home": 3,
    "memory.index": 4,
    "memory.management.prepare": 5,
    "memory": 5,  # the acts: whatever has no line of its own
    "memory.admin": 6,
    "memory.web.api": 6,
    "memory.management.cli": 6,
    "memory.web.base.forms": 6,
    "memory.access.login_links": 6,
    "memory.management": 6,
    "memory.management.server": 6,
    "memory.templatetags": 6,
    "memory.web.urls": 6,
    "memory.web": 6,
    "memory.turns.webhook": 6,
    "kenoweb": 7,
    "kenoweb.env": 0,
}
PURE = (
    "memory.text",
    "memory.dialects",
    "memory.domain.changes",
    "memory.dialects.nanobot.sample_text",
    "memory.dialects.kenobot.sample_text",
)
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
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def floor(module: str) -> int:
    prefixes = [name for name in FLOORS if module == name or module.startswith(name + ".")]
    return FLOORS[max(prefixes, key=len)]


def imports(module: str) -> Iterator[tuple[int, str]]:
    """(line, imported module) of every import, also those inside functions; `from a import b` is `a.b` where that is one."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno} imports relatively"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield node.lineno, full if full in MODULES else str(node.module)


def own(module: str) -> bool:
    return module.split(".")[0] in ("memory", "kenoweb")


def test_modules_import_nothing_from_above():
    upward = [
        f"{module}:{line} (floor {floor(module)}) imports {name} (floor {floor(name)})"
        for module in sorted(set(MODULES) - {"memory", "kenoweb"})
        for line, name in imports(module)
        if own(name) and floor(name) > floor(module)
    ]
    assert upward == []


def test_floors_are_all_inhabited():
    known = set(MODULES)
    assert [name for name in FLOORS if name not in known] == []


def test_pure_modules_know_no_clock_and_no_disk():
    assert [breach for module in MODULES if module.startswith(PURE) for breach in impurities(module)] == []


def impurities(module: str) -> list[str]:
    impure = [f"{module}:{line} imports {name}" for line, name in imports(module) if name.split(".")[0] in IMPURE]
    for node in ast.walk(tree(module)):
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
        "memory.dialects.kenobot.sample",
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
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Attribute) and node.attr in (
                "write_text",
                "write_bytes",
                "unlink",
                "rename",
                "rmdir",
            ):
                writers.append(f"{module}:{node.lineno} uses {node.attr}")
    assert writers == []
