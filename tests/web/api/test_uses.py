"""What programs are given of a memory counts as used: the facts of a prompt and the hits of a search."""

from __future__ import annotations

from memory.models import Use
from memory.text.markdown.normal import key


def used():
    return set(Use.objects.values_list("key", flat=True))


def test_the_hits_of_a_search_are_used_and_nothing_else(reader):
    reader.look()
    status, _found = reader.get("facts/search", q="google docs")
    assert status == 200
    assert used() == {key("Likes Google Docs")}


def test_the_facts_of_a_prompt_are_used(reader):
    reader.look()
    assert reader.post("prompt", query="What do you know?")[0] == 200
    assert {key("Likes Google Docs"), key("Prefers concise responses")} <= used()
