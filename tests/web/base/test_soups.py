"""The soups that tests look into are those that Beautiful Soup makes of the same pages."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from bs4.builder import LXMLTreeBuilder
from bs4.element import Tag

from tests.support.soups import PageBuilder

LINKS = ("parent", "previous_element", "next_element", "previous_sibling", "next_sibling")
PAGE = """<!doctype html><html lang=en><head><meta charset=utf-8><title>a &amp; b</title><script>var a = "<b>";</script>
<style>a {}</style></head><body class="a  b"><!-- c --><pre>
  x </pre><p id>un<b>closed<i>x</b>y</i><template><p>t <b>q</b></p></template><br><a rel="x y" class="" href=/>l</a>
<textarea>
 a</textarea>

  <svg xmlns="http://www.w3.org/2000/svg"><use xlink:href="#a"/></svg><table><tr><td headers="a b">1<td>2</table>&nbsp;<ruby>a<rt>b
</body></html>end"""


def all_of(soup):
    """Each thing in a soup with all that it says of itself, the things that it leads to as their places."""
    parts = [soup, *soup.descendants]
    places = {id(part): place for place, part in enumerate(parts)}
    return [
        (
            type(part),
            str(part),
            [places.get(id(getattr(part, link))) for link in LINKS],
            _rest(part) if isinstance(part, Tag) else part.hidden,
        )
        for part in parts
    ]


def _rest(tag):
    return {
        "type of attrs": type(tag.attrs),
        "types": [type(value) for value in tag.attrs.values()],
        **{name: value for name, value in vars(tag).items() if name not in {*LINKS, "contents"}},
    }


@pytest.mark.parametrize(
    "page", [PAGE, PAGE.encode(), "<p>a part</p>", "", "<html xmlns='http://www.w3.org/1999/xhtml'><p a:b=x>é"]
)
def test_a_soup_is_the_one_that_beautiful_soup_makes(page):
    made, usual = (BeautifulSoup(page, builder=builder) for builder in (PageBuilder, LXMLTreeBuilder))
    assert all_of(made)[1:] == all_of(usual)[1:]
    assert str(made) == str(usual)
    assert type(BeautifulSoup(page, "lxml").builder) is PageBuilder
