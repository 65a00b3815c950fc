"""The column at the side: in no window does one of its links lie under something else."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser
COVERED = """() => [...document.querySelectorAll(".side a, .side summary, .places a, .foot a, .foot button")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width)
  .filter((one) => {
    one.scrollIntoView({block: "nearest", behavior: "instant"});
    const box = one.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !hit || !(one.contains(hit) || hit.contains(one));
  })
  .map((one) => one.textContent.trim())"""


@pytest.mark.parametrize("size", [(1366, 650), (1280, 720), (1280, 820), (360, 640)], ids=str)
def test_every_place_can_be_pressed(window, site, size):
    page = window.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/{site.bot.slug}/")
    assert page.evaluate(COVERED) == []
    page.locator(".who summary").click()
    assert page.evaluate(COVERED) == []
