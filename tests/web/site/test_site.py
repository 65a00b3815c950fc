from __future__ import annotations

import re

import pytest
from django.db import OperationalError, connection
from django.test import RequestFactory
from django.urls import URLPattern, get_resolver, reverse
from django.urls.resolvers import RoutePattern
from django.utils import timezone

from kenoweb.middleware import client as client_of
from memory.models import Bot

# What strangers may see. Static files are served before any address is looked at.
OPEN = {
    *("health", "login", "robots.txt", "favicon.ico", "webhook", "webhook/<slug:slug>", "admin/login/"),
    "feed/<str:token>",  # its address is its secret
}
EXAMPLES = {"slug": "kenobot", "path": "MEMORY.md", "pk": "1", "day": "2026-11-20"}


def addresses(patterns=None, before=""):
    """(route, view) of every address of the site."""
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(entry.pattern).lstrip("^")
        if isinstance(entry, URLPattern):
            yield route, entry
        else:
            yield from addresses(entry.url_patterns, route)


def example(route, pattern):
    """A path that this route takes."""
    if not isinstance(pattern.pattern, RoutePattern):
        return None
    path = route
    for name in pattern.pattern.converters:
        path = re.sub(rf"<(?:\w+:)?{name}>", EXAMPLES.get(name, "1"), path)
    return "/" + path.replace("<path:object_id>", "1").replace("<int:content_type_id>", "1").replace(
        "<path:object_id>", "1"
    )


@pytest.mark.django_db
def test_every_address_but_the_listed_ones_needs_a_login(client):
    Bot.objects.create(slug="kenobot", name="KenoBot", dialect="kenobot")
    open_to_strangers, seen = set(), 0
    for route, pattern in addresses():
        path = example(route, pattern)
        if path is None:  # the admin's catch-all, which redirects too
            continue
        seen += 1
        for answer in (client.get(path), client.post(path)):
            asks = answer.status_code == 302 and "/login" in answer["Location"]
            asks = asks or answer.status_code == 401  # the API, which asks for a token
            if not asks:
                open_to_strangers.add(route)
    assert seen > 30
    assert open_to_strangers == OPEN


@pytest.mark.django_db
def test_health_says_ok_and_nothing_else(client):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_health_notices_a_database_that_does_not_answer(client, monkeypatch):
    def refuse():
        raise OperationalError("gone")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (503, "error")


def test_robots_are_sent_away(client):
    assert client.get("/robots.txt").content == b"User-agent: *\nDisallow: /\n"


def test_favicon_is_a_static_file(client):
    assert client.get("/favicon.ico")["Location"] == "/static/memory/favicon.svg"


def test_front_door_leads_to_the_first_bot(client, owner):
    client.force_login(owner)
    assert b"No bot yet" in client.get("/").content
    Bot.objects.create(slug="older", name="Older", dialect="kenobot")
    Bot.objects.create(slug="kenobot", name="KenoBot", dialect="kenobot", from_environment=True)
    assert client.get("/")["Location"] == reverse("memory:overview", args=["kenobot"])
    Bot.objects.filter(slug="older").update(walked=timezone.now())
    assert client.get("/")["Location"] == reverse("memory:overview", args=["older"])


@pytest.mark.django_db
def test_pages_are_strict_and_private(client):
    page = client.get("/login")
    policy = dict(part.strip().split(" ", 1) for part in page["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["form-action"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in page["Content-Security-Policy"]
    assert "no-store" in page["Cache-Control"]
    assert "private" in page["Cache-Control"]
    assert "HX-Request" in page["Vary"]
    assert page["X-Content-Type-Options"] == "nosniff"
    assert page["X-Frame-Options"] == "DENY"
    assert page["Referrer-Policy"] == "same-origin"


def test_unknown_host_is_refused(client):
    assert client.get("/robots.txt", headers={"Host": "evil.example"}).status_code == 400
    assert client.get("/robots.txt", headers={"Host": "127.0.0.1:8421"}).status_code == 200


def test_unknown_host_is_one_line_in_the_log(client, caplog):
    client.get("/robots.txt", headers={"Host": "evil.example"})
    (line,) = caplog.text.splitlines()
    assert "evil.example" in line


@pytest.mark.parametrize(
    ("peer", "forwarded", "real"),
    [
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "203.0.113.5, 192.0.2.1", "192.0.2.1"),  # what the client itself claimed is not believed
        ("10.0.0.1", "192.0.2.1, 10.0.0.9", "192.0.2.1"),
        ("10.0.0.1", "nonsense, 10.0.0.9", "10.0.0.9"),
        ("10.0.0.1", "::ffff:192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
    ],
)
def test_client_is_the_last_address_that_is_no_proxy_of_ours(trusting, peer, forwarded, real):
    assert client_of(peer, forwarded) == real


def test_forwarding_headers_count_only_from_the_trusted_proxy(client, trusting, monkeypatch):
    seen = []

    def look(request):
        seen.append((request.META["REMOTE_ADDR"], request.is_secure()))

    monkeypatch.setattr(
        "django.middleware.security.SecurityMiddleware.process_request", lambda self, request: look(request)
    )
    forwarded = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}
    client.get("/robots.txt", REMOTE_ADDR="10.1.2.3", headers=forwarded)
    client.get("/robots.txt", REMOTE_ADDR="198.51.100.7", headers=forwarded)
    assert seen == [("192.0.2.1", True), ("198.51.100.7", False)]


def test_request_factory_is_not_trusted_by_default(settings):
    assert settings.TRUSTED_PROXY == []
    assert not RequestFactory().get("/", headers={"X-Forwarded-Proto": "https"}).is_secure()
