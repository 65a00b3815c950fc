"""Facts get what they are found by; programs get tokens; questions and findings get rows.

The index of facts is made anew by the next walk, because words and headings are in no row yet.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

MAKE_ANEW = ["DELETE FROM memory_fact", "UPDATE memory_document SET ctime_ns = 0"]


def keep(apps, schema_editor):
    """The engine makes what it needs after all migrations."""


def let_go(apps, schema_editor):
    """What the engine made reads columns that are about to go."""
    from memory import search

    search.engine().remove()


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0004_repeats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(MAKE_ANEW, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                (
                    "scope",
                    models.CharField(
                        choices=[("read", "Read"), ("write", "Write"), ("admin", "Admin")], default="read", max_length=5
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("hint", models.CharField(max_length=8)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("last_used", models.DateTimeField(blank=True, null=True)),
                ("revoked", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Fetched",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("chat", models.CharField(blank=True, default="", max_length=255)),
                ("query", models.TextField(blank=True, default="")),
                ("tokens", models.IntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("documents", models.JSONField(default=dict)),
            ],
            options={
                "verbose_name_plural": "fetched prompts",
            },
        ),
        migrations.CreateModel(
            name="Finding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rule", models.CharField(max_length=40)),
                ("path", models.TextField()),
                ("key", models.CharField(blank=True, default="", max_length=32)),
                ("nth", models.IntegerField(default=0)),
                ("line", models.IntegerField(default=0)),
                ("scope", models.CharField(blank=True, default="", max_length=255)),
                ("text", models.TextField(blank=True, default="")),
                ("note", models.TextField(blank=True, default="")),
                ("found", models.DateTimeField()),
                ("gone", models.DateTimeField(blank=True, null=True)),
                ("ignored", models.DateTimeField(blank=True, null=True)),
                ("ignored_why", models.CharField(blank=True, default="", max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name="Pin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("question", models.CharField(max_length=500)),
                ("scope", models.CharField(blank=True, default="", max_length=255)),
                ("path", models.TextField()),
                ("key", models.CharField(max_length=32)),
                ("nth", models.IntegerField(default=0)),
                ("text", models.TextField()),
                ("within", models.IntegerField(default=10)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("rank", models.IntegerField(blank=True, null=True)),
                ("checked", models.DateTimeField(blank=True, null=True)),
                ("indexed", models.BigIntegerField(default=-1)),
            ],
        ),
        migrations.AddField(
            model_name="fact",
            name="about",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="fact",
            name="heading",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="fact",
            name="speaker",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.AddField(
            model_name="fact",
            name="words",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddIndex(
            model_name="fact",
            index=models.Index(fields=["bot", "document", "ordinal"], name="facts_in_order"),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="bot",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="api_tokens", to="memory.bot"
            ),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="created_by",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="fetched",
            name="bot",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="fetched", to="memory.bot"
            ),
        ),
        migrations.AddField(
            model_name="fetched",
            name="token",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to="memory.apitoken"
            ),
        ),
        migrations.AddField(
            model_name="finding",
            name="bot",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="findings", to="memory.bot"
            ),
        ),
        migrations.AddField(
            model_name="finding",
            name="ignored_by",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="pin",
            name="bot",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="pins", to="memory.bot"
            ),
        ),
        migrations.AddField(
            model_name="pin",
            name="user",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddIndex(
            model_name="fetched",
            index=models.Index(fields=["bot", "-at", "-id"], name="fetched_by_time"),
        ),
        migrations.AddIndex(
            model_name="finding",
            index=models.Index(
                condition=models.Q(("gone", None), ("ignored", None)),
                fields=["bot", "-found", "-id"],
                name="open_findings",
            ),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.UniqueConstraint(
                fields=("bot", "rule", "scope", "path", "key", "nth"), name="one_finding_per_rule_and_fact"
            ),
        ),
        migrations.AddConstraint(
            model_name="pin",
            constraint=models.UniqueConstraint(
                fields=("bot", "question", "scope", "path", "key", "nth"), name="one_pin_per_question_and_fact"
            ),
        ),
        migrations.RunPython(keep, let_go),
    ]
