"""Ids of the form that bots make at random, for what is the same thing whenever it is taken in."""

from __future__ import annotations

import uuid
from hashlib import sha256


def id_of(told: str) -> str:
    """The id of what is told by this text: the same text has the same one."""
    return str(uuid.UUID(bytes=sha256(told.encode("utf-8", "surrogatepass")).digest()[:16], version=4))
