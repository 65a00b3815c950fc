"""Long work: read only."""

from __future__ import annotations

from django.contrib import admin

from memory.admin.base import ReadOnly, on_the_desk
from memory.models import Job


@admin.register(Job)
class JobAdmin(ReadOnly):
    list_display = ("created", "bot", "kind", "state", "attempt", "done", "total", "by", "finished")
    list_filter = ("bot", "kind", "state")
    search_fields = ("name", "by", "trouble")
    date_hierarchy = "created"

    def view_on_site(self, job: Job) -> str | None:
        """Its page on the desk."""
        return on_the_desk("job", job.bot, job.pk)
