"""Markdown as safe HTML."""

from __future__ import annotations

import re
import time
from html import escape

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings, strategies as st

from memory.web.base import markdown
from memory.web.base.masking import hidden
from tests.support.amounts import times

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "![x](http://elsewhere/pixel.png)",
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<iframe src="http://elsewhere"></iframe>',
    '<form action="/keno/save/MEMORY.md"><input name="base"></form>',
    '<p style="position:fixed">x</p>',
    "<style>body{display:none}</style>",
    "```\n</code></pre><script>alert(1)</script>\n```",
    "x {: onclick=alert(1) }",
    "[go](logout)",
    "<details open ontoggle=alert(1)>",
    "<div hx-post='/keno/step' hx-trigger='load'>x</div>",
]


def parsed(text):
    return BeautifulSoup(markdown.html(text), "html.parser")


def is_harmless(soup):
    for tag in soup.find_all(True):
        assert tag.name not in {
            "script",
            "style",
            "img",
            "iframe",
            "svg",
            "form",
            "object",
            "embed",
            "link",
            "meta",
            "base",
        }
        for name, value in tag.attrs.items():
            assert name in {
                "href",
                "title",
                "id",
                "class",
                "rel",
                "type",
                "checked",
                "disabled",
                "start",
                "align",
                "aria-label",
            }
            if name == "href":
                assert re.match(r"(https?:|mailto:|#text-)", value, re.IGNORECASE)
            if name == "id":
                assert value.startswith("text-")


@pytest.mark.parametrize("attack", ATTACKS)
def test_render_leaves_nothing_that_acts(attack):
    is_harmless(parsed(attack))
    is_harmless(parsed(f"# title\n\n- item {attack}\n\n> {attack}\n\n| a |\n|-|\n| {attack} |\n"))


@settings(max_examples=times(20, 150), deadline=None)
@given(
    st.lists(st.sampled_from([*ATTACKS, "# ", "- ", "\n", "\n\n", "    ", "[a]: ", "*", "`", "é", "a"]), max_size=12)
)
def test_render_of_any_mixture_is_harmless(parts):
    is_harmless(parsed("".join(parts)))


def test_render_prefixes_ids_and_the_links_to_them():
    soup = parsed("# Main\n\n[up](#main)\n\nText[^1]\n\n[^1]: Foot\n")
    assert soup.h2["id"] == "text-main"
    assert soup.a["href"] == "#text-main"
    assert all(a["href"].startswith("#text-") for a in soup.find_all("a"))


def test_render_gives_equal_headings_ids_of_their_own():
    ids = [tag["id"] for tag in parsed("# a\n\n# a\n\n# a_1\n\n# a\n").find_all("h2")]
    assert len(set(ids)) == 4


def test_render_leaves_the_first_heading_to_the_page():
    soup = parsed("# One\n\n## Two\n\n<h1>Three</h1>\n")
    assert [tag.name for tag in soup.find_all(["h1", "h2", "h3"])] == ["h2", "h3"]
    assert "Three" in soup.get_text()


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("![a cat](http://elsewhere/cat.png)", "http://elsewhere/cat.png"),
        ("[![a cat](http://elsewhere/cat.png)](http://elsewhere/)", "http://elsewhere/"),
        ("[x](http://x/) ![a cat](http://elsewhere/cat.png)", "http://elsewhere/cat.png"),
        ("![a cat](javascript:alert(1))", None),
        ("![a cat](cat.png)", None),
    ],
)
def test_render_names_images_and_leads_to_them_instead_of_fetching_them(text, leads):
    soup = parsed(text)
    assert "[image: a cat]" in soup.get_text()
    assert [link["href"] for link in soup.find_all("a") if link.get_text() == "[image: a cat]"] == (
        [leads] if leads else []
    )


def test_render_shows_html_as_text():
    soup = parsed("<div>*soon*</div>\n\nBefore <b>noon</b> <!-- or not -->\n\n<!-- hidden? -->\n")
    assert " ".join(soup.get_text().split()) == "<div>soon</div> Before <b>noon</b> <!-- or not --> <!-- hidden? -->"
    assert soup.em.get_text() == "soon"
    assert not soup.find_all(["div", "b"])


def test_render_marks_links_that_lead_elsewhere():
    assert parsed("[x](https://example.org)").a["rel"] == ["noopener", "noreferrer", "nofollow"]


def test_render_shows_tasks_tables_and_strikes():
    soup = parsed("- [x] done\n- [ ] open\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~gone~~\n")
    assert [box.has_attr("checked") for box in soup.find_all("input")] == [True, False]
    assert {box["aria-label"] for box in soup.find_all("input")} == {"Task"}
    assert soup.td.get_text() == "1"
    assert soup.find("del").get_text() == "gone"


