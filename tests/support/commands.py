"""The commands of a site: each a process of its own, but none that has to import everything first.

One process has Django and the commands ready and waits. Asked for a command, it forks: what is printed, how it ends and what it
leaves behind are those of `manage.py` with these words, in a tenth of the time."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

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
        print(json.dumps(words), file=self._ready.stdin, flush=True)
        told = self._ready.stdout.readline()
        assert told, "What runs the commands ended; its reason stands on stderr."
        return subprocess.CompletedProcess(words, *json.loads(told))

    def close(self) -> None:
        if self._ready:
            self._ready.communicate()  # which closes its input, and that is its end


def wait_for_commands() -> None:
    """Forks for each line of the input, and tells how that ended. Returns in the forked processes only."""
    for line in sys.stdin:
        with TemporaryFile() as out, TemporaryFile() as err, open(os.devnull) as nothing:
            pid = os.fork()
            if not pid:
                for number, file in enumerate((nothing, out, err)):
                    os.dup2(file.fileno(), number)
                sys.argv = ["manage.py", *json.loads(line)]
                return
            _, status = os.waitpid(pid, 0)
            print(json.dumps([os.waitstatus_to_exitcode(status), _text(out), _text(err)]), flush=True)
    sys.exit()


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
