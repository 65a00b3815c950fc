"""The site's own settings, with the bench's addresses beside the site's own."""

from __future__ import annotations

from kenoweb.settings import *  # noqa: F403

ROOT_URLCONF = "bench.parts.urls"
