"""What belongs to the people at the desk: drafts and ways in."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from memory.models.bots import Bot


class Draft(models.Model):
    """A text somebody has typed and not saved yet, with the version it was made from ("" for a new document)."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    path = models.TextField()
    base = models.CharField(max_length=64, blank=True, default="")
    text = models.TextField()
    saved = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "user", "path"], name="one_draft_per_user_and_document")]

    def __str__(self) -> str:
        return f"{self.path} ({self.user})"


class LoginLink(models.Model):
    """A way in that works once. Only the token's sha256 is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    token_hash = models.CharField(max_length=64, unique=True)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"login link for {self.user}"
