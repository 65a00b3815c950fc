"""A DiscoClaw in a real browser that learns a fact by itself: a turn comes, a worker sums up and learns, and people see it, take it
back, undo that, and keep it."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.dialects.discoclaw.bot import DATA
from tests.llm.server import answers
from tests.support.together import until

pytestmark = pytest.mark.browser
USER, CHAT = "710000000000000099", "discord:channel:820000000000000001"
LEARNED = "I bind books with [red] thread"


@pytest.fixture(scope="module")
def there(home):
    """The memory of a bot whose own configuration says that it learns, and sums up after each turn."""
    install = home.folder / "claw"
    shutil.copytree(DATA, install / "data")
    told = "DISCOCLAW_SUMMARY_TO_DURABLE_ENABLED=1\nDISCOCLAW_SUMMARY_EVERY_N_TURNS=1\n"
    (install / ".env").write_text(told)
    home.manage("add-bot", str(install / "data" / "memory"), "--name", "Claw")
    return install / "data" / "memory"


@pytest.fixture
def window(at_home):
    return at_home


def status(there):
    items = json.loads((there / f"durable/{USER}.json").read_text())["items"]
    return next((item["status"] for item in items if item["text"] == LEARNED), "")


def test_a_fact_is_learned_by_itself_seen_forgotten_brought_back_and_kept(home, window, there, model):
    page = window.page
    page.goto("/claw/model")
    page.get_by_label("Suggestions of the language model").select_option(label="apply what passes")
    page.get_by_role("button", name=re.compile("^Save")).click()
    expect(page.locator(".toast")).to_be_visible()
    summary = "The user binds books with red thread."
    model.plays("Noted.", summary, answers({"facts": [{"kind": "preference", "text": LEARNED}]}))
    turn = {"message": LEARNED, "session_id": CHAT, "user_id": USER, "group_id": "1", "chat_name": "bindery"}
    (home.folder / "turn.json").write_text(json.dumps(turn))
    home.manage("turn", "--bot", "claw", str(home.folder / "turn.json"))
    durable, rolling = there / f"durable/{USER}.json", there / f"rolling/{CHAT}.json"
    assert until(lambda: durable.exists() and rolling.exists())
    assert json.loads(rolling.read_text())["summary"] == summary
    page.goto("/claw/entries/learned")
    row = page.get_by_role("listitem").filter(has_text=LEARNED)
    expect(row).to_contain_text("#bindery")
    row.get_by_role("button", name=f"Forget: {LEARNED}").click()
    expect(page.get_by_text(LEARNED)).to_have_count(0)
    assert status(there) == "deprecated"
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
    assert status(there) == "active"
    row.get_by_role("button", name=f"Keep: {LEARNED}").press("Enter")
    expect(page.locator(".toast").filter(has_text="Kept")).to_be_visible()
    expect(page.get_by_text(LEARNED)).to_have_count(0)
    page.get_by_role("link", name="Show those that were kept, too").click()
    expect(row).to_be_visible()
    assert status(there) == "active"


@pytest.mark.parametrize("place", ["tidy/?show=jobs", f"documents/rolling/{CHAT}.json", "entries/learned?all"])
def test_page_of_it_in_every_look(window, there, place):
    window.page.goto(f"/claw/{place}")
    window.inspect_in_every_look()