def test_render_stops_at_the_end_of_a_line_where_a_text_is_too_long():
    text = "word " * 20 + "last\n\n"
    laid = markdown.laid_out(text * (markdown.PREVIEW_LIMIT // len(text) + 9))
    laid_out = BeautifulSoup(laid.html, "html.parser").get_text()
    assert 0 < len(laid_out) <= markdown.PREVIEW_LIMIT
    assert laid_out.rstrip().endswith("word last")
    assert laid.rest.lstrip().startswith("word word")


@pytest.mark.slow
@pytest.mark.parametrize("longer", range(0, 60, 3))
def test_no_secret_stands_across_the_end_of_what_is_laid_out(longer):
    named, key = "password: Hunter9*TAIL9876x#", "sk-abcdefghijklmnopqrHunter9TAIL9876zzz"
    starred = "*a* " * 1950 + "* " * longer + f" my {named} and more {'*a* ' * 500}\n"
    plain = f"{'word ' * 16_000}"[: markdown.PREVIEW_LIMIT - longer]
    for laid in (
        markdown.laid_out(starred),
        markdown.laid_out(f"{plain} {key} {plain}"),
        markdown.verbatim(f"{plain} {named} {plain}"),
    ):
        assert laid.rest
        assert "TAIL9876" not in (hidden(f"<p>{laid.html}</p><pre>{escape(laid.rest)}</pre>") or "TAIL9876")


KINDS_OF_TEXT = {
    "list": "- one\n",
    "nested": "- one\n    - two\n        - three\n",
    "bold": "- **one** and `two` and *three*\n",
    "links": "[a](https://a.example) ",
    "headings": "# One\n\n## Two\n\n",
    "table": "\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "prose": "A sentence of some words that goes on for quite a while. ",
    "breaks": "one  \n",
    "tasks": "- [ ] one\n",
    "definitions": "a\n: b\n\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_OF_TEXT)
def test_nothing_of_a_text_that_is_too_much_is_lost_and_no_more_elements_are_made_than_a_page_bears(kind):
    text = "".join(KINDS_OF_TEXT[kind].replace("one", f"one{n}") for n in range(3000))
    laid = markdown.laid_out(text)
    assert len(BeautifulSoup(laid.html, "html.parser").find_all(True)) <= markdown.MOST_NODES
    assert laid.rest
    assert text.endswith(laid.rest)
    seen = BeautifulSoup(laid.html, "html.parser").get_text()
    assert len(seen.split()) >= 400 or len(laid.rest) < len(text) / 2
    assert all(f"one{n}" in seen or f"one{n}" in laid.rest for n in range(3000) if f"one{n}" in text)


def test_a_text_within_the_limits_is_laid_out_whole():
    text = "".join(f"- **{n}** words\n" for n in range(900))
    laid = markdown.laid_out(text)
    assert not laid.rest
    assert len(BeautifulSoup(laid.html, "html.parser").find_all("li")) == 900


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 100_000, "<a " * 30_000, "![" * 50_000, "> " * 4000 + "a", "[x](" * 20_000),
        *("# a\n" * 30_000, "# a\n\n" * 20_000, "# a\n# a_1\n\n" * 10_000),
    ],
)
@pytest.mark.slow
def test_render_of_text_made_to_be_slow_ends(text):
    start = time.thread_time()  # a busy machine takes no longer of it
    assert parsed(text).get_text()
    assert time.thread_time() - start < 20


