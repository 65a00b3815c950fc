from django.db import migrations


class Migration(migrations.Migration):
    """Databases that were made while the sums of calls had a table still have it, and it holds every bot that it has rows of."""

    dependencies = [
        ('memory', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL('DROP TABLE IF EXISTS memory_spending', migrations.RunSQL.noop),
    ]
