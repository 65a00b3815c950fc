"""Bots, people, settings and imports, walked through as an operator and as a colleague."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import PHONE, write_sample

pytestmark = pytest.mark.browser


@pytest.mark.alike  # without scripts, test_without_script goes the same way
@pytest.mark.parametrize("scripted", [True, False], ids=["with scripts", "without"])
def test_bot_is_added_removed_and_brought_back(windows, site, scripted):
    window = windows(java_script_enabled=scripted)
    page, name = window.page, f"rosa-{scripted}".lower()
    write_sample(site.folder / name)
    memory = site.folder / name / "data" / "memory"
    page.goto("/bots/")
    page.get_by_role("link", name="Add a bot").click()
    page.get_by_label("Memory directory (the one with MEMORY.md)").fill(str(memory))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("heading", name="KenoBot memory")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value(name)
    page.get_by_role("button", name="Add this bot").click()
    page.wait_for_url(f"**/{name}/")

    page.goto(f"/{name}/settings")
    page.get_by_role("link", name="Remove", exact=True).click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("heading", name="Removed")).to_be_visible()
    assert (memory / "MEMORY.md").exists()
    page.get_by_role("button", name=f"Restore {name}").click()
    page.wait_for_url(f"**/{name}/")


def test_colleague_comes_in_by_link_on_a_phone_and_is_kept_out(windows, strangers):
    page = windows().page
    page.goto("/people/")
    page.get_by_label("Login").fill("rosa")
    page.get_by_role("button", name="Add and create link").click()
    link = page.get_by_label("Login link").input_value()

    phone = strangers(java_script_enabled=False, viewport={"width": PHONE, "height": 700})
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Log in").click()
    phone.page.wait_for_url(lambda url: "/login" not in url)
    phone.page.goto("/account")
    phone.page.get_by_label("Display name").fill("Rosa Díaz")
    phone.page.get_by_role("button", name="Save name").click()
    expect(phone.page.get_by_text("History shows you as Rosa Díaz.")).to_be_visible()
    phone.page.get_by_role("button", name="Español").click()
    expect(phone.page.locator("html")).to_have_attribute("lang", "es")
    phone.expect_status(403)
    assert phone.page.goto("/people/").status == 403

    page.goto("/people/")
    page.get_by_role("link", name="Rosa Díaz").click()
    page.get_by_role("button", name="Remove access").click()
    expect(page.get_by_text("no longer has access")).to_be_visible()
    phone.page.goto("/account")
    assert "/login" in phone.page.url


def test_import_is_seen_written_and_taken_back(windows, site, tmp_path):
    bot, page = site.new_bot("carried"), windows().page
    page.goto(bot.at("export"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download ZIP").click()
    download.value.save_as(tmp_path / "carried.zip")
    was = bot.read()
    bot.write("MEMORY.md", "- something else\n")
    page.get_by_label("Kenoweb export").set_input_files(tmp_path / "carried.zip")
    page.get_by_role("button", name="Preview import").click()
    expect(page.get_by_role("heading", name="Import preview")).to_be_visible()
    assert bot.read() == "- something else\n"
    page.get_by_role("button", name="Import 1 file").click()
    expect(page.get_by_text("Imported 1 file")).to_be_visible()
    assert bot.read() == was
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    assert bot.read() == "- something else\n"


@pytest.mark.alike  # test_every_page looks at the others
@pytest.mark.parametrize(
    "place",
    [
        *(
            "/bots/add?path=/",
            "/looked/export",
            "/bots/",
            "/bots/add",
            "/bots/looked/remove",
            "/bots/kenobot/remove",
            "/people/",
        ),
        *("/people/1", "/account", "/password", "/looked/settings", "/looked/settings/reads", "/looked/export"),
    ],
)
def test_page_in_every_look(window, site, looked, place):
    if "path=/" in place:
        window.expect_status(422)
    window.page.goto(place)
    window.inspect_in_every_look()


def test_second_step_of_adding_in_every_look(window, site):
    write_sample(site.folder / "seen")
    window.page.goto(f"/bots/add?path={site.folder}/seen/data/memory")
    window.inspect_in_every_look()


@pytest.fixture(scope="module")
def looked(site):
    return site.new_bot("looked")
