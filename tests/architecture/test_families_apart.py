"""A family of bots is a plug-in: what stands outside its own package does not name it, in code, template, script or style."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.utils.module_loading import import_string

from memory.bots import families

ROOT = Path(__file__).resolve().parents[2]
DIALECTS = ROOT / "memory" / "dialects"
OWN = {path.parent for path in DIALECTS.glob("*/family.py")}
ROOMS = ("memory", "templates", "static", "kenoweb")
# Families by the names of their packages, and the bots that keep their memory as one of them does.
NAMES = [path.name for path in OWN] + ["openclaw", "clawdbot", "moltbot", "hkuds", "hermes", "claude"]
NAMED = re.compile("|".join(NAMES), re.IGNORECASE)
PLUGGED_IN = re.search(
    r"^DIALECTS = .*$", (ROOT / "kenoweb" / "settings.py").read_text(encoding="utf-8"), re.MULTILINE
)[0]
VARIABLE = "a documented variable, read with all others before there is any family"
ALLOWED = {
    "kenoweb/env.py": {
        '"KENOBOT_HOME", "`~/.kenobot`", "The directory of the first bot, a KenoBot."': VARIABLE,
        "$KENOBOT_HOME/": VARIABLE,
    },
    "kenoweb/settings.py": {
        PLUGGED_IN: "here families are plugged in",
        '"KENOBOT_HOME", "~/.kenobot"': VARIABLE,
        "KENOBOT_VARIABLES": "which of the documented variables are set",
        "KENOBOT_HOME": VARIABLE,
    },
}


def outside() -> list[Path]:
    """Every file of the rooms that belongs to no family."""
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*")) if path.is_file()]
    return [path for path in files if not OWN & set(path.parents) and "__pycache__" not in path.parts]


def text_of(path: Path) -> str:
    """Its path and all that stands in it, but for what is allowed there."""
    name = str(path.relative_to(ROOT))
    text = f"{name}\n{path.read_text(encoding='utf-8', errors='replace')}"
    for allowed in ALLOWED.get(name, ()):
        text = text.replace(allowed, "")
    return text


def test_no_family_is_named_outside_of_its_package():
    files = outside()
    assert {path.name for path in OWN} == set(re.findall(r'"(\w+)"', PLUGGED_IN))
    assert len(files) > 500
    assert {path.suffix for path in files} >= {".py", ".html", ".js", ".css"}
    named = [path for path in files if NAMED.search(text_of(path))]
    assert [(path, line) for path in named for line in text_of(path).split("\n") if NAMED.search(line)] == []


def test_what_is_allowed_is_there_and_would_be_found():
    for name, allowed in ALLOWED.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert [one for one in allowed if one not in text or not NAMED.search(one)] == []


def test_no_page_of_a_family_is_named_outside_of_its_package():
    own = {pattern.name for pattern in families.urlpatterns()}
    addresses = re.compile(rf"""["']memory:({"|".join(map(str, own))})["']""")
    assert len(own) > 5
    assert [path for path in outside() if addresses.search(text_of(path))] == []


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
