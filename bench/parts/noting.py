"""Work that notes in a file that it was done: as a job, and as a bare task of Django."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from django.conf import settings
from django_tasks import task

if TYPE_CHECKING:
    from memory.jobs import Outcome, Run


def work(run: Run) -> Outcome:
    """The job."""
    from memory.jobs import Outcome
    from memory.models import Job

    note(run.job.params["number"])
    return Outcome(Job.State.APPLIED)


@task()
def bare(number: int) -> None:
    """The same without a job."""
    note(number)


def note(number: int) -> None:
    """A line in one write, so that several processes do not mix theirs."""
    file = os.open(settings.KENOWEB_HOME / "notes", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(file, f"{number}\n".encode())
    finally:
        os.close(file)
