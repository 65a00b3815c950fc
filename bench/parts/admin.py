"""Django admin's own list of documents, with as many rows as the request's header says: what pages are measured against."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from bench.parts.counting import ROWS
from memory.admin.base import ModelAdmin
from memory.models import Document


class Rows(ModelAdmin):
    """Some columns and filters, and the rest as Django has it."""

    list_display = ("path", "bot", "kind", "tier", "scope", "day", "size", "facts_count", "error")
    list_filter = ("bot", "kind", "tier")
    search_fields = ("path", "scope")

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        shown = copy(self)
        shown.list_per_page = int(request.headers[ROWS])
        return super(Rows, shown).get_changelist_instance(request)


site = AdminSite("beside")
site.register(Document, Rows)
