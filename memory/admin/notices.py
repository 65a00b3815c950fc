"""What people hear of without looking, and whether it went out; with DEBUG only."""

from __future__ import annotations

from django.contrib import admin

from memory.admin.base import ReadOnly
from memory.models import Alarm, Dispatch, Notice, Subscription


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnly):
    list_display = ("user", "often", "hour", "time_zone", "urgent", "facts")
    list_filter = ("often", "urgent")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    exclude = ("service", "feed_hash")
    heavy = ("service",)


@admin.register(Alarm)
class AlarmAdmin(ReadOnly):
    list_display = ("kind", "bot", "about", "began", "ended")
    list_filter = ("bot", "kind")
    search_fields = ("about",)


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    list_display = ("name", "user", "made", "since", "until")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")


@admin.register(Dispatch)
class DispatchAdmin(ReadOnly):
    list_display = ("notice", "way", "state", "due", "tries", "trouble")
    list_filter = ("way", "state")
    list_select_related = ("notice__user",)
    search_fields = ("notice__name",)
