"""A worker is killed in each state that rows pass through while it notes and sends a digest: none comes twice, and one that did not
come is sent by the next worker or named as one that may not have arrived."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from memory import digests
from memory.digests import outbox
from memory.models import Dispatch, Subscription
from tests.digests.conftest import learned, person, post
from tests.support.crash import lines_that_differ, run_and_die, watched

pytestmark = [pytest.mark.database, pytest.mark.slow]
WATCHED = watched(digests)


def test_worker_killed_in_each_state_of_a_digest(desk, mail_server, clock):
    learned(desk, "2026-11-22", "Likes tea")
    clock("2026-11-23 08:00")
    person("trial")
    connection.close()
    lines = lines_that_differ(post, WATCHED, desk.root)
    assert len(mail_server.mails) == 1
    seen = set()
    for at in lines:
        # At the line itself and at the one before it: on either side of what was written, and of what was sent.
        for line in (at - 1, at):
            seen.add(killed_at(mail_server, line))
            User.objects.all().delete()
    assert seen >= {(1, "sent"), (1, "sending"), (0, "sending")}


def killed_at(mail_server, line):
    """(how many mails came, what became of it) where a worker dies at this line and another one follows."""
    Subscription.objects.all().delete()  # each world has one person: the lines are counted
    name = f"at{line}"
    one = person(name)
    connection.close()
    run_and_die(post, WATCHED, line)
    post()
    post()
    mails = [mail for mail in mail_server.mails if mail["to"] == f"{name}@example.org"]
    dispatch = Dispatch.objects.get(notice__user=one.user)
    late = timezone.now() + outbox.LONGEST + timedelta(seconds=1)
    mail_server.mails.clear()
    is_named = Dispatch.objects.filter(outbox.unconfirmed(late), pk=dispatch.pk).exists()
    assert len(mails) <= 1
    assert (dispatch.state == "sent" and len(mails) == 1) or is_named
    return len(mails), dispatch.state
