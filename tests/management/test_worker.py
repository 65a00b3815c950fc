"""What the worker looks after beside its jobs."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError

from memory import numbers, search
from memory.jobs import worker as jobs
from memory.management.commands import worker
from memory.models import Subscription


@pytest.mark.parametrize(("owner", "name"), [(numbers, "keep"), (type(search.engine()), "merge")])
def test_people_hear_also_where_something_else_cannot_be_looked_after(db, monkeypatch, owner, name):
    looked = []

    class Post:
        def look(self):
            looked.append(self)

    def broken(*_args):
        raise DatabaseError("database disk image is malformed")

    Subscription.objects.create(user=User.objects.create_user("ana"))
    monkeypatch.setattr(worker, "_desk_post", Post)
    monkeypatch.setattr(owner, name, broken)
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)  # the test's own is in a transaction
    worker._look_after()
    assert len(looked) == 1
