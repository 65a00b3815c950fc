"""Whoever names the home of a bot instead of its memory is shown where that lies."""

from __future__ import annotations

import pytest

from memory import registry


@pytest.mark.django_db
@pytest.mark.parametrize("below", ["data/memory", "memory", ".kenobot/data/memory"])
def test_memory_below_a_home_is_named(tmp_path, below, owner, client):
    memory = tmp_path / "rosa" / below
    memory.mkdir(parents=True)
    (memory / "2026-01-31.md").write_text("## 10:00 — Likes tea\n\n")
    assert registry.look_at(tmp_path / "rosa").below == memory
    client.force_login(owner)
    page = client.get("/bots/add", {"path": str(tmp_path / "rosa")}).content.decode()
    assert f"?path={memory}" in page


@pytest.mark.django_db
def test_directory_without_a_memory_names_none(tmp_path):
    (tmp_path / "rosa" / "data" / "memory").mkdir(parents=True)
    assert registry.look_at(tmp_path / "rosa").below is None
