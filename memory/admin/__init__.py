"""The admin, for operators: every row there is. History and deliveries can be read only; secrets are never shown."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from memory.access.permissions import may_operate
from memory.admin import bots, history, index, jobs, people

__all__ = ["bots", "history", "index", "jobs", "people"]


def _may_operate(request: HttpRequest) -> bool:
    return may_operate(request.user)


# Whoever may use the admin may read every memory, make secrets and name directories: operators, not merely staff.
admin.site.has_permission = _may_operate  # type: ignore[method-assign]
admin.site.site_header = gettext_lazy("Kenoweb admin")
admin.site.site_title = "Kenoweb"
