"""The history: who changed what, and every byte that was replaced or removed."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from memory.models.bots import Bot
from memory.models.fields import SentenceField


class Blob(models.Model):
    """A version's bytes, stored once by hash: compressed whole, or as the difference from `parent`."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    parent = models.CharField(max_length=64, blank=True, default="")
    nth = models.IntegerField(default=0)  # so many versions after a whole one
    data = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "sha256"], name="one_blob_per_hash")]

    def __str__(self) -> str:
        return self.sha256[:12]


class ChangeSet(models.Model):
    """Changes committed together, with who and why."""

    class State(models.TextChoices):
        WRITING = "writing"  # intents are in the database, files may or may not have them
        SETTLING = "settling"  # all written; what stood there before is still under watch for late appends
        APPLIED = "applied"
        ABANDONED = "abandoned"  # the process died, or it was called off, before any file was touched
        FAILED = "failed"  # refused by the file system; nothing was changed

    class Kind(models.TextChoices):
        EDIT = "edit"
        CAPTURE = "capture"
        COMPACTION = "compaction"
        UNDO = "undo"
        RESTORE = "restore"
        ANSWER = "answer"  # a turn that Kenoweb itself answered
        IMPORT = "import"
        OUTSIDE = "outside"  # somebody else wrote; we only noticed
        FOUND = "found"  # the first look at a document

    TURNS = (Kind.CAPTURE, Kind.ANSWER)

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="change_sets")
    token = models.CharField(max_length=16)  # names its hidden files
    kind = models.CharField(max_length=12, choices=Kind)
    # what is known: a person's name, "delivery", "command line", "outside", "looks like the bot"
    by = models.CharField(max_length=80)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    why = SentenceField(blank=True, default="")
    state = models.CharField(max_length=10, choices=State)
    note = SentenceField(blank=True, default="")  # what went differently: joined, failed, abandoned and why
    undoes = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="undone_by")
    # The job that made it.
    job = models.ForeignKey(
        "memory.Job", null=True, blank=True, on_delete=models.SET_NULL, related_name="change_sets", db_index=False
    )
    details: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField()
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["bot", "-id"]),
            models.Index(fields=["bot", "created"]),
            models.Index(fields=["job"], name="sets_of_jobs", condition=models.Q(job__isnull=False)),
            models.Index(
                fields=["bot", "state"], name="unfinished_sets", condition=models.Q(state__in=["writing", "settling"])
            ),
        ]

    def __str__(self) -> str:
        return _("Change %(number)s") % {"number": self.pk}


class Head(models.Model):
    """The last version of a document that the history holds whole ("" for: there was none), as of revision `upto`.

    Appends of ours that are newer than `upto` are known by offset only, until the document is next looked at.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE)
    path = models.TextField()
    sha256 = models.CharField(max_length=64, blank=True, default="")
    upto = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "path"], name="one_head_per_path")]

    def __str__(self) -> str:
        return self.path


# Whose text History no longer holds as it was. The condition of a partial index: a query has to say it in the same words.
LET_GO = models.Q(pruned__isnull=False) | models.Q(purged__isnull=False)


class Revision(models.Model):
    """One document's part of a change set. Before the write it is the intent, afterwards the record.

    `before` and `after` name versions by sha256 ("" where the document did not exist). An append writes without reading: it
    knows `offset` and `added`; its `after` is filled in when the document is next looked at, with the first version that was
    seen whole and holds `added` at `offset` (see `history.sides`).
    """

    class Action(models.TextChoices):
        PUT = "put"
        APPEND = "append"
        DELETE = "delete"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE)
    change_set = models.ForeignKey(ChangeSet, on_delete=models.CASCADE, related_name="revisions")
    path = models.TextField()
    action = models.CharField(max_length=6, choices=Action)
    before = models.CharField(max_length=64, blank=True, default="")
    after = models.CharField(max_length=64, blank=True, default="")
    done = models.BooleanField(default=False)  # the file has it; False: an intent, or one that was never carried out
    added = models.BinaryField(null=True)  # an append's bytes
    offset = models.BigIntegerField(null=True)  # where the appended bytes stand
    size_before = models.BigIntegerField(null=True)
    size_after = models.BigIntegerField(null=True)
    inode_before = models.BigIntegerField(null=True)
    mode_before = models.IntegerField(null=True)
    mtime_before = models.BigIntegerField(null=True)
    mode_after = models.IntegerField(null=True)  # set where the change states them (an undo, a restore)
    mtime_after = models.BigIntegerField(null=True)
    slot = models.CharField(max_length=40, blank=True, default="")  # the vault's hidden name; "" once settled
    pruned = models.DateTimeField(null=True)  # its text was let go then, as the bot's settings say
    purged = models.DateTimeField(null=True)  # a text was written over in its versions then

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["bot", "path", "-id"]),
            models.Index(fields=["bot", "slot"], name="unsettled_slots", condition=~models.Q(slot="")),
            models.Index(
                fields=["bot"],
                name="revisions_let_go",
                condition=LET_GO,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.path}"


class Lineage(models.Model):
    """One step of a fact's life: what it was became what it is, by a change set. A fact is named by its document and its key, ""
    for nothing: it came, or it went. No row tells what a revision tells by itself: what it appended, or made its document with."""

    class How(models.TextChoices):
        ADDED = "added"
        REWORDED = "reworded"
        MOVED = "moved"
        PROMOTED = "promoted"
        MERGED = "merged"
        SPLIT = "split"
        SUPERSEDED = "superseded"
        FORGOTTEN = "forgotten"
        RETURNED = "returned"  # it had been forgotten there

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    change_set = models.ForeignKey(ChangeSet, on_delete=models.CASCADE, related_name="lineage")
    how = models.CharField(max_length=10, choices=How)
    from_path = models.TextField(blank=True, default="")
    from_key = models.CharField(max_length=32, blank=True, default="")
    to_path = models.TextField(blank=True, default="")
    to_key = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["bot", "from_key"], name="lineage_from"),
            models.Index(fields=["bot", "to_key"], name="lineage_to"),
        ]

    def __str__(self) -> str:
        return f"{self.how} {self.from_key or self.to_key}"


class Purge(models.Model):
    """A text that was purged: when, by whom, in how many rows of which places, and never which one."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="purges")
    at = models.DateTimeField(auto_now_add=True)
    by = models.CharField(max_length=80)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    print = models.CharField(max_length=64)  # an HMAC of the text
    counts: models.JSONField[dict[str, int], dict[str, int]] = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"purge {self.pk}"


class Growth(models.Model):
    """How large a document was when growth from outside was noticed, and since when: a revision that later growth joined would
    not tell."""

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="growth", db_index=False)
    at = models.DateTimeField()  # as the file's own time says where that can be, else when it was noticed
    size = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["revision", "at", "size"])]

    def __str__(self) -> str:
        return f"{self.size} bytes"
