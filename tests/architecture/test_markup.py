"""HTML stands in templates, where a designer looks for it: no tag, class or htmx attribute is written in Python."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.test_floors import MODULES, nodes

MAY = {
    "memory.dialects.nanobot.pages.counters": "draws SVG",
    "memory.web.base.read_only": "switches off the buttons of a page",
    "memory.web.base.markdown": "cleans rendered markdown",
    "memory.web.base.masking": "masks the secrets of a page",
    "memory.web.base.marks": "marks hits in a text",
}
TAGS = (
    "a abbr article aside b br button canvas code datalist dd details dialog div dl dt em fieldset footer form g h[1-6] head "
    "header hr html i iframe img input label legend li link main mark meta nav ol optgroup option p path pre rect script "
    "section select small span strong style summary svg table tbody td template textarea tfoot th thead time title tr ul wbr"
)
_TAG = rf"(?:{TAGS.replace(' ', '|')})"
MARKUP = re.compile(rf"</?{_TAG}(?:\s[^<>]*)?/?>|<{_TAG}\s+[a-z-]+=|\bclass=|\bhx-[a-z]")
GROUP = re.compile(r"\(\?P<\w+>")  # of a regular expression
SAFE = {"SafeString", "mark_safe", "format_html", "format_html_join"}


def markup_in(nodes: list[ast.AST]) -> list[str]:
    """The texts of a module that are markup, and what it has to call a text safe."""
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
    texts = (
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    )
    calls = (node.func for node in nodes if isinstance(node, ast.Call) and node.args)
    safe = {getattr(called, "id", getattr(called, "attr", "")) for called in calls} & SAFE
    return [*(text for text in texts if MARKUP.search(GROUP.sub("", text))), *sorted(safe)]


def test_html_is_written_in_templates_alone():
    found = {name: markup_in(nodes(name)) for name in MODULES if name.startswith("memory") and name not in MAY}
    assert {name: markup for name, markup in found.items() if markup} == {}


def parsed(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


@pytest.mark.parametrize("name", MAY)
def test_a_module_that_may_write_markup_does(name):
    assert markup_in(nodes(name))


@pytest.mark.parametrize(
    "source",
    [
        "f'<li data-row>{name}</li>'",
        "f'<a href=\"{url}'",
        "'</span>'",
        "'<br>'",
        "x = 'class=\"chip\"'",
        "x = 'hx-target=\"#live\"'",
        "mark_safe(x)",
        "safestring.SafeString(x)",
    ],
)
def test_markup_is_seen(source):
    assert markup_in(parsed(f"x = {source}" if "x = " not in source else source))


@pytest.mark.parametrize("source", ["'''<p>'''", "x = r'(?P<code>[<>])'", "x = 'a < b'", "x = '<slug:slug>/days'"])
def test_what_is_no_markup_is_not(source):
    assert markup_in(parsed(source)) == []
