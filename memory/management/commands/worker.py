"""`manage.py worker`: does the jobs. As many may run as are wanted, on as many machines as share the database and the files."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils.module_loading import import_string

from memory import index, numbers, search
from memory.checks import findings
from memory.domain.errors import Refusal
from memory.index.watch import PATIENCE
from memory.jobs.each_bot import each_bot
from memory.jobs.pruning import Pruning
from memory.jobs.worker import Worker, carefully
from memory.management import thrift
from memory.management.prepare import prepare
from memory.models import Bot, Subscription

if TYPE_CHECKING:
    from memory.digests.post import Post


class Command(BaseCommand):
    help = "Run the queued jobs until Ctrl-C. `serve` starts a worker by itself."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="run what is due, then stop; for cron")
        parser.add_argument("--parent", type=int, metavar="PROCESS", help="stop when this parent process is gone")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            prepare()
        except Refusal as error:
            raise CommandError(str(error)) from None
        if not options["once"] and options["parent"] is None:  # else the parent sees to it
            threading.Thread(target=read_all, name="first look at the files", daemon=True).start()
        worker = Worker(options["parent"], (_look_after, Pruning().look))
        if options["once"]:
            worker.run_once()
            return
        if options["parent"] is None:
            self.stdout.write("The worker is running. Ctrl-C ends it.")
            self.stdout.flush()
        worker.run_until_stopped()


def read_all() -> None:
    """Bring the rows of every bot in step with its files, and look at what is new in them."""
    carefully(lambda: each_bot(_read, Bot.present.all(), "its files could not be read"))
    connection.close()
    thrift.trim()


def _read(bot: Bot) -> None:
    index.refresh(bot, patience=PATIENCE)
    findings.look(bot)


@cache
def _desk_post() -> Post:
    """What is told to people, in the words of the desk: loaded once somebody wants to hear of anything."""
    from memory.digests.post import Post

    return Post(import_string(settings.NOTICE_WRITER)())


def _look_after() -> None:
    """Keep the bots’ numbers up and the search fast, and look after what people want to hear of. None waits for another to work."""
    for look in (numbers.keep, search.engine().merge, _tell):
        carefully(look)
    thrift.trim()


def _tell() -> None:
    if Subscription.objects.exists():
        _desk_post().look()
