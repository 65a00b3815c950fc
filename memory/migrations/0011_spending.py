"""Sums of what asking a language model came to."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0010_jobs'),
    ]

    operations = [
        migrations.CreateModel(
            name='Spending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.CharField(max_length=10)),
                ('purpose', models.CharField(max_length=16)),
                ('calls', models.IntegerField(default=0)),
                ('faults', models.IntegerField(default=0)),
                ('tokens_in', models.BigIntegerField(default=0)),
                ('tokens_out', models.BigIntegerField(default=0)),
                ('micros', models.BigIntegerField(default=0)),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
            ],
            options={
                'ordering': ['-day', 'purpose'],
                'constraints': [models.UniqueConstraint(fields=('bot', 'day', 'purpose'), name='one_sum_per_day_and_purpose')],
            },
        ),
    ]
