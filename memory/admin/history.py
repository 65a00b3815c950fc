"""What was written and what came in: read only, for it says what happened."""

from __future__ import annotations

from django.contrib import admin

from memory.admin.base import ReadOnly, on_the_desk
from memory.models import ChangeSet, Delivery


@admin.register(ChangeSet)
class ChangeSetAdmin(ReadOnly):
    list_display = ("id", "bot", "kind", "by", "state", "why", "created")
    list_filter = ("bot", "kind", "state")
    search_fields = ("by", "why", "note", "revisions__path")
    date_hierarchy = "created"
    heavy = ("details",)

    def view_on_site(self, change: ChangeSet) -> str | None:
        """Its page on the desk."""
        return on_the_desk("change_set", change.bot, change.pk)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    list_display = ("id", "bot", "session_id", "status", "milliseconds", "change_set", "received")
    list_filter = ("bot", "status")
    list_select_related = ("bot", "change_set")
    search_fields = ("session_id", "message_id", "webhook_id")
    date_hierarchy = "received"
    heavy = ("body", "answer")

    def view_on_site(self, delivery: Delivery) -> str | None:
        """Its page on the desk."""
        return on_the_desk("delivery", delivery.bot, delivery.pk)
