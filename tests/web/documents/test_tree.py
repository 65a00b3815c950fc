"""Files as a tree: by their directories, on the page of files and beside each of them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from memory import index
from memory.web.base.files import DEEPEST, MOST, FileRow, tree
from tests.support.workspaces import write
from tests.web.conftest import added

NAME = st.text(st.characters(exclude_characters="/", exclude_categories=("Cs", "Cc")), min_size=1, max_size=4)
FILES = "#tree a[href$='/documents/'] ~ .leaves"  # beside a page of one of them
PATHS = st.sets(st.lists(st.sampled_from("ab") | NAME, min_size=1, max_size=12).map("/".join), max_size=30)


def every(branch):
    return [file.path for file in branch.files] + [path for one in branch.branches for path in every(one)]


@given(PATHS)
def test_each_file_is_in_the_tree_once_under_its_own_directories(paths):
    branch = tree((FileRow(path, "", "") for path in sorted(paths)), paths)
    assert sorted(every(branch)) == sorted(paths)
    assert branch.number == len(paths)
    pending = [(branch, 0)]
    while pending:
        one, depth = pending.pop()
        assert depth <= DEEPEST
        assert all(file.path == one.path + file.name for file in one.files)
        pending += [(below, depth + 1) for below in one.branches]


@pytest.fixture
def nursery(db, tmp_path, kenoweb_home):
    """A workspace with notes in directories of directories."""
    notes = {f"memory/people/p{number}.md": f"# P{number}\n" for number in range(7)}
    plots = {"memory/plots/north.md": "# North\n", "memory/plots/south.md": "# South\n"}
    root = write(tmp_path / "workspace", {"MEMORY.md": "- Leeks\n", "notes/plan.md": "# Plan\n", **notes, **plots})
    return added(root)


def test_directories_are_named_with_how_many_files_they_hold(nursery):
    page = nursery.get("documents/")
    said = [" ".join(one.get_text(" ").split()) for one in page.soup.select(".branch > summary")]
    assert said == ["memory/ 9", "people/ 7", "plots/ 2"]
    assert [one.has_attr("open") for one in page.soup.select(".branch")] == [False, False, True]
    top = page.soup.select_one("#h-own").find_parent("section").select_one("ul.rows")
    assert [link.get_text() for link in top.select("a.mono")] == ["MEMORY.md", "notes/plan.md"]
    assert [link.get_text() for link in page.soup.select(".branch .branch[open] a.mono")] == ["north.md", "south.md"]


def test_very_many_files_come_in_pages(desk):
    for number in range(MOST + 9):
        desk.write(f"identity/{number:03}.md", "x")
    index.refresh(desk.bot)
    page = desk.get("documents/")
    assert len(page.soup.select(".branch a.mono")) == MOST - 1
    after = desk.get("documents/" + page.link("Next"))
    for one in (page, after):
        assert one.soup.select_one(".branch > summary").get_text(" ").split() == ["identity/", f"{MOST + 9}"]
    assert [one.get_text() for one in after.soup.select(".branch a.mono")] == [
        f"{number:03}.md" for number in range(MOST - 1, MOST + 9)
    ]


@pytest.mark.parametrize("place", ["documents", "facts", "history"])
def test_a_file_stands_among_the_others(desk, place):
    for number in range(3):
        desk.write(f"identity/{number}.md", "- x\n")
    index.refresh(desk.bot)
    side = desk.get(f"{place}/identity/1.md").soup.select_one(FILES)
    assert side.select_one("[aria-current]").get_text(" ").split() == ["1.md", "4", "bytes"]
    assert side.select_one("details")["open"] == ""
    page = desk.get(f"{place}/MEMORY.md")
    assert not page.soup.select_one(f"{FILES} details").has_attr("open")
    assert [one.get_text() for one in page.soup.select("#tree [aria-current]")] == ["Long-term memory"]
    assert not page.soup.find("nav", class_="tree").find_all("a", href=lambda url: url.endswith("MEMORY.md"))


def test_of_very_many_files_those_near_stand_beside_one(desk):
    for number in range(MOST + 9):
        desk.write(f"identity/{number:03}.md", "x")
    index.refresh(desk.bot)
    beside = desk.get(f"documents/identity/{MOST + 3:03}.md").soup
    assert beside.select_one(f"{FILES} summary").get_text(" ").split() == ["identity", f"{MOST + 9}"]
    links = beside.select(f"{FILES} a")
    assert len(links) == 9
    assert [link.span.get_text() for link in links if link.has_attr("aria-current")] == [f"{MOST + 3:03}.md"]
