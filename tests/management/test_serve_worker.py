"""`serve` and the worker beside it: they live and end together, also when a job is waiting for something slow."""

from __future__ import annotations

import fcntl
import hashlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing

import pytest

from tests.management.conftest import ROOT
from tests.management.test_serve import gone, stop, workers_of
from tests.support.together import until

pytestmark = pytest.mark.slow

WANTED_SECONDS = 10


@pytest.fixture
def stubborn():
    """A server that takes connections and never answers."""
    with ExitStack() as kept:
        listening = kept.enter_context(socket.create_server(("127.0.0.1", 0)))
        asked = threading.Event()

        def take():
            while True:
                try:
                    connection, _address = listening.accept()
                except OSError:
                    return
                kept.enter_context(connection)
                asked.set()

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", asked


def test_worker_comes_and_goes_with_the_server_and_again_when_it_dies(serve, home):
    process, _ = serve("--sample", "--port", "0")
    (first,) = until(lambda: workers_of(process))
    first.kill()
    (second,) = until(lambda: [one for one in workers_of(process) if one.pid != first.pid])
    code, _, err = stop(process, signal.SIGINT)
    assert code == 0
    assert gone(second)
    assert "the worker ended and is started again in 1 s" in err
    assert "Traceback" not in err


def test_worker_ends_when_the_server_is_killed(serve, home):
    process, _ = serve("--sample", "--port", "0")
    (worker,) = until(lambda: workers_of(process))
    process.kill()
    until(lambda: gone(worker))


@pytest.fixture
def reading(serve, tmp_path):
    """A server from nothing, the process that reads the files at its start, and what that one waits for."""
    memory, locks = tmp_path / "bot", tmp_path / ".kenoweb" / "locks"
    for directory in (memory, locks):
        directory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- Likes tea\n", encoding="utf-8")
    with (locks / "walk-1.lock").open("w", encoding="ascii") as walk:
        fcntl.flock(walk, fcntl.LOCK_EX)
        process, _ = serve("--port", "0", MEMORY_DIR=str(memory))
        (reader,) = until(lambda: workers_of(process, "kenoweb reader"))
        yield process, reader, walk


def test_tables_are_made_and_files_read_in_a_process_that_ends_with_that(reading, tmp_path):
    process, reader, walk = reading
    assert known(tmp_path / ".kenoweb") == set()
    fcntl.flock(walk, fcntl.LOCK_UN)
    assert until(lambda: gone(reader))
    assert known(tmp_path / ".kenoweb") == {"Likes tea"}
    code, _, err = stop(process, signal.SIGINT)
    assert (code, "Added KenoBot" in err, "ended" in err) == (0, True, False)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_reads_the_files_ends_when_the_server_does(reading, how):
    process, reader, _walk = reading
    process.send_signal(how)
    assert until(lambda: gone(reader))


def queued(tmp_path, **variables):
    """A job in this home that asks a language model."""
    code = """
from memory import jobs, journal
from memory.models import Bot, Job
job = jobs.queue(Bot.objects.first(), Job.Kind.SUMMARY, {}, journal.By("a test"))
print(job.pk)
"""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **variables}
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return int(done.stdout)


def row(home, pk):
    with closing(sqlite3.connect(home / "kenoweb.sqlite3")) as database:
        return database.execute("SELECT state, attempt, holder FROM memory_job WHERE id = ?", [pk]).fetchone()


def known(home):
    with closing(sqlite3.connect(home / "kenoweb.sqlite3")) as database:
        return {text for (text,) in database.execute("SELECT text FROM memory_fact")}


