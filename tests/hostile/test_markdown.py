"""Markdown made to break what shows it: rendered or shown as it stands, soon, harmless, and nothing of it lost."""

from __future__ import annotations

import re
import time

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User

from memory import index, registry
from memory.models import Fact
from memory.web.base import markdown
from memory.web.base.file_links import target_of
from tests.support.workspaces import OPENCLAW, write
from tests.web.conftest import Visitor

SECONDS = 8  # of work for one text, with room for a busy machine
DEEP = 10_000
TEXTS = {
    "nested lists": "".join(" " * (4 * n) + "- in\n" for n in range(400)) + "end",
    "lists in a line": "- " * DEEP + "end",
    "numbers in a line": "1. " * DEEP + "end",
    "quotes": ">" * DEEP + " end",
    "quotes of lists": "> - " * DEEP + "end",
    "a long line": "word " * 210_000 + "end",
    "a line without a space": "x" * 1_050_000 + "end",
    "links": "[a](https://a.example/x) " * 20_000 + "end",
    "links in links": "[" * DEEP + "a" + "](x.md)" * DEEP + "end",
    "links to files": "".join(f"[a](people/{n}.md) " for n in range(20_000)) + "end",
    "brackets without an end": "[a](" * DEEP + "end",
    "images": "![a](x.png)" * DEEP + "end",
    "names of links": "".join(f"[{n}]: x{n}.md\n" for n in range(DEEP)) + "[1]\n\nend",
    "a fence without an end": "```\n" + "code\n" * 40_000 + "end",
    "fences": "```\n~~~\n" * DEEP + "end",
    "fences in lists": "".join(" " * (2 * (n % 40)) + "- ```\n" for n in range(DEEP)) + "end",
    "stars": "*" * DEEP + "a" + "*" * DEEP + "end",
    "stars and scores": "*a_ " * DEEP + "end",
    "table": "|a" * DEEP + "|\n" + "|-" * DEEP + "|\n" + "|a" * DEEP + "|\n\nend",
    "rows": "|a|b|\n|-|-|\n" + "|1|2|\n" * 20_000 + "\nend",
    "footnotes": "".join(f"a[^{n}]\n\n[^{n}]: b\n\n" for n in range(3000)) + "end",
    "abbreviations": "".join(f"*[{n}]: b\n" for n in range(3000)) + "1 2 3\n\nend",
    "attributes": "a {: #b .c onclick=d }\n\n" * 3000 + "end",
    "html": "<div><b onclick=a>" * DEEP + "end",
    "comments": "<!--" * DEEP + "end",
    "entities": "&#x6a;" * DEEP + "end",
    "backticks": "".join("`" * n for n in range(1, 300)) + "end",
    "line ends": "\n" * 200_000 + "end",
    "placeholders": "\x02wzxhzdk:0\x03 \x02klzzwxh:0001\x03 " * 2000 + "end",
}
SCRIPTS = (
    *(
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        " javascript:alert(1)",
        "\tjava\tscript:alert(1)",
        "java\x00script:alert(1)",
    ),
    *("&#106;avascript:alert(1)", "&#x6A;avascript&colon;alert(1)", "javascript&#58;alert(1)", "%6aavascript:alert(1)"),
    *(
        "javascript%3Aalert(1)",
        "//javascript:alert(1)",
        "./javascript:alert(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
        "vbscript:x",
    ),
    *(
        "blob:https://a.example/x",
        "file:///etc/passwd",
        "view-source:https://a.example",
        "jar:x!/y",
        "\u2028javascript:alert(1)",
    ),
    *(
        "http:javascript:alert(1)/../x.md",
        'x.md"onmouseover=alert(1)',
        "x.md' onclick='alert(1)",
        "<javascript:alert(1)>",
    ),
    *(
        "//elsewhere.example/x.md",
        "/\\elsewhere.example",
        "\\/elsewhere.example",
        "%2f%2felsewhere.example",
        "../../../../etc/passwd",
    ),
    *(
        "..%2f..%2f..%2fetc%2fpasswd",
        "..%252f..%252fx.md",
        "....//x.md",
        "people/..%00/x.md",
        'people/ana.md#"><script>alert(1)</script>',
    ),
    *("?next=//elsewhere.example", "#javascript:alert(1)", "people\u2215ana.md", "%c0%ae%c0%ae/x.md", "．．/x.md"),
)
SAFE = re.compile(r"(https?:|mailto:|#text-|/nursery/documents/)", re.IGNORECASE)
NAMED = (
    "memory/javascript:alert(1).md",
    "memory/https:x.example.md",
    "memory/a<b>&\"'.md",
    "memory/%2e%2e%2fx.md",
    "memory/#x.md",
)


