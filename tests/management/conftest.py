"""The real server, started as people start it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import prepared

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"^Kenoweb is running\. Open (http://\S+/login\?token=\S+) \(valid once, ten minutes\)$")


@pytest.fixture
def serve(tmp_path):
    """Starts `manage.py serve` on a machine with an empty home; returns the process and its login link."""
    started = []

    def start(*arguments, program=("manage.py",), **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **variables}
        command = [sys.executable, *program, "serve", *arguments]
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        line = process.stdout.readline()
        found = LINK.match(line.strip())
        assert found, line + process.stderr.read()
        return process, found[1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def home(tmp_path):
    """Somebody started it here before."""
    return prepared.home(tmp_path / ".kenoweb")
