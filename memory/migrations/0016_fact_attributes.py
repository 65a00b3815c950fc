"""What was said of the rows of one family's database is said of any fact with attributes; the table stays."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0015_sentences")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("EntryRow", "FactAttributes"),
                migrations.AlterModelTable("factattributes", "memory_entryrow"),
                migrations.AlterModelOptions("factattributes", {"verbose_name_plural": "fact attributes"}),
                migrations.AlterField(
                    "factattributes",
                    "fact",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="attributes",
                        serialize=False,
                        to="memory.fact",
                    ),
                ),
            ]
        ),
        migrations.AddField("factattributes", "status", models.CharField(blank=True, default="", max_length=40)),
    ]
