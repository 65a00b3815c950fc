"""A bot with a believable memory in a real directory, and somebody at the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve

from memory import index, registry
from memory.domain.changes import digest
from memory.models import Bot, Root

FOLLOWED = set()  # forms, and the pages that they led to

_PARSER = lxml.html.HTMLParser(encoding="utf-8")
_READ = "//text()[not(ancestor::script or ancestor::style or ancestor::template)]"
MEMORY = "# KenoBot Memory\n\n## User Preferences\n- Prefers concise responses\n- Likes Google Docs\n"


@dataclass
class Page:
    """An answer as somebody reads it."""

    answer: object
    follow: Callable | None = None

    @cached_property
    def response(self):
        """Where the answer leads to, which is asked for when somebody looks: most only care what a deed did."""
        return self.follow(self.answer) if self.follow else self.answer

    @cached_property
    def soup(self):
        """Parsed when somebody looks."""
        return BeautifulSoup(self.response.content, "lxml" if self._is_whole else "html.parser")

    @property
    def _is_whole(self):
        """A part would be made a page by lxml."""
        return self.response.content[:15].lstrip().lower().startswith(b"<!doctype")

    @property
    def status(self):
        return self.response.status_code

    @property
    def text(self):
        """What its reader reads. A whole page by lxml alone: a soup of it takes longer than making the page."""
        if self._is_whole:
            texts = lxml.html.document_fromstring(self.response.content, _PARSER).xpath(_READ)
        else:
            texts = self.soup.stripped_strings
        return " ".join(" ".join(texts).split())

    @property
    def field(self):
        """What stands in the editor's field, as a browser hands it over."""
        return self.soup.find("textarea", {"name": "text"}).get_text().removeprefix("\n")

    @property
    def base(self):
        return self.soup.find("input", {"name": "base"})["value"]

    def link(self, words):
        return next(a["href"] for a in self.soup.find_all("a") if words in a.get_text())


class Visitor:
    """Somebody logged in, and the bot's files as the bot sees them."""

    def __init__(self, bot, root, user):
        self.bot, self.root, self.user = bot, root, user
        self.client, self.posted = Client(), None
        self.client.force_login(user)

    def get(self, path="", **query):
        self._see_notices()
        return self._page(self.client.get(f"/{self.bot.slug}/{path}", query, follow=True))

    def post(self, where, htmx=False, **fields):
        self._see_notices()
        headers = {"HX-Request": "true"} if htmx else {}
        answer = self.client.post(f"/{self.bot.slug}/{where}", fields, headers=headers)
        self.posted = Page(answer, partial(self.client._handle_redirects, headers=headers))
        if self._leads_on(answer):
            self.posted.response  # noqa: B018 - which raises what breaks there
        return self.posted

    def step(self):
        """Bring the rows in step with the files, as the button does; the overview that follows is not asked for."""
        assert self.client.post(f"/{self.bot.slug}/step").status_code == 302

    def indexed(self):
        """The same without the button's look for findings, where only rows are asked for: it takes most of the time."""
        index.refresh(self.bot)

    def save(self, text, base=None, path="MEMORY.md", **more):
        return self.post(f"save/{path}", text=text, base=self.hash(path) if base is None else base, **more)

    def write(self, path, data):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())

    def append(self, path, text):
        with (self.root / path).open("a") as file:
            file.write(text)

    def read(self, path="MEMORY.md"):
        return (self.root / path).read_text()

    def hash(self, path="MEMORY.md"):
        return digest((self.root / path).read_bytes())

    @staticmethod
    def _leads_on(answer):
        """Whether this form leads to a page to which it has not led in this process: that one must not break, either."""
        if not answer.has_header("Location"):
            return False
        led = tuple(resolve(urlsplit(url).path).view_name for url in (answer.request["PATH_INFO"], answer["Location"]))
        is_new = led not in FOLLOWED
        FOLLOWED.add(led)
        return is_new

    def _see_notices(self):
        """Those of a posted form's page that nobody looked at don't wait for the next one."""
        if self.posted and "response" not in vars(self.posted):
            self.client.cookies.pop("messages", None)
        self.posted = None

    @staticmethod
    def _page(response):
        return Page(response)


def added(root: Path, name="Nursery"):
    """An operator at the desk, with a bot that is added by its directory."""
    bot = registry.add(root, name=name)
    index.refresh(bot)
    return Visitor(bot, root, User.objects.create_superuser("ana", password="a long enough one"))


def make_bot(folder: Path, slug="keno"):
    root = folder / slug / "memory"
    root.mkdir(parents=True)
    bot = Bot.objects.create(slug=slug, name="KenoBot", dialect="kenobot")
    Root.objects.create(bot=bot, name="memory", path=str(root))
    return bot, root


@pytest.fixture
def desk(db, tmp_path, kenoweb_home):
    bot, root = make_bot(tmp_path)
    visitor = Visitor(bot, root, User.objects.create_user("ana", password="a long enough one"))
    visitor.write("MEMORY.md", MEMORY)
    return visitor
