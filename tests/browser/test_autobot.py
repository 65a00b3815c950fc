"""An Autobot in a real browser: a full chat is summed up by a worker and a model that is played, and all of it is undone."""

from __future__ import annotations

import re
import shutil

import pytest
from playwright.sync_api import expect

from memory.dialects.autobot import layout, sessions
from tests.dialects.autobot.conftest import DATA
from tests.llm.server import answers

pytestmark = pytest.mark.browser
CHAT = "whatsapp_15550134_s.whatsapp.net"
ENTRY = "[2026-11-14 07:08] Lena counted visitors."
TRANSCRIPT = f"{CHAT}.jsonl"
WAIT = 30_000  # ms for a worker that shares its machine
PLACES = (
    "",
    "entries/",
    "entries/consolidation",
    "entries/log?q=toaster&around=2",
    "entries/permissions",
    f"chats/{CHAT}/transcript",
    f"documents/sessions/{TRANSCRIPT}?text=1",
    "prompt",
    "settings",
)


@pytest.fixture(scope="module")
def workspace(home):
    root = home.folder / "kept" / "keeper"
    shutil.copytree(DATA, root)
    home.manage("add-bot", str(root / "workspace"), "--name", "Keeper")
    return root / "workspace"


@pytest.fixture
def window(at_home):
    return at_home


def files(workspace):
    return {path.name: path.read_bytes() for path in workspace.rglob("*") if path.suffix in (".md", ".jsonl")}


def told(data):
    return [line.message for line in sessions.parse(data).messages]


def test_full_chat_is_summed_up_and_that_undone(window, workspace, model):
    page, before = window.page, files(workspace)
    memory = (workspace / layout.MEMORY).read_text() + "- Lena counts in the morning\n"
    model.plays(answers({"history_entry": ENTRY, "memory_update": memory}))
    page.goto("/keeper/entries/consolidation")
    page.get_by_role("button", name=f"Consolidate 48 messages of {CHAT}").click()
    expect(page.get_by_text("Lena counted visitors").first).to_be_visible(timeout=WAIT)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.locator(".plan .diff .unified .added .text").bounding_box()["width"] > 100
    page.set_viewport_size({"width": 1366, "height": 650})
    with page.expect_response("**/accept"):
        page.get_by_role("button", name=re.compile("Accept all|Accept 2")).first.click()
    expect(page.locator(".toast")).to_be_visible()
    assert ENTRY in (workspace / layout.HISTORY).read_text()
    assert (workspace / layout.MEMORY).read_text() == memory
    task = page.url
    page.goto(f"/keeper/chats/{CHAT}/transcript")
    expect(page.locator(".placed")).to_contain_text("48 archived in HISTORY.md")
    expect(page.locator(".placed")).to_contain_text("10 in the prompt")
    page.goto(task)
    page.get_by_role("region", name="Changes").get_by_role("button", name="Undo").first.click()
    expect(page.get_by_text(re.compile("^Undone: ")).first).to_be_visible()
    page.goto("/keeper/entries/consolidation")
    page.get_by_role("button", name=f"Put the waiting messages of {CHAT} back").click()
    expect(page.locator(".toast")).to_contain_text("48 messages put back")
    after = files(workspace)
    assert {name: after[name] for name in before} == {**before, TRANSCRIPT: after[TRANSCRIPT]}
    assert told(after[TRANSCRIPT]) == told(before[TRANSCRIPT])


@pytest.mark.parametrize("place", PLACES)
def test_page_of_an_autobot_in_every_look(window, workspace, place):
    window.page.goto(f"/keeper/{place}")
    window.inspect_in_every_look()
