"""The rules are tried on the desk that the pages have."""

from __future__ import annotations

from tests.web.conftest import desk

__all__ = ["desk"]
