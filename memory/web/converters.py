"""What stands for a document, a chat and a day in addresses."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import StringConverter


class DocumentPath(StringConverter):
    """A document's path in an address: any characters, for a file's name may hold a line end too."""

    regex = r"[\s\S]+"


class DayName(StringConverter):
    """A day as files are named after it. Whether a calendar has it is not asked: 2025-13-45 may be the name of a file."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


class Scope(DocumentPath):
    """A session id in an address: any characters but a slash and NUL, which no file name has and PostgreSQL cannot hold."""

    regex = r"[^/\0]+"


register_converter(DocumentPath, "document")
register_converter(Scope, "scope")
register_converter(DayName, "day")
