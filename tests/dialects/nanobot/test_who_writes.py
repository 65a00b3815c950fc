"""In a group the chat is not who writes: what belongs to a user is in the prompt of that user's message, and in no other's."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.dialects.nanobot.commands import over
from tests.web.api.conftest import Program

pytestmark = pytest.mark.django_db
OWN, OTHERS = "my name is Ana, and I deploy ships", "i am in Berlin with a secret"  # of user 123, and of 999
ASKED = {"chat": "telegram_123", "q": "who deploys ships in Berlin"}


def held(text):
    return OWN in text, OTHERS in text


def test_the_page_shows_the_prompt_of_whoever_writes(desk):
    assert held(desk.get("prompt", **ASKED).text) == (True, False)
    page = desk.get("prompt", **ASKED, sender=" 999 ")
    assert held(page.text) == (False, True)
    assert page.soup.select_one("input[name=sender]")["value"] == "999"
    links = [link["href"] for link in page.soup.select("main a[href*=telegram_123]") if "/entries/" in link["href"]]
    assert any("sender=999" in link for link in links)
    assert held(desk.get("prompt/text", **ASKED, sender="999").text) == (False, True)


def test_prompts_side_by_side_are_of_the_same_writer(desk):
    page = desk.get("prompt/compare", **ASKED, **{"with": ""}, sender="999")
    assert held(page.text) == (False, True)
    assert page.soup.select_one("input[name=sender]")["value"] == "999"


def test_the_command_line_and_programs_can_name_who_writes(there):
    commands = over(*there)
    asked = ("context", "--chat", ASKED["chat"], "--query", ASKED["q"])
    assert held(commands.text(*asked)) == (True, False)
    assert held(commands.text(*asked, "--sender-id", "999")) == (False, True)
    program = Program(commands.bot, there[0], "read")
    for sender, wanted in (("", (True, False)), ("999", (False, True))):
        status, found = program.post("prompt", chat=ASKED["chat"], query=ASKED["q"], sender=sender)
        assert (status, held(found["text"])) == (200, wanted)


@pytest.mark.parametrize("odd", ["../999", "9\n99", "\ud83d", "x" * 500, "'; --", "telegram_999"])
def test_an_odd_name_is_nobodys(desk, odd):
    found = desk.client.get(
        f"/{desk.bot.slug}/prompt/?chat=telegram_123&q=Berlin&sender={quote(odd, errors='surrogatepass')}"
    )
    assert found.status_code == 200
    assert held(found.text)[1] is False