@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_made_to_be_too_much_is_shown_soon_and_whole(kind):
    before = time.thread_time()
    laid = markdown.laid_out(TEXTS[kind])
    assert time.thread_time() - before < SECONDS
    soup = BeautifulSoup(laid.html, "html.parser")
    assert len(soup.find_all(True)) <= markdown.MOST_NODES
    assert len(laid.html) < 16 * markdown.PREVIEW_LIMIT
    assert TEXTS[kind].endswith(laid.rest)
    assert "end" in soup.get_text() + laid.rest


@pytest.mark.parametrize("kind", TEXTS)
def test_a_line_made_to_be_too_much_is_shown_soon(kind):
    before = time.thread_time()
    markdown.line(TEXTS[kind][:2000])
    markdown.line(TEXTS[kind])
    assert time.thread_time() - before < SECONDS


@pytest.fixture
def nursery(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", OPENCLAW | dict.fromkeys(NAMED, "- a\n"))
    return Visitor(
        registry.add(root, name="Nursery"), root, User.objects.create_superuser("ana", password="a long enough one")
    )


@pytest.mark.slow
def test_no_link_of_any_spelling_acts_or_leads_out_of_the_memory(nursery):
    lines = [
        f"[see]({link}) ![see]({link}) [see][{n}]\n\n[{n}]: {link}\n\n<{link}>\n" for n, link in enumerate(SCRIPTS)
    ]
    nursery.write("memory/2026-02-01.md", "".join(f"## Hour {n}\n\n{text}\n" for n, text in enumerate(lines)))
    index.refresh(nursery.bot)
    pages = [nursery.get("documents/memory/2026-02-01.md"), nursery.get("days/2026-02-01", open=1)]
    fact = Fact.objects.filter(bot=nursery.bot, document__day="2026-02-01")
    pages += [nursery.get("days/2026-02-01", at=f"{one.document_id}-{one.key[:16]}-{one.nth}") for one in fact[:3]]
    for page in pages:
        links = page.soup.select(".prose a, .fact a:not([data-whole])")
        assert [link["href"] for link in links if not SAFE.match(link["href"])] == []
        assert all("/../" not in link["href"] and not link["href"].startswith("//") for link in links)
        assert not [
            name for tag in page.soup.select(".prose *, .fact *") for name in tag.attrs if name.startswith("on")
        ]
        assert not page.soup.select(".prose :is(script, img, iframe, style)")


def test_files_named_like_addresses_are_led_to_as_files(nursery):
    links = [
        "./javascript:alert(1).md",
        "./https:x.example.md",
        "a%3Cb%3E%26%22%27.md",
        "%252e%252e%252fx.md",
        "%23x.md",
    ]
    nursery.write("memory/2026-02-01.md", "".join(f"[see{n}]({link})\n\n" for n, link in enumerate(links)))
    index.refresh(nursery.bot)
    page = nursery.get("documents/memory/2026-02-01.md")
    for number in range(len(links)):
        url = page.link(f"see{number}")
        assert url.startswith("/nursery/documents/memory/")
        assert nursery.client.get(url).status_code == 200


@pytest.mark.parametrize("link", SCRIPTS)
def test_a_link_never_names_what_is_outside_of_its_root(link):
    for path in ("MEMORY.md", "a/b/c.md", "@identity/SOUL.md"):
        found = target_of(path, link)
        assert not found.startswith("/")
        assert ".." not in found.split("/")
        assert found.startswith("@identity/") == (path.startswith("@") and bool(found))
