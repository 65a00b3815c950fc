"""The commands of a site: each a process of its own, but none that has to import everything first.

One process has Django and the commands ready and waits. Asked for a command, it forks: what is printed, how it ends and what it
leaves behind are those of `manage.py` with these words, in a tenth of the time. A command that lasts, as a server does, ends with
this process."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import django
from django.core.management import execute_from_command_line, load_command_class
from django.db.migrations.loader import MigrationLoader
from django.urls import get_resolver

ROOT = Path(__file__).resolve().parents[2]


class Commands:
    """Runs commands in one environment; the process that they come from starts with the first."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._ready: subprocess.Popen[str] | None = None

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(words, *self._ask(words))

    def start(self, errors: Path, *words: str) -> str:
        """Start a command that goes on until all this is closed; the first line that it says, "" if it ended without one."""
        (line,) = self._ask(words, str(errors))
        return line

    def _ask(self, words: tuple[str, ...], errors: str | None = None) -> list[Any]:
        self._ready = self._ready or subprocess.Popen(
            [sys.executable, "-m", "tests.support.commands"],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._ready.stdin
        assert self._ready.stdout
        print(json.dumps([words, errors]), file=self._ready.stdin, flush=True)
        told = self._ready.stdout.readline()
        assert told, "What runs the commands ended; its reason stands on stderr."
        answer: list[Any] = json.loads(told)
        return answer

    def close(self, patience: float | None = None) -> None:
        if self._ready:
            self._ready.communicate(timeout=patience)  # which closes its input, and that is its end


def wait_for_commands() -> None:
    """Forks for each line of the input, and tells how that ended, or how it began. Returns in the forked processes only."""
    lasting = []
    for line in sys.stdin:
        words, errors = json.loads(line)
        if errors:
            reading, writing = os.pipe()
            with open(errors, "w") as err:
                pid = _forked(words, writing, err.fileno())
            if not pid:
                return
            os.close(writing)
            lasting.append((pid, os.fdopen(reading)))  # open as long as it may say more
            print(json.dumps([lasting[-1][1].readline()]), flush=True)
            continue
        with TemporaryFile() as out, TemporaryFile() as err:
            pid = _forked(words, out.fileno(), err.fileno())
            if not pid:
                return
            _, status = os.waitpid(pid, 0)
            print(json.dumps([os.waitstatus_to_exitcode(status), _text(out), _text(err)]), flush=True)
    for pid, _ in lasting:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
    sys.exit()


def _forked(words: list[str], out: int, err: int) -> int:
    """The process that is to run a command; 0 in that process."""
    pid = os.fork()
    if not pid:
        with open(os.devnull) as nothing:
            for number, file in enumerate((nothing.fileno(), out, err)):
                os.dup2(file, number)
        sys.argv = ["manage.py", *words]
    return pid


def _import_what_commands_need() -> None:
    load_command_class("memory", "memory").create_parser("manage.py", "memory")  # every family's
    MigrationLoader(None)  # each command looks whether the tables are behind
    _ = get_resolver().url_patterns  # a link is the address of a view


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kenoweb.settings")
    django.setup()
    _import_what_commands_need()
    gc.freeze()  # nothing of that is garbage: no collection goes over it again
    wait_for_commands()
    execute_from_command_line(sys.argv)
