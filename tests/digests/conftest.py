"""Somebody who wants to hear, a bot that learns, and a real mail server on this machine."""

from __future__ import annotations

import socket
import warnings
from datetime import datetime
from email import message_from_bytes, policy
from zoneinfo import ZoneInfo

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult
from django.contrib.auth.models import User
from django.utils import timezone

from memory.digests.post import Post
from memory.models import Subscription
from memory.web.digests.letter import Words
from tests.journal.conftest import make_desk

NAME, PASSWORD = b"desk", b"a mail password"


class Handler:
    """Takes what comes, or answers a message with `says`; `cuts` the connection off instead of an answer."""

    def __init__(self):
        self.mails, self.says, self.cuts = [], "250 taken", False

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        if self.cuts:
            server.transport.abort()
        return self.says


class MailServer(Controller):
    """On a port of its own; it asks for a name and a password where `asks`."""

    def __init__(self, *, asks=False):
        self.asks = asks
        super().__init__(Handler(), hostname="127.0.0.1", port=free_port())

    @property
    def mails(self):
        return self.handler.mails

    def factory(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a password in plain text, over this machine's own network
            return self._smtp()

    def _smtp(self):
        return SMTP(
            self.handler,
            authenticator=lambda _server, _session, _envelope, _mechanism, given: AuthResult(
                success=(given.login, given.password) == (NAME, PASSWORD), handled=False
            ),
            auth_required=self.asks,
            auth_require_tls=False,
        )


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def use(settings, port):
    """Let mail go to this port, by Django's real backend."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 5
    settings.DEFAULT_FROM_EMAIL = "kenoweb@example.org"


@pytest.fixture
def mail_server(settings):
    server = MailServer()
    server.start()
    use(settings, server.port)
    yield server
    server.stop(no_assert=True)


@pytest.fixture
def desk(transactional_db, tmp_path, kenoweb_home):
    return make_desk(tmp_path)


@pytest.fixture
def clock(monkeypatch):
    """Sets the time, as it is in Madrid."""

    def set_to(text, zone="Europe/Madrid"):
        now = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
        monkeypatch.setattr(timezone, "now", lambda: now)

    return set_to


def person(name="ana", **wants):
    """Somebody who wants a digest each day from eight, by mail, in Madrid."""
    usual = {"often": "daily", "hour": 8, "time_zone": "Europe/Madrid", "mail": f"{name}@example.org"}
    return Subscription.objects.create(user=User.objects.create_user(name), **usual | wants)


def post():
    """A worker that has just started looks after the post."""
    one = Post(Words())
    one.look()
    return one


def learned(desk, day, *facts):
    """The bot wrote a log."""
    lines = "".join(f"## {at + 10}:00 — {fact}\n\n" for at, fact in enumerate(facts))
    desk.write(f"{day}.md", f"# {day}\n\n{lines}".encode())
