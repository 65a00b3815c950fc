"""What was written and what came in: read only, for it says what happened."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from memory.admin.base import ReadOnly, on_the_desk
from memory.models import (
    Blob,
    ChangeSet,
    Delivery,
    Fetched,
    Growth,
    Head,
    Lineage,
    Measure,
    Purge,
    RefusedCalls,
    Revision,
    Tallied,
    Tally,
)

TEXT_SHOWN = 4000


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


@admin.register(Revision)
class RevisionAdmin(ReadOnly):
    list_display = ("id", "bot", "path", "action", "change_set", "done", "size_before", "size_after")
    list_filter = ("bot", "action", "done")
    search_fields = ("path", "before", "after")
    list_select_related = ("bot", "change_set")
    exclude = ("added",)
    readonly_fields = ("added_text",)
    heavy = ("added",)

    @admin.display(description=gettext_lazy("Added"))
    def added_text(self, revision: Revision) -> str:
        return bytes(revision.added or b"").decode("utf-8", "replace")[:TEXT_SHOWN]


@admin.register(Blob)
class BlobAdmin(ReadOnly):
    list_display = ("sha256", "bot", "size", "parent", "nth")
    list_filter = ("bot",)
    search_fields = ("sha256",)
    exclude = ("data",)
    heavy = ("data",)


@admin.register(Head)
class HeadAdmin(ReadOnly):
    list_display = ("path", "bot", "sha256", "upto")
    list_filter = ("bot",)
    search_fields = ("path", "sha256")


@admin.register(Lineage)
class LineageAdmin(ReadOnly):
    list_display = ("change_set", "how", "from_path", "to_path")
    list_filter = ("bot", "how")
    list_select_related = ("change_set",)
    search_fields = ("from_path", "from_key", "to_path", "to_key")


@admin.register(Purge)
class PurgeAdmin(ReadOnly):
    list_display = ("at", "bot", "by", "print")
    list_filter = ("bot",)
    list_select_related = ("bot",)


@admin.register(Growth)
class GrowthAdmin(ReadOnly):
    list_display = ("revision", "at", "size")
    list_select_related = ("revision",)


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


@admin.register(RefusedCalls)
class RefusedCallsAdmin(ReadOnly):
    list_display = ("minute", "address", "status", "reason", "count")
    list_filter = ("status", "reason")
    search_fields = ("address",)
    date_hierarchy = "minute"


@admin.register(Fetched)
class FetchedAdmin(ReadOnly):
    list_display = ("at", "bot", "token", "chat", "query", "tokens")
    list_filter = ("bot",)
    list_select_related = ("bot", "token")
    search_fields = ("chat", "query")
    date_hierarchy = "at"
    heavy = ("documents",)


@admin.register(Tally)
class TallyAdmin(ReadOnly):
    list_display = ("day", "bot", "source", "learned", "forgotten")
    list_filter = ("bot", "source")


@admin.register(Tallied)
class TalliedAdmin(ReadOnly):
    list_display = ("bot", "first", "revision", "growth")


@admin.register(Measure)
class MeasureAdmin(ReadOnly):
    list_display = ("day", "bot", "facts", "size", "tokens", "open", "settled")
    list_filter = ("bot",)
