from __future__ import annotations

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory.access import login_links
from memory.models import LoginLink, Session
from tests.support.browsers import HERE, browser

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough one"
RIGHT = {"username": "owner", "password": PASSWORD}


@pytest.fixture
def client():
    return browser()


def token_of(link):
    return link.partition("token=")[2]


def logged_in(client):
    return "_auth_user_id" in client.session


def heading(response):
    return BeautifulSoup(response.content, "lxml").h1.get_text(strip=True)


def test_owner_is_made_once_without_a_password():
    owner = login_links.owner()
    assert (owner.username, owner.is_superuser, owner.has_usable_password()) == ("owner", True, False)
    assert login_links.owner() == owner


def test_owner_is_the_oldest_active_superuser():
    User.objects.create_superuser("gone", is_active=False)
    User.objects.create_user("plain")
    assert login_links.owner() is None
    boss = User.objects.create_superuser("boss")
    User.objects.create_superuser("later")
    assert login_links.owner() == boss


def test_link_is_kept_as_a_hash_only(owner):
    token = token_of(login_links.new_link(owner))
    kept = LoginLink.objects.get()
    assert len(token) >= 43
    assert token not in repr(kept.__dict__)
    assert len(kept.token_hash) == 64


def test_link_logs_in_once_after_its_button_was_pressed(client, owner):
    link = login_links.new_link(owner)
    for method in (client.get, client.head, client.get):
        page = method(link)
        assert page.status_code == 200
        assert (
            page["Referrer-Policy"] == "strict-origin"
        )  # its form says where it stands, and no address with a token is told
        assert not logged_in(client)
    form = BeautifulSoup(client.get(link).content, "lxml").find("form")
    assert (form["method"], form["action"]) == ("post", "/login")
    answer = client.post(form["action"], {"token": form.find("input", {"name": "token"})["value"]})
    assert (answer.status_code, answer["Location"], answer["Referrer-Policy"]) == (302, "/", "no-referrer")
    assert client.session["_auth_user_id"] == str(owner.pk)
    other = browser()
    assert other.post("/login", {"token": token_of(link)}).status_code == 410
    assert not logged_in(other)
    assert heading(other.get(link)) == "This login link has expired"


def test_link_is_over_after_ten_minutes(client, owner):
    link = login_links.new_link(owner)
    LoginLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert client.get(link).status_code == 410
    assert client.post("/login", {"token": token_of(link)}).status_code == 410
    assert not logged_in(client)


@pytest.mark.parametrize("token", ["", "wrong", "ü" * 300, "a\x00b"])
def test_token_that_was_never_given_out_is_refused(client, owner, token):
    login_links.new_link(owner)
    assert client.post("/login", {"token": token}).status_code == 410
    assert client.get("/login", {"token": token}).status_code == 410
    assert not logged_in(client)


def test_link_of_somebody_who_was_locked_away_is_refused(client, owner):
    link = login_links.new_link(owner)
    User.objects.update(is_active=False)
    assert client.post("/login", {"token": token_of(link)}).status_code == 410


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver:3000"},
        {"Origin": "null", "Referer": HERE + "/login"},
        {"Origin": "", "Referer": HERE + "/login"},
        {},
        {"Referer": "https://evil.example/login"},
        {"Referer": "http://testserver:3000/login"},
        {"Referer": "http://["},
        {"Referer": "/login"},
    ],
)
@pytest.mark.parametrize("address", ["/login", "/admin/login/"])
def test_no_login_is_taken_from_a_page_that_is_not_ours(owner, address, headers):
    strict = Client(enforce_csrf_checks=True)
    link = login_links.new_link(owner)
    shown = BeautifulSoup(strict.get(link if address == "/login" else address).content, "lxml")
    field = {"csrfmiddlewaretoken": shown.find("input", {"name": "csrfmiddlewaretoken"})["value"]}
    for sent in ({"token": token_of(link)}, RIGHT):
        assert strict.post(address, {**field, **sent}, headers=headers).status_code == 403
        assert not logged_in(strict)
    assert login_links.is_open(token_of(link))
    fields = {**field, **({"token": token_of(link)} if address == "/login" else RIGHT)}
    assert strict.post(address, fields, headers={"Referer": HERE + "/somewhere"}).status_code == 302
    assert logged_in(strict)


def test_no_form_logs_in_without_the_field_that_it_was_shown_with(owner):
    strict = browser(careful=True)
    assert strict.post("/login", RIGHT).status_code == 403
    assert strict.post("/login", {"token": token_of(login_links.new_link(owner))}).status_code == 403
    assert not logged_in(strict)


@pytest.mark.parametrize("by", ["link", "password"])
def test_who_logs_in_as_somebody_else_ends_the_session_before(client, owner, by):
    client.force_login(User.objects.create_user("ana"))
    anas = client.session.session_key
    wrong = client.post("/login", {**RIGHT, "password": "no"})
    assert (wrong.status_code, client.session.session_key) == (200, anas)
    client.post("/login", RIGHT if by == "password" else {"token": token_of(login_links.new_link(owner))})
    assert client.session["_auth_user_id"] == str(owner.pk)
    assert not Session.objects.filter(session_key=anas).exists()


def test_links_that_are_over_are_forgotten(owner):
    login_links.new_link(owner)
    LoginLink.objects.update(expires=timezone.now() - timedelta(hours=1))
    login_links.new_link(owner)
    assert LoginLink.objects.count() == 1


