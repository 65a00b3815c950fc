import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import memory.models.fields


def keep(apps, schema_editor):
    """The engine makes what it needs after all migrations."""


def let_go(apps, schema_editor):
    """What the engine made reads tables that are about to go."""
    from memory import search

    search.engine().remove()


class Tables(migrations.SeparateDatabaseAndState):
    """Many tables at once. For each by itself Django would render anew all models around those that it refers to."""

    def state_forwards(self, app_label, state):
        state.clear_delayed_apps_cache()
        super().state_forwards(app_label, state)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for table in self.state_operations:
            table.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        for table in reversed(self.state_operations):
            table.database_backwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        Tables(state_operations=[
        migrations.CreateModel(
            name='Bot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('dialect', models.CharField(max_length=40)),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('settings', models.JSONField(blank=True, default=dict)),
                ('is_sample', models.BooleanField(default=False)),
                ('from_environment', models.BooleanField(default=False)),
                ('standard_webhooks_only', models.BooleanField(default=False)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('walked', models.DateTimeField(blank=True, null=True)),
                ('trouble', memory.models.fields.SentenceField(blank=True, default='')),
                ('indexed', models.BigIntegerField(default=0)),
                ('others', models.IntegerField(default=0)),
                ('uses_since', models.CharField(blank=True, default='', max_length=10)),
                ('removed', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ChecksRun',
            fields=[
                ('bot', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='checks_run', serialize=False, to='memory.bot')),
                ('looked', models.DateTimeField()),
                ('indexed', models.BigIntegerField()),
                ('upto', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to='memory.bot')),
                ('name', models.CharField(max_length=80)),
                ('scope', models.CharField(choices=[('read', 'Read'), ('write', 'Write'), ('admin', 'Admin')], default='read', max_length=5)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('hint', models.CharField(max_length=8)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('last_used', models.DateTimeField(blank=True, null=True)),
                ('revoked', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='memory.bot')),
                ('path', models.TextField()),
                ('kind', models.CharField(max_length=20)),
                ('tier', models.CharField(max_length=10)),
                ('scope', models.CharField(blank=True, default='', max_length=255)),
                ('day', models.CharField(blank=True, default='', max_length=10)),
                ('size', models.BigIntegerField()),
                ('mtime_ns', models.BigIntegerField()),
                ('ctime_ns', models.BigIntegerField()),
                ('inode', models.BigIntegerField()),
                ('mode', models.IntegerField(default=0)),
                ('sha256', models.CharField(blank=True, default='', max_length=64)),
                ('tokens', models.IntegerField(default=0)),
                ('facts_count', models.IntegerField(default=0)),
                ('error', memory.models.fields.SentenceField(blank=True, default='')),
                ('rules', models.IntegerField(default=0)),
                ('checked', models.CharField(blank=True, default='', max_length=64)),
            ],
            options={
                'indexes': [models.Index(fields=['bot', 'tier', 'scope', 'kind', 'day', 'facts_count', 'size', 'mtime_ns'], name='documents_of_a_chat'), models.Index(fields=['bot', 'kind', 'day', 'scope', 'facts_count', 'size', 'mtime_ns'], name='documents_of_a_day'), models.Index(condition=models.Q(('error', ''), _negated=True), fields=['bot', 'path'], name='unreadable_documents')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'path'), name='one_document_per_path')],
            },
        ),
        migrations.CreateModel(
            name='Fact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='memory.bot')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='facts', to='memory.document')),
                ('ordinal', models.IntegerField()),
                ('line', models.IntegerField()),
                ('end_line', models.IntegerField()),
                ('time', models.CharField(blank=True, default='', max_length=5)),
                ('text', models.TextField()),
                ('key', models.CharField(max_length=32)),
                ('nth', models.IntegerField(default=0)),
                ('tokens', models.IntegerField(default=0)),
                ('since', models.CharField(blank=True, default='', max_length=5)),
                ('run', models.IntegerField(default=1)),
                ('until', models.CharField(blank=True, default='', max_length=5)),
                ('heading', models.TextField(blank=True, default='')),
                ('speaker', models.CharField(blank=True, default='', max_length=40)),
                ('words', models.TextField(blank=True, default='')),
                ('traits', models.SmallIntegerField(default=0)),
                ('about', models.TextField(blank=True, default='')),
            ],
            options={
                'indexes': [models.Index(fields=['bot', 'key'], name='memory_fact_bot_id_d2ce5f_idx'), models.Index(fields=['bot', 'document', 'ordinal'], name='facts_in_order')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'document', 'key', 'nth'), name='one_fact_per_key_and_occurrence')],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='memory.bot')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                ('path', models.TextField()),
                ('base', models.CharField(blank=True, default='', max_length=64)),
                ('text', models.TextField()),
                ('saved', models.DateTimeField(auto_now=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'user', 'path'), name='one_draft_per_user_and_document')],
            },
        ),
        migrations.CreateModel(
            name='FactAttributes',
            fields=[
                ('fact', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='attributes', serialize=False, to='memory.fact')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.document')),
                ('kind', models.CharField(max_length=40)),
                ('whose', models.CharField(max_length=10)),
                ('source', models.CharField(max_length=40)),
                ('status', models.CharField(blank=True, default='', max_length=40)),
                ('importance', models.FloatField(default=0)),
                ('confidence', models.FloatField(default=0)),
                ('created', models.CharField(blank=True, default='', max_length=40)),
                ('updated', models.CharField(blank=True, default='', max_length=40)),
                ('expires', models.CharField(default='9999', max_length=40)),
            ],
            options={
                'verbose_name_plural': 'fact attributes',
                'db_table': 'memory_entryrow',
                'indexes': [models.Index(fields=['bot', '-updated', '-fact'], name='entries_by_update'), models.Index(fields=['bot', '-importance', '-updated', '-fact'], name='entries_by_importance'), models.Index(fields=['bot', 'expires', '-updated', '-fact'], name='entries_by_expiry'), models.Index(fields=['bot', 'kind', '-updated', '-fact'], name='entries_of_a_kind'), models.Index(fields=['bot', 'whose', '-updated', '-fact'], name='entries_of_a_sort'), models.Index(fields=['document', '-updated', '-fact'], name='entries_of_a_document'), models.Index(fields=['bot', 'kind', 'whose', 'source', 'importance', 'confidence', 'expires', 'created'], name='entries_counted')],
            },
        ),
        migrations.CreateModel(
            name='Fetched',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='fetched', to='memory.bot')),
                ('token', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='memory.apitoken')),
                ('at', models.DateTimeField()),
                ('chat', models.CharField(blank=True, default='', max_length=255)),
                ('query', models.TextField(blank=True, default='')),
                ('tokens', models.IntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('documents', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'fetched prompts',
                'indexes': [models.Index(fields=['bot', '-at', '-id'], name='fetched_by_time')],
            },
        ),
        migrations.CreateModel(
            name='Finding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='findings', to='memory.bot')),
                ('rule', models.CharField(max_length=40)),
                ('path', models.TextField()),
                ('key', models.CharField(blank=True, default='', max_length=32)),
                ('nth', models.IntegerField(default=0)),
                ('line', models.IntegerField(default=0)),
                ('scope', models.CharField(blank=True, default='', max_length=255)),
                ('text', models.TextField(blank=True, default='')),
                ('note', memory.models.fields.SentenceField(blank=True, default='')),
                ('found', models.DateTimeField()),
                ('gone', models.DateTimeField(blank=True, null=True)),
                ('ignored', models.DateTimeField(blank=True, null=True)),
                ('ignored_why', models.CharField(blank=True, default='', max_length=200)),
                ('ignored_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('gone', None), ('ignored', None)), fields=['bot', '-found', '-id'], name='open_findings')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'rule', 'scope', 'path', 'key', 'nth'), name='one_finding_per_rule_and_fact')],
            },
        ),
        migrations.CreateModel(
            name='Head',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='memory.bot')),
                ('path', models.TextField()),
                ('sha256', models.CharField(blank=True, default='', max_length=64)),
                ('upto', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'path'), name='one_head_per_path')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='memory.bot')),
                ('kind', models.CharField(choices=[('compaction', 'Compaction'), ('consolidation', 'Consolidation'), ('summary', 'Summary'), ('extraction', 'Extraction'), ('held', 'Held'), ('check', 'Check'), ('undo', 'Undo'), ('import', 'Import')], max_length=16)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('name', models.CharField(blank=True, default='', max_length=300)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('planned', 'Planned'), ('applied', 'Applied'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('by', models.CharField(max_length=80)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('created', models.DateTimeField()),
                ('run_after', models.DateTimeField()),
                ('started', models.DateTimeField(blank=True, null=True)),
                ('finished', models.DateTimeField(blank=True, null=True)),
                ('attempt', models.IntegerField(default=0)),
                ('holder', models.CharField(blank=True, default='', max_length=32)),
                ('lease', models.DateTimeField(blank=True, null=True)),
                ('to_cancel', models.BooleanField(default=False)),
                ('too_late', models.BooleanField(default=False)),
                ('done', models.IntegerField(default=0)),
                ('total', models.IntegerField(default=0)),
                ('doing', memory.models.fields.SentenceField(blank=True, default='')),
                ('trouble', memory.models.fields.SentenceField(blank=True, default='')),
                ('outcome', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['bot', '-id'], name='jobs_by_bot'), models.Index(fields=['bot', 'state', '-id'], name='jobs_by_state'), models.Index(condition=models.Q(('state', 'running')), fields=['lease'], name='leased_jobs')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['queued', 'running']), models.Q(('name', ''), _negated=True)), fields=('bot', 'kind', 'name'), name='one_open_job_per_name')],
            },
        ),
        migrations.CreateModel(
            name='ChangeSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='change_sets', to='memory.bot')),
                ('token', models.CharField(max_length=16)),
                ('kind', models.CharField(choices=[('edit', 'Edit'), ('capture', 'Capture'), ('compaction', 'Compaction'), ('undo', 'Undo'), ('restore', 'Restore'), ('answer', 'Answer'), ('import', 'Import'), ('outside', 'Outside'), ('found', 'Found')], max_length=12)),
                ('by', models.CharField(max_length=80)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('why', memory.models.fields.SentenceField(blank=True, default='')),
                ('state', models.CharField(choices=[('writing', 'Writing'), ('settling', 'Settling'), ('applied', 'Applied'), ('abandoned', 'Abandoned'), ('failed', 'Failed')], max_length=10)),
                ('note', memory.models.fields.SentenceField(blank=True, default='')),
                ('undoes', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='undone_by', to='memory.changeset')),
                ('job', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='change_sets', to='memory.job')),
                ('details', models.JSONField(blank=True, default=dict)),
                ('created', models.DateTimeField()),
                ('finished', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['bot', '-id'], name='memory_chan_bot_id_f08a58_idx'), models.Index(fields=['bot', 'created'], name='memory_chan_bot_id_8ce1f5_idx'), models.Index(condition=models.Q(('job__isnull', False)), fields=['job'], name='sets_of_jobs'), models.Index(condition=models.Q(('state__in', ['writing', 'settling'])), fields=['bot', 'state'], name='unfinished_sets')],
            },
        ),
        migrations.CreateModel(
            name='LoginLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('expires', models.DateTimeField()),
                ('used', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='RecallTest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='recall_tests', to='memory.bot')),
                ('question', models.CharField(max_length=500)),
                ('scope', models.CharField(blank=True, default='', max_length=255)),
                ('path', models.TextField()),
                ('key', models.CharField(max_length=32)),
                ('nth', models.IntegerField(default=0)),
                ('text', models.TextField()),
                ('within', models.IntegerField(default=10)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('reads', models.BooleanField(default=False)),
                ('checked', models.DateTimeField(blank=True, null=True)),
                ('indexed', models.BigIntegerField(default=-1)),
                ('seen', models.BigIntegerField(default=0)),
                ('rank', models.IntegerField(blank=True, null=True)),
                ('was', models.IntegerField(blank=True, null=True)),
                ('is_read', models.BooleanField(blank=True, null=True)),
                ('missing', models.BooleanField(default=False)),
                ('elsewhere', models.TextField(blank=True, default='')),
                ('instead', models.JSONField(blank=True, default=dict)),
                ('broken', models.DateTimeField(blank=True, null=True)),
                ('since', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.changeset')),
                ('broken_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.changeset')),
                ('fixed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.changeset')),
            ],
            options={
                'indexes': [models.Index(fields=['bot', 'indexed'], name='recall_tests_by_index'), models.Index(condition=models.Q(('broken__isnull', False)), fields=['bot', 'broken'], name='broken_recall_tests')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'question', 'scope', 'path', 'key', 'nth'), name='one_recall_test_per_question_and_fact')],
            },
        ),
        migrations.CreateModel(
            name='Pinned',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('key', models.CharField(max_length=32)),
                ('created', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'key'), name='one_pin_per_fact')],
            },
        ),
        migrations.CreateModel(
            name='RefusedCalls',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.GenericIPAddressField()),
                ('minute', models.DateTimeField()),
                ('status', models.IntegerField()),
                ('reason', models.CharField(max_length=80)),
                ('count', models.IntegerField(default=0)),
            ],
            options={
                'verbose_name_plural': 'refused calls',
                'indexes': [models.Index(fields=['-minute', '-id'], name='refused_by_time')],
                'constraints': [models.UniqueConstraint(fields=('address', 'minute', 'status', 'reason'), name='one_count_per_address_and_minute')],
            },
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='memory.bot')),
                ('change_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='memory.changeset')),
                ('path', models.TextField()),
                ('action', models.CharField(choices=[('put', 'Put'), ('append', 'Append'), ('delete', 'Delete')], max_length=6)),
                ('before', models.CharField(blank=True, default='', max_length=64)),
                ('after', models.CharField(blank=True, default='', max_length=64)),
                ('done', models.BooleanField(default=False)),
                ('added', models.BinaryField(null=True)),
                ('offset', models.BigIntegerField(null=True)),
                ('size_before', models.BigIntegerField(null=True)),
                ('size_after', models.BigIntegerField(null=True)),
                ('inode_before', models.BigIntegerField(null=True)),
                ('mode_before', models.IntegerField(null=True)),
                ('mtime_before', models.BigIntegerField(null=True)),
                ('mode_after', models.IntegerField(null=True)),
                ('mtime_after', models.BigIntegerField(null=True)),
                ('slot', models.CharField(blank=True, default='', max_length=40)),
                ('pruned', models.DateTimeField(null=True)),
                ('purged', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['bot', 'path', '-id'], name='memory_revi_bot_id_09038d_idx'), models.Index(condition=models.Q(('slot', ''), _negated=True), fields=['bot', 'slot'], name='unsettled_slots'), models.Index(condition=models.Q(('pruned__isnull', False), ('purged__isnull', False), _connector='OR'), fields=['bot'], name='revisions_let_go')],
            },
        ),
        migrations.CreateModel(
            name='Purge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='purges', to='memory.bot')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.CharField(max_length=80)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('print', models.CharField(max_length=64)),
                ('counts', models.JSONField(default=dict)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Growth',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='growth', to='memory.revision')),
                ('at', models.DateTimeField()),
                ('size', models.BigIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['revision', 'at', 'size'], name='memory_grow_revisio_5ef3fb_idx')],
            },
        ),
        migrations.CreateModel(
            name='Root',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roots', to='memory.bot')),
                ('name', models.CharField(max_length=20)),
                ('path', models.TextField()),
            ],
            options={
                'verbose_name': 'directory',
                'verbose_name_plural': 'directories',
                'constraints': [models.UniqueConstraint(fields=('bot', 'name'), name='one_root_per_name')],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                ('agent', models.CharField(blank=True, default='', max_length=200)),
                ('started', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Vector',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='memory.bot')),
                ('model', models.CharField(max_length=200)),
                ('key', models.CharField(max_length=32)),
                ('dimensions', models.IntegerField()),
                ('data', models.BinaryField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'model', 'key'), name='one_vector_per_model_and_key')],
            },
        ),
        migrations.CreateModel(
            name='WebhookSecret',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='secrets', to='memory.bot')),
                ('name', models.CharField(blank=True, default='', max_length=80)),
                ('sealed', models.BinaryField()),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('revoked', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='memory.bot')),
                ('message_id', models.CharField(blank=True, max_length=255, null=True)),
                ('webhook_id', models.CharField(blank=True, max_length=255, null=True)),
                ('body_sha256', models.CharField(max_length=64)),
                ('session_id', models.CharField(max_length=255)),
                ('body', models.JSONField(default=dict)),
                ('status', models.IntegerField(default=0)),
                ('answer', models.JSONField(default=dict)),
                ('change_set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='deliveries', to='memory.changeset')),
                ('received', models.DateTimeField()),
                ('milliseconds', models.FloatField(null=True)),
                ('secret', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='deliveries', to='memory.webhooksecret')),
                ('trial', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name_plural': 'deliveries',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['bot', '-received', '-id'], name='deliveries_by_time'), models.Index(fields=['bot', 'session_id', '-received', '-id'], name='deliveries_by_chat'), models.Index(fields=['secret', '-received'], name='deliveries_by_secret'), models.Index(condition=models.Q(('change_set__isnull', False), ('status', 200)), fields=['bot', '-received', '-id'], name='deliveries_that_stored'), models.Index(condition=models.Q(('change_set__isnull', True), ('status', 200)), fields=['bot', '-received', '-id'], name='deliveries_without_change'), models.Index(condition=models.Q(models.Q(('status', 200), _negated=True), models.Q(('status', 0), _negated=True)), fields=['bot', '-received', '-id'], name='deliveries_rejected'), models.Index(condition=models.Q(('status', 0)), fields=['bot', '-received', '-id'], name='deliveries_begun')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'message_id'), name='one_delivery_per_message'), models.UniqueConstraint(fields=('bot', 'webhook_id'), name='one_delivery_per_webhook_id')],
            },
        ),
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='model_calls', to='memory.bot')),
                ('job', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='model_calls', to='memory.job')),
                ('delivery', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='model_calls', to='memory.delivery')),
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
                'indexes': [models.Index(fields=['bot', 'day', 'purpose'], name='model_calls_by_day'), models.Index(fields=['bot', '-id'], name='model_calls_by_bot')],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='memory.job')),
                ('number', models.IntegerField()),
                ('action', models.CharField(choices=[('keep', 'Keep'), ('merge', 'Merge'), ('supersede', 'Supersede'), ('archive', 'Archive'), ('remember', 'Remember'), ('replace', 'Replace')], max_length=10)),
                ('sources', models.JSONField(default=list)),
                ('newer', models.JSONField(blank=True, default=dict)),
                ('text', models.TextField(blank=True, default='')),
                ('path', models.TextField(blank=True, default='')),
                ('flags', memory.models.fields.SentencesField(blank=True, default=list)),
                ('losses', memory.models.fields.SentencesField(blank=True, default=list)),
                ('state', models.CharField(choices=[('open', 'Open'), ('applied', 'Applied'), ('refused', 'Refused'), ('blocked', 'Blocked')], default='open', max_length=8)),
                ('change_set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='proposals', to='memory.changeset')),
                ('delivery', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='proposals', to='memory.delivery')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('decided', models.DateTimeField(blank=True, null=True)),
                ('by', models.CharField(blank=True, default='', max_length=80)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['job', 'number'],
                'constraints': [models.UniqueConstraint(fields=('job', 'number'), name='one_proposal_per_number')],
            },
        ),
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='memory.bot')),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.BigIntegerField()),
                ('parent', models.CharField(blank=True, default='', max_length=64)),
                ('nth', models.IntegerField(default=0)),
                ('data', models.BinaryField()),
                ('created', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'sha256'), name='one_blob_per_hash')],
            },
        ),
        migrations.CreateModel(
            name='Answering',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('session_id', models.CharField(max_length=255)),
                ('holder', models.CharField(max_length=32)),
                ('until', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'session_id'), name='one_answer_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='Chat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='chats', to='memory.bot')),
                ('scope', models.CharField(max_length=255)),
                ('written_ns', models.BigIntegerField()),
                ('notes', models.IntegerField(default=0)),
                ('logs', models.IntegerField(default=0)),
                ('oldest_day', models.CharField(blank=True, default='', max_length=10)),
                ('newest_day', models.CharField(blank=True, default='', max_length=10)),
                ('size', models.BigIntegerField(default=0)),
                ('working_ns', models.BigIntegerField(null=True)),
                ('transcript_size', models.BigIntegerField(null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['bot', '-written_ns', 'scope'], name='chats_by_activity'), models.Index(fields=['bot', 'oldest_day'], name='memory_chat_bot_id_522ae4_idx'), models.Index(fields=['bot', 'working_ns'], name='chats_by_working_memory')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'scope'), name='one_row_per_chat')],
            },
        ),
        migrations.CreateModel(
            name='ChatName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chat_names', to='memory.bot')),
                ('scope', models.CharField(max_length=255)),
                ('name', models.CharField(max_length=80)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'scope'), name='one_name_per_chat')],
            },
        ),
        migrations.CreateModel(
            name='Day',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='days', to='memory.bot')),
                ('day', models.CharField(max_length=10)),
                ('facts', models.IntegerField(default=0)),
                ('logs', models.IntegerField(default=0)),
                ('chats', models.IntegerField(default=0)),
                ('size', models.BigIntegerField(default=0)),
                ('written_ns', models.BigIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'day'), name='one_row_per_day')],
            },
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='subscription', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('often', models.CharField(choices=[('never', 'Never'), ('daily', 'Daily'), ('weekly', 'Weekly')], default='never', max_length=6)),
                ('hour', models.SmallIntegerField(default=8)),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('language', models.CharField(default='en', max_length=10)),
                ('urgent', models.BooleanField(default=False)),
                ('facts', models.BooleanField(default=False)),
                ('mail', models.EmailField(blank=True, default='', max_length=254)),
                ('service', models.BinaryField(null=True)),
                ('service_name', models.CharField(blank=True, default='', max_length=80)),
                ('feed_hash', models.CharField(max_length=64, null=True, unique=True)),
                ('desk', models.CharField(blank=True, default='', max_length=300)),
            ],
        ),
        migrations.CreateModel(
            name='Alarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='alarms', to='memory.bot')),
                ('kind', models.CharField(choices=[('files', 'Files'), ('recall', 'Recall'), ('held', 'Held'), ('removal', 'Removal')], max_length=8)),
                ('about', models.CharField(blank=True, default='', max_length=20)),
                ('began', models.DateTimeField()),
                ('ended', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['bot', 'kind', 'about', '-began'], name='alarms_by_subject')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended__isnull', True), ('kind', 'removal'), _connector='OR'), fields=('bot', 'kind', 'about'), name='one_open_alarm')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
                ('name', models.CharField(max_length=40)),
                ('made', models.DateTimeField()),
                ('since', models.DateField(blank=True, null=True)),
                ('until', models.DateField(blank=True, null=True)),
                ('alarm', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='memory.alarm')),
                ('counts', models.JSONField(blank=True, default=list)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(fields=('user', 'name'), name='one_notice_per_name')],
            },
        ),
        migrations.CreateModel(
            name='Dispatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dispatches', to='memory.notice')),
                ('way', models.CharField(choices=[('mail', 'Mail'), ('service', 'Service')], max_length=8)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sending', 'Sending'), ('sent', 'Sent'), ('unsure', 'Unsure'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('due', models.DateTimeField()),
                ('tries', models.SmallIntegerField(default=0)),
                ('claimed', models.DateTimeField(blank=True, null=True)),
                ('ended', models.DateTimeField(blank=True, null=True)),
                ('trouble', memory.models.fields.SentenceField(blank=True, default='')),
            ],
            options={
                'verbose_name_plural': 'dispatches',
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['due'], name='waiting_dispatches')],
                'constraints': [models.UniqueConstraint(fields=('notice', 'way'), name='one_dispatch_per_way')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('fact', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memory.fact')),
                ('about', models.CharField(max_length=32)),
            ],
            options={
                'indexes': [models.Index(fields=['bot', 'about', 'fact'], name='claims_about')],
                'constraints': [models.UniqueConstraint(fields=('fact', 'about'), name='one_claim_per_fact_and_matter')],
            },
        ),
        migrations.CreateModel(
            name='Use',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('key', models.CharField(max_length=32)),
                ('how', models.CharField(choices=[('prompt', 'Prompt'), ('search', 'Search'), ('opened', 'Opened')], max_length=6)),
                ('day', models.CharField(max_length=10)),
            ],
            options={
                'indexes': [models.Index(fields=['bot', 'day'], name='uses_by_day')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'key', 'how'), name='one_use_per_fact_and_way')],
            },
        ),
        migrations.CreateModel(
            name='Searched',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('words', models.CharField(max_length=200)),
                ('keys', models.TextField()),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
            ],
            options={
                'verbose_name_plural': 'searches',
            },
        ),
        migrations.CreateModel(
            name='Tallied',
            fields=[
                ('bot', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='memory.bot')),
                ('first', models.BigIntegerField(default=0)),
                ('revision', models.BigIntegerField(default=0)),
                ('growth', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Measure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('day', models.CharField(max_length=10)),
                ('at', models.DateTimeField()),
                ('facts', models.IntegerField()),
                ('size', models.BigIntegerField(null=True)),
                ('tokens', models.IntegerField(null=True)),
                ('open', models.IntegerField()),
                ('settled', models.IntegerField()),
            ],
            options={
                'ordering': ['-day'],
                'constraints': [models.UniqueConstraint(fields=('bot', 'day'), name='one_measure_per_day')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('day', models.CharField(max_length=10)),
                ('source', models.CharField(choices=[('turns', 'Turns'), ('outside', 'Outside'), ('edits', 'Edits'), ('compaction', 'Compaction'), ('import', 'Import'), ('found', 'Found')], max_length=10)),
                ('learned', models.IntegerField(default=0)),
                ('forgotten', models.IntegerField(default=0)),
            ],
            options={
                'verbose_name_plural': 'tallies',
                'ordering': ['-day', 'source'],
                'constraints': [models.UniqueConstraint(fields=('bot', 'day', 'source'), name='one_tally_per_day_and_source')],
            },
        ),
        migrations.CreateModel(
            name='Lineage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.bot')),
                ('change_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lineage', to='memory.changeset')),
                ('how', models.CharField(choices=[('added', 'Added'), ('reworded', 'Reworded'), ('moved', 'Moved'), ('promoted', 'Promoted'), ('merged', 'Merged'), ('split', 'Split'), ('superseded', 'Superseded'), ('forgotten', 'Forgotten'), ('returned', 'Returned')], max_length=10)),
                ('from_path', models.TextField(blank=True, default='')),
                ('from_key', models.CharField(blank=True, default='', max_length=32)),
                ('to_path', models.TextField(blank=True, default='')),
                ('to_key', models.CharField(blank=True, default='', max_length=32)),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['bot', 'from_key'], name='lineage_from'), models.Index(fields=['bot', 'to_key'], name='lineage_to')],
            },
        ),
        ]),
        migrations.RunPython(keep, let_go),
    ]
