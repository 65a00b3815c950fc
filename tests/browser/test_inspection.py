"""The inspection of a page: what it leaves out would not have counted; and that a message waits for its test, and no window tells
what another did."""

from __future__ import annotations

import pytest

from tests.browser.site import AXE, INSPECTION, PHONE, Browsing

pytestmark = pytest.mark.browser
FAULTS = """
<html><head><meta name="viewport" content="user-scalable=no"></head><body>
<img src="data:,"><a href="#x"></a><p style="color: #bbb; background: #fff">pale</p><input><select></select>
<button></button><h1>One</h1><h4></h4><div role="buton"></div><ul><p>no item</p></ul><dl><li>no term</li></dl>
<div aria-hidden="true"><button>hidden</button></div><table><tr><td headers="nowhere">1</td><th scope="no"></th></tr></table>
<div role="checkbox" aria-checked="perhaps"></div><iframe></iframe><p lang="nolanguage">What?</p><main></main><main></main>
<p>Words and <a href="#y" style="color: #333; text-decoration: none">a link</a> in a sentence that goes on</p>
</body></html>
"""


def test_inspection_finds_all_that_is_serious_or_critical(window):
    page = window.page
    page.set_content(FAULTS)
    page.evaluate(AXE)
    every = page.evaluate("axe.run().then((found) => found.violations)")
    counted = {one["id"] for one in every if one["impact"] in ("serious", "critical")}
    assert {"color-contrast", "image-alt", "label", "list"} <= counted
    assert {one["id"] for one in page.evaluate(INSPECTION, {"known": ""})["serious"]} == counted
    assert len(every) > len(counted) > 10
    with pytest.raises(AssertionError, match="color-contrast"):
        window.inspect()


def test_inspection_asks_once_about_texts_of_a_kind(window):
    def ways(*known):
        return page.evaluate(INSPECTION, {"known": "\n".join(known)})["ways"]

    page = window.page
    page.set_content("<style>.pale { color: #bbb }</style><p>Two</p><p>alike</p>")
    page.evaluate(AXE)
    (alike,) = ways()
    assert ways(alike) == []
    for other in (
        "<p class=pale>Pale</p>",
        "<div style='background: #666'><p>On grey</p></div>",
        "<input aria-label=Pale value=Pale class=pale>",
    ):
        page.evaluate("(other) => { document.body.innerHTML = other; }", other)
        assert len(ways(alike)) == 1
        with pytest.raises(AssertionError, match="color-contrast"):
            window.inspect()
        with pytest.raises(AssertionError, match="color-contrast"):  # it is known once it was found readable
            window.inspect()


def test_a_look_is_inspected_for_what_was_nowhere_seen_like_it(window):
    page = window.page
    page.set_content("""<html lang="en"><style>@media (prefers-color-scheme: dark) { .odd { color: #bbb } }
      @media (min-width: 800px) { .narrow { display: none } } li, p { background: #fff }</style>
      <title>One</title><body><main><h1>One</h1><p>Good</p><ul></ul></main>""")
    window.inspect_in_every_look()
    for other, fault in (
        ("<p class=odd>Pale in the dark</p>", "color-contrast"),
        ("<img class=narrow src='data:,' width=9 height=9>", "image-alt"),
        ("<p class=narrow tabindex=0><a href='#x'></a></p>", "link-name"),
    ):
        page.evaluate("(other) => { document.querySelector('h1').insertAdjacentHTML('afterend', other); }", other)
        with pytest.raises(AssertionError, match=fault):
            window.inspect_in_every_look()
        page.evaluate("document.querySelector('h1').nextElementSibling.remove()")


def test_a_message_stays_for_its_test(window, site):
    """Its time is asked for by the name that tests/browser/site.py knows it by."""
    window.page.goto(site.bot.at("days/today"))
    window.page.evaluate("""() => {
      document.body.insertAdjacentHTML("beforeend", "<div class='toast success'>Good</div>");
      window.setTimeout = (act, after) => { if (act.name === "go") document.body.dataset.asked = after; };
      document.dispatchEvent(new Event("htmx:oobAfterSwap"));
    }""")
    assert window.page.locator("body").get_attribute("data-asked") == "6000"


STATE = """() => [localStorage.length, sessionStorage.length, history.length, innerWidth, typeof left,
  document.cookie.replace(/=[^;]*/g, ""), document.querySelectorAll("body :hover").length,
  ...["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"].map((query) => matchMedia(query).matches)]"""


def test_a_window_that_is_opened_again_is_as_if_it_were_new(browser, site, cookies):
    def opened():
        window = Browsing.open(browser, site.url, locale="en-IE")  # as nobody else asks for it
        window.page.goto("/login")
        return window, [window.page.title(), len(window.context.pages), window.page.evaluate(STATE)]

    first, new = opened()
    first.context.add_cookies(cookies["cookies"])
    first.look("dark", PHONE)
    first.page.route("**/login", lambda route: route.abort())
    first.page.goto(site.bot.at())
    first.page.locator("h1").hover()
    first.page.evaluate("localStorage.a = sessionStorage.a = document.cookie = 'a=b'; window.left = 1")
    first.context.new_page().goto(site.bot.at("memory"))
    assert first.page.evaluate(STATE) != new[-1]
    first.close()
    again, found = opened()
    assert (again, found) == (first, new)
    again.close()


@pytest.mark.parametrize(
    "put",
    [
        lambda page: page.clock.install(),
        lambda page: page.on("dialog", lambda dialog: dialog.accept()),
        lambda page: page.close(),
    ],
    ids=["a clock", "a listener", "an end"],
)
def test_a_window_that_keeps_something_is_not_opened_again(browser, site, put):
    first = Browsing.open(browser, site.url, locale="en-IE")
    put(first.page)
    first.close()
    again = Browsing.open(browser, site.url, locale="en-IE")
    assert again is not first
    again.close()
