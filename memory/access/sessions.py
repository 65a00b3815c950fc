"""Django's sessions in the database, each with its user, its browser and its beginning: `SESSION_ENGINE` names this module.

Whoever logs somebody in puts AGENT and STARTED (ISO) into the session.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from memory.models import Session

AGENT = "agent"
STARTED = "started"
AGENT_LENGTH = 200


class SessionStore(DatabaseStore):
    """Sessions as `memory.models.Session` rows."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The model that keeps the data."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row of this session, with whose it is."""
        row = super().create_model_instance(data)
        assert isinstance(row, Session)  # noqa: S101 - of get_model_class
        user = str(data.get(SESSION_KEY, ""))
        row.user_id = int(user) if user.isdigit() else None
        started = data.get(STARTED)
        row.started = datetime.fromisoformat(started) if isinstance(started, str) else None
        row.agent = str(data.get(AGENT, ""))[:AGENT_LENGTH]
        return row
