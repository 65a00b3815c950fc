"""Pictures of the places for docs/screenshots, from the sample with a little life in it: `KENOWEB_SCREENSHOTS=1` makes them."""

from __future__ import annotations

import os

import pytest

from memory.dialects.kenobot.sample import FAMILY, INES
from tests.browser.lived import jobs
from tests.browser.site import PHONE, PICTURES, WIDE, Browsing

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif("KENOWEB_SCREENSHOTS" not in os.environ, reason="only when pictures are asked for"),
]
LIGHT, DARK, HAND = ("light", WIDE), ("dark", WIDE), ("light", PHONE)
PLACES = {
    "home": ("", LIGHT, DARK, HAND),
    "memory": ("memory", LIGHT),
    "day": ("days/today", LIGHT),
    "chat": (f"chats/{INES}", LIGHT),
    "prompt": (f"prompt/?chat={INES}", LIGHT),
    "tidy-up": ("tidy/", LIGHT),
    "compaction": ("compaction", LIGHT),
    "history": ("history/", LIGHT),
    "search": ("search/?q=when+do+we+have+lunch", LIGHT),
    "settings": ("settings", LIGHT),
}


@pytest.fixture(scope="module")
def lived(site, browser, cookies):
    """A bot that posts, and whose chats have names."""
    window = Browsing.open(browser, site.url, storage_state=cookies)
    page = window.page
    for scope, name in ((INES, "Ines"), (FAMILY, "Family")):
        page.goto(site.bot.at(f"chats/{scope}"))
        page.get_by_text("Add a name").click()
        page.locator('input[name="name"]').fill(name)
        page.locator('input[name="name"]').press("Enter")
        page.get_by_role("heading", level=1, name=name).wait_for()
    window.close()
    site.turn(session_id=INES, message="The 27 mm rims came", response="Good. <memory>The 27 mm rims arrived</memory>")
    site.turn(
        session_id=FAMILY, message="Sunday at one?", response="Yes. <chat-memory>Lunch on Sunday at 13:00</chat-memory>"
    )
    return site.bot


def test_pictures_of_the_places(lived, site, browser, cookies):
    jobs(site)
    window = Browsing.open(browser, site.url, storage_state=cookies)
    for name, (place, *looks) in PLACES.items():
        for scheme, width in looks:
            window.look(scheme, width)
            window.page.goto(lived.at(place))
            window.page.locator("main").wait_for()
            window.page.screenshot(path=PICTURES / f"{name}-{scheme}{'-phone' if width == PHONE else ''}.png")
    window.close()
