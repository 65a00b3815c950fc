"""Say of each entry how it stands in its log. Logs that are indexed already are looked at again by the next walk."""

from django.db import migrations, models

LOOK_AGAIN = "UPDATE memory_document SET ctime_ns = 0 WHERE kind = 'daily'"


class Migration(migrations.Migration):

    dependencies = [("memory", "0003_sums")]

    operations = [
        migrations.AddField("fact", "since", models.CharField(blank=True, default="", max_length=5)),
        migrations.AddField("fact", "run", models.IntegerField(default=1)),
        migrations.AddField("fact", "until", models.CharField(blank=True, default="", max_length=5)),
        migrations.RunSQL(LOOK_AGAIN, migrations.RunSQL.noop),
    ]
