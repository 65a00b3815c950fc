"""A document has one path: whatever else could be taken for another name of it is none, at every door."""

from __future__ import annotations

import unicodedata
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from memory import index
from memory.domain.changes import is_safe_path, join_path, split_path
from memory.models import Document

PATHS = ["MEMORY.md", "daily/2026-11-20.md", "café.md"]
DOORS = ["documents", "raw", "facts", "history"]

ways = st.sampled_from(
    [
        lambda path: f"@memory/{path}",
        lambda path: f"@memory/@memory/{path}",
        lambda path: f"@MEMORY/{path}",
        lambda path: f"@/{path}",
        lambda path: f"@identity/../{path}",
        lambda path: f"./{path}",
        lambda path: f"daily/../{path}",
        lambda path: f"/{path}",
        lambda path: f"{path}/",
        lambda path: f"{path}/.",
        lambda path: f"{path} ",
        lambda path: path.replace("/", "//"),
        lambda path: path.replace("/", "/./"),
        lambda path: path.swapcase(),
        lambda path: unicodedata.normalize("NFD", path),
        lambda path: f"{path}\0",
    ]
)


@pytest.fixture
def kept(desk):
    desk.write("daily/2026-11-20.md", "## 10:17 — Ana moved to Lisbon\n\n")
    desk.write("café.md", "- Ana drinks it black\n")
    desk.indexed()
    return desk


def aliases(ways_taken, path):
    alias = path
    for way in ways_taken:
        alias = way(alias)
    return alias


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ways, min_size=1, max_size=3), st.sampled_from(PATHS), st.sampled_from(DOORS))
def test_no_other_name_of_a_document_opens_it(kept, ways_taken, path, door):
    alias = aliases(ways_taken, path)
    if alias in PATHS:
        return
    before = list(Document.objects.order_by("path").values_list("path", flat=True))
    assert index.look(kept.bot, alias).data is None
    answer = kept.client.get(f"/{kept.bot.slug}/{door}/{quote(alias)}")
    assert answer.status_code in (301, 302, 404), (door, alias)
    assert list(Document.objects.order_by("path").values_list("path", flat=True)) == before


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_saved_under_a_second_name(kept, path):
    was = kept.hash(path)
    answer = kept.client.post(f"/{kept.bot.slug}/save/@memory/{path}", {"text": "- new\n", "base": was})
    assert answer.status_code in (404, 422)
    assert kept.hash(path) == was


@given(st.text(min_size=1, max_size=20))
def test_a_safe_path_is_put_together_as_it_was_taken_apart(path):
    if is_safe_path(path):
        assert join_path(*split_path(path)) == path
