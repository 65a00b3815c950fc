"""What people made here: names, secrets, drafts, and the ways in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy

from memory.access import encryption
from memory.access.permissions import may_operate
from memory.admin.base import ModelAdmin, ModelForm, ReadOnly, UserAdmin
from memory.models import ChatName, Draft, LoginLink, Session, WebhookSecret

admin.site.unregister(User)


@admin.register(User)
class PersonAdmin(UserAdmin):
    """Somebody who may come in. There are operators and others; Django's groups and permissions open nothing here."""

    list_display = ("username", "first_name", "is_superuser", "is_active", "last_login")
    list_filter = ("is_superuser", "is_active")
    fieldsets = (
        (None, {"fields": ("username", "password", "first_name")}),
        (gettext_lazy("Permissions"), {"fields": ("is_active", "is_superuser")}),
        (gettext_lazy("Important dates"), {"fields": ("last_login", "date_joined")}),
    )
    filter_horizontal = ()

    def view_on_site(self, person: User) -> str:
        """The person's page on the desk."""
        return reverse("person", args=[person.pk])


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
            obj.sealed = encryption.seal(form.cleaned_data["secret"].encode())
        super().save_model(request, obj, form, change)


@admin.register(Draft)
class DraftAdmin(ReadOnly):
    list_display = ("path", "bot", "user", "saved")
    list_filter = ("bot",)
    search_fields = ("path", "user__username")
    heavy = ("text",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may_operate(request.user)


@admin.register(LoginLink)
class LoginLinkAdmin(ReadOnly):
    list_display = ("user", "expires", "used")
    exclude = ("token_hash",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may_operate(request.user)
