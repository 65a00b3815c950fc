"""What accepting a job's proposals would do, before anybody does it: in words for the button, and as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.bots import open_bot
from memory.compaction import consolidation
from memory.domain.errors import VaultError
from memory.models import Bot, Job
from memory.web.base.gauges import number_of
from memory.web.compaction.bars import Size, passing, size
from memory.web.compaction.plan_rows import deeds

FORESEEN = 1000  # proposals whose outcome is worked out while somebody waits for the page


@dataclass(frozen=True, slots=True)
class Deeds:
    """The button's words, "" where nothing is ticked; long-term memory before and after; by how much it would pass the limit."""

    button: str = ""
    sizes: Sequence[Size] = ()
    passes: str = ""


def deeds_of(bot: Bot, job: Job, numbers: Sequence[int]) -> Deeds:
    """What accepting these would do, as far as that can be told now."""
    if not numbers:
        return Deeds()
    plain = number_of("Accept %(count)s suggestion", "Accept %(count)s suggestions", len(numbers))
    if job.kind != Job.Kind.CONSOLIDATION or len(numbers) > FORESEEN:
        return Deeds(plain)
    try:
        found = consolidation.foresee(bot, job, numbers)
    except VaultError:
        return Deeds(plain)
    limit = open_bot(bot).limit
    sizes = [size(path, before, after, limit) for path, (before, after) in found.sizes.items()]
    return Deeds(deeds(found.counts) or plain, sizes, passing(sizes, limit))
