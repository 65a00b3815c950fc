from __future__ import annotations

import pytest

from memory.text.user_agent import browser

KIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
AGENTS = [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", ("Firefox", "Linux")),
    (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {KIT} Chrome/130.0 Safari/537.36 Edg/130.0", ("Edge", "Windows")),
    (f"Mozilla/5.0 (Linux; Android 15; Pixel 9) {KIT} Chrome/130.0 Mobile Safari/537.36", ("Chrome", "Android")),
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", ("Safari", "iPhone")),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", ("Safari", "macOS")),
    ("curl/8.9.1", ("", "")),
    ("", ("", "")),
]


@pytest.mark.parametrize(("agent", "known"), AGENTS)
def test_browser_and_system_are_told_apart(agent, known):
    assert browser(agent) == known
