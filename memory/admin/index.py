"""What is read out of the files, which can be dropped and made anew."""

from __future__ import annotations

from django.contrib import admin

from memory.admin.base import ReadOnly
from memory.models import Chat, ChecksRun, Claim, Day, Document, Fact, FactAttributes, Finding, Searched, Use, Vector


@admin.register(Document)
class DocumentAdmin(ReadOnly):
    list_display = ("path", "bot", "kind", "tier", "scope", "day", "size", "facts_count", "error")
    list_filter = ("bot", "kind", "tier")
    search_fields = ("path", "scope")


@admin.register(Fact)
class FactAdmin(ReadOnly):
    list_display = ("text", "bot", "document", "line", "time", "tokens")
    list_filter = ("bot", "document__tier", "document__kind")
    list_select_related = ("bot", "document")
    search_fields = ("text", "document__path")


@admin.register(FactAttributes)
class FactAttributesAdmin(ReadOnly):
    list_display = ("fact", "bot", "kind", "whose", "source", "importance", "confidence", "updated", "expires")
    list_filter = ("bot", "kind", "whose", "source")
    list_select_related = ("bot", "fact")
    search_fields = ("fact__text",)


@admin.register(Chat)
class ChatAdmin(ReadOnly):
    list_display = ("scope", "bot", "notes", "logs", "oldest_day", "newest_day", "size")
    list_filter = ("bot",)
    search_fields = ("scope",)


@admin.register(Day)
class DayAdmin(ReadOnly):
    list_display = ("day", "bot", "facts", "logs", "chats", "size")
    list_filter = ("bot",)
    search_fields = ("day",)


@admin.register(Vector)
class VectorAdmin(ReadOnly):
    list_display = ("id", "bot", "model", "key")
    list_filter = ("bot", "model")
    search_fields = ("key",)
    exclude = ("data",)
    heavy = ("data",)


@admin.register(ChecksRun)
class ChecksRunAdmin(ReadOnly):
    list_display = ("bot", "looked", "indexed", "upto")


@admin.register(Finding)
class FindingAdmin(ReadOnly):
    list_display = ("rule", "bot", "path", "line", "scope", "text", "found", "gone", "ignored")
    list_filter = ("bot", "rule")
    search_fields = ("path", "scope", "text")


@admin.register(Claim)
class ClaimAdmin(ReadOnly):
    list_display = ("fact", "bot", "about")
    list_filter = ("bot",)
    list_select_related = ("bot", "fact")
    search_fields = ("fact__text",)


@admin.register(Searched)
class SearchedAdmin(ReadOnly):
    list_display = ("words", "bot", "at")
    list_filter = ("bot",)
    search_fields = ("words",)


@admin.register(Use)
class UseAdmin(ReadOnly):
    list_display = ("key", "bot", "day")
    list_filter = ("bot",)
    search_fields = ("key",)
