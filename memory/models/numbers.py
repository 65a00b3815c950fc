"""A bot in numbers over time: small rows that pages sum up, so that nobody has to read the history for them."""

from __future__ import annotations

from django.db import models

from memory.models.bots import Bot


class Tally(models.Model):
    """How many facts came into a bot's memory and went out of it on one of its days, by one source, as its history tells.
    An undo takes back what its change counted; of half a change that can be less than nothing."""

    class Source(models.TextChoices):
        TURNS = "turns"  # what the bot handed in, and what was answered in its place
        OUTSIDE = "outside"  # files that the bot or somebody else wrote
        EDITS = "edits"  # people, and programs over the API
        COMPACTION = "compaction"
        IMPORT = "import"
        FOUND = "found"  # what was there at the first import and names its day

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.CharField(max_length=10)  # the bot's day, YYYY-MM-DD
    source = models.CharField(max_length=10, choices=Source)
    learned = models.IntegerField(default=0)
    forgotten = models.IntegerField(default=0)

    class Meta:
        ordering = ["-day", "source"]
        verbose_name_plural = "tallies"
        constraints = [models.UniqueConstraint(fields=["bot", "day", "source"], name="one_tally_per_day_and_source")]

    def __str__(self) -> str:
        return f"{self.source} on {self.day}"


class Tallied(models.Model):
    """How far a bot's history is counted: up to these rows. What was there before `first` without a day of its own counts for no
    day: nobody knows when it was learned."""

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, primary_key=True, related_name="+")
    first = models.BigIntegerField(default=0)
    revision = models.BigIntegerField(default=0)
    growth = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"up to {self.revision}"


class Measure(models.Model):
    """How a bot stood when one of its days was first looked at: what the history does not tell afterwards."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.CharField(max_length=10)  # the bot's day, YYYY-MM-DD
    at = models.DateTimeField()
    facts = models.IntegerField()
    size = models.BigIntegerField(null=True)  # bytes of its own long-term memory; NULL: it has none
    tokens = models.IntegerField(null=True)  # of the prompt without a message; NULL: that can't be told
    open = models.IntegerField()  # findings
    settled = models.IntegerField()  # findings that were gone or ignored since the row before

    class Meta:
        ordering = ["-day"]
        constraints = [models.UniqueConstraint(fields=["bot", "day"], name="one_measure_per_day")]

    def __str__(self) -> str:
        return self.day
