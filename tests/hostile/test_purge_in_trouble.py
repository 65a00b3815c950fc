"""A purge that meets a full disk or a busy database does all or nothing, and says which."""

from __future__ import annotations

import sqlite3

import pytest
from django.conf import settings as site
from django.db import connection

from memory.models import Blob, Purge
from tests.hostile.test_full_home import NOISE, room  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite" not in site.DATABASES["default"]["ENGINE"], reason="a file of one's own is SQLite's"),
]
SECRET = "swordfish 4711"


@pytest.fixture
def leaked(ana):
    ana.user.is_superuser = True
    ana.user.save()
    ana.write("MEMORY.md", f"{NOISE[:100_000]}- the password is {SECRET}\n")  # its masked version takes new room
    ana.step()
    ana.post("purge", text=SECRET, act="files")
    return ana


def purged(visitor):
    return visitor.post("purge", text=SECRET, act="purge", slug=visitor.bot.slug)


def test_a_full_disk_leaves_all_as_it_was_and_says_so(leaked, room):  # noqa: F811
    before = set(Blob.objects.values_list("sha256", flat=True))
    room.end()
    answer = purged(leaked)
    assert answer.status == 503
    assert "is full" in answer.text
    assert set(Blob.objects.values_list("sha256", flat=True)) == before
    assert Purge.objects.count() == 0
    room.begin()
    assert "Purged for good." in purged(leaked).text


def test_a_database_that_others_hold_says_so_and_keeps_all(leaked):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=200")
    before = set(Blob.objects.values_list("sha256", flat=True))
    other = sqlite3.connect(connection.settings_dict["NAME"], uri=True)
    other.execute("BEGIN IMMEDIATE")
    try:
        answer = purged(leaked)
        assert (answer.status, answer.response.headers.get("Retry-After")) == (503, "1")
        assert set(Blob.objects.values_list("sha256", flat=True)) == before
    finally:
        other.rollback()
        other.close()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout=20000")
    assert "Purged for good." in purged(leaked).text
