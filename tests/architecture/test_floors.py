"""Imports point down only, and what is plain text work knows neither Django, nor a clock, nor a disk."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
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
PLUGGED += ("copies", "directory", "preferences", "tool_calls")
# What the pure ones may use of these all the same.
USED_BY_PURE = {
    "memory.dialects.discoclaw.commands": "the commands that its users type, as text",
    "memory.dialects.nanobot.database.searched": "the bot's own query, asked of rows in memory",
}
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
    "sqlite3",
}
CLOCKS = re.compile(r"(.*\.)?(datetime|date)\.(now|today|utcnow|fromtimestamp)")
DISK = {"open", "input", "print"}
WRITES = {
    "write_text",
    "write_bytes",
    "unlink",
    "rename",
    "rmdir",
    "symlink_to",
    "hardlink_to",
    "rmtree",
    "copyfile",
    "copytree",
}
MODE = re.compile(r"[rbt]*[wax+][bt+]*")  # of a file that is opened to be written
OS_WRITES = re.compile(r"os\.(replace|remove|removedirs|renames|link|symlink|truncate)")


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


def test_modules_import_in_no_circle():
    imported = {module: {name for _, name in imports(module) if name in MODULES} for module in MODULES}
    TopologicalSorter({module: names - {module} for module, names in imported.items()}).prepare()


def test_no_family_imports_another():
    """What several use is in `dialects/shared`."""
    assert [
        f"{module}:{line} imports {name}"
        for module in MODULES
        if (own_family := family_of(module))
        for line, name in imports(module)
        if family_of(name) not in ("", own_family, "shared")
    ] == []


def family_of(module: str) -> str:
    """The family whose package a module is in, `shared` for what several use; "" outside."""
    package, _, rest = module.partition("memory.dialects.")
    return "" if package else rest.split(".")[0]


def test_floors_are_all_inhabited():
    known = set(MODULES)
    assert [name for name in FLOORS if name not in known] == []


def test_pure_modules_know_no_clock_and_no_disk():
    assert [breach for module in MODULES if is_pure(module) for breach in impurities(module)] == []


def test_pure_modules_are_made_of_pure_ones():
    assert [
        f"{module}:{line} imports {name}"
        for module in MODULES
        if is_pure(module)
        for line, name in imports(module)
        if own(name) and not is_pure(name) and not name.startswith(tuple(USED_BY_PURE))
    ] == []


def impurities(module: str) -> list[str]:
    impure = [f"{module}:{line} imports {name}" for line, name in imports(module) if name.split(".")[0] in IMPURE]
    for node in nodes(module):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if CLOCKS.fullmatch(called):
            impure.append(f"{module}:{node.lineno} asks the clock")
        elif called in DISK:
            impure.append(f"{module}:{node.lineno} calls {called}")
    return impure


def test_only_the_vault_and_its_neighbours_write_files():
    """Memory files are written through the journal; nobody else has a reason to open one for writing."""
    allowed = (
        "memory.storage",
        "memory.access.keyfile",
        *(module for module in MODULES if re.fullmatch(r"memory\.dialects\.\w+\.sample", module)),
        "memory.bots.directories",
        "memory.management",  # a server notes its address for other commands
        "kenoweb",
    )
    writers = []
    for module in MODULES:
        if module.startswith(allowed) or module in ("memory", "memory.registry.export_zip", "memory.registry.uploads"):
            continue
        writers += [f"{module}:{line} uses {written}" for line, written in writes(module)]
    assert writers == []


def writes(module: str) -> Iterator[tuple[int, str]]:
    """(line, what is called) of what writes, moves or removes a file."""
    for node in nodes(module):
        if isinstance(node, ast.Attribute) and (node.attr in WRITES or OS_WRITES.fullmatch(ast.unparse(node))):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "open":
            modes = (
                one.value
                for one in [*node.args, *(given.value for given in node.keywords)]
                if isinstance(one, ast.Constant)
            )
            yield from ((node.lineno, "open") for mode in modes if isinstance(mode, str) and MODE.fullmatch(mode))
