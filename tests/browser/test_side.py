"""The column at the side: in no window does one of its links lie under something else."""

from __future__ import annotations

import pytest

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
MENUS = (".switch", ".me", ".more")


@pytest.mark.alike(first=3)
@pytest.mark.parametrize("size", [(1366, 650), (1280, 500), (360, 640), (1280, 720), (1280, 820)], ids=str)
def test_every_place_and_menu_can_be_pressed(window, site, size):
    page = window.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/{site.bot.slug}/settings")
    assert page.evaluate(COVERED, ".side") == []
    assert page.evaluate(COVERED, ".tree") == []
    shown = [menu for menu in MENUS if page.locator(f"{menu} > summary").is_visible()]
    assert len(shown) == 2
    for menu in shown:
        page.locator(f"{menu} > summary").click()
        assert page.locator(f"{menu} .pop a").count() > 1
        assert page.evaluate(COVERED, f"{menu} .pop") == []
        page.keyboard.press("Escape")
        assert page.locator(f"{menu} .pop").is_hidden()