@pytest.mark.parametrize(
    "again", ["a\n=\n", "a\n\n=\n\n", "a\n: b\n", "!!! note\n", "*[a]: b\n", "---\n", "> a\n", "|a|b|\n|-|-|\n"]
)
def test_no_kind_of_block_takes_the_renderer_longer_than_seconds(again):
    before = time.thread_time()
    assert markdown.html(again * (markdown.PREVIEW_LIMIT // len(again)))
    assert time.thread_time() - before < 10  # without a bound, minutes


def test_what_takes_too_long_is_shown_as_it_stands_and_says_so():
    soup = parsed("[a " * 16_000)
    assert soup.p.get_text() == "Formatting this text would take too long, so it is shown as plain text."
    assert soup.pre.get_text().startswith("[a [a [a")


def test_headings_without_blank_lines_are_laid_out():
    assert len(parsed("## Name\n- Ana sails\n- and rows\n" * 300).find_all("h3")) == 300


def test_render_takes_a_mark_and_bytes_that_are_no_text():
    assert parsed("\ufeff# Title\n").h2.get_text() == "Title"
    assert "caf\ufffd" in parsed("caf\udce9").get_text()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The **list** moved to `port 25`", "The <strong>list</strong> moved to <code>port 25</code>"),
        ("*soon*, ~~not~~ now", "<em>soon</em>, <del>not</del> now"),
        ("a < b & c", "a &lt; b &amp; c"),
        ("# no heading", "# no heading"),
        ("- no list", "- no list"),
        ("1. *one*", "1. <em>one</em>"),
        ("    **far in**", "<strong>far in</strong>"),
        ("> no quote, [1]: no note", "&gt; no quote, [1]: no note"),
        ("first **bold**\nsecond", "first <strong>bold</strong>\nsecond"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2<em>3</em>4"),
        ("<b>*raw*</b>", "&lt;b&gt;<em>raw</em>&lt;/b&gt;"),
        ("![a cat](http://elsewhere/cat.png)", '<a href="http://elsewhere/cat.png">[image: a cat]</a>'),
        ("[go](logout)", "go"),
        ("@*" * 1500, "@*" * 1500),
    ],
)
def test_a_line_shows_what_is_bold_code_or_a_link_and_all_else_as_it_stands(text, shown):
    assert markdown.line(text).replace(' rel="noopener noreferrer nofollow"', "") == shown


def test_a_line_that_stands_in_a_link_has_none_of_its_own():
    assert markdown.line("**see** [club](https://a.example)", links=False) == "<strong>see</strong> club"


def test_a_line_links_to_what_lies_elsewhere():
    links = BeautifulSoup(markdown.line("[club](https://a.example/1), https://b.example"), "html.parser").find_all("a")
    assert [link["href"] for link in links] == ["https://a.example/1", "https://b.example"]
    assert all("noopener" in link["rel"] for link in links)


@given(
    st.lists(st.sampled_from([*ATTACKS, "**", "*", "`", "[", "](", "~~", "<", "&lt;", "\x02", "\n\n", "@", "words "]))
)
def test_a_line_of_any_mixture_is_harmless(parts):
    soup = BeautifulSoup(markdown.line(" ".join(parts)), "html.parser")
    is_harmless(soup)
    assert {tag.name for tag in soup.find_all(True)} <= {"a", "code", "del", "em", "strong"}


@given(st.text(st.characters(exclude_characters="*_`~[\\@:.", exclude_categories=("Cs", "Cc"))))
def test_a_line_without_marks_reads_as_it_stands(text):
    assert BeautifulSoup(markdown.line(text), "html.parser").get_text() == text


@pytest.mark.parametrize("part", ["*", "_", "**a", "[", "[a](", "`", "~~", "<", "https://a", "a@", "*a _b **c "])
def test_a_line_made_to_be_slow_ends(part):
    start = time.thread_time()
    markdown.line(part * (700 // len(part)))
    assert time.thread_time() - start < 2


def outline(items):
    """[words, ...] of a list's items, a list in an item as one more."""
    told = []
    for item in items.find_all("li", recursive=False):
        below = item.find(["ul", "ol"])
        if below:
            below.extract()
        told += [" ".join(item.get_text().split()), *([outline(below)] if below else [])]
    return told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Still to do:\n- paint\n- seats", ["paint", "seats"]),
        ("Still to do:\n1. paint\n2. seats", ["paint", "seats"]),
        ("- paint\n  - red\n    - twice\n  - blue\n- seats", ["paint", ["red", ["twice"], "blue"], "seats"]),
        ("- paint\n    - red\n        - twice\n- seats", ["paint", ["red", ["twice"]], "seats"]),
        ("1. paint\n   - red\n     and thick\n2. seats", ["paint", ["red and thick"], "seats"]),
        ("10. paint\n    - red\n11. seats", ["paint", ["red"], "seats"]),
        ("- [ ] paint\n  - [x] red", ["paint", ["red"]]),
        ("- paint\n\n- seats\n\n  - leather", ["paint", "seats", ["leather"]]),
        ("  - paint\n   - seats", ["paint", "seats"]),
    ],
)
def test_lists_are_read_as_bots_write_them(text, told):
    assert outline(parsed(text).find(["ul", "ol"])) == told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("paint\n2. seats", "paint 2. seats"),
        ("minus\n-5 degrees", "minus -5 degrees"),
        ("```\npaint\n- seats\n  - red\n```", "paint - seats - red"),
        ("* * *", ""),
    ],
)
def test_what_only_looks_like_a_list_is_none(text, words):
    found = parsed(text)
    assert not found.find("li")
    assert " ".join(found.get_text().split()) == words


def test_code_and_paragraphs_stay_in_their_item():
    found = parsed("* paint\n\n  the frame\n  ```py\n  x = 1\n    y\n\n  z\n  ```\n  - red\n\nend")
    assert found.li.pre.get_text().strip() == "x = 1\n  y\n\nz"
    assert [one.get_text(strip=True) for one in found.li.find_all("p") if one.get_text(strip=True)] == [
        "paint",
        "the frame",
    ]
    assert found.li.li.get_text() == "red"
    assert found.find_all("p")[-1].get_text() == "end"


@pytest.mark.slow
@settings(max_examples=times(100))
@given(
    st.lists(
        st.sampled_from(["- a", "  - b", "    c", "1. d", "", "```", "# e", "      - f", "   2. g", "* * *", "> h"])
    )
)
def test_no_line_of_a_list_is_lost(lines):
    told = parsed("\n".join(lines)).get_text()
    for word in "abcdefgh":
        assert told.count(word) == sum(word in line for line in lines)
