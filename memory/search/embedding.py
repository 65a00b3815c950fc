"""Making vectors for the facts of a bot that have none yet."""

from __future__ import annotations

import time

from django.db.models import Count, Max

from memory.models import Bot, Fact, RecallTest, Vector
from memory.search import vectors
from memory.search.embedders import Embedder, NoVectors, embedder, pause, vector_of
from memory.storage import locks
from memory.text.sentences import say

PATIENCE = 20.0  # seconds that a run which makes all of them waits for one that makes some
_done: dict[tuple[int, str], int] = {}  # (bot, model) -> the newest fact up to which every text has its vector


def fill(bot: Bot, seconds: float | None) -> str:
    """As memory.search.embedding_backlog.fill says."""
    try:
        with locks.lock(f"vectors-{bot.pk}", patience=0 if seconds else PATIENCE):
            model = embedder()
            return _fill(bot, model, seconds) if model else ""
    except locks.Timeout:
        return ""  # somebody else is at it
    except NoVectors as error:
        return str(error)


def _fill(bot: Bot, model: Embedder, seconds: float | None) -> str:
    begun, place = time.monotonic(), (bot.pk, model.name)
    newest = Fact.objects.filter(bot=bot).aggregate(newest=Max("id"))["newest"] or 0
    if place not in _done or seconds is None:
        vectors.prepare()
        vectors.sweep(bot, model.name)
        _done[place] = 0
    made = False
    while _done[place] < newest and (seconds is None or time.monotonic() - begun < seconds):
        found = vectors.missing(bot, model.name, _done[place], model.batch)
        vectors.keep(bot, model.name, _vectors(model, {key: text for _pk, key, text in found}))
        _done[place], made = found[-1][0] if found else newest, made or bool(found)
    if made:
        RecallTest.objects.filter(bot=bot).update(indexed=-1)  # what is near counts in them as well
    return ""


def _vectors(model: Embedder, texts: dict[str, str]) -> list[tuple[str, bytes]]:
    if not texts:
        return []
    try:
        return list(zip(texts, model.passages(list(texts.values())), strict=True))
    except NoVectors as error:
        raise pause(error) from None


def examine(bot: Bot) -> tuple[bool, str]:
    """As memory.search.embedding_backlog.examine says."""
    try:
        model = embedder()
        if model is None:
            return False, say("No embedder is set up.")
        length = len(vector_of(model, "Does it answer?")) // vectors.BYTES_OF_A_NUMBER
    except NoVectors as error:
        return False, str(error)
    texts = Fact.objects.filter(bot=bot).aggregate(texts=Count("key", distinct=True))["texts"]
    there = Vector.objects.filter(bot=bot, model=model.name, dimensions=length).count()
    return True, f"{model.name} answers with {length} numbers; {there} of {texts} texts have theirs"


def forget() -> None:
    """Forget how far the vectors of each bot have come."""
    _done.clear()
