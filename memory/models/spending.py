"""What asking a language model came to, so that nobody has to sum up calls."""

from __future__ import annotations

from django.db import models

from memory.models.bots import Bot


class Spending(models.Model):
    """A bot's calls of one day for one purpose, kept in step with them. Calls go after a year, this stays."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.CharField(max_length=10)  # the bot's day, YYYY-MM-DD
    purpose = models.CharField(max_length=16)  # as of the calls
    calls = models.IntegerField(default=0)
    faults = models.IntegerField(default=0)  # calls that came to nothing
    tokens_in = models.BigIntegerField(default=0)
    tokens_out = models.BigIntegerField(default=0)
    micros = models.BigIntegerField(default=0)  # millionths of a US dollar

    class Meta:
        ordering = ["-day", "purpose"]
        constraints = [models.UniqueConstraint(fields=["bot", "day", "purpose"], name="one_sum_per_day_and_purpose")]

    def __str__(self) -> str:
        return f"{self.purpose} on {self.day}"
