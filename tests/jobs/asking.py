"""The site's own settings, and a kind of job that asks the language model and does nothing else."""

from __future__ import annotations

from kenoweb.settings import *  # noqa: F403

JOB_WORKS = {"summary": "tests.jobs.asks"}