def test_what_another_process_writes_is_found_without_a_request(serve, home, tmp_path):
    memory = tmp_path / "bot"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("- Likes tea\n", encoding="utf-8")
    process, _ = serve("--port", "0", MEMORY_DIR=str(memory))
    assert until(lambda: "Likes tea" in known(home) and (home / "watched").exists())
    subprocess.run(["sh", "-c", f"echo '- Likes Go' >> {memory}/MEMORY.md"], check=True)
    began = time.monotonic()
    assert until(lambda: "Likes Go" in known(home))
    assert time.monotonic() - began < 40  # one on a machine with nothing else to do; the walk would take a minute
    (worker,) = workers_of(process)
    noted = (home / "watched").stat().st_mtime_ns
    worker.kill()
    assert until(lambda: [one for one in workers_of(process) if one.pid != worker.pid])
    subprocess.run(["sh", "-c", f"echo '- Likes rain' >> {memory}/MEMORY.md"], check=True)
    assert until(lambda: "Likes rain" in known(home))
    # A killed one leaves its note, and the next may find the line before it watches.
    assert until(lambda: (home / "watched").stat().st_mtime_ns != noted)
    assert stop(process, signal.SIGINT)[0] == 0
    assert not (home / "watched").exists()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_server_ends_in_time_while_a_job_waits_for_a_slow_model(serve, home, tmp_path, stubborn, how):
    address, asked = stubborn
    variables = {
        "LLM_BASE_URL": address,
        "LLM_MODEL": "slow",
        "LLM_TIMEOUT": "600",
        "DJANGO_SETTINGS_MODULE": "tests.jobs.asking",
    }
    process, _ = serve("--sample", "--port", "0", **variables)
    job = queued(tmp_path, **variables)
    assert asked.wait(60)
    assert stop(process, how)[0] == 0
    assert row(home, job) == ("queued", 0, "")


def test_worker_alone_says_so_does_what_waits_and_stops(home, tmp_path):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.jobs.idle"}
    command = [sys.executable, "manage.py", "worker"]
    (tmp_path / ".kenobot" / "memory").mkdir(parents=True)
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "The worker is running. Ctrl-C ends it.\n"
        job = queued(tmp_path, DJANGO_SETTINGS_MODULE="tests.jobs.idle")
        until(lambda: row(home, job)[0] == "applied")
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=WANTED_SECONDS) == ("", "")
        assert process.returncode == 0
        assert time.monotonic() - began < 5
    finally:
        process.kill()


def measured(home):
    with closing(sqlite3.connect(home / "kenoweb.sqlite3")) as database:
        return [facts for (facts,) in database.execute("SELECT facts FROM memory_measure")]


def test_worker_once_does_what_waits_keeps_the_numbers_up_and_ends(home, tmp_path):
    paper = tmp_path / ".kenobot" / "memory" / "MEMORY.md"
    paper.parent.mkdir(parents=True)
    paper.write_text("- Likes tea\n", encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.jobs.idle"}
    subprocess.run(
        [sys.executable, "manage.py", "memory", "search", "tea"],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
    )
    job = queued(tmp_path, DJANGO_SETTINGS_MODULE="tests.jobs.idle")
    done = subprocess.run(
        [sys.executable, "manage.py", "worker", "--once"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert row(home, job)[0] == "applied"
    assert measured(home) == [1]


def test_a_late_line_comes_home_although_nobody_looks(serve, home, tmp_path):
    """A bot had the file open when it was replaced. The worker beside the server looks after it within seconds."""
    paper = tmp_path / ".kenobot" / "memory" / "MEMORY.md"
    paper.parent.mkdir(parents=True)
    paper.write_bytes(b"- Likes tea\n")
    serve("--port", "0")
    base = hashlib.sha256(paper.read_bytes()).hexdigest()
    command = [sys.executable, "manage.py", "memory", "write", "MEMORY.md", "-", "--base", base]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    with paper.open("ab", buffering=0) as old:
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, input=b"- Likes coffee\n")
        assert paper.read_bytes() == b"- Likes coffee\n"
        old.write(b"- late\n")
    until(lambda: paper.read_bytes() == b"- Likes coffee\n- late\n", seconds=20)
