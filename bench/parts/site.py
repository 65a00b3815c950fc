"""The site's own settings, and one empty page beside the site's own."""

from __future__ import annotations

from kenoweb.settings import *  # noqa: F403

ROOT_URLCONF = "bench.parts.urls"
