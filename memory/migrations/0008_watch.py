"""Keep how far the rules that find things have looked."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("memory", "0007_recall")]

    operations = [
        migrations.CreateModel(
            name="Watch",
            fields=[
                (
                    "bot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="watch",
                        serialize=False,
                        to="memory.bot",
                    ),
                ),
                ("looked", models.DateTimeField()),
                ("indexed", models.BigIntegerField()),
                ("upto", models.BigIntegerField(default=0)),
            ],
        ),
    ]
