"""What belongs to the people at the desk: drafts, names they give, ways in, and where they are logged in."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

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
        return _("Login link of %(name)s") % {"name": self.user}


class ChatName(models.Model):
    """What people call a chat: "Family" for `telegram--1001234567890`. Never written into the bot's files."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="chat_names")
    scope = models.CharField(max_length=255)
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "scope"], name="one_name_per_chat")]

    def __str__(self) -> str:
        return self.name


class Session(AbstractBaseSession):
    """Where somebody is logged in: Django's session, with its user, so that people can see and end their own."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE)
    agent = models.CharField(max_length=200, blank=True, default="")  # the browser, as it names itself
    started = models.DateTimeField(null=True, blank=True)  # when they logged in

    def __str__(self) -> str:
        return _("Session of %(name)s") % {"name": self.user}  # its key lets in whoever reads it

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """The store that keeps its data here."""
        store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")  # which needs this model
        return store
