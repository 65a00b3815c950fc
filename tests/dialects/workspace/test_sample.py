"""The sample workspace: a whole one, the same for the same moment, added once however often it is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory import index
from memory.bots import families
from memory.dialects.workspace import sample
from memory.models import Bot, Fact

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def test_sample_is_a_workspace_with_something_for_every_screen():
    files = sample.files(NOW)
    assert files == sample.files(NOW)
    tops = {path.split("/", 1)[0] for path in files} | {path for path in files if path.count("/") < 2}
    assert families.recognise("/somewhere/else", tops).family == "workspace"
    places = [families.dialect("workspace").describe(path) for path in files]
    assert {str(place.kind) for place in places} == {"long-term", "daily", "identity", "topic"}
    days = [place.day for place in places if place.day]
    assert min(days) < (NOW - timedelta(days=30)).date().isoformat()
    assert max(days) == "2026-11-21"
    assert len(days) > len(set(days))
    assert all(written <= NOW for _text, written in files.values())


@pytest.mark.django_db
def test_sample_is_added_once_and_brought_back(kenoweb_home):
    visitor = Client()
    visitor.force_login(User.objects.create_superuser("ana", password="a long enough one"))
    for _ in range(2):
        assert visitor.post("/bots/sample").url == "/sample-workspace/"
    bot = Bot.objects.get()
    assert (bot.dialect, bot.is_sample) == ("workspace", True)
    index.refresh(bot)
    assert Fact.objects.filter(bot=bot).count() > 60
    Bot.objects.update(removed=NOW)
    assert visitor.post("/bots/sample").url == "/sample-workspace/"
    assert Bot.objects.get().removed is None


@pytest.mark.django_db
def test_sample_is_for_operators():
    visitor = Client()
    visitor.force_login(User.objects.create_user("bo", password="a long enough one"))
    assert visitor.post("/bots/sample").status_code == 403
    assert not Bot.objects.exists()
