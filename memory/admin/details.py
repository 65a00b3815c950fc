"""Every other table as it is, for developers: with DEBUG it can be looked at, and what is in it found."""

from __future__ import annotations

from typing import Any

from django.db import models

from memory.admin.base import ReadOnly

COLUMNS = 9


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
