"""Programs that read and write a bot's memory over the API: their tokens, and the prompts they fetched."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from memory.models.bots import Bot


class ApiToken(models.Model):
    """A program's way in, for one bot. Only the token's sha256 is kept; `hint` is its end, so that people can tell two apart."""

    class Scope(models.TextChoices):
        """Each may do what those before it may."""

        READ = "read"
        WRITE = "write"
        ADMIN = "admin"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=5, choices=Scope, default=Scope.READ)
    token_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=8)
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    last_used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class Fetched(models.Model):
    """A prompt that a program fetched, with the version of each document in it, so that "was it loaded?" has an answer."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="fetched", db_index=False)
    token = models.ForeignKey(ApiToken, null=True, blank=True, on_delete=models.SET_NULL)
    at = models.DateTimeField()
    chat = models.CharField(max_length=255, blank=True, default="")
    query = models.TextField(blank=True, default="")
    tokens = models.IntegerField()
    sha256 = models.CharField(max_length=64)  # of the prompt's text
    documents: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)  # path -> sha256

    class Meta:
        verbose_name_plural = "fetched prompts"
        indexes = [models.Index(fields=["bot", "-at", "-id"], name="fetched_by_time")]

    def __str__(self) -> str:
        return f"prompt fetched at {self.at:%Y-%m-%d %H:%M}"
