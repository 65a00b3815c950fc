"""Find the entries of a kind, and those of chats or users, in the order in which they were said."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_entries")]

    operations = [
        migrations.AddIndex(
            model_name="entryrow",
            index=models.Index(fields=["bot", "kind", "-updated", "-fact"], name="entries_of_a_kind"),
        ),
        migrations.AddIndex(
            model_name="entryrow",
            index=models.Index(fields=["bot", "whose", "-updated", "-fact"], name="entries_of_a_sort"),
        ),
    ]
