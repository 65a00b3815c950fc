"""Documents and docstrings name files that are there: every path of this project in backticks or in a link."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.test_floors import MODULES, nodes

ROOT = Path(__file__).resolve().parents[2]
TOPS = ("memory", "tests", "docs", "bench", "templates", "static", "locale", "kenoweb", ".ci")
ROOMS = tuple(sorted(path.name for path in (ROOT / "memory").iterdir() if path.is_dir() and path.name != "__pycache__"))
HEADS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
DOCUMENTS = [ROOT / name for name in HEADS] + sorted((ROOT / "docs").rglob("*.md"))
QUOTED = re.compile(r"`([^`\s]+)`")
LINKED = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
OURS = re.compile(
    rf"(memory/)?({'|'.join(ROOMS)})/[\w./-]*|({'|'.join(map(re.escape, TOPS))})/[\w./-]*|[\w-]+/[\w./-]*\.py"
)
MODULE = re.compile(r"`([\w/]+\.py)`")
THEIRS = re.compile(r"memory/[\w/-]*\w(\.(md|jsonl|json))?")  # a bot has a directory of that name, too

MEMBER = re.compile(r"([A-Z][a-z]\w*)\.([a-z]\w*)(\(.*\))?")


@cache
def members() -> set[tuple[str, str]]:
    """(class, what is set in its body) of every class."""
    found = set()
    for one in (node for module in MODULES for node in nodes(module) if isinstance(node, ast.ClassDef)):
        for part in one.body:
            names = [getattr(part, "name", ""), *(ast.unparse(target) for target in targets(part))]
            found |= {(one.name, name) for name in names}
    return found


def targets(part: ast.stmt) -> list[ast.expr]:
    return [part.target] if isinstance(part, ast.AnnAssign) else getattr(part, "targets", [])


def missing(document: Path) -> list[str]:
    """What a document names and nobody finds: quoted paths from the top or from `memory/`, links from where it stands."""
    text = document.read_text(encoding="utf-8")
    quoted = [name for name in QUOTED.findall(text) if OURS.fullmatch(name) and not THEIRS.fullmatch(name)]
    linked = [name for name in LINKED.findall(text) if "://" not in name and not name.startswith("mailto:")]
    lost = [
        found[0]
        for found in map(MEMBER.fullmatch, QUOTED.findall(text))
        if found and found.groups()[:2] not in members()
    ]
    gone = lost + [name for name in quoted if not any((top / name).exists() for top in (ROOT, ROOT / "memory"))]
    return gone + [name for name in linked if not (document.parent / name).exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_name_files_that_are_there(document):
    assert missing(document) == []


def test_modules_name_modules_that_are_there():
    found = [
        (path, name) for path in (ROOT / "memory").rglob("*.py") for name in MODULE.findall(path.read_text("utf-8"))
    ]
    assert len(found) > 5
    assert [
        (path, name) for path, name in found if not any((top / name).exists() for top in (path.parent, ROOT / "memory"))
    ] == []


def test_a_file_that_is_not_there_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "See `journal/never.py`, `journal/commit.py`, `MEMORY.md`, [this](gone.md) and `tests/never/`, `room/gone.py`, "
        "`Vault.read`, `Vault.never`."
    )
    assert missing(page) == ["Vault.never", "journal/never.py", "tests/never/", "room/gone.py", "gone.md"]
