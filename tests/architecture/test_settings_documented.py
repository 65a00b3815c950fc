from __future__ import annotations

import re
from pathlib import Path

import pytest

from kenoweb.env import VARIABLES

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `([A-Z_]+)`( \(secret\))? \| (.+?) \| (.+?) \|$", re.MULTILINE)


def documented(name):
    rows = ROW.findall((ROOT / name).read_text(encoding="utf-8"))
    return [(variable, bool(secret), default, what) for variable, secret, default, what in rows]


@pytest.mark.parametrize("name", ["README.md", "docs/settings.md"])
def test_document_lists_every_variable_as_the_code_knows_it(name):
    assert documented(name) == [(one.name, one.secret, one.default, one.what) for one in VARIABLES]


def test_settings_read_exactly_the_variables_of_the_table():
    source = (ROOT / "kenoweb/settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', source)) | set(
        re.findall(r'^        \("([A-Z_]+)", \d', source, re.M)
    )
    assert read == {variable.name for variable in VARIABLES}


def test_nothing_else_reads_the_environment():
    readers = [
        str(path.relative_to(ROOT))
        for package in ("kenoweb", "memory")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"os\.(environ|getenv)", path.read_text(encoding="utf-8"))
    ]
    assert sorted(readers) == [
        "kenoweb/asgi.py",
        "kenoweb/env.py",
        "kenoweb/wsgi.py",
        "memory/bots/directories.py",
    ]
