"""The numbers of change sets: none is given out twice, also where an older or an empty database was put back."""

from __future__ import annotations

import pytest
from django.db import connection

from memory.journal import change_set_numbers
from memory.models import ChangeSet

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
# As a database has it that never gave out a number.
NONE_YET = {
    "sqlite": "DELETE FROM sqlite_sequence WHERE name = 'memory_changeset'",
    "postgresql": "SELECT setval('memory_changeset_id_seq', 1, false)",
}


def test_numbers_go_on_after_an_empty_database_was_put_back(desk):
    given = [desk.applied(desk.put("MEMORY.md", b"- %d\n" % number)).pk for number in range(3)]
    ChangeSet.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute(NONE_YET[connection.vendor])
    change_set_numbers._kept_ahead.cache_clear()  # a process that begins
    assert desk.applied(desk.put("MEMORY.md", b"- 9\n")).pk > max(given)
