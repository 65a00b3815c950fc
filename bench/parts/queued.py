"""Queue jobs and bare tasks, and time workers that take them: `python queued.py`, told what to do by JSON on stdin. Says JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

if not __package__:  # run as a script: the project is two directories up
    sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from bench.parts import place

PATIENCE_SECONDS = 600.0
BARE, JOBS = "bare tasks", "jobs"


def main() -> int:
    told = json.loads(sys.stdin.read())
    place.enter(Path(told["home"]), DJANGO_SETTINGS_MODULE="bench.parts.jobs_site", **told["environment"])
    rows = []
    for workers in told["workers"]:
        with crew(workers):
            for what in (BARE, JOBS):
                rounds = [timed(what, told["jobs"]) for _ in range(told["rounds"])]
                rows.append({"workers": workers, "what": what, "rounds": rounds})
    print(json.dumps(rows))
    return 0


@contextmanager
def crew(workers: int) -> Iterator[None]:
    """So many processes of `manage.py worker`, idle when this begins."""
    words = [sys.executable, "manage.py", "worker"]
    living = [subprocess.Popen(words, cwd=place.ROOT, stdout=subprocess.PIPE, text=True) for _ in range(workers)]
    try:
        for one in living:
            if one.stdout is None or not one.stdout.readline():
                raise SystemExit("A worker did not start.")
        yield
    finally:
        for one in living:
            one.terminate()
        for one in living:
            one.wait()


def timed(what: str, number: int) -> dict[str, Any]:
    """Queue so many at once, and wait until all are done. Seconds from the first that is taken to the end of the last."""
    from django_tasks_db.models import DBTaskResult

    from memory.models import Job

    notes = Path(os.environ["KENOWEB_HOME"]) / "notes"
    notes.unlink(missing_ok=True)
    DBTaskResult.objects.all().delete()
    Job.objects.all().delete()
    enqueue(what, number)
    over = time.monotonic() + PATIENCE_SECONDS
    while DBTaskResult.objects.filter(status__in=["READY", "RUNNING"]).exists() and time.monotonic() < over:
        time.sleep(0.2)
    began = DBTaskResult.objects.earliest("started_at").started_at
    ended = DBTaskResult.objects.latest("finished_at").finished_at
    done = Counter(notes.read_text(encoding="ascii").split())
    return {
        "seconds": (ended - began).total_seconds(),
        "missing": sum(str(one) not in done for one in range(number)),
        "doubled": sum(times - 1 for times in done.values()),
        "ended": Job.objects.filter(state=Job.State.APPLIED, attempt=1).count() if what == JOBS else number,
    }


def enqueue(what: str, number: int) -> None:
    """All in one transaction, so that nobody begins before the last is there."""
    from django.db import transaction

    from bench.parts import noting
    from memory import bots, jobs, journal
    from memory.models import Job

    bot = bots.default_bot()
    if bot is None:
        raise SystemExit("There is no bot.")
    with transaction.atomic():
        for one in range(number):
            if what == JOBS:
                jobs.queue(bot, Job.Kind.SUMMARY, {"number": one}, journal.By("bench"))
            else:
                noting.bare.enqueue(one)


if __name__ == "__main__":
    sys.exit(main())
