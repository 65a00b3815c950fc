"""What takes longer than a moment: its button says what happens, and is off until it is done."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import write_sample

pytestmark = pytest.mark.browser


# A page on its way answers nothing, but it can tell what it shows.
WATCH = """() => new MutationObserver(() => {
  const off = document.querySelector("main button[disabled]");
  if (off) console.log(`busy: ${off.textContent} / ${document.getElementById("said").textContent}`);
}).observe(document.body, {subtree: true, childList: true, attributes: true})"""


def test_adding_a_bot_says_that_its_files_are_read(window, site):
    page, held = window.page, []
    write_sample(site.folder / "slow")
    page.goto(f"/bots/add?path={site.folder}/slow/data/memory")
    page.evaluate(WATCH)
    page.route("**/bots/add", lambda route: held.append(route), times=1)
    both = re.compile(r"busy: (Reading \d+ files …) / \1")  # on the button, and said
    is_told = page.expect_console_message(lambda message: both.fullmatch(message.text))
    with page.expect_request("**/bots/add"), is_told:
        page.get_by_role("button", name="Add this bot").click(no_wait_after=True)
    held[0].continue_()
    page.wait_for_url("**/slow/")


def test_a_download_leaves_its_button_as_it_is(window, site):
    bot, page = site.new_bot("downloaded", with_sample=False), window.page
    page.goto(bot.at("export"))
    with page.expect_download():
        page.get_by_role("button", name="Download ZIP").click()
    page.wait_for_timeout(1200)
    expect(page.get_by_role("button", name="Download ZIP")).to_be_enabled()
