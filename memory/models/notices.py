"""What people hear of without looking: who wants what by which way, what was to be told, and whether it went out."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from memory.models.bots import Bot
from memory.models.fields import SentenceField


class Subscription(models.Model):
    """What one person wants to hear of: how often, by which ways, and how much of it may leave Kenoweb."""

    class Often(models.TextChoices):
        NEVER = "never"
        DAILY = "daily"
        WEEKLY = "weekly"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="subscription"
    )
    often = models.CharField(max_length=6, choices=Often, default=Often.NEVER)
    hour = models.SmallIntegerField(default=8)  # from which of the person's own day a digest goes out
    time_zone = models.CharField(max_length=64, default="UTC")
    language = models.CharField(max_length=10, default="en")
    urgent = models.BooleanField(default=False)  # what can't wait for a digest is told at once
    facts = models.BooleanField(default=False)  # texts of facts may be in it; else counts alone
    mail = models.EmailField(blank=True, default="")
    # The address of a service as `apprise` reads it: encrypted, because it holds passwords and tokens, and a name for people.
    service = models.BinaryField(null=True)
    service_name = models.CharField(max_length=80, blank=True, default="")
    feed_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - NULL is what unique ignores
    # Where this person opened the desk when they saved this: a worker knows no address of its own.
    desk = models.CharField(max_length=300, blank=True, default="")

    def __str__(self) -> str:
        return f"what {self.user} hears of"


class Alarm(models.Model):
    """Something that can't wait, from when it was seen until it was over: one row as long as it lasts."""

    class Kind(models.TextChoices):
        FILES = "files"  # the directory is gone, or many files disappeared at once
        RECALL = "recall"  # a recall test fails; `about` is its key
        HELD = "held"  # what would remove much of a file waits for somebody; `about` is its proposal's key
        REMOVAL = "removal"  # an edit from outside took away most of a file; `about` is its change set's key

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="alarms", db_index=False)
    kind = models.CharField(max_length=8, choices=Kind)
    about = models.CharField(max_length=20, blank=True, default="")
    began = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "kind", "about"],
                name="one_open_alarm",
                condition=Q(ended__isnull=True) | Q(kind="removal"),  # an edit happens once
            )
        ]
        indexes = [models.Index(fields=["bot", "kind", "about", "-began"], name="alarms_by_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.about}".strip()


class Notice(models.Model):
    """What one person was to be told: the digest of a period, or an alarm. Never the text of a fact."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    name = models.CharField(max_length=40)  # the period or the alarm: what has been told by this name is not told again
    made = models.DateTimeField()
    # A digest's days, from the first one up to the one that is not in it any more.
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)
    alarm = models.ForeignKey(Alarm, null=True, blank=True, on_delete=models.CASCADE, related_name="notices")
    # A digest's numbers by bot; empty: there was nothing to say.
    counts: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_notice_per_name")]

    def __str__(self) -> str:
        return f"{self.name} for {self.user}"


class Dispatch(models.Model):
    """A notice on one of its ways out. It is claimed before it is sent, so that nobody sends it a second time; one that was
    claimed and never ended may have arrived or not."""

    class Way(models.TextChoices):
        MAIL = "mail"
        SERVICE = "service"

    class State(models.TextChoices):
        WAITING = "waiting"  # not sent yet, or certainly not taken and tried again from `due`
        SENDING = "sending"  # claimed
        SENT = "sent"
        UNSURE = "unsure"  # the connection broke after it was handed over
        FAILED = "failed"  # certainly not sent, and not tried again

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="dispatches")
    way = models.CharField(max_length=8, choices=Way)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    due = models.DateTimeField()
    tries = models.SmallIntegerField(default=0)
    claimed = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    trouble = SentenceField(blank=True, default="")

    class Meta:
        verbose_name_plural = "dispatches"
        constraints = [models.UniqueConstraint(fields=["notice", "way"], name="one_dispatch_per_way")]
        indexes = [models.Index(fields=["due"], name="waiting_dispatches", condition=Q(state="waiting"))]

    def __str__(self) -> str:
        return f"{self.notice_id} by {self.way}"
