"""The admin, for operators: every row there is. History and deliveries can be read only; secrets are never shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory import bots, compaction, journal, places, seal
from memory.dialects.base import Fate, Plan
from memory.models import (
    Answering,
    ApiToken,
    Blob,
    Bot,
    ChangeSet,
    Chat,
    ChatName,
    Day,
    Delivery,
    Document,
    Draft,
    Fact,
    Fetched,
    Finding,
    Growth,
    Head,
    Job,
    LoginLink,
    ModelCall,
    Pin,
    Proposal,
    RefusedCalls,
    Revision,
    Root,
    Session,
    Spending,
    Vector,
    Watch,
    WebhookSecret,
)
from memory.vault import VaultError
from memory.views.access import may_operate
from memory.views.planned import FATES
from memory.views.record import moved_and_removed
from memory.views.said import said

if TYPE_CHECKING:  # only the stubs' classes take a type
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    ModelForm = forms.ModelForm[Any]
else:
    from django.contrib.admin import ModelAdmin, TabularInline
    from django.forms import ModelForm

DECISIONS_SHOWN = 100
TEXT_SHOWN = 4000


def _may_operate(request: HttpRequest) -> bool:
    return may_operate(request.user)


# Whoever may use the admin may read every memory, make secrets and name directories: operators, not merely staff.
admin.site.has_permission = _may_operate  # type: ignore[method-assign]
admin.site.site_header = gettext_lazy("Kenoweb administration")
admin.site.site_title = "Kenoweb"


class ReadOnly(ModelAdmin):
    """Rows that only Kenoweb itself writes. `heavy` fields are not fetched for lists."""

    show_full_result_count = False
    heavy: ClassVar[tuple[str, ...]] = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer(*self.heavy)


class RootForm(ModelForm):
    """A directory, refused like everywhere else where it cannot be a bot's."""

    def clean_path(self) -> str:
        try:
            return str(places.usable(Path(self.cleaned_data["path"])))
        except places.Refused as refused:
            raise forms.ValidationError(str(refused)) from None


class RootInline(TabularInline):
    model = Root
    form = RootForm
    extra = 0


class BotForm(ModelForm):
    """A bot's row; its settings must be ones that its dialect knows."""

    def clean_settings(self) -> dict[str, Any]:
        values = self.cleaned_data["settings"] or {}
        try:
            bots.check(self.instance, values)
        except (ValueError, TypeError, AttributeError) as error:
            raise forms.ValidationError(str(error)) from None
        return dict(values)

    def clean_time_zone(self) -> str:
        zone = self.cleaned_data["time_zone"]
        try:
            ZoneInfo(zone)
        except (LookupError, ValueError, OSError):
            raise forms.ValidationError("There is no such time zone; write it like Europe/Madrid.") from None
        return str(zone)


@admin.register(Bot)
class BotAdmin(ModelAdmin):
    form = BotForm
    inlines = (RootInline,)
    list_display = ("name", "slug", "dialect", "time_zone", "walked", "trouble", "removed")
    list_filter = ("dialect", "is_sample", ("removed", admin.EmptyFieldListFilter))
    search_fields = ("name", "slug")
    readonly_fields = (
        "dialect",
        "is_sample",
        "from_environment",
        "created",
        "walked",
        "trouble",
        "indexed",
        "others",
        "removed",
    )
    actions = ("plan_compaction", "compact_now")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a bot is added with its directory looked at: `memory add-bot`

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # its history would go with it

    @admin.action(description=gettext_lazy("Plan compaction"))
    def plan_compaction(self, request: HttpRequest, queryset: QuerySet[Bot]) -> HttpResponse:
        return self._page(request, queryset, _("Plan compaction"), confirm=False)

    @admin.action(description=gettext_lazy("Compact now"))
    def compact_now(self, request: HttpRequest, queryset: QuerySet[Bot]) -> HttpResponse | None:
        if request.POST.get("confirm") != "yes":
            return self._page(request, queryset, _("Compact now"), confirm=True)
        by = journal.By(request.user.get_username(), request.user if request.user.is_authenticated else None)
        for bot in queryset:
            self._compact(request, bot, by)
        return None

    def _compact(self, request: HttpRequest, bot: Bot, by: journal.By) -> None:
        try:
            outcome = compaction.run(bot, _scopes(request, bot), by)
        except (VaultError, journal.Busy) as error:
            outcome = compaction.Stopped(str(error))
        if isinstance(outcome, compaction.Stopped):
            self.message_user(request, f"{bot.name}: {said(outcome.reason)}", messages.ERROR)
        elif outcome.change_set is None:
            words = _("%(bot)s: nothing is old enough to be compacted.") % {"bot": bot.name}
            self.message_user(request, words)
        else:
            done = moved_and_removed(outcome.moved, outcome.removed)
            words = _("%(bot)s: %(done)s. Change set %(number)s.")
            words %= {"bot": bot.name, "done": done, "number": outcome.change_set.pk}
            self.message_user(request, words, messages.SUCCESS)

    def _page(self, request: HttpRequest, queryset: QuerySet[Bot], title: str, *, confirm: bool) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.model._meta,
            "plans": [_plan_of(bot, _scopes(request, bot)) for bot in queryset],
            "shown": DECISIONS_SHOWN,
            "confirm": confirm,
            "all_chats": "all_chats" in request.POST,
            "action": "compact_now" if confirm else "plan_compaction",
            "selected": [str(bot.pk) for bot in queryset],
            "selected_name": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/memory/bot/compaction.html", context)


