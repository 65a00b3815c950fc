"""Long work: queued as a row, taken by a worker, done once, also where workers die. What a job does is in `kinds.py`."""

from memory.jobs.rows import again, cancel, queue
from memory.jobs.run import Cancelled, Failed, Lost, Outcome, Run, Stopped

__all__ = ["Cancelled", "Failed", "Lost", "Outcome", "Run", "Stopped", "again", "cancel", "queue"]
