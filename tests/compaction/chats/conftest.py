"""A bot with chats that were talked in, and a language model that answers what a test says."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.utils import timezone

from memory.bots import open_bot
from memory.compaction import chats
from memory.jobs.tasks import run_job
from memory.models import Bot, Job, Proposal, Root
from tests.journal.conftest import ANA, Desk, make_desk

CHAT = "telegram-5"
WORKING = f"working/{CHAT}.md"
SAID = (
    ("user", "Hi, I moved to Porto last week."),
    ("assistant", "How do you like it there?"),
    ("user", "A lot. My sister Marta visits on 2026-04-03."),
    ("assistant", "I will remind you to meet Marta."),
)


@dataclass
class Talked(Desk):
    """One bot, its memory and its transcripts."""

    sessions: Path = field(default_factory=Path)

    def say(self, *said: tuple[str, str], chat: str = CHAT) -> None:
        """Lines of a transcript as the bot writes them."""
        at = int(datetime(2026, 3, 20, 10, 0, tzinfo=UTC).timestamp() * 1000)
        lines = [json.dumps({"role": role, "content": text, "timestamp": at}) + "\n" for role, text in said]
        self.line("".join(lines).encode(), chat)

    def line(self, data: bytes, chat: str = CHAT) -> None:
        """Bytes at the end of a transcript, whatever they are."""
        with (self.sessions / f"{chat}.jsonl").open("ab") as file:
            file.write(data)

    def log(self, chat: str = CHAT) -> str:
        """Today's log of a chat, "" if it has none."""
        data = self.read(f"chats/{chat}/{open_bot(self.bot).today()}.md")
        return "" if data is None else data.decode()

    def facts(self, chat: str = CHAT) -> list[str]:
        """What today's log of a chat says."""
        path = f"chats/{chat}/{open_bot(self.bot).today()}.md"
        return [fact.text for fact in open_bot(self.bot).dialect.facts(path, self.read(path) or b"")]

    def set(self, **settings: object) -> None:
        self.bot.settings = {**self.bot.settings, **settings}
        self.bot.save()

    def summed_up(self, chat: str = CHAT) -> Job:
        return attempted(chats.summarise(self.bot, chat, ANA))

    def picked(self, chat: str = CHAT) -> Job:
        return attempted(chats.pick(self.bot, chat, ANA))


def attempted(job: Job) -> Job:
    """The job after a worker has had it once, whenever it was to be tried again."""
    Job.objects.filter(pk=job.pk).update(run_after=timezone.now())
    run_job.call(job.pk)
    return Job.objects.get(pk=job.pk)


def killed(job: Job) -> Job:
    """The job as it is taken up again after its worker died with all it had kept."""
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED, holder="", lease=None)
    return Job.objects.get(pk=job.pk)


def rows(job: Job) -> list[Proposal]:
    return list(Proposal.objects.filter(job=job).order_by("number"))


def make_talked(folder: Path, slug: str = "keno") -> Talked:
    desk = make_desk(folder, slug)
    sessions = desk.root.parent / "sessions"
    sessions.mkdir()
    Root.objects.create(bot=desk.bot, name="sessions", path=str(sessions))
    return Talked(Bot.objects.get(pk=desk.bot.pk), desk.root, sessions)


@pytest.fixture
def desk(transactional_db, tmp_path, kenoweb_home):
    return make_talked(tmp_path)


@pytest.fixture
def talked(desk):
    """A chat of two turns."""
    desk.say(*SAID)
    return desk
