from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User

from memory.access import login_links

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "a long enough one"


@pytest.fixture
def watched(page, live_server):
    """A page that must log no error and ask no other host for anything."""
    troubles = []
    page.on("console", lambda message: message.type in ("error", "warning") and troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: request.url.startswith(live_server.url) or troubles.append(request.url))
    yield page
    assert troubles == []


def serious(page):
    found = Axe().run(page).response["violations"]
    return [one["id"] for one in found if one["impact"] in ("serious", "critical")]


def test_link_button_password_and_way_back_in(watched, live_server):
    page, owner = watched, login_links.owner()
    page.goto(live_server.url + login_links.new_link(owner))
    assert serious(page) == []
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(live_server.url + "/")
    assert page.get_by_role("heading", level=1).inner_text() == "Welcome to Kenoweb"

    page.goto(live_server.url + "/password")
    assert serious(page) == []
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Save password").click()
    page.wait_for_url(live_server.url + "/account")
    assert User.objects.get().check_password(PASSWORD)

    page.context.clear_cookies()
    page.goto(live_server.url + "/password")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    assert serious(page) == []
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(live_server.url + "/password")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_login_pages_fit_a_phone_and_can_be_read_by_everybody(watched, live_server, scheme):
    page = watched
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 640})
    link = login_links.new_link(login_links.owner())
    for address in ("/login", link):
        page.goto(live_server.url + address)
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