def _scopes(request: HttpRequest, bot: Bot) -> tuple[str, ...]:
    return compaction.all_scopes(bot) if "all_chats" in request.POST else ("",)


def _plan_of(bot: Bot, scopes: tuple[str, ...]) -> dict[str, Any]:
    """A bot's plan as the page shows it."""
    try:
        plan = compaction.plan(bot, scopes)
    except VaultError as error:
        plan = Plan(stopped=str(error))
    moved, duplicates, removed = compaction.counts(plan)
    return {
        "bot": bot,
        "stopped": said(plan.stopped),
        "totals": {
            _("facts to move"): moved,
            _("duplicates"): duplicates,
            _("lines that stay"): sum(decision.fate is Fate.KEEP for decision in plan.decisions),
            _("logs to remove"): removed,
        },
        "sizes": [(path, before, after) for path, (before, after) in plan.sizes.items()],
        "decisions": [(one, FATES[one.fate][0]) for one in plan.decisions[:DECISIONS_SHOWN]],
        "more": max(len(plan.decisions) - DECISIONS_SHOWN, 0),
        "unread": plan.unread,
        "url": _compaction_url(bot),
    }


def _compaction_url(bot: Bot) -> str:
    try:
        return reverse("memory:compaction", args=[bot.slug])
    except NoReverseMatch:
        return ""


@admin.register(ChangeSet)
class ChangeSetAdmin(ReadOnly):
    list_display = ("id", "bot", "kind", "by", "state", "why", "created")
    list_filter = ("bot", "kind", "state")
    search_fields = ("by", "why", "note", "revisions__path")
    date_hierarchy = "created"
    heavy = ("details",)


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
    list_display = ("sha256", "bot", "size", "parent", "depth")
    list_filter = ("bot",)
    search_fields = ("sha256",)
    exclude = ("data",)
    heavy = ("data",)


@admin.register(Head)
class HeadAdmin(ReadOnly):
    list_display = ("path", "bot", "sha256", "upto")
    list_filter = ("bot",)
    search_fields = ("path", "sha256")


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


@admin.register(ChatName)
class ChatNameAdmin(ModelAdmin):
    list_display = ("name", "scope", "bot")
    list_filter = ("bot",)
    search_fields = ("name", "scope")


