"""Recall tests say what came of them; texts get vectors, for those who set up an embedder."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0006_past'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Vector',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=200)),
                ('key', models.CharField(max_length=32)),
                ('dimensions', models.IntegerField()),
                ('data', models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name='pin',
            name='broken',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='pin',
            name='elsewhere',
            field=models.TextField(blank=True, default=''),
        ),
        migrations.AddField(
            model_name='pin',
            name='instead',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='pin',
            name='is_read',
            field=models.BooleanField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='pin',
            name='missing',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='pin',
            name='reads',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='pin',
            name='seen',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='pin',
            name='since',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.changeset'),
        ),
        migrations.AddIndex(
            model_name='pin',
            index=models.Index(fields=['bot', 'indexed'], name='pins_by_index'),
        ),
        migrations.AddIndex(
            model_name='pin',
            index=models.Index(condition=models.Q(('broken__isnull', False)), fields=['bot', 'broken'], name='broken_pins'),
        ),
        migrations.AddField(
            model_name='vector',
            name='bot',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='memory.bot'),
        ),
        migrations.AddConstraint(
            model_name='vector',
            constraint=models.UniqueConstraint(fields=('bot', 'model', 'key'), name='one_vector_per_model_and_key'),
        ),
    ]
