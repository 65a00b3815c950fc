"""Say of each row of a bot's database what it says besides its fact. The next walk reads such documents anew."""

import django.db.models.deletion
from django.db import migrations, models

READ_ANEW = "UPDATE memory_document SET ctime_ns = 0 WHERE path LIKE '@database/%'"


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_spending")]

    operations = [
        migrations.CreateModel(
            name="EntryRow",
            fields=[
                (
                    "fact",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="entry",
                        serialize=False,
                        to="memory.fact",
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("whose", models.CharField(max_length=10)),
                ("source", models.CharField(max_length=40)),
                ("importance", models.FloatField(default=0)),
                ("confidence", models.FloatField(default=0)),
                ("created", models.CharField(blank=True, default="", max_length=40)),
                ("updated", models.CharField(blank=True, default="", max_length=40)),
                ("expires", models.CharField(default="9999", max_length=40)),
                (
                    "bot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory.bot",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memory.document",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["bot", "-updated", "-fact"], name="entries_by_update"),
                    models.Index(fields=["bot", "-importance", "-updated", "-fact"], name="entries_by_importance"),
                    models.Index(fields=["bot", "expires", "-updated", "-fact"], name="entries_by_expiry"),
                    models.Index(fields=["document", "-updated", "-fact"], name="entries_of_a_document"),
                    models.Index(
                        fields=["bot", "kind", "whose", "source", "importance", "confidence", "expires", "created"],
                        name="entries_counted",
                    ),
                ],
            },
        ),
        migrations.RunSQL(READ_ANEW, migrations.RunSQL.noop),
    ]
