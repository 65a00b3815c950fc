"""A language model for any test that wants one: `def test_…(model)`."""

from __future__ import annotations

import pytest

from tests.llm.server import MODEL, Playing


@pytest.fixture
def model(settings, monkeypatch):
    """A server that plays a language model, set up as the site's. What it answers: `model.plays(…)`, see tests/llm/server.py."""
    monkeypatch.setattr("memory.llm.question.FIRST_WAIT", 0.02)  # between tries
    with Playing() as playing:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_TIMEOUT = playing.url, MODEL, 10
        settings.LLM_API_KEY = ""
        yield playing
