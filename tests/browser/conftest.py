"""One server for all browser tests, a way in that is walked once, and windows that are checked when they close."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.site import WIDE, Browsing, running
from tests.llm.server import MODEL, Playing

expect.set_options(timeout=20_000)  # ms; a machine may be slow, and busy with another test


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    with running(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def cookies(site, browser):
    """What a browser that was let in keeps."""
    return site.let_in(browser)


@pytest.fixture(scope="session")
def model():
    """The language model that `home` asks; each test says what it plays."""
    with Playing() as model:
        yield model


@pytest.fixture(scope="session")
def home(model, tmp_path_factory):
    """A second site, which has a language model, and waits for it as long as a test looks at its pages."""
    model_of_it = {"LLM_BASE_URL": model.url, "LLM_MODEL": MODEL, "LLM_TIMEOUT": "600"}
    with running(tmp_path_factory.mktemp("home"), **model_of_it) as site:
        yield site


@pytest.fixture(scope="session")
def kept(home, browser):
    """What a browser keeps that was let in there."""
    return home.let_in(browser)


@pytest.fixture
def at_home(home, browser, kept):
    """A window of somebody who is logged in there."""
    window = Browsing.open(browser, home.url, storage_state=kept)
    yield window
    window.close()


@pytest.fixture(scope="session")
def colleague_cookies(site, browser, cookies):
    """What the browser of Tomás keeps, whom the owner let in; he runs nothing."""
    owner, colleague = (Browsing.open(browser, site.url, storage_state=kept) for kept in (cookies, None))
    page = owner.page
    page.goto("/people/")
    page.get_by_label("Login").fill("tomas")
    page.locator("main [name=name]").fill("Tomás")
    page.get_by_role("button", name="Add and create link").click()
    link = page.get_by_label("Login link").input_value()
    page = colleague.page
    page.goto(link)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**/{site.bot.slug}/")
    kept = colleague.context.storage_state()
    owner.close()
    colleague.close()
    return kept


@pytest.fixture
def strangers(site, browser):
    """Opens windows of people who are not logged in."""
    opened = []

    def window(**options):
        opened.append(Browsing.open(browser, site.url, **options))
        return opened[-1]

    yield window
    for one in opened:
        one.close()


@pytest.fixture
def windows(strangers, cookies):
    """Opens windows of somebody who is logged in."""
    return lambda **options: strangers(storage_state=cookies, **options)


@pytest.fixture
def window(windows):
    return windows()


@pytest.fixture
def looking(window):
    """The same for a test that looks at pages in every look, and begins with the first."""
    window.look("light", WIDE)
    return window


@pytest.fixture
def colleague(strangers, colleague_cookies):
    """A window of Tomás."""
    return strangers(storage_state=colleague_cookies)
