"""Columns of our own."""

from __future__ import annotations

from typing import Any

from django.db import models

from memory.text import sentences


class SentenceField(models.TextField):  # type: ignore[type-arg]
    """A text for people. A sentence of ours keeps its message id and parameters."""

    def get_prep_value(self, value: Any) -> Any:
        text = super().get_prep_value(value)
        return sentences.dumps(text) if isinstance(text, str) else text

    def from_db_value(self, value: str | None, *_about: object) -> str | None:
        return value and sentences.loads(value)


class SentencesField(models.JSONField):
    """A list of them."""

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value([*map(sentences.dumps, value)] if isinstance(value, list) else value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        return [*map(sentences.loads, found)] if isinstance(found, list) else found
