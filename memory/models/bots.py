"""The bots we look after, and the directories they keep their memory in."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import models
from django.utils.functional import cached_property

from memory.models.fields import SentenceField

ASKED = 64  # bots whose last answer is kept


class Present(models.Manager["Bot"]):
    """The bots on the desk: all but the removed ones."""

    def get_queryset(self) -> models.QuerySet[Bot]:
        return super().get_queryset().filter(removed=None)


class Bot(models.Model):
    """One memory: a dialect, named roots, a time zone and its own settings."""

    slug = models.SlugField(unique=True, max_length=60)
    name = models.CharField(max_length=120)
    dialect = models.CharField(max_length=40)
    time_zone = models.CharField(max_length=64, default="UTC")
    # Only what its owner has saved; everything else comes from the environment, then from the dialect's defaults.
    settings: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    is_sample = models.BooleanField(default=False)
    from_environment = models.BooleanField(default=False)  # its directories follow the environment's variables
    # A signature over the body alone has no time in it; a bot that can sign by the standard may be held to that.
    standard_webhooks_only = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)
    # When the last full walk over its files ended, and what it could not do ("" if all went well).
    walked = models.DateTimeField(null=True, blank=True)
    trouble = SentenceField(blank=True, default="")
    # Grows whenever rows of its index change: a page that was made at one number is in step as long as it stays.
    indexed = models.BigIntegerField(default=0)
    others = models.IntegerField(default=0)  # files that its dialect does not describe, as the last walk counted them
    # Since which day of its own it is on record which of its facts were used; "" before anything was.
    uses_since = models.CharField(max_length=10, blank=True, default="")
    # Removed from the desk. Its files are not touched and its history stays; added again it is the same bot.
    removed = models.DateTimeField(null=True, blank=True)

    objects = models.Manager["Bot"]()
    present = Present()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def directories(self) -> dict[str, str]:
        """The directory of each root by its name."""
        return {root.name: root.path for root in self.roots.all()}

    @cached_property
    def has_chat_context(self) -> bool:
        """Whether any chat has a `context.md`, as far as the index knows."""
        return _has_chat_context(self.pk, self.created, self.indexed)


@lru_cache(ASKED)
def _has_chat_context(pk: int, created: datetime, indexed: int) -> bool:
    """As the index says of a bot at this number; asked for each turn."""
    return Bot(pk=pk).documents.filter(kind="context").exists()


class Root(models.Model):
    """A directory of a bot: `memory` (read and write), `sessions` (read), `identity` (read and write)."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="roots")
    name = models.CharField(max_length=20)
    path = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "name"], name="one_root_per_name")]
        verbose_name, verbose_name_plural = "directory", "directories"

    def __str__(self) -> str:
        return f"{self.bot.slug}: {self.name}"
