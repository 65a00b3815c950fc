"""Another tool's index among the documents: said to be one, with its size, and not opened."""

from __future__ import annotations

from django.contrib.auth.models import User

from memory import index, registry
from tests.support.workspaces import FILES, write
from tests.web.conftest import Visitor


def test_an_index_of_another_tool_is_listed_as_one(db, tmp_path, kenoweb_home):
    bot = registry.add(write(tmp_path / "workspace", FILES), name="Nursery")
    index.refresh(bot)
    visitor = Visitor(bot, tmp_path / "workspace", User.objects.create_superuser("ana", password="a long enough one"))
    page = visitor.get("documents/")
    rows = {row.a["href"].rpartition("/")[2]: " ".join(row.text.split()) for row in page.soup.select("li[data-row]")}
    assert "Another tool’s index. Listed but never opened." in rows["main.sqlite"]
    assert "Not a note. Listed but never opened." in rows["south-beds.jpg"]
    opened = visitor.get("documents/memory/main.sqlite")
    assert "This file isn’t one of the bot’s notes. It is listed but not opened." in opened.text
    assert not opened.soup.select("textarea[name=text]")
