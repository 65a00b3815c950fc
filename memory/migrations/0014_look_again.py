"""Look at every file again with the next walk: how the entries of a history stand among those of their day is told anew, and what
is no text is told from what is. What a bot's database holds is not touched by either."""

from django.db import migrations

LOOK_AGAIN = "UPDATE memory_document SET ctime_ns = 0 WHERE substr(path, 1, 10) <> '@database/'"


class Migration(migrations.Migration):
    dependencies = [("memory", "0013_entries_by_kind")]

    operations = [migrations.RunSQL(LOOK_AGAIN, migrations.RunSQL.noop)]
