"""`memory prune-history`: shown first, done with --yes."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memory import index
from memory.models import ChangeSet, Revision


def test_prune_history_shows_first_and_prunes_when_told(terminal):
    index.refresh(terminal.bot)
    ChangeSet.objects.update(created=timezone.now() - timedelta(days=90))
    assert terminal.json("prune-history")["versions"] == 0
    terminal.bot.settings = {"history_days": 60}
    terminal.bot.save()
    shown = terminal("prune-history")
    assert shown.out.startswith("Dry run: 7 versions of 7 documents would be pruned.")
    assert not Revision.objects.exclude(pruned=None).exists()
    done = terminal.json("prune-history", "--yes")
    assert (done["versions"], done["pruned"]) == (7, True)
    assert Revision.objects.filter(pruned=None).count() == 0
    assert terminal.json("prune-history", "--yes")["versions"] == 0
