"""What the tests' visitor looks at by itself."""

from __future__ import annotations

import sys

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def breaks(*_answer, **_options):
    raise ZeroDivisionError


def test_the_page_behind_a_form_must_not_break_though_the_test_only_cares_what_the_form_did(desk, monkeypatch):
    monkeypatch.setattr(sys.modules[type(desk).__module__], "FOLLOWED", set())
    monkeypatch.setattr(Client, "_handle_redirects", breaks)
    with pytest.raises(ZeroDivisionError):
        desk.save("- Likes tea\n")
    desk.save("- Likes Go\n")  # it leads to the same page, which is not made again for each test
