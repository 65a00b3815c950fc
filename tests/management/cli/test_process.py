"""The command as a process of its own, from nothing: what is printed where, and how it exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kenoweb.env import VARIABLES
from tests.management.cli.conftest import FILES, fill
from tests.support import prepared
from tests.support.commands import Commands

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[3]


@pytest.fixture
def home(tmp_path):
    return prepared.home(tmp_path / "home")


@pytest.fixture
def manage(process):
    """Runs `manage.py memory` there."""

    def run(*words: str, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
        return process("memory", *words, stdin=stdin, **more)

    return run


@pytest.fixture
def environment(tmp_path):
    return environment_in(tmp_path)


def environment_in(folder):
    """A KenoBot directory and a KENOWEB_HOME that is empty, or `home`."""
    fill(folder / "keno" / "data" / "memory", FILES)
    ours = {variable.name for variable in VARIABLES} | {"DJANGO_SETTINGS_MODULE"}
    env = {name: value for name, value in os.environ.items() if name not in ours}
    return env | {"KENOWEB_HOME": str(folder / "home"), "KENOBOT_HOME": str(folder / "keno")}


@pytest.fixture
def process(environment):
    return process_in(environment)


def process_in(environment):
    """Runs `manage.py` there."""

    def run(*words: str, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-W", "error", "manage.py", *words]
        return subprocess.run(
            command, cwd=PROJECT, env=environment | more, input=stdin, capture_output=True, timeout=200
        )

    return run


def test_a_command_imports_neither_the_other_commands_nor_other_families(environment, home):
    telling = "import atexit, runpy, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr));"
    typed = ["manage.py", "memory", "undo", "1", "--bot", "jobs"]
    told = subprocess.run(
        [sys.executable, "-c", f"{telling} sys.argv = {typed}; runpy.run_path('manage.py', run_name='__main__')"],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        timeout=50,
    ).stderr.decode()
    imported = [name.split(".") for name in told.split() if name.startswith("memory.")]
    assert {name[2] for name in imported if name[1] == "dialects" and len(name) > 2} == {"kenobot", "shared"}
    assert {name[3] for name in imported if name[2:3] == ["cli"] and len(name) > 3} == {"command", "write"}


def test_first_command_makes_database_and_bot_on_the_way(manage, tmp_path):
    done = manage("status", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    assert json.loads(done.stdout)["documents"] == len(FILES)
    assert (tmp_path / "home").stat().st_mode & 0o077 == 0


def test_two_first_commands_at_once_both_work(manage):
    """Both find no database; one makes it, the other waits."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: manage("bots", "--json"), range(2)))
    assert [done.returncode for done in both] == [0, 0], both
    assert {len(json.loads(done.stdout)["bots"]) for done in both} == {1}


def test_refusal_is_exit_1_with_one_line_on_stderr(home, manage):
    done = manage("show", "missing.md")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


def test_usage_is_exit_2(home, manage):
    done = manage("nonsense")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"usage:" in done.stderr


def test_show_and_write_keep_bytes_as_they_are(home, manage, tmp_path):
    odd = b"\xef\xbb\xbf# Caf\xe9\r\n\r\n- a  \nlast"
    made = manage("write", "chats/telegram-9/MEMORY.md", "--json", stdin=odd)
    assert (made.returncode, made.stderr) == (0, b"")
    assert (tmp_path / "keno" / "data" / "memory" / "chats" / "telegram-9" / "MEMORY.md").read_bytes() == odd
    assert manage("show", "chats/telegram-9/MEMORY.md").stdout == odd


def test_environment_that_cannot_be_read_is_one_line(manage):
    done = manage("status", MEMORY_DAYS="many")
    assert done.returncode == 1
    assert b"MEMORY_DAYS" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """The environment of a site where all that follows only asks."""
    folder = tmp_path_factory.mktemp("site")
    prepared.home(folder / "home")
    return environment_in(folder)


@pytest.fixture(scope="module")
def commands(lasting):
    commands = Commands(lasting)
    yield commands
    commands.close()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("memory", "--json", "status"), 0),
        (("memory", "show", "missing.md"), 1),
        (("memory", "nonsense"), 2),
        (("shell", "--no-imports", "-c", "import os; os._exit(7)"), 7),
        (("shell", "--no-imports", "-c", "import os; os.kill(os.getpid(), 9)"), -9),
        (("shell", "--no-imports", "-c", "import sys; print(len(sys.stdin.read())); sys.exit('Enough.')"), 1),
    ],
    ids=str,
)
def test_command_of_a_site_says_and_ends_as_a_process_does(commands, lasting, words, code):
    """What the browser tests take for a process: tests/support/commands.py."""
    forked, own = commands.run(*words), process_in(lasting)(*words)
    assert forked.returncode == own.returncode == code
    assert (forked.stdout.encode(), forked.stderr.encode()) == (own.stdout, own.stderr)


def test_command_of_a_site_leaves_nothing_behind_for_the_next(commands):
    failed = commands.run("shell", "--no-imports", "-c", "import memory; memory.left = 1; 1 / 0")
    assert failed.returncode == 1
    assert failed.stderr.endswith("ZeroDivisionError: division by zero\n")
    asked = commands.run("shell", "--no-imports", "-c", "import memory; print(hasattr(memory, 'left'))")
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "False\n", "")


def test_command_that_lasts_goes_on_beside_others_until_all_are_closed(lasting, tmp_path):
    commands = Commands(lasting)
    waits = "import os, sys, time; print('wrong', file=sys.stderr); print(os.getpid(), flush=True); time.sleep(60)"
    said = commands.start(tmp_path / "errors", "shell", "--no-imports", "-c", waits)
    assert commands.start(tmp_path / "others", "shell", "--no-imports", "-c", "1 / 0") == ""
    assert "ZeroDivisionError" in (tmp_path / "others").read_text()
    assert commands.run("shell", "--no-imports", "-c", f"import os; os.kill({said}, 0)").returncode == 0
    commands.close(30)
    assert (tmp_path / "errors").read_text() == "wrong\n"
    with pytest.raises(ProcessLookupError):
        os.kill(int(said), 0)


HALF = "a\udcffb"


@pytest.mark.parametrize(
    "words",
    [
        ("search", HALF),
        ("search", "--chat", HALF, "tea"),
        ("context", "--chat", HALF),
        ("context", "--query", HALF),
        ("compact", "--chat", HALF),
        ("compact", "--today", HALF),
        ("show", HALF),
        ("facts", HALF),
        ("history", HALF),
        ("write", HALF),
        ("write", "MEMORY.md", "--base", HALF),
        ("turn", f"/nowhere/{HALF}"),
        ("export", f"/nowhere/{HALF}"),
        ("import", f"/nowhere/{HALF}"),
        ("add-bot", f"/nowhere/{HALF}"),
        ("status", "--bot", HALF),
        ("search", "\ud800"),
    ],
)
def test_half_a_character_is_refused_in_one_line(terminal, words):
    before = terminal.tree()
    done = terminal(*words, stdin=b"x")
    assert done.code in (1, 2), done
    assert done.err.strip()
    assert "Traceback" not in done.err
    if done.code == 1:
        assert done.err.count("\n") == 1
    assert terminal.tree() == before
