"""The site's own settings, and a kind of job that only notes that it was done."""

from __future__ import annotations

from kenoweb.settings import *  # noqa: F403

JOB_WORKS = {"summary": "bench.parts.noting"}
