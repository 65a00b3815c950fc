"""Django admin's own list of documents, with as many rows as the request's header says: what pages are measured against."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from bench.parts.counting import ROWS
from memory.admin.base import ModelAdmin
from memory.admin.index import DocumentAdmin
from memory.models import Document


class Rows(ModelAdmin):
    """The columns and filters that operators have, and the rest as Django has it."""

    list_display = DocumentAdmin.list_display
    list_filter = DocumentAdmin.list_filter
    search_fields = DocumentAdmin.search_fields

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        shown = copy(self)
        shown.list_per_page = int(request.headers[ROWS])
        return super(Rows, shown).get_changelist_instance(request)


site = AdminSite("beside")
site.register(Document, Rows)
