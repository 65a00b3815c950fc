"""Django's `flush`, as tests call it after each one that commits: only what the test filled is emptied.

Django's own empties every table and has each app make its content types and permissions anew; on SQLite that takes longer than
most tests, on PostgreSQL it truncates dozens of tables that are empty.
"""

from __future__ import annotations

from django.core.management.commands import flush
from django.db import connections, transaction

KEPT = ("django_content_type", "auth_permission")  # made by migrations, changed by nobody


class Command(flush.Command):
    def handle(self, **options):
        connection = connections[options["database"]]
        with transaction.atomic(using=options["database"]), connection.cursor() as cursor:
            for table in _filled(connection, cursor):
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def _filled(connection, cursor):
    """The names of the tables that hold rows, in one question."""
    tables = set(connection.introspection.django_table_names(only_existing=False, include_views=False)) - {*KEPT}
    asked = (
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})" for table in sorted(tables)
    )
    cursor.execute(" UNION ALL ".join(asked))
    return [name for (name,) in cursor.fetchall()]
