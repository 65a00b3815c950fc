"""Long work, what a language model proposed in it, and what asking it cost."""

from __future__ import annotations

from django.contrib import admin

from memory.admin.base import ReadOnly, on_the_desk
from memory.models import Answering, Job, ModelCall, Proposal, Spending


@admin.register(Job)
class JobAdmin(ReadOnly):
    list_display = ("created", "bot", "kind", "state", "attempt", "done", "total", "by", "finished")
    list_filter = ("bot", "kind", "state")
    search_fields = ("name", "by", "trouble")
    date_hierarchy = "created"

    def view_on_site(self, job: Job) -> str | None:
        """Its page on the desk."""
        return on_the_desk("job", job.bot, job.pk)


@admin.register(Proposal)
class ProposalAdmin(ReadOnly):
    list_display = ("job", "number", "action", "state", "path", "change_set")
    list_filter = ("bot", "action", "state")
    search_fields = ("text", "path")


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnly):
    list_display = ("at", "bot", "purpose", "model", "tokens_in", "tokens_out", "micros", "milliseconds", "fault")
    list_filter = ("bot", "purpose", "fault")
    search_fields = ("model",)
    date_hierarchy = "at"


@admin.register(Spending)
class SpendingAdmin(ReadOnly):
    list_display = ("day", "bot", "purpose", "calls", "faults", "tokens_in", "tokens_out", "micros")
    list_filter = ("bot", "purpose")
    search_fields = ("day",)


@admin.register(Answering)
class AnsweringAdmin(ReadOnly):
    list_display = ("bot", "session_id", "until")
    search_fields = ("session_id",)
