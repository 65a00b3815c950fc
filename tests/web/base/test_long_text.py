"""Opening a long text: its preview comes after the page."""

from __future__ import annotations

LONG = "# Long\n\n" + f"- A line{' of many' * 20}\n" * 400


def test_preview_of_a_long_text_is_asked_for_when_the_page_is_there(desk):
    desk.write("MEMORY.md", LONG)
    page = desk.get("memory")
    assert page.field == LONG
    preview = page.soup.select_one("#preview")
    assert "load" in preview["hx-trigger"]
    assert preview.select_one("h2") is None
    asked = desk.post(preview["hx-post"].removeprefix(f"/{desk.bot.slug}/"), text=LONG, base=desk.hash(), htmx=True)
    assert asked.soup.select_one("h2").get_text() == "Long"


def test_preview_of_a_long_text_without_scripts_is_a_button(desk):
    desk.write("MEMORY.md", LONG)
    button = desk.get("memory").soup.select_one("#preview button")
    page = desk.post(button["formaction"].removeprefix(f"/{desk.bot.slug}/"), text=LONG, base=desk.hash())
    assert page.soup.select_one("#preview h2").get_text() == "Long"
    assert page.field == LONG


def test_preview_of_a_short_text_is_there_at_once(desk):
    preview = desk.get("memory").soup.select_one("#preview")
    assert "load" not in preview["hx-trigger"]
    assert preview.select_one("button") is None
    assert preview.get_text().strip()
