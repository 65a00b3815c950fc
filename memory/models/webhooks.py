"""Calls that bots make: the secrets they sign with, and what became of each call."""

from __future__ import annotations

import time
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from memory.models import quick
from memory.models.bots import Bot
from memory.models.history import ChangeSet

# The outcomes of a call. The conditions of partial indexes: a query has to say them in the same words.
STORED = models.Q(status=200, change_set__isnull=False)
NOTHING = models.Q(status=200, change_set__isnull=True)
REJECTED = ~models.Q(status=200) & ~models.Q(status=0)
BEGUN = models.Q(status=0)


class WebhookSecret(models.Model):
    """A signing secret, encrypted with the key in KENOWEB_HOME. Several may be live while one replaces another."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="secrets")
    name = models.CharField(max_length=80, blank=True, default="")
    sealed = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name or _("Secret %(number)s") % {"number": self.pk}


class Delivery(models.Model):
    """One accepted webhook call and its outcome."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    # What makes a repeat recognisable: the bot's own message id, the standard webhook id, or the body's hash.
    message_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - NULL is what unique ignores
    webhook_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001
    body_sha256 = models.CharField(max_length=64)
    session_id = models.CharField(max_length=255)
    body: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    status = models.IntegerField(default=0)  # HTTP status of the answer; 0 while it is being worked on
    answer: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    change_set = models.ForeignKey(
        ChangeSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="deliveries"
    )
    received = models.DateTimeField()
    milliseconds = models.FloatField(null=True)  # from its arrival until its outcome was on record
    # With which secret it was signed; NULL for the environment's.
    secret = models.ForeignKey(
        WebhookSecret, null=True, blank=True, on_delete=models.SET_NULL, related_name="deliveries", db_index=False
    )
    trial = models.BooleanField(default=False)  # sent from the desk to try the webhook
    started: float | None = None  # its arrival on the performance counter; not kept

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=["bot", "message_id"], name="one_delivery_per_message"),
            models.UniqueConstraint(fields=["bot", "webhook_id"], name="one_delivery_per_webhook_id"),
        ]
        # A list is read newest first, whole or by one of these; each call stands in just one of the partial ones.
        indexes = [
            models.Index(fields=["bot", "-received", "-id"], name="deliveries_by_time"),
            models.Index(fields=["bot", "session_id", "-received", "-id"], name="deliveries_by_chat"),
            models.Index(fields=["secret", "-received"], name="deliveries_by_secret"),
            models.Index(fields=["bot", "-received", "-id"], name="deliveries_that_stored", condition=STORED),
            models.Index(fields=["bot", "-received", "-id"], name="deliveries_without_change", condition=NOTHING),
            models.Index(fields=["bot", "-received", "-id"], name="deliveries_rejected", condition=REJECTED),
            models.Index(fields=["bot", "-received", "-id"], name="deliveries_begun", condition=BEGUN),
        ]

    def __str__(self) -> str:
        return _("Delivery %(number)s") % {"number": self.pk}

    def record(self) -> None:
        """Save the delivery as it is now, with the time it has taken so far."""
        if self.started is not None:
            self.milliseconds = round((time.perf_counter() - self.started) * 1000, 3)
        quick.save(self)


class RefusedCalls(models.Model):
    """How many calls from one address were refused in one minute; no bodies, nothing that identifies a sender's data."""

    address = models.GenericIPAddressField()
    minute = models.DateTimeField()
    status = models.IntegerField()
    reason = models.CharField(max_length=80)
    count = models.IntegerField(default=0)

    class Meta:
        verbose_name_plural = "refused calls"
        constraints = [
            models.UniqueConstraint(
                fields=["address", "minute", "status", "reason"], name="one_count_per_address_and_minute"
            )
        ]
        indexes = [models.Index(fields=["-minute", "-id"], name="refused_by_time")]

    def __str__(self) -> str:
        return f"{self.count} from {self.address}"
