"""The same without the cache of sums: every page is as it is right after the files changed."""

from __future__ import annotations

from bench.parts.counted import *  # noqa: F403

CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
