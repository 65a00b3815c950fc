"""The numbers by which jobs are held, tried again and looked after."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Timing:
    """Times in seconds."""

    lease: float = 30  # a worker that has not been heard of for so long is believed dead
    tries: int = 4  # attempts that a job gets; one that is handed back does not count
    waits: tuple[float, ...] = (15, 60, 300)  # before the second attempt, the third and so on
    poll: float = 0.5  # an idle worker looks for work
    beat: float = 5  # and for workers that died
    settle: float = 2  # and for lines that bots wrote into files while these were replaced
    sweep: float = 60  # and for what was lost, and for what is due
    grace: float = 3  # for the job of a worker that is told to stop
    keep_days: int = 14  # for which Django's rows of finished tasks are kept; the jobs themselves stay


def timing() -> Timing:
    """The numbers, with what Django's setting JOB_TIMING names in their place."""
    return Timing(**getattr(settings, "JOB_TIMING", {}))
