"""Where texts lie for a model that knows which of them mean the same."""

from __future__ import annotations

from django.db import models

from memory.models.bots import Bot


class Vector(models.Model):
    """What a model makes of the texts with one key. Facts that come, go and move keep it: it belongs to the words and not to a
    row of the index, so that an index built anew has its vectors already."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, db_index=False)
    model = models.CharField(max_length=200)  # which one, such as "wordllama:l2_supercat_256"
    key = models.CharField(max_length=32)  # memory.models.Fact.key
    dimensions = models.IntegerField()
    data = models.BinaryField()  # float32, little-endian, of length one

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "model", "key"], name="one_vector_per_model_and_key")]

    def __str__(self) -> str:
        return f"{self.model}: {self.key}"
