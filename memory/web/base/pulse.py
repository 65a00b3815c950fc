"""What goes on in a bot's files right now: how far a job is in writing them, and which one changed last."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from django.utils import timezone
from django.utils.translation import gettext as _

from memory.compaction import job as compaction
from memory.index import cached
from memory.jobs import steps
from memory.models import Bot, Document, Job
from memory.text.ages import instant
from memory.web.base.dates import ago
from memory.web.base.shown_text import isolated

LATELY = 60  # seconds for which a change is news


@dataclass(frozen=True, slots=True)
class Pulse:
    """One state in words: `name` without what counts on in it, which is spoken once; `is_busy` while something is written."""

    words: str
    name: str
    is_busy: bool = False


def pulse(bot: Bot, *, is_idle: bool = False) -> Pulse | None:
    """The state of a bot's files beside that they are up to date, None for nothing; `is_idle`: none of its jobs is known to run."""
    return (None if is_idle else _of_job(bot)) or _of_files(bot)


def _of_job(bot: Bot) -> Pulse | None:
    running = bot.jobs.filter(state=Job.State.RUNNING, kind__in=(Job.Kind.COMPACTION, *steps.AS_ONE))
    job = running.only("kind", "params", "doing", "done", "total").first()
    if job is None or not job.total or not steps.writes(job.doing):
        return None
    words, name = _doing(job)
    is_one = job.kind in steps.AS_ONE
    percent = steps.percent(job.kind, job.doing, job.done, job.total) if is_one else _share(job)
    return Pulse(words % {"percent": percent}, name, is_busy=True)


def _share(job: Job) -> int:
    return min(job.done, job.total) * 100 // job.total


def _doing(job: Job) -> tuple[str, str]:
    if job.kind in steps.AS_ONE:
        return _("Writing files, %(percent)s%%"), _("Undo") if job.kind == Job.Kind.UNDO else _("Import")
    return (_("Archiving, %(percent)s%%") if compaction.only_archives(job) else _("Compacting, %(percent)s%%")), _(
        "Compaction"
    )


def _of_files(bot: Bot) -> Pulse | None:
    newest: tuple[str, int] | None = cached.while_indexed(bot, "newest", lambda: _newest(bot))
    if newest is None:
        return None
    path, moment = newest[0], instant(newest[1])
    if not 0 <= (timezone.now() - moment).total_seconds() < LATELY:
        return None
    words = _("%(file)s changed %(ago)s") % {"file": isolated(PurePosixPath(path).name), "ago": ago(moment, bot)}
    return Pulse(words, words)


def _newest(bot: Bot) -> tuple[str, int] | None:
    return Document.objects.filter(bot=bot).order_by("-mtime_ns").values_list("path", "mtime_ns").first()
