"""The column at the side: in no window does one of its links lie under something else."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.site import AXE

pytestmark = pytest.mark.browser
COVERED = """(within) => [...document.querySelectorAll(`${within} :is(a, summary, button)`)]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width)
  .filter((one) => {
    one.scrollIntoView({block: "nearest", behavior: "instant"});
    const box = one.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !hit || !(one.contains(hit) || hit.contains(one));
  })
  .map((one) => one.textContent.trim())"""
MESSAGES = """() => {
  document.getElementById("messages").innerHTML = `<div class="toast success">Saved</div>
    <div class="toast success"><form>Undo</form></div><div class="toast error">Not saved</div>`;
  document.dispatchEvent(new Event("htmx:oobAfterSwap"));
}"""
MENUS = (".switch", ".me", ".more")
SIZES = ((1366, 650), (1280, 500), (360, 640), (1280, 720), (1280, 820), (800, 600))


@pytest.fixture(scope="module")
def lost(site):
    """A bot whose directory is missing, with a name that takes the room there is."""
    bot = site.new_bot("lost", name="The one whose directory was on another disk")
    bot.root.rename(bot.root.with_name("elsewhere"))
    return bot


@pytest.fixture(params=["there", "missing"])
def bot(request, site):
    return request.getfixturevalue("lost") if request.param == "missing" else site.bot


def test_home_leaves_no_hole_and_a_bar_of_progress_is_the_desks_on_any_page(window, site):
    page = window.page
    page.set_viewport_size({"width": 1366, "height": 650})
    page.goto(site.bot.at())
    boxes = {
        name: page.locator(f".home > .half > {name}").first.bounding_box() for name in (":first-child", ".changes")
    }
    above, below = boxes.values()
    assert (below["x"], below["y"] - above["y"] - above["height"]) == (above["x"], 16)
    told = "<span class='small reviewed'>8 hallazgos, 7 asuntos más, 2 consejos</span>"
    page.locator("#needs").evaluate("(title, told) => title.insertAdjacentHTML('afterend', told)", told)
    title, link = (page.locator(f"#reviewing header {one}").bounding_box() for one in ("h2", "a"))
    assert link["y"] < title["y"] + title["height"], "the way to all of it stays in its line"
    made = "getComputedStyle(document.body.appendChild(document.createElement('progress'))).appearance"
    assert page.evaluate(made) == "none"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_place_and_menu_can_be_pressed(window, bot, size):
    page = window.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(bot.at("settings"))
    assert page.locator(".fullbar").count() == (not bot.root.exists())
    assert page.evaluate(COVERED, "#above") == []
    assert page.evaluate(COVERED, ".side") == []
    assert page.evaluate(COVERED, ".tree") == []
    assert page.evaluate(COVERED, ".top") == []
    shown = [menu for menu in MENUS if page.locator(f"{menu} > summary").is_visible()]
    assert len(shown) == 2
    for menu in shown:
        page.locator(f"{menu} > summary").click()
        assert page.locator(f"{menu} .pop a").count() > 1
        assert page.evaluate(COVERED, f"{menu} .pop") == []
        page.keyboard.press("Escape")
        assert page.locator(f"{menu} .pop").is_hidden()


@pytest.mark.parametrize("size", [(1366, 650), (800, 640), (360, 640)], ids=str)
def test_the_bar_of_a_missing_directory_goes_across_the_window_and_stays(window, lost, size):
    page = window.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(lost.at())
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    told, top = (page.locator(one).bounding_box() for one in (".fullbar .says p", ".top"))
    assert told["y"] > 0
    assert told["y"] + told["height"] <= top["y"]
    ends = "[1, innerWidth - 1].every((x) => document.elementFromPoint(x, 30).closest('.fullbar'))"
    assert page.evaluate(ends)
    words = page.locator("#mark .words").bounding_box()
    assert words["y"] >= top["y"]
    assert words["y"] + words["height"] <= top["y"] + top["height"]
    window.fits()


@pytest.mark.parametrize("place", ["documents/", "chats/", "history/", "settings/compaction"])
def test_a_narrow_window_is_not_scrolled_sideways_and_no_box_cuts_what_is_in_it(window, site, place):
    window.page.set_viewport_size({"width": 320, "height": 700})
    window.page.goto(site.bot.at(place))
    window.fits()
    cuts = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).map(box => box.innerText)"
    assert window.page.locator("main .box").evaluate_all(cuts) == []


def test_everything_stands_in_a_landmark(window, site):
    page = window.page
    page.goto(site.bot.at("history/"))
    page.evaluate(AXE)
    outside = page.evaluate(
        "axe.run({runOnly: ['region']}).then((found) => found.violations.flatMap((one) => one.nodes.map((node) => node.html)))"
    )
    assert outside == []


def test_a_message_leaves_when_it_was_read_and_later_if_it_offers_something(window, site):
    page = window.page
    page.clock.install()
    page.goto(site.bot.at("days/today"))
    page.evaluate(MESSAGES)
    page.clock.run_for(7_000)
    expect(page.locator(".toast")).to_have_text(["Undo", "Not saved"])
    page.clock.run_for(9_000)
    expect(page.locator(".toast")).to_have_text(["Not saved"])
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(MESSAGES)
    page.clock.run_for(60_000)
    expect(page.locator(".toast")).to_have_text(["Saved", "Undo", "Not saved"])
