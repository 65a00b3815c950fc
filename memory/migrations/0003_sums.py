"""Count the chats and days of the bots that are indexed already."""

from django.db import migrations

CHATS = """
INSERT INTO memory_chat
    (bot_id, scope, written_ns, notes, logs, oldest_day, newest_day, size, working_ns, transcript_size)
SELECT bot_id, scope, MAX(mtime_ns),
    SUM(CASE WHEN kind IN ('daily', 'long-term') THEN facts_count ELSE 0 END),
    SUM(CASE WHEN kind = 'daily' THEN 1 ELSE 0 END),
    COALESCE(MIN(CASE WHEN kind = 'daily' THEN day END), ''),
    COALESCE(MAX(CASE WHEN kind = 'daily' THEN day END), ''),
    SUM(CASE WHEN tier = 'chat' AND kind <> 'transcript' THEN size ELSE 0 END),
    MAX(CASE WHEN tier = 'working' THEN mtime_ns END),
    MAX(CASE WHEN kind = 'transcript' THEN size END)
FROM memory_document
WHERE tier IN ('chat', 'working') AND scope <> ''
GROUP BY bot_id, scope
"""
DAYS = """
INSERT INTO memory_day (bot_id, day, facts, logs, chats, size, written_ns)
SELECT bot_id, day, SUM(facts_count), COUNT(*), SUM(CASE WHEN scope <> '' THEN 1 ELSE 0 END), SUM(size), MAX(mtime_ns)
FROM memory_document
WHERE kind = 'daily' AND day <> ''
GROUP BY bot_id, day
"""


class Migration(migrations.Migration):

    dependencies = [("memory", "0002_desk")]

    operations = [migrations.RunSQL([CHATS, DAYS], migrations.RunSQL.noop)]
