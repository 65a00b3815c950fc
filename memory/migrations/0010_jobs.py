"""Jobs, what they propose, and what asking a language model cost."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0009_traits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(max_length=16)),
                ('model', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('day', models.CharField(max_length=10)),
                ('tokens_in', models.IntegerField(default=0)),
                ('tokens_out', models.IntegerField(default=0)),
                ('counted', models.BooleanField(default=True)),
                ('micros', models.BigIntegerField(default=0)),
                ('tries', models.IntegerField(default=1)),
                ('milliseconds', models.FloatField(default=0)),
                ('fault', models.CharField(blank=True, default='', max_length=20)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.IntegerField()),
                ('action', models.CharField(choices=[('keep', 'Keep'), ('merge', 'Merge'), ('supersede', 'Supersede'), ('archive', 'Archive'), ('remember', 'Remember'), ('replace', 'Replace')], max_length=10)),
                ('sources', models.JSONField(default=list)),
                ('newer', models.JSONField(blank=True, default=dict)),
                ('text', models.TextField(blank=True, default='')),
                ('path', models.TextField(blank=True, default='')),
                ('flags', models.JSONField(blank=True, default=list)),
                ('losses', models.JSONField(blank=True, default=list)),
                ('state', models.CharField(choices=[('open', 'Open'), ('applied', 'Applied'), ('refused', 'Refused'), ('blocked', 'Blocked')], default='open', max_length=8)),
            ],
            options={
                'ordering': ['job', 'number'],
            },
        ),
        migrations.AlterField(
            model_name='changeset',
            name='kind',
            field=models.CharField(choices=[('edit', 'Edit'), ('capture', 'Capture'), ('compaction', 'Compaction'), ('undo', 'Undo'), ('restore', 'Restore'), ('answer', 'Answer'), ('import', 'Import'), ('outside', 'Outside'), ('found', 'Found')], max_length=12),
        ),
        migrations.CreateModel(
            name='Answering',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_id', models.CharField(max_length=255)),
                ('holder', models.CharField(max_length=32)),
                ('until', models.DateTimeField()),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('compaction', 'Compaction'), ('consolidation', 'Consolidation'), ('summary', 'Summary'), ('extraction', 'Extraction')], max_length=16)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('name', models.CharField(blank=True, default='', max_length=300)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('planned', 'Planned'), ('applied', 'Applied'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('by', models.CharField(max_length=80)),
                ('created', models.DateTimeField()),
                ('run_after', models.DateTimeField()),
                ('started', models.DateTimeField(blank=True, null=True)),
                ('finished', models.DateTimeField(blank=True, null=True)),
                ('attempt', models.IntegerField(default=0)),
                ('holder', models.CharField(blank=True, default='', max_length=32)),
                ('lease', models.DateTimeField(blank=True, null=True)),
                ('to_cancel', models.BooleanField(default=False)),
                ('done', models.IntegerField(default=0)),
                ('total', models.IntegerField(default=0)),
                ('doing', models.CharField(blank=True, default='', max_length=200)),
                ('trouble', models.TextField(blank=True, default='')),
                ('outcome', models.JSONField(blank=True, default=dict)),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='memory.bot')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='changeset',
            name='job',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='change_sets', to='memory.job'),
        ),
        migrations.AddIndex(
            model_name='changeset',
            index=models.Index(condition=models.Q(('job__isnull', False)), fields=['job'], name='sets_of_jobs'),
        ),
        migrations.AddField(
            model_name='modelcall',
            name='bot',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='model_calls', to='memory.bot'),
        ),
        migrations.AddField(
            model_name='modelcall',
            name='delivery',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='model_calls', to='memory.delivery'),
        ),
        migrations.AddField(
            model_name='modelcall',
            name='job',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='model_calls', to='memory.job'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='bot',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='change_set',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='proposals', to='memory.changeset'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='job',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='memory.job'),
        ),
        migrations.AddConstraint(
            model_name='answering',
            constraint=models.UniqueConstraint(fields=('bot', 'session_id'), name='one_answer_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(fields=['bot', '-id'], name='jobs_by_bot'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(fields=['bot', 'state', '-id'], name='jobs_by_state'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['lease'], name='leased_jobs'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['queued', 'running']), models.Q(('name', ''), _negated=True)), fields=('bot', 'kind', 'name'), name='one_open_job_per_name'),
        ),
        migrations.AddIndex(
            model_name='modelcall',
            index=models.Index(fields=['bot', 'day', 'purpose'], name='model_calls_by_day'),
        ),
        migrations.AddIndex(
            model_name='modelcall',
            index=models.Index(fields=['bot', '-id'], name='model_calls_by_bot'),
        ),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.UniqueConstraint(fields=('job', 'number'), name='one_proposal_per_number'),
        ),
    ]
