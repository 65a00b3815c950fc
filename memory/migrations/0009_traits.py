"""Say of each fact what sort of sentence it is. The index of facts is made anew by the next walk."""

from django.db import migrations, models

MAKE_ANEW = ["DELETE FROM memory_fact", "UPDATE memory_document SET ctime_ns = 0"]


class Migration(migrations.Migration):

    dependencies = [("memory", "0008_watch")]

    operations = [
        migrations.RunSQL(MAKE_ANEW, migrations.RunSQL.noop),
        migrations.AddField("fact", "traits", models.SmallIntegerField(default=0)),
    ]
