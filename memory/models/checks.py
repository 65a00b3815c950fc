"""What checks go by and what they find: recall tests, pins, findings, claims, and when facts were used last."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from memory.models.bots import Bot
from memory.models.fields import SentenceField
from memory.models.history import ChangeSet


class RecallTest(models.Model):
    """A recall test: this question must find this fact among the first `within`. What follows `checked` is what came of it when
    it was looked for last; `checked` NULL: not yet."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="recall_tests", db_index=False)
    question = models.CharField(max_length=500)
    scope = models.CharField(max_length=255, blank=True, default="")  # the chat that asks; "" for nobody's
    path = models.TextField()
    key = models.CharField(max_length=32)
    nth = models.IntegerField(default=0)
    text = models.TextField()  # of the fact as it was then, for people
    within = models.IntegerField(default=10)
    created = models.DateTimeField(auto_now_add=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    reads = models.BooleanField(default=False)  # the prompt for this question must hold it as well
    checked = models.DateTimeField(null=True, blank=True)
    indexed = models.BigIntegerField(default=-1)  # the number that the bot's index stood at then
    seen = models.BigIntegerField(default=0)  # the newest change set there was then
    rank = models.IntegerField(null=True, blank=True)  # where it was found, from 1; NULL: not at all
    was = models.IntegerField(null=True, blank=True)  # where, when it held last
    is_read = models.BooleanField(null=True, blank=True)  # NULL: it need not be
    missing = models.BooleanField(default=False)  # no document says it any more
    elsewhere = models.TextField(blank=True, default="")  # the document that says it now, if its own does not
    # What is found first instead: path, key, nth, text.
    instead: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    broken = models.DateTimeField(null=True, blank=True)  # since when it does not hold; NULL: it holds
    # The change set since which it does not, as far as can be told.
    since = models.ForeignKey(ChangeSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # The changes that broke it last and made it hold again last, likewise: also while it holds, for their pages.
    broken_by = models.ForeignKey(ChangeSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    fixed_by = models.ForeignKey(ChangeSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "question", "scope", "path", "key", "nth"], name="one_recall_test_per_question_and_fact"
            )
        ]
        indexes = [
            models.Index(fields=["bot", "indexed"], name="recall_tests_by_index"),
            models.Index(
                fields=["bot", "broken"], name="broken_recall_tests", condition=models.Q(broken__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.question


class Pinned(models.Model):
    """What a fact says that is pinned, by its key: it stays where it is and as it is. What its fact says later is pinned too."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=32)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "key"], name="one_pin_per_fact")]

    def __str__(self) -> str:
        return self.key


class Finding(models.Model):
    """Something about a fact or document that a person should look at. The same thing found again is the same row."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="findings", db_index=False)
    rule = models.CharField(max_length=40)
    path = models.TextField()
    key = models.CharField(max_length=32, blank=True, default="")  # of the fact, "" for the document as a whole
    nth = models.IntegerField(default=0)
    line = models.IntegerField(default=0)
    scope = models.CharField(max_length=255, blank=True, default="")  # the chat that it is found in
    text = models.TextField(blank=True, default="")  # of the fact, for people
    note = SentenceField(blank=True, default="")  # why, a plain sentence
    found = models.DateTimeField()
    gone = models.DateTimeField(null=True, blank=True)  # it was looked for and is not so any more
    ignored = models.DateTimeField(null=True, blank=True)
    ignored_why = models.CharField(max_length=200, blank=True, default="")
    ignored_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "rule", "scope", "path", "key", "nth"], name="one_finding_per_rule_and_fact"
            )
        ]
        indexes = [
            models.Index(
                fields=["bot", "-found", "-id"], name="open_findings", condition=models.Q(gone=None, ignored=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.rule}: {self.path}"


class Claim(models.Model):
    """That a fact claims something that others may claim otherwise: `about` is a hash of whose what, or the key of what a fact
    denies. A fact's row goes without asking here, also while it is being kept: what is left behind is forgotten once a day."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    fact = models.ForeignKey("memory.Fact", on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    about = models.CharField(max_length=32)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["fact", "about"], name="one_claim_per_fact_and_matter")]
        indexes = [models.Index(fields=["bot", "about", "fact"], name="claims_about")]

    def __str__(self) -> str:
        return self.about


class Use(models.Model):
    """On which day of the bot's a fact was last in a prompt that went to a model or a program, or a hit of a search that a program
    made or a person opened. It goes by what the fact says, so that it stays when the index is made anew and lines move."""

    class How(models.TextChoices):
        PROMPT = "prompt"
        SEARCH = "search"
        OPENED = "opened"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=32)
    how = models.CharField(max_length=6, choices=How)
    day = models.CharField(max_length=10)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "key", "how"], name="one_use_per_fact_and_way")]
        indexes = [models.Index(fields=["bot", "day"], name="uses_by_day")]

    def __str__(self) -> str:
        return f"used on {self.day}"


class Searched(models.Model):
    """One of the last searches of programs, with the keys of the facts that it found, a blank between two."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    words = models.CharField(max_length=200)
    keys = models.TextField()

    class Meta:
        verbose_name_plural = "searches"

    def __str__(self) -> str:
        return self.words


class ChecksRun(models.Model):
    """How far the rules that find things have looked at a bot's facts: all up to `upto`, when its index stood at `indexed`."""

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, primary_key=True, related_name="checks_run")
    looked = models.DateTimeField()
    indexed = models.BigIntegerField()
    upto = models.BigIntegerField(default=0)  # the newest fact, by its row's key: rows get rising keys

    def __str__(self) -> str:
        return f"up to {self.upto}"
