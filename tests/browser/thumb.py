"""A thumb on a phone: it taps only what it can reach, hit and see."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.site import settled

TALL, WIDE = 740, 360
LEAST, PRIMARY = 24, 40  # px
TOP = TALL // 4  # what lies above is out of a thumb's reach; the page is pulled down to it as far as it goes
LOW = """(one, top) => {
  const middle = (box) => box.top + box.height / 2;
  if (middle(one.getBoundingClientRect()) < top || one.getBoundingClientRect().bottom > innerHeight - 72)
    one.scrollIntoView({block: "center", behavior: "instant"});
  const box = one.getBoundingClientRect();
  return [box.x + box.width / 2, middle(box), box.width, box.height, scrollY];
}"""
COVERED = """(one, [x, y]) => {
  const hit = document.elementFromPoint(x, y);
  return hit && (one.contains(hit) || hit.closest("label")?.control === one) ? "" : hit?.outerHTML.slice(0, 120) ?? "nothing";
}"""


class Thumb:
    """Taps on a page that was opened with `Thumb.PHONE`."""

    PHONE = {
        "viewport": {"width": WIDE, "height": TALL},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    }

    def __init__(self, page):
        self.page = page

    def tap(self, control, least=LEAST):
        """Taps in the middle of a control; raises AssertionError if it is small, covered, or far up for no need."""
        settled(self.page)  # nothing moves under the thumb any more
        control.wait_for(state="visible")
        x, y, width, height, scrolled = control.evaluate(LOW, TOP)
        name = control.evaluate("(one) => one.outerHTML.slice(0, 120)")
        assert min(width, height) >= least, f"{name} is {width:.0f} by {height:.0f} px on {self.page.url}"
        assert 0 <= x <= WIDE, f"{name} at {x:.0f}"
        assert (TOP <= y <= TALL) or scrolled == 0, f"{name} at {y:.0f}"
        covered = control.evaluate(COVERED, [x, y])
        assert not covered, f"{name} is under {covered} on {self.page.url}"
        assert self.page.evaluate("document.documentElement.scrollWidth") <= WIDE, self.page.url
        self.page.touchscreen.tap(x, y)

    def type(self, field, text, least=PRIMARY):
        """Taps a field and types into it once it has the focus."""
        self.tap(field, least)
        expect(field).to_be_focused()
        self.page.keyboard.type(text)
