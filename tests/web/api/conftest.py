"""A bot with a directory, and programs that call with its tokens."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from memory import index
from memory.access import api_tokens
from memory.domain.changes import digest
from tests.web.conftest import MEMORY, make_bot

LOG = "# 2026-01-05\n\n## 10:00 — Bought a kettle\n\n## 11:00 — Likes green tea\n"


class Program:
    """A program with a token, and the bot's files as the bot sees them."""

    def __init__(self, bot, root, scope="admin", name=""):
        made = api_tokens.make(bot, name or scope, scope)
        self.bot, self.root, self.token, self.text = bot, root, made.row, made.text
        self.client = Client(raise_request_exception=True)

    def call(self, method, where, sent=None, **query):
        """(status, JSON) of a call below the bot's address, or of `where` if that begins with a slash."""
        answer = self.raw(method, where, None if sent is None else json.dumps(sent), **query)
        return answer.status_code, answer.json()

    def raw(self, method, where, body=None, content_type="application/json", headers=None, **query):
        address = where if where.startswith("/") else f"/api/v1/bots/{self.bot.slug}/{where}"
        given = {"Authorization": f"Bearer {self.text}"} if headers is None else headers
        return self.client.generic(method, address, body or "", content_type, query_params=query, headers=given)

    def get(self, where, **query):
        return self.call("GET", where, **query)

    def post(self, where, **sent):
        return self.call("POST", where, sent)

    def put(self, where, **sent):
        return self.call("PUT", where, sent)

    def patch(self, where, **sent):
        return self.call("PATCH", where, sent)

    def write(self, path, data):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())

    def read(self, path="MEMORY.md"):
        return (self.root / path).read_text()

    def hash(self, path="MEMORY.md"):
        return digest((self.root / path).read_bytes())

    def look(self):
        index.refresh(self.bot)
        self.bot.refresh_from_db()


@pytest.fixture
def home(db, tmp_path, settings, kenoweb_home):
    settings.API_RATE = 1_000_000
    return tmp_path


@pytest.fixture
def program(home):
    bot, root = make_bot(home)
    one = Program(bot, root)
    one.write("MEMORY.md", MEMORY)
    return one


@pytest.fixture
def reader(program):
    return Program(program.bot, program.root, "read")


@pytest.fixture
def writer(program):
    return Program(program.bot, program.root, "write")
