"""The index: what the files say, as rows. It may be dropped at any time and is rebuilt from the files.

No column `bot` has an index of its own: every other one begins with it, and SQLite would rather take the short one.
"""

from __future__ import annotations

from django.db import models

from memory.models.bots import Bot
from memory.models.fields import SentenceField


class Document(models.Model):
    """One memory file as last looked at. (mtime_ns, ctime_ns, size, inode) tell whether it changed since."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="documents", db_index=False)
    path = models.TextField()
    kind = models.CharField(max_length=20)
    tier = models.CharField(max_length=10)
    scope = models.CharField(max_length=255, blank=True, default="")
    day = models.CharField(max_length=10, blank=True, default="")  # as the file name says; may be no real date
    size = models.BigIntegerField()
    mtime_ns = models.BigIntegerField()
    ctime_ns = models.BigIntegerField()
    inode = models.BigIntegerField()
    mode = models.IntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    tokens = models.IntegerField(default=0)
    facts_count = models.IntegerField(default=0)
    error = SentenceField(blank=True, default="")  # why it cannot be read, for people
    rules = models.IntegerField(default=0)  # by which its facts were read: memory.index.rows.RULES
    checked = models.CharField(max_length=64, blank=True, default="")  # which version the rules of its form have seen

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "path"], name="one_document_per_path")]
        indexes = [
            # Each with what the sums of chats and days are made of, so that they are counted without a look at the rows.
            models.Index(
                fields=["bot", "tier", "scope", "kind", "day", "facts_count", "size", "mtime_ns"],
                name="documents_of_a_chat",
            ),
            models.Index(
                fields=["bot", "kind", "day", "scope", "facts_count", "size", "mtime_ns"], name="documents_of_a_day"
            ),
            models.Index(fields=["bot", "path"], condition=~models.Q(error=""), name="unreadable_documents"),
        ]

    def __str__(self) -> str:
        return self.path


class Fact(models.Model):
    """One remembered thing inside a document. `key` and `nth` stay with it while lines move: (path, key, which occurrence)."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="facts")
    ordinal = models.IntegerField()
    line = models.IntegerField()
    end_line = models.IntegerField()
    time = models.CharField(max_length=5, blank=True, default="")
    text = models.TextField()
    key = models.CharField(max_length=32)
    nth = models.IntegerField(default=0)
    tokens = models.IntegerField(default=0)
    # How it stands among the entries of its log: memory.text.repeats.Standing.
    since = models.CharField(max_length=5, blank=True, default="")
    run = models.IntegerField(default=1)
    until = models.CharField(max_length=5, blank=True, default="")
    # What it stands under and who says it, as far as its document tells.
    heading = models.TextField(blank=True, default="")
    speaker = models.CharField(max_length=40, blank=True, default="")
    # What it is found by: memory.text.words of its text, and of heading and speaker. The search engines index these two.
    words = models.TextField(blank=True, default="")
    traits = models.SmallIntegerField(default=0)  # what sort of sentence it is: memory.text.traits
    about = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "document", "key", "nth"], name="one_fact_per_key_and_occurrence")
        ]
        indexes = [
            models.Index(fields=["bot", "key"]),
            models.Index(fields=["bot", "document", "ordinal"], name="facts_in_order"),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class FactAttributes(models.Model):
    """What a bot says of a fact besides the fact itself, so that a hundred thousand can be narrowed down and put in order:
    memory.text.attributes. It goes with its document; a fact's row goes without asking here."""

    NEVER = "9999"  # expires after whatever does

    fact = models.OneToOneField(
        Fact, on_delete=models.DO_NOTHING, primary_key=True, related_name="attributes", db_constraint=False
    )
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=40)
    whose = models.CharField(max_length=10)
    source = models.CharField(max_length=40)
    status = models.CharField(max_length=40, blank=True, default="")
    importance = models.FloatField(default=0)
    confidence = models.FloatField(default=0)
    created = models.CharField(max_length=40, blank=True, default="")
    updated = models.CharField(max_length=40, blank=True, default="")
    expires = models.CharField(max_length=40, default=NEVER)

    class Meta:
        db_table = "memory_entryrow"
        verbose_name_plural = "fact attributes"
        indexes = [
            models.Index(fields=["bot", "-updated", "-fact"], name="entries_by_update"),
            models.Index(fields=["bot", "-importance", "-updated", "-fact"], name="entries_by_importance"),
            models.Index(fields=["bot", "expires", "-updated", "-fact"], name="entries_by_expiry"),
            models.Index(fields=["bot", "kind", "-updated", "-fact"], name="entries_of_a_kind"),
            models.Index(fields=["bot", "whose", "-updated", "-fact"], name="entries_of_a_sort"),
            models.Index(fields=["document", "-updated", "-fact"], name="entries_of_a_document"),
            # With everything that they are narrowed by, so that they are counted without a look at the rows.
            models.Index(
                fields=["bot", "kind", "whose", "source", "importance", "confidence", "expires", "created"],
                name="entries_counted",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.whose}"


class Chat(models.Model):
    """One chat in sums over its documents, so that ten thousand can be listed by last activity. Part of the index."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="chats", db_index=False)
    scope = models.CharField(max_length=255)
    written_ns = models.BigIntegerField()  # when any of its documents was last written, ns since 1970
    notes = models.IntegerField(default=0)  # facts in its logs and its long-term memory
    logs = models.IntegerField(default=0)
    oldest_day = models.CharField(max_length=10, blank=True, default="")  # of its logs
    newest_day = models.CharField(max_length=10, blank=True, default="")
    size = models.BigIntegerField(default=0)  # bytes of its notes, without the transcript
    working_ns = models.BigIntegerField(null=True)  # when its working memory was written; NULL: it has none
    transcript_size = models.BigIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "scope"], name="one_row_per_chat")]
        indexes = [
            models.Index(fields=["bot", "-written_ns", "scope"], name="chats_by_activity"),
            models.Index(fields=["bot", "oldest_day"]),
            models.Index(fields=["bot", "working_ns"], name="chats_by_working_memory"),
        ]

    def __str__(self) -> str:
        return self.scope


class Day(models.Model):
    """One day in sums over the logs of all scopes. Part of the index."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="days", db_index=False)
    day = models.CharField(max_length=10)  # as the files' names say; may be no real date
    facts = models.IntegerField(default=0)
    logs = models.IntegerField(default=0)
    chats = models.IntegerField(default=0)  # logs that are a chat's
    size = models.BigIntegerField(default=0)
    written_ns = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "day"], name="one_row_per_day")]

    def __str__(self) -> str:
        return self.day


def clear_index(bot: Bot) -> None:
    """Forget what the index says of a bot, and say that it changed."""
    for rows in (Document, Chat, Day):
        rows.objects.filter(bot=bot).delete()
    Bot.objects.filter(pk=bot.pk).update(indexed=models.F("indexed") + 1, others=0)
