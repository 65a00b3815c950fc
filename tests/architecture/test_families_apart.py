"""A family of bots is a plug-in: what stands outside its own package neither imports nor names it.

What is left of that is counted, and may only become less."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.utils.module_loading import import_string

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("kenobot", "nanobot", "workspace")
IMPORTS, DECISIONS = 0, 0
NAMES = frozenset({*FAMILIES, *(family.upper() for family in FAMILIES)})


def outside() -> list[Path]:
    """Every module that belongs to no family."""
    own = {ROOT / "memory" / "dialects" / family for family in FAMILIES}
    modules = sorted((ROOT / "memory").rglob("*.py"))
    return [path for path in modules if "migrations" not in path.parts and not own & set(path.parents)]


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def imports_a_family(name: str) -> bool:
    return re.match(rf"memory\.dialects\.({'|'.join(FAMILIES)})\b", name) is not None


def decides(node: ast.AST) -> bool:
    """Whether a node is a family's name: a string that is nothing else, or a constant that is called so."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value in NAMES
    return (isinstance(node, ast.Attribute) and node.attr in NAMES) or (isinstance(node, ast.Name) and node.id in NAMES)


def test_families_are_imported_and_asked_for_by_name_less_and_less():
    texts = [(path, path.read_text(encoding="utf-8")) for path in outside()]
    trees = [(path, ast.parse(text)) for path, text in texts if any(name in text for name in NAMES)]
    nodes = [(path, node) for path, tree in trees for node in ast.walk(tree)]
    imports = {(path, node.lineno) for path, node in nodes if any(map(imports_a_family, imported(node)))}
    decisions = {(path, node.lineno) for path, node in nodes if decides(node)}
    assert (len(imports), len(decisions)) == (IMPORTS, DECISIONS), "lower the numbers above where they fell"


def dotted_names() -> list[str]:
    """What is named by a string in code or settings and imported when it is wanted."""
    named = {settings.SESSION_ENGINE, *settings.MIDDLEWARE, settings.ROOT_URLCONF}
    models = {model._meta.label_lower for model in apps.get_app_config("memory").get_models()}
    for path in [*(ROOT / "memory").rglob("*.py"), *(ROOT / "kenoweb").rglob("*.py")]:
        named |= set(re.findall(r"""["']((?:memory|kenoweb)(?:\.[a-z_]+)+)["']""", path.read_text(encoding="utf-8")))
    return sorted(named - models)


def test_what_is_named_by_a_string_can_be_imported():
    names = dotted_names()
    assert len(names) > 20
    assert [name for name in names if not importable(name)] == []


def importable(name: str) -> bool:
    with suppress(ModuleNotFoundError):
        return import_module(name) is not None
    try:
        return import_string(name) is not None
    except ImportError:
        return False


def test_address_of_the_task_in_rows_stays():
    """Rows of queued jobs hold it: under another one they would never be done."""
    from memory.jobs.tasks import run_job

    assert run_job.module_path == "memory.jobs.tasks.run_job"
