"""What a workspace of many files says of them: some by name, all of them counted."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from tests.support.workspaces import OPENCLAW, write
from tests.web.conftest import added


@pytest.fixture
def large(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", OPENCLAW)
    for number in range(70):
        target = root / f"memory/people/p{number:02}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"# P{number}\n\n- Grows leeks in plot {number}\n")
    return added(root)


def on_demand(page):
    """The reason for which topics are left out: its heading, and what stands under it."""
    return next(
        one
        for one in page.soup.select(".left-out details")
        if "The bot reads it when it looks something up, not at the start." in one.text
    )


def test_topics_that_are_not_loaded_are_counted_and_the_first_of_them_named(large):
    group = on_demand(large.get("prompt/"))
    topics = [place for place in (large.root / "memory").rglob("*.md") if place.parent.name == "people"]
    others = int(group.select_one(".chip").text) - len(topics)
    assert len(topics) > 70
    assert 0 <= others < 10
    named = [one.text for one in group.select(".papers .mono")]
    assert named == sorted(named)
    assert len(named) == 20
    assert group.select("li")[-1].text == f"and {len(topics) + others - 20} more"


@pytest.mark.usefixtures("same_minute")
def test_no_more_is_read_for_a_prompt_where_there_are_more_topics(large):
    large.get("prompt/")
    with CaptureQueriesContext(
        connection,
    ) as few:
        large.get("prompt/")
    for number in range(100, 200):
        (large.root / f"memory/people/p{number}.md").write_text("- Grows more leeks\n")
    index.refresh(large.bot)
    large.get("prompt/")
    with CaptureQueriesContext(connection) as many:
        page = large.get("prompt/")
    assert len(many) == len(few)
    assert int(on_demand(page).select_one(".chip").text) > 170
