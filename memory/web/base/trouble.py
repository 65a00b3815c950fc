"""What stands above every page while Kenoweb's own database is in trouble."""

from __future__ import annotations

from django.http import HttpRequest

from memory.storage import database
from memory.web.base.said import said


def of_the_database(request: HttpRequest) -> dict[str, str]:
    """A context processor: `database_trouble`, "" if there is none."""
    return {"database_trouble": said(database.trouble())}
