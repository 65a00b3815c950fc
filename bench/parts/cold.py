"""The bench's site for pages: statements are counted, and what a page might have from an earlier visit is not there."""

from __future__ import annotations

from bench.parts.site import *  # noqa: F403
from bench.parts.site import MIDDLEWARE as OF_THE_SITE

MIDDLEWARE = ["bench.parts.counting.Statements", *OF_THE_SITE]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
