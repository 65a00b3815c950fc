"""`manage.py serve`: everything from nothing to a running desk, in the foreground."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import BaseCommand, CommandError, CommandParser, call_command

from memory.access import login_links
from memory.domain.errors import Refusal
from memory.management import server, thrift
from memory.management.child_process import Kept, end_with
from memory.management.commands import worker as jobs
from memory.management.prepare import prepare
from memory.registry import uploads
from memory.storage import database
from memory.text.tokens.counters import counter

WORKER_PATIENCE = 6.0  # seconds from when it is told to end; it gives its job three of them


class Command(BaseCommand):
    help = "Prepare the database and the static files, print a login link, and serve until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", help="the address to serve at, instead of KENOWEB_BIND")
        parser.add_argument("--port", type=int, help="the port to serve at; 0 for any free one")
        parser.add_argument("--without-worker", action="store_true", help="don’t start a worker; workers run elsewhere")
        parser.add_argument(
            "--sample", action="store_true", help="make a sample bot if no bot is found on this machine"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"] or settings.KENOWEB_BIND[0], options["port"]
        port = settings.KENOWEB_BIND[1] if port is None else port
        bound = self.bind(host, port)
        settings.ALLOWED_HOSTS.append(f"[{host}]" if ":" in host else host)
        address = server.url(host, bound.getsockname()[1])
        us = os.getpid()

        def read() -> None:
            end_with(us)
            with suppress(Refusal):  # the server is refused the same, and says so
                self.prepare(options["sample"])
                jobs.read_all()

        reader = Kept("kenoweb reader", read, 0, once=True)
        worker = Kept("kenoweb worker", lambda: call_command(jobs.Command(), parent=us), WORKER_PATIENCE)

        def tell() -> None:
            reader.tell()
            worker.tell()

        try:
            thrift.give_back()
            if not options["without_worker"]:  # the tables are made and the files read while the pages are loaded here
                reader.start()
            self.collect_static()
            server.load_pages()
            counter()  # its vocabulary is there once for all processes
            link = address + login_links.new_link(self.owner(options["sample"]))

            def ready() -> None:
                self.stdout.write(f"Kenoweb is running. Open {link} (valid once, ten minutes)")
                self.stdout.flush()

            if not options["without_worker"]:
                thrift.share()
                server.close_connections()
                worker.start()
            with server.noted(address), database.noted():
                server.Server(bound, ready, tell).run()
        finally:
            if os.getpid() == us:  # a process that answers requests leaves through here too
                reader.stop()
                worker.stop()

    def owner(self, with_sample: bool) -> User:
        """Whom the login link is for, once everything is prepared."""
        try:
            self.prepare(with_sample)
        except Refusal as error:
            raise CommandError(str(error)) from None
        uploads.sweep()
        user = login_links.owner()
        if user is None:
            raise CommandError(
                "There is no active superuser to log in as. Create one: python manage.py createsuperuser"
            )
        return user

    def prepare(self, with_sample: bool) -> None:
        for line in prepare(with_sample):
            self.stderr.write(line, style_func=str)  # news, no error: not in red

    def bind(self, host: str, port: int) -> Any:
        try:
            bound = server.bind(host, port)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or "no such port"
            raise CommandError(
                f"Cannot serve at {host}, port {port}: {why}. Set KENOWEB_BIND or --host and --port."
            ) from None
        if port and bound.getsockname()[1] != port:
            self.stderr.write(f"Port {port} is taken, so Kenoweb serves at port {bound.getsockname()[1]}.")
        return bound

    def collect_static(self) -> None:
        """Collect the static files, unless these very ones were collected before."""
        stamp = Path(settings.STATIC_ROOT) / ".collected"
        state = static_state()
        if not stamp.exists() or stamp.read_text(encoding="ascii") != state:
            call_command("collectstatic", verbosity=0, interactive=False)
            stamp.write_text(state, encoding="ascii")


def static_state() -> str:
    """A name for the static files as they are: ours by their bytes, the packages' by their versions."""
    seen = hashlib.sha256(" ".join(version(name) for name in ("django", "django-htmx", "whitenoise")).encode())
    for directory in settings.STATICFILES_DIRS:
        for path in sorted(Path(directory).rglob("*")):
            if path.is_file():
                seen.update(f"{path.relative_to(directory)}\0".encode())
                seen.update(path.read_bytes())
    return seen.hexdigest()
