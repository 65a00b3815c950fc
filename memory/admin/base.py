"""What all pages of the admin share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise

from memory.models import Bot

if TYPE_CHECKING:  # only the stubs' classes take a type
    from django.utils.functional import _StrPromise

    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    ModelForm = forms.ModelForm[Any]
    UserAdmin = auth_admin.UserAdmin[User]
else:
    from django.contrib.admin import ModelAdmin, TabularInline
    from django.contrib.auth.admin import UserAdmin
    from django.forms import ModelForm

__all__ = ["ModelAdmin", "ModelForm", "ReadOnly", "TabularInline", "UserAdmin", "in_words", "on_the_desk"]
COLUMNS = 9  # of a list of every row there is, for developers


def on_the_desk(page: str, bot: Bot, pk: int) -> str | None:
    """Where a row of a bot is shown on the desk; None where the bot was removed."""
    return None if bot.removed else reverse(f"memory:{page}", args=[bot.slug, pk])


def in_words(field: str, heading: _StrPromise, words: Mapping[Any, str | Promise]) -> type[admin.SimpleListFilter]:
    """A filter by the values of a field as the desk calls them."""

    class InWords(admin.SimpleListFilter):
        title = heading
        parameter_name = field

        def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
            return [(str(value), str(word)) for value, word in words.items()]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset.filter(**{field: self.value()}) if self.value() else queryset

    return InWords


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


def details_of(model: type[models.Model]) -> type[ReadOnly]:
    """A list whose columns, filters and search follow from the fields. What is sealed or hashed is never shown."""
    fields = model._meta.concrete_fields
    hidden = [one for one in fields if isinstance(one, models.BinaryField) or one.name.endswith("_hash")]
    told = [one for one in fields if one not in hidden and not isinstance(one, models.JSONField)]
    shown = told[:COLUMNS]
    about: dict[str, Any] = {
        "exclude": [one.name for one in hidden],
        "list_display": [one.name for one in shown],
        "list_filter": [one.name for one in told if one.choices or one.name == "bot"],
        "list_select_related": [one.name for one in shown if one.is_relation] or False,
        "search_fields": [one.name for one in told if one.get_internal_type() in ("CharField", "TextField")],
        "heavy": tuple(one.name for one in fields if one not in shown and not one.primary_key),
    }
    return type(f"{model.__name__}Details", (ReadOnly,), about)