def test_password_logs_in_and_returns_to_where_one_wanted_to_go(client, owner):
    answer = client.post("/login", {"username": "owner", "password": PASSWORD, "next": "/password"})
    assert (answer.status_code, answer["Location"]) == (302, "/password")
    assert client.get("/login")["Location"] == "/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_login_leads_to_no_other_site(client, owner, elsewhere):
    answer = client.post("/login", {"username": "owner", "password": PASSWORD, "next": elsewhere})
    assert answer["Location"] == "/"


@pytest.mark.parametrize(
    ("stood", "back"),
    [
        (HERE + "/password?from=here", "/password?from=here"),
        ("https://evil.example/", "/"),
        ("http://[", "/"),
        (HERE + "/theme", "/"),
        (HERE + "/nothing/at/all/", "/"),
        (None, "/"),
    ],
)
def test_form_sent_after_a_session_ended_leads_back_to_its_page_and_says_so(client, owner, stood, back):
    sent = client.post("/theme", {"theme": "dark"}, headers={"Referer": stood} if stood else {})
    login = client.get(sent["Location"])
    wanted = BeautifulSoup(login.content, "lxml").find("input", {"name": "next"})
    answer = client.post("/login", {**RIGHT, "next": wanted["value"] if wanted else ""})
    assert (answer.status_code, answer["Location"]) == (302, back)
    assert "nothing was saved" in client.get("/account").content.decode()


@pytest.mark.parametrize(
    ("stood", "named", "back"),
    [
        ("/kenobot/days/add", {}, "/kenobot/"),
        ("/kenobot/days/add", {"next": "/kenobot/days/2026-11-01"}, "/kenobot/days/2026-11-01"),
        ("/kenobot/days/add", {"next": "//evil.example"}, "/kenobot/"),
        ("/kenobot/days/", {}, "/kenobot/days/"),
        ("/kenobot/trash/restore", {}, "/kenobot/"),
        ("/bots/kenobot/restore", {}, "/kenobot/"),
    ],
)
def test_form_on_a_page_that_answered_a_form_leads_back_to_one_that_can_be_looked_at(client, owner, stood, named, back):
    sent = client.post("/kenobot/days/add", {"text": "", **named}, headers={"Referer": HERE + stood})
    login = BeautifulSoup(client.get(sent["Location"]).content, "lxml")
    answer = client.post("/login", {**RIGHT, "next": login.find("input", {"name": "next"})["value"]})
    assert (answer.status_code, answer["Location"]) == (302, back)


def test_address_of_a_form_says_that_it_shows_nothing(client, owner):
    client.force_login(owner)
    page = client.get("/theme")
    assert (page.status_code, page["Allow"], heading(page)) == (405, "POST", "Nothing to show here")


def test_wrong_password_says_so_on_the_page(client, owner):
    page = client.post("/login", {"username": "owner", "password": "no"})
    alert = BeautifulSoup(page.content, "lxml").find(role="alert")
    assert "correct username and password" in alert.get_text()


def guess(client, times, **extra):
    return [client.post("/login", {"username": "owner", "password": "no"}, **extra).status_code for _ in range(times)]


def test_guesses_are_stopped_for_that_name_and_address(client, owner, settings):
    limit = settings.AXES_FAILURE_LIMIT
    assert guess(client, limit)[-1] == 429
    right = {"username": "owner", "password": PASSWORD}
    stopped = client.post("/login", right)
    assert (stopped.status_code, heading(stopped)) == (429, "Too many attempts")
    assert client.post("/admin/login/", right).status_code == 429
    assert client.post("/login", right, REMOTE_ADDR="192.0.2.9").status_code == 302
    link = login_links.new_link(owner)
    assert client.post("/login", {"token": token_of(link)}).status_code == 302


def test_guesses_behind_a_trusted_proxy_are_counted_by_the_real_address(client, owner, trusting):
    def at(address):
        return {"REMOTE_ADDR": "10.0.0.1", "headers": {"X-Forwarded-For": f"{address}, 10.0.0.2"}}

    assert guess(client, 8, **at("192.0.2.1"))[-1] == 429
    right = {"username": "owner", "password": PASSWORD}
    assert client.post("/login", right, **at("192.0.2.1")).status_code == 429
    assert client.post("/login", right, **at("192.0.2.2")).status_code == 302


def test_forwarded_address_from_a_stranger_does_not_help_guessing(client, owner):
    last = [guess(client, 1, headers={"X-Forwarded-For": f"192.0.2.{n}"})[0] for n in range(8)][-1]
    assert last == 429


def test_password_can_be_set_after_a_link_and_the_session_goes_on(client):
    client.force_login(login_links.owner())
    page = client.get("/password")
    assert heading(page) == "Set a password"
    assert client.post("/password", {"new_password1": PASSWORD, "new_password2": PASSWORD})["Location"] == "/account"
    assert logged_in(client)
    assert User.objects.get().check_password(PASSWORD)
    assert heading(client.get("/password")) == "Change password"


def test_password_change_asks_for_the_old_one_and_says_what_is_wrong(client, owner):
    client.force_login(owner)
    page = client.post("/password", {"old_password": "no", "new_password1": "123", "new_password2": "123"})
    assert page.status_code == 422
    errors = BeautifulSoup(page.content, "lxml").find(role="alert").get_text()
    assert "Old password" in errors
    assert "too short" in errors
    assert User.objects.get().check_password(PASSWORD)


def test_logout_takes_a_post_and_ends_the_session(client, owner):
    client.force_login(owner)
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout")).status_code == 302
    assert not Session.objects.exists()
