"""`memory prune-history` and `memory purge`: shown first, done with --yes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import index
from memory.models import ChangeSet, Purge, Revision


def test_prune_history_shows_first_and_prunes_when_told(terminal):
    index.refresh(terminal.bot)
    ChangeSet.objects.update(created=timezone.now() - timedelta(days=90))
    assert terminal.json("prune-history")["versions"] == 0
    terminal.bot.settings = {"history_days": 60}
    terminal.bot.save()
    shown = terminal("prune-history")
    assert shown.out.startswith("Dry run: 7 versions of 7 files would be pruned.")
    assert not Revision.objects.exclude(pruned=None).exists()
    done = terminal.json("prune-history", "--yes")
    assert (done["versions"], done["pruned"]) == (7, True)
    assert Revision.objects.filter(pruned=None).count() == 0
    assert terminal.json("prune-history", "--yes")["versions"] == 0


@pytest.mark.django_db(transaction=True)
def test_purge_shows_takes_out_and_purges(terminal):
    secret = "a red bicycle"
    shown = terminal("purge", "-", stdin=secret.encode() + b"\n")
    assert "2026-01-02.md contains it." in shown.out
    assert "1 file versions" in shown.out
    assert terminal.refused("purge", "-", "--yes", stdin=secret.encode()).code == 1
    taken = terminal.json("purge", "-", "--files", stdin=secret.encode())
    assert (taken["documents"], taken["purged"]) == ([], False)
    assert (terminal.root / "2026-01-02.md").read_text().startswith("## 09:00 — Owns [purged]\n")
    done = terminal.json("purge", "-", "--yes", stdin=secret.encode())
    assert done["purged"]
    assert done["places"]["file versions"] == 1
    assert terminal.json("purge", "-", stdin=secret.encode())["places"] == {}
    assert secret not in str(Purge.objects.values().get())


def test_purge_refuses_what_is_no_text_or_too_short(terminal):
    assert "UTF-8" in terminal.refused("purge", "-", stdin=b"\xff\xfe\xfd\xfc").err
    assert "4 to 2000 characters" in terminal.refused("purge", "-", stdin=b"abc").err
