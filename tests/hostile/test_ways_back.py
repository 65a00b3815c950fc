"""Where a page leads back to: the address comes from whoever made the link or the form."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from memory.web.base.responses import ours

ELSEWHERE = [
    *(
        "//evil.test",
        "///evil.test",
        "/\\evil.test",
        "\\\\evil.test",
        "https://evil.test",
        "javascript:alert(1)",
        "evil.test",
        "",
    ),
    *(
        "/\t//evil.test",
        "/\t/evil.test",
        "/\r//evil.test",
        "/\n\n//evil.test",
        "/\x0b//evil.test",
        "/\0//evil.test",
        "\t//evil.test",
    ),
]


@pytest.mark.parametrize("address", ELSEWHERE)
def test_an_address_elsewhere_is_none_of_ours(address):
    assert ours(address) == ""


@pytest.mark.parametrize(
    "address", ["/", "/keno/days/2026-11-20?q=caf\u00e9 %0A&page=2#f-1", "/keno/chats/a%2F%2Fb", "/keno//x"]
)
def test_an_address_of_ours_is_kept(address):
    assert ours(address) == address


def test_a_link_made_by_somebody_else_leads_nowhere_else(ana, desk):
    desk.write("MEMORY.md", b"- Likes tea\n")
    page = ana.get("facts/MEMORY.md")
    name = page.soup.find(attrs={"name": "fact"})["value"]
    page = ana.get(f"entry?fact={quote(name)}&next=/%09//evil.test")
    assert page.status == 200
    assert [link["href"] for link in page.soup.select("[href*=evil], [value^='/\t']")] == []
