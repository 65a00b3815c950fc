"""Pictures of every page for docs/screenshots, from the sample with a little life in it: `KENOWEB_SCREENSHOTS=1` makes them."""

from __future__ import annotations

import os

import pytest

from memory.dialects.kenobot.sample import FAMILY, INES
from tests.browser.lived import jobs
from tests.browser.site import LOOKS, PHONE, PICTURES, Browsing

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif("KENOWEB_SCREENSHOTS" not in os.environ, reason="only when pictures are asked for"),
]
OF_A_BOT = {
    "overview": "",
    "memory": "memory",
    "facts": "facts/MEMORY.md",
    "document-history": "history/MEMORY.md",
    "days": "days/",
    "day": "days/today",
    "chats": "chats/",
    "chat": f"chats/{INES}",
    "chat-memory": f"documents/chats/{FAMILY}/MEMORY.md",
    "chat-working": f"documents/working/{INES}.md",
    "transcript": f"chats/{INES}/transcript",
    "prompt": f"prompt/?chat={INES}",
    "prompt-compare": f"prompt/compare?chat={INES}&with={FAMILY}",
    "search": "search/?q=when+do+we+have+lunch",
    "findings": "findings/",
    "recall": "recall/",
    "api": "api",
    "working": "working/",
    "documents": "documents/",
    "compaction": "compaction",
    "jobs": "jobs/",
    "model": "model",
    "history": "history/",
    "webhooks": "webhooks/",
    "webhook-secrets": "webhooks/secrets",
    "webhook-refused": "webhooks/refused",
    "webhook-try": "webhooks/try",
    "settings": "settings",
    "export": "export",
    "palette": "go?q=ines",
}
OF_THE_SITE = {
    "bots": "/bots/",
    "bot-add": "/bots/add",
    "people": "/people/",
    "account": "/account",
    "password": "/password",
    "keys": "/keys",
}


@pytest.fixture(scope="module")
def lived(site, browser, cookies):
    """A bot that posts, and whose chats have names."""
    window = Browsing(browser, site.url, storage_state=cookies)
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


def test_pictures_of_every_page(lived, site, browser, cookies):
    addresses = {name: lived.at(place) for name, place in OF_A_BOT.items()} | OF_THE_SITE
    addresses["job"] = lived.at(f"jobs/{jobs(site)['planned']}")
    window = Browsing(browser, site.url, storage_state=cookies)
    for scheme, width in LOOKS:
        window.look(scheme, width)
        for name, address in addresses.items():
            window.page.goto(address)
            window.page.locator("main").wait_for()
            window.page.screenshot(path=PICTURES / f"{name}-{scheme}{'-phone' if width == PHONE else ''}.png")
    window.close()
