"""Parts of a page that are asked for when nobody is logged in any more."""

from __future__ import annotations

import pytest
from django.test import Client

PARTS = ("step", "draft/MEMORY.md", "moved/MEMORY.md", "entry/forget", "webhooks/")


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_refused_and_no_login_page_stands_in_its_place(ana, part):
    ana.user.is_active = False
    ana.user.save()
    for client in (ana.client, Client()):
        answer = client.post(f"/keno/{part}", headers={"HX-Request": "true"})
        assert (answer.status_code, answer.content) == (401, b"")
        assert client.post(f"/keno/{part}").headers["Location"].startswith("/login?")
