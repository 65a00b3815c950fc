"""Tools that people would pick instead, each in an environment of its own that is made on demand and no dependency of ours."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote
from urllib.request import Request, urlopen

from bench.parts import serving

INSTALL_SECONDS = 900
QUIET_SECONDS = 0.1  # of CPU in a second


class Missing(Exception):
    """A peer that cannot be measured here; the message says why."""


class Peer(Protocol):
    """A running tool over a directory of notes."""

    pid: int  # of the session that its processes are in

    def search(self, words: str) -> str:
        """Everything that it answers to a search."""

    def close(self) -> None:
        """End it."""


def environment(at: Path, package: str, extra: str = "") -> Path:
    """The programs of a package in an environment of its own, with what it calls an extra. Raises Missing."""
    there = at / package / "bin"
    if not (there / ".installed").exists():
        venv.create(at / package, with_pip=True)
        words = [str(there / "pip"), "install", "-q", "--disable-pip-version-check", package + extra]
        done = subprocess.run(words, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
        if done.returncode:
            raise Missing(f"not installable here: {done.stderr.strip().splitlines()[-1][:160]}")
        (there / ".installed").touch()
    return there


class Mcp:
    """A server of the Model Context Protocol, spoken to over its standard input. `tool` searches, given `arguments`."""

    def __init__(self, words: Sequence[str], more: dict[str, str], tool: str, arguments: dict[str, Any]) -> None:
        self.tool, self.arguments, self.number = tool, arguments, 0
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **more},
            start_new_session=True,
        )
        self.pid = self.process.pid
        about = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", about)
        self._send({"method": "notifications/initialized"})

    def ask(self, method: str, told: dict[str, Any]) -> str:
        """The line with which it answers. Raises Missing."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": told})
        for line in self.process.stdout or ():
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                if isinstance(said, dict) and said.get("id") == self.number:
                    return line
        raise Missing("it ended when it was asked")

    def search(self, words: str) -> str:
        return self.ask("tools/call", {"name": self.tool, "arguments": {**self.arguments, "query": words}})

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.communicate()

    def _send(self, said: dict[str, Any]) -> None:
        if self.process.stdin:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **said}) + "\n")
            self.process.stdin.flush()


class Ours:
    """Kenoweb's API, asked with a token."""

    def __init__(self, server: serving.Server, token: str) -> None:
        self.server, self.token, self.pid = server, token, server.process.pid

    def search(self, words: str) -> str:
        address = (
            f"http://{self.server.host}:{self.server.port}/api/v1/bots/kenobot/facts/search?limit=10&q={quote(words)}"
        )
        asked = Request(address, headers={"Authorization": f"Bearer {self.token}"})
        with urlopen(asked, timeout=300) as answer:
            return str(answer.read(), "utf-8")

    def close(self) -> None:
        """It ends with its own context."""


class Ripgrep:
    """Every line that holds one of the words, looked for anew each time."""

    pid = 0

    def __init__(self, program: Path, notes: Path) -> None:
        self.program, self.notes = program, notes

    def search(self, words: str) -> str:
        given = [part for word in words.split() for part in ("-e", word)]
        done = subprocess.run(
            [str(self.program), "-i", "-F", *given, str(self.notes)], capture_output=True, text=True, check=False
        )
        return done.stdout

    def close(self) -> None:
        """Nothing runs on."""


def mdsift(at: Path, notes: Path, _home: Path) -> Mcp:
    program = environment(at, "mdsift") / "mdsift-server"
    return Mcp([str(program), str(notes)], {}, "search", {"top_n": 10})


def markdown_vault(at: Path, notes: Path, home: Path) -> Mcp:
    program = environment(at, "markdown-vault-mcp", "[file-watcher]") / "markdown-vault-mcp"
    told = {"SOURCE_DIR": str(notes), "INDEX_PATH": str(home / f"{notes.name}.vault")}
    more = {f"MARKDOWN_VAULT_MCP_{name}": value for name, value in told.items()}
    return Mcp([str(program), "serve"], more, "search", {"mode": "keyword", "limit": 10})


def basic_memory(at: Path, notes: Path, home: Path) -> Mcp:
    program = environment(at, "basic-memory") / "basic-memory"
    more = {"BASIC_MEMORY_HOME": str(notes), "HOME": str(home)}
    return Mcp([str(program), "mcp"], more, "search_notes", {"page_size": 10})


def memory_service(at: Path, _notes: Path, _home: Path) -> Mcp:
    environment(at, "mcp-memory-service")
    raise Missing("follows no directory: it keeps texts that it is handed, and finds them by a model from the net")


def ripgrep(at: Path, notes: Path, _home: Path) -> Ripgrep:
    return Ripgrep(environment(at, "ripgrep") / "rg", notes)


def kenobot(_at: Path, _notes: Path, _home: Path) -> Mcp:
    raise Missing("in no package registry: its server is a program of Node's from its own repository")


EVERY = {
    "mdsift": mdsift,
    "markdown-vault-mcp": markdown_vault,
    "basic-memory": basic_memory,
    "mcp-memory-service": memory_service,
    "ripgrep": ripgrep,
    "KenoBot": kenobot,
}


def token(variables: dict[str, str]) -> str:
    """A token of the API for the bot of a Kenoweb that runs with these variables."""
    code = (
        "import django; django.setup()\n"
        "from memory.access import api_tokens; from memory.models import Bot\n"
        "print(api_tokens.make(Bot.objects.get(), 'bench', 'read').text)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def settled(pid: int, patience: float = 120.0) -> None:
    """Wait until the processes of a session hardly work any more: what a tool does behind its first answer is not its search."""
    until, before = time.monotonic() + patience, _worked(pid)
    while pid and time.monotonic() < until:
        time.sleep(1.0)
        now = _worked(pid)
        if now - before < QUIET_SECONDS:
            return
        before = now


def _worked(pid: int) -> float:
    """Seconds of CPU that the processes of a session have used."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            after_name = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(after_name[3]) == pid:
                ticks += int(after_name[11]) + int(after_name[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def held(pid: int) -> int:
    """Bytes that the processes of a session hold, shared ones counted once."""
    found = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.getsid(int(process.name)) == pid:
                said = (process / "smaps_rollup").read_text(encoding="ascii")
                found += sum(int(size) << 10 for size in re.findall(r"^Pss:\s+(\d+) kB$", said, re.MULTILINE))
    return found
