"""What stands around every page: its forms work for everybody, and it shows nobody what is not theirs."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def strict(desk):
    """Two people at the same desk, whose forms are checked."""
    people = [desk.user, User.objects.create_superuser("boss", password="a long enough one")]
    clients = [Client(enforce_csrf_checks=True) for _ in people]
    for client, person in zip(clients, people, strict=True):
        client.force_login(person)
    return clients


def test_forms_of_the_frame_work_for_everybody_who_sees_them(desk, strict):
    for client in strict:
        page = desk._page(client.get(f"/{desk.bot.slug}/history/"))
        form = page.soup.find("form", class_="theme")
        fields = {field["name"]: field["value"] for field in form.find_all("input")}
        assert client.post(form["action"], {**fields, "theme": "dark"}).status_code == 302
        assert client.post(form["action"], {"theme": "dark"}).status_code == 403
        assert fields["next"] == f"/{desk.bot.slug}/history/"


def test_frame_shows_nobody_what_is_for_operators(desk, strict):
    ana, boss = strict
    assert b'href="/people/"' in boss.get(f"/{desk.bot.slug}/history/").content
    assert b'href="/people/"' not in ana.get(f"/{desk.bot.slug}/history/").content


def test_frame_follows_the_place_and_the_name(desk):
    for path, here in (("history/", "History"), ("settings", "Settings")):
        marked = desk.get(path).soup.select(".places > ul a[aria-current=page]")
        assert [link.get_text(strip=True) for link in marked] == [here]
    desk.bot.name = "Renamed"
    desk.bot.save()
    assert "Renamed" in desk.get("history/").soup.find("aside").get_text()


@pytest.mark.parametrize("stood", ["days/2026-11-01", ""])
def test_form_refused_twice_still_names_a_page_to_come_back_to(desk, stood):
    refused, page = f"/{desk.bot.slug}/days/add", f"/{desk.bot.slug}/{stood}"
    fields = {"text": "", "day": "2026-11-01", **({"next": page} if stood else {})}
    answer = desk._page(desk.client.post(refused, fields, headers={"Referer": f"http://testserver{refused}"}))
    assert answer.status == 422
    named = {field["value"] for field in answer.soup.select("input[name=next]")}
    assert {page} <= named
    assert refused not in named
