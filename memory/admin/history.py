"""What was written and what came in: read only, for it says what happened."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from memory.admin.base import ReadOnly, in_words, on_the_desk
from memory.models import ChangeSet, Delivery
from memory.web.base.change_rows import KINDS, STATES, not_standing, who
from memory.web.base.translation import translate

# Beside other imports, the first is called so.
WHAT = KINDS | {ChangeSet.Kind.FOUND: gettext_lazy("First import")}
KIND, STATE = gettext_lazy("kind"), gettext_lazy("state")


@admin.register(ChangeSet)
class ChangeSetAdmin(ReadOnly):
    fields = ("bot", "what", "who", "standing", "reason", "remark", "undone_change", "created", "finished")
    list_display = ("id", "bot", "what", "who", "standing", "reason", "created")
    list_filter = ("bot", in_words("kind", KIND, WHAT), in_words("state", STATE, STATES))
    search_fields = ("by", "why", "note", "revisions__path")
    date_hierarchy = "created"
    heavy = ("details",)

    def view_on_site(self, change: ChangeSet) -> str | None:
        """Its page on the desk."""
        return on_the_desk("change_set", change.bot, change.pk)

    @admin.display(description=KIND, ordering="kind")
    def what(self, change: ChangeSet) -> str:
        return str(WHAT[ChangeSet.Kind(change.kind)])

    @admin.display(description=gettext_lazy("author"), ordering="by")
    def who(self, change: ChangeSet) -> str:
        return who(change.bot, change, None)

    @admin.display(description=STATE, ordering="state")
    def standing(self, change: ChangeSet) -> str:
        return not_standing(change) or self.get_empty_value_display()

    @admin.display(description=gettext_lazy("reason"), ordering="why")
    def reason(self, change: ChangeSet) -> str:
        return translate(change.why) or self.get_empty_value_display()

    @admin.display(description=gettext_lazy("note"))
    def remark(self, change: ChangeSet) -> str:
        return translate(change.note) or self.get_empty_value_display()

    @admin.display(description=gettext_lazy("undone change"))
    def undone_change(self, change: ChangeSet) -> str:
        return str(change.undoes_id or self.get_empty_value_display())


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    exclude = ("change_set",)
    readonly_fields = ("change",)
    list_display = ("id", "bot", "session_id", "status", "milliseconds", "change", "received")
    list_filter = ("bot", "status")
    search_fields = ("session_id", "message_id", "webhook_id")
    date_hierarchy = "received"
    heavy = ("body", "answer")

    def view_on_site(self, delivery: Delivery) -> str | None:
        """Its page on the desk."""
        return on_the_desk("delivery", delivery.bot, delivery.pk)

    @admin.display(description=gettext_lazy("change"), ordering="change_set")
    def change(self, delivery: Delivery) -> str:
        return str(delivery.change_set_id or self.get_empty_value_display())
