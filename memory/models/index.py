"""The index: what the files say, as rows. It may be dropped at any time and is rebuilt from the files."""

from __future__ import annotations

from django.db import models

from memory.models.bots import Bot


class Document(models.Model):
    """One memory file as last looked at. (mtime_ns, ctime_ns, size, inode) tell whether it changed since."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="documents")
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
    error = models.TextField(blank=True, default="")  # why it cannot be read, for people

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "path"], name="one_document_per_path")]
        indexes = [
            models.Index(fields=["bot", "tier", "scope", "kind", "day"]),
            models.Index(fields=["bot", "kind", "day"]),
        ]

    def __str__(self) -> str:
        return self.path


class Fact(models.Model):
    """One remembered thing inside a document. `key` and `nth` stay with it while lines move: (path, key, which occurrence)."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="facts")
    ordinal = models.IntegerField()
    line = models.IntegerField()
    end_line = models.IntegerField()
    time = models.CharField(max_length=5, blank=True, default="")
    text = models.TextField()
    key = models.CharField(max_length=32)
    nth = models.IntegerField(default=0)
    tokens = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "document", "key", "nth"], name="one_fact_per_key_and_occurrence")
        ]
        indexes = [models.Index(fields=["bot", "key"])]

    def __str__(self) -> str:
        return self.text[:60]
