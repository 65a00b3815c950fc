"""Say how far growth from outside had come at each moment, and find the change sets of a moment."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("memory", "0005_find")]

    operations = [
        migrations.CreateModel(
            name="Growth",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("size", models.BigIntegerField()),
                (
                    "revision",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="growth",
                        to="memory.revision",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["revision", "at", "size"], name="memory_grow_revisio_5ef3fb_idx")]
            },
        ),
        migrations.AddIndex(
            model_name="changeset",
            index=models.Index(fields=["bot", "created"], name="memory_chan_bot_id_8ce1f5_idx"),
        ),
    ]