@admin.register(Session)
class SessionAdmin(ReadOnly):
    """Who is logged in where. A session's key lets in whoever reads it, so no list and no link names one."""

    fields = ("user", "agent", "started", "expire_date")
    list_display = ("user", "agent", "started", "expire_date")
    list_display_links = None
    list_select_related = ("user",)
    search_fields = ("user__username", "agent")
    actions = None
    heavy = ("session_data",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    list_display = ("id", "bot", "session_id", "status", "milliseconds", "change_set", "received")
    list_filter = ("bot", "status")
    list_select_related = ("bot", "change_set")
    search_fields = ("session_id", "message_id", "webhook_id")
    date_hierarchy = "received"
    heavy = ("body", "answer")


@admin.register(RefusedCalls)
class RefusedCallsAdmin(ReadOnly):
    list_display = ("minute", "address", "status", "reason", "count")
    list_filter = ("status", "reason")
    search_fields = ("address",)
    date_hierarchy = "minute"


class SecretForm(ModelForm):
    """A new secret is typed once and sealed; afterwards only its name and its end can be changed."""

    secret = forms.CharField(
        min_length=16,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least 16 characters. It is encrypted and never shown again.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            del self.fields["secret"]

    class Meta:
        model = WebhookSecret
        fields = ("bot", "name", "revoked")


@admin.register(WebhookSecret)
class WebhookSecretAdmin(ModelAdmin):
    form = SecretForm
    list_display = ("__str__", "bot", "created", "revoked")
    list_filter = ("bot",)
    search_fields = ("name",)

    def get_fields(self, request: HttpRequest, obj: WebhookSecret | None = None) -> list[Any]:
        return ["bot", "name", "revoked"] if obj else ["bot", "name", "secret"]

    def get_readonly_fields(self, request: HttpRequest, obj: WebhookSecret | None = None) -> list[str]:
        return ["bot"] if obj else []

    def save_model(self, request: HttpRequest, obj: WebhookSecret, form: Any, change: bool) -> None:
        if not change:
            obj.sealed = seal.seal(form.cleaned_data["secret"].encode())
        super().save_model(request, obj, form, change)


@admin.register(Draft)
class DraftAdmin(ReadOnly):
    list_display = ("path", "bot", "user", "saved")
    list_filter = ("bot",)
    search_fields = ("path", "user__username")
    heavy = ("text",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _may_operate(request)


@admin.register(LoginLink)
class LoginLinkAdmin(ReadOnly):
    list_display = ("user", "expires", "used")
    exclude = ("token_hash",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _may_operate(request)


@admin.register(Root)
class RootAdmin(ModelAdmin):
    form = RootForm
    list_display = ("bot", "name", "path")
    list_filter = ("bot",)
    search_fields = ("path",)
    readonly_fields = ("bot", "name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly):
    """They are made and revoked on the page of the API. The hash lets nobody in, but nobody needs it either."""

    list_display = ("name", "bot", "scope", "hint", "created", "last_used", "revoked")
    list_filter = ("bot", "scope")
    search_fields = ("name", "hint")
    exclude = ("token_hash",)


@admin.register(Fetched)
class FetchedAdmin(ReadOnly):
    list_display = ("at", "bot", "token", "chat", "query", "tokens")
    list_filter = ("bot",)
    list_select_related = ("bot", "token")
    search_fields = ("chat", "query")
    date_hierarchy = "at"
    heavy = ("documents",)


@admin.register(Pin)
class PinAdmin(ReadOnly):
    list_display = ("question", "bot", "scope", "text", "rank", "within", "checked")
    list_filter = ("bot",)
    search_fields = ("question", "text", "path")


@admin.register(Finding)
class FindingAdmin(ReadOnly):
    list_display = ("rule", "bot", "path", "line", "scope", "text", "found", "gone", "ignored")
    list_filter = ("bot", "rule")
    search_fields = ("path", "scope", "text")


@admin.register(Watch)
class WatchAdmin(ReadOnly):
    list_display = ("bot", "looked", "indexed", "upto")


@admin.register(Growth)
class GrowthAdmin(ReadOnly):
    list_display = ("revision", "at", "size")
    list_select_related = ("revision",)


@admin.register(Vector)
class VectorAdmin(ReadOnly):
    list_display = ("id", "bot", "model", "key")
    list_filter = ("bot", "model")
    search_fields = ("key",)
    exclude = ("data",)
    heavy = ("data",)


@admin.register(Job)
class JobAdmin(ReadOnly):
    list_display = ("created", "bot", "kind", "state", "attempt", "done", "total", "by", "finished")
    list_filter = ("bot", "kind", "state")
    search_fields = ("name", "by", "trouble")
    date_hierarchy = "created"


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
