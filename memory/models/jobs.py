"""Long work, what a language model proposes in it, and what asking the model cost."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from memory.models.bots import Bot
from memory.models.fields import SentenceField, SentencesField
from memory.models.history import ChangeSet
from memory.models.webhooks import Delivery


class Job(models.Model):
    """Long work of one bot. This row is the state machine; Django Tasks only deliver it to a worker."""

    class Kind(models.TextChoices):
        COMPACTION = "compaction"  # old logs into long-term memory, fact by fact, by the dialect's own rules
        CONSOLIDATION = "consolidation"  # the same by meaning, through a language model
        SUMMARY = "summary"  # of one chat's session
        EXTRACTION = "extraction"  # facts out of a chat's turns
        HELD = "held"  # no work: what a bot wants written, until somebody decides
        CHECK = "check"  # all rules over everything
        UNDO = "undo"  # of a change of many files, or going back to after one
        IMPORT = "import"  # of an export with many files

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"  # a worker holds it until `lease`
        PLANNED = "planned"  # its proposals wait for somebody
        APPLIED = "applied"  # the files have what was wanted of it
        FAILED = "failed"  # nothing was changed; `trouble` says why
        CANCELLED = "cancelled"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="jobs", db_index=False)
    kind = models.CharField(max_length=16, choices=Kind)
    # What is wanted: `scopes` and options of a compaction, the `chat` of a summary or an extraction, the `change` of an undo, the
    # `upload` of an import.
    params: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    # Names work that must not be there twice: while one of that name waits or runs, no other is made. "" names nothing.
    name = models.CharField(max_length=300, blank=True, default="")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    by = models.CharField(max_length=80)  # a person's name, "delivery", "command line", "schedule"
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created = models.DateTimeField()
    run_after = models.DateTimeField()  # not before then: a retry waits
    started = models.DateTimeField(null=True, blank=True)  # the first time that a worker took it
    finished = models.DateTimeField(null=True, blank=True)  # planned counts as finished: the worker has done its part
    attempt = models.IntegerField(default=0)
    # Who holds it: a word of that attempt alone, so that a worker which was believed dead cannot go on with it.
    holder = models.CharField(max_length=32, blank=True, default="")
    lease = models.DateTimeField(null=True, blank=True)  # until when it is the holder's, prolonged by each heartbeat
    to_cancel = models.BooleanField(default=False)  # somebody wants it to stop; the holder looks at each step
    too_late = models.BooleanField(default=False)  # to stop a running one: the last that it writes is intended
    # Progress: so many of so many, and what is being done, a plain sentence.
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
    doing = SentenceField(blank=True, default="")
    trouble = SentenceField(blank=True, default="")  # why it failed, was cancelled or waits for another try
    # What came of it in numbers, and of a consolidation the documents it was made from: path -> sha256.
    outcome: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "kind", "name"],
                name="one_open_job_per_name",
                condition=models.Q(state__in=["queued", "running"]) & ~models.Q(name=""),
            )
        ]
        indexes = [
            models.Index(fields=["bot", "-id"], name="jobs_by_bot"),
            models.Index(fields=["bot", "state", "-id"], name="jobs_by_state"),
            models.Index(fields=["lease"], name="leased_jobs", condition=models.Q(state="running")),
        ]

    def __str__(self) -> str:
        return _("Job %(number)s") % {"number": self.pk}

    @property
    def is_open(self) -> bool:
        """Whether it waits for a worker or one is at it."""
        return self.state in (self.State.QUEUED, self.State.RUNNING)

    @property
    def can_cancel(self) -> bool:
        """Whether nobody has told it to stop yet and it still would."""
        ends = self.state == self.State.RUNNING and self.too_late
        return self.is_open and not self.to_cancel and not ends


class Proposal(models.Model):
    """One thing that a job proposes. It changes nothing until it is accepted, and can be accepted by itself."""

    class Action(models.TextChoices):
        KEEP = "keep"  # the fact as it is, into long-term memory
        MERGE = "merge"  # several facts as one line
        SUPERSEDE = "supersede"  # facts go because a newer one says otherwise
        ARCHIVE = "archive"  # into the archive, which the bot does not read
        REMEMBER = "remember"  # a new fact, picked out of a turn
        REPLACE = "replace"  # a whole document, such as the summary of a session

    class State(models.TextChoices):
        OPEN = "open"
        APPLIED = "applied"
        REFUSED = "refused"
        BLOCKED = "blocked"  # the gate found that it loses something; it can never be accepted

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="proposals", db_index=False)
    number = models.IntegerField()  # from 1, in the order they are shown
    action = models.CharField(max_length=10, choices=Action)
    # The facts it is about, in the order they were numbered: {path, line, key, nth, text, day, time}. Of facts picked out of
    # turns: {path, line, text} of the messages.
    sources: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list)
    # Of a supersession: the newer fact, as a source.
    newer: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    # the line or document it makes, "" where the facts stay as they are
    text = models.TextField(blank=True, default="")
    path = models.TextField(blank=True, default="")  # the document it goes to
    # Sentences for people. What is flagged is for a person to decide; what is lost can be accepted by nobody.
    flags = SentencesField(default=list, blank=True)
    losses = SentencesField(default=list, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    change_set = models.ForeignKey(
        ChangeSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="proposals"
    )
    # Of what is held: the call that wants it.
    delivery = models.ForeignKey(Delivery, null=True, blank=True, on_delete=models.SET_NULL, related_name="proposals")
    created = models.DateTimeField(auto_now_add=True)
    # Who accepted or refused it, and when.
    decided = models.DateTimeField(null=True, blank=True)
    by = models.CharField(max_length=80, blank=True, default="")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["job", "number"]
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="one_proposal_per_number")]

    def __str__(self) -> str:
        return f"{self.action} {self.number} of job {self.job_id}"


class ModelCall(models.Model):
    """One question to the language model: what it was for, what it cost, how it went. Never its text."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="model_calls", db_index=False)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="model_calls")
    delivery = models.ForeignKey(
        Delivery, null=True, blank=True, on_delete=models.SET_NULL, related_name="model_calls", db_index=False
    )
    purpose = models.CharField(max_length=16)  # the job's kind, or "answer"
    model = models.CharField(max_length=200)
    at = models.DateTimeField()
    day = models.CharField(max_length=10)  # the bot's day, YYYY-MM-DD
    tokens_in = models.IntegerField(default=0)
    tokens_out = models.IntegerField(default=0)
    counted = models.BooleanField(default=True)  # by the server; else estimated here
    micros = models.BigIntegerField(default=0)  # millionths of a US dollar, by the prices set then
    tries = models.IntegerField(default=1)  # requests that were sent for it
    milliseconds = models.FloatField(default=0)
    fault = models.CharField(max_length=20, blank=True, default="")  # memory.llm.Fault, "" if it went well

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["bot", "day", "purpose"], name="model_calls_by_day"),
            models.Index(fields=["bot", "-id"], name="model_calls_by_bot"),
        ]

    def __str__(self) -> str:
        return f"call {self.pk} for {self.purpose}"


class Answering(models.Model):
    """A chat in which a turn is being answered: one at a time, over all processes and machines."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    session_id = models.CharField(max_length=255)
    holder = models.CharField(max_length=32)
    until = models.DateTimeField()  # afterwards its holder is believed dead

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "session_id"], name="one_answer_at_a_time")]

    def __str__(self) -> str:
        return f"a turn in {self.session_id}"
