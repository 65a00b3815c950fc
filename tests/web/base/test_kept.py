"""What is rendered once and shown again: never somebody else's, never of another page."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.template import engines
from django.test import Client, RequestFactory
from django.utils import translation
from django.utils.html import escape

from memory.templatetags import kept


def template(text):
    return engines["django"].from_string("{% load kept i18n %}" + text)


def render(made, **values):
    request = RequestFactory().get("/somewhere?q=a&b=%22c")
    return made.render(values, request)


def test_inside_there_is_nothing_but_what_is_named():
    made = template("{% kept name=bot.name %}{{ name }}|{{ bot.name }}|{{ secret }}|{{ request.path }}{% endkept %}")
    assert render(made, bot={"name": "Keno"}, secret="s") == "Keno|||"


def test_each_value_has_a_rendering_of_its_own():
    made = template("{% kept name=name %}<b>{{ name }}</b>{% endkept %}")
    assert [render(made, name=name) for name in ("a", "<i>", "a")] == ["<b>a</b>", "<b>&lt;i&gt;</b>", "<b>a</b>"]


def test_each_language_has_a_rendering_of_its_own():
    made = template('{% kept %}{% translate "Password" %}{% endkept %}')
    english = render(made)
    with translation.override("es"):
        spanish = render(made)
    assert english != spanish
    assert render(made) == english


def test_address_and_token_are_those_of_the_request():
    made = template("{% kept %}{% csrf_token %}<i>{{ here }}</i>{% endkept %}")
    for query in ("q=1", "q=2"):
        request = RequestFactory().get(f"/somewhere?{query}&more")
        shown = made.render({}, request)
        assert escape(request.get_full_path()) in shown
        assert shown.count('name="csrfmiddlewaretoken" value="') == 1
        assert request.META["CSRF_COOKIE"]
        assert kept.CSRF not in shown
        assert kept.HERE not in shown


def test_inside_is_rendered_once():
    made = template("{% kept name=name %}{% cycle 'first' 'second' %}{% endkept %}")
    assert [render(made, name=1), render(made, name=1)] == ["first", "first"]


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(kept, "MOST", 3)
    made = template("{% kept name=name %}{{ name }}{% endkept %}")
    assert [render(made, name=number) for number in range(10)] == [str(number) for number in range(10)]
    (node,) = made.template.nodelist.get_nodes_by_type(kept.Kept)
    assert len(node.known) <= 3


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
