from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from memory.access import login_links
from memory.models import LoginLink, Session
from tests.support.browsers import browser

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough one"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36"


class Somebody:
    """A browser with somebody logged in through the login page."""

    def __init__(self, user, agent=FIREFOX):
        self.user = user
        self.client = browser(**{"User-Agent": agent})
        answer = self.client.post("/login", {"username": user.username, "password": PASSWORD})
        assert answer.status_code == 302

    def get(self, path):
        return soup(self.client.get(path, follow=True))

    def post(self, path, **fields):
        return soup(self.client.post(path, fields, follow=True))

    @property
    def is_in(self):
        return self.client.get("/account").status_code == 200


def soup(response):
    found = BeautifulSoup(response.content, "lxml")
    found.status = response.status_code
    return found


def words(element):
    return " ".join(element.get_text(" ").split())


@pytest.fixture
def boss(owner):
    return Somebody(owner)


@pytest.fixture
def ana(db):
    return User.objects.create_user("ana", password=PASSWORD)


def test_people_are_listed_with_what_they_are(boss, ana):
    Somebody(ana, PHONE)
    User.objects.create_user("gone", is_active=False)
    rows = {row.a.get_text(): words(row) for row in boss.get("/people/").select(".rows li")}
    assert "you" in rows["owner"]
    assert "operator" in rows["owner"]
    assert re.search(r"last seen just now · 1 session$", rows["ana"])
    assert "no access" in rows["gone"]
    assert rows["gone"].endswith("never logged in · 0 sessions")


def test_people_cost_the_same_queries_however_many(boss, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def asked():
        with CaptureQueriesContext(connection) as captured:
            boss.get("/people/")
        return len(captured)

    few = asked()
    User.objects.bulk_create(User(username=f"u{n}", password="!") for n in range(120))
    assert asked() == few > 0
    assert len(boss.get("/people/?page=3").select(".rows li")) == 21


def test_somebody_new_comes_in_by_the_link_that_is_shown_once(boss):
    page = boss.post("/people/add", username="rosa", name="Rosa Díaz")
    link = page.select_one("textarea#link").get_text()
    assert link.startswith("http://testserver/login?token=")
    rosa = User.objects.get(username="rosa")
    assert (rosa.get_full_name(), rosa.has_usable_password(), rosa.is_superuser) == ("Rosa Díaz", False, False)
    assert "token=" not in str(boss.get(f"/people/{rosa.pk}"))
    new = browser()
    new.post("/login", {"token": link.partition("token=")[2]})
    assert "Rosa Díaz" in str(soup(new.get("/account")))


@pytest.mark.parametrize("name", ["", "OWNER", "two words", "a" * 151, "<b>", "a\nb", "a\0b"])
def test_names_that_cannot_be_are_refused_in_words(boss, name):
    page = boss.post("/people/add", username=name)
    assert page.status == 422
    assert page.select_one(".errorlist")
    assert User.objects.count() == 1


def test_new_link_is_for_whoever_may_come_in(boss, ana):
    assert boss.post(f"/people/{ana.pk}/link").select_one("textarea#link")
    boss.post(f"/people/{ana.pk}/change", active="no")
    assert not boss.post(f"/people/{ana.pk}/link").select_one("textarea#link")
    assert not LoginLink.objects.filter(user=ana, used=None).exists()


def test_operator_is_made_and_unmade(boss, ana):
    boss.post(f"/people/{ana.pk}/change", operator="yes")
    assert Somebody(ana).get("/people/").status == 200
    boss.post(f"/people/{ana.pk}/change", operator="no")
    ana.refresh_from_db()
    assert (ana.is_superuser, ana.is_staff) == (False, False)


def test_keeping_somebody_out_ends_their_sessions_and_links_at_once(boss, ana):
    there = Somebody(ana)
    link = login_links.new_link(ana)
    page = boss.post(f"/people/{ana.pk}/change", active="no")
    assert "ana no longer has access. Their sessions have ended." in words(page)
    assert not there.is_in
    assert not Session.objects.filter(user=ana).exists()
    assert Client().get(link).status_code == 410
    boss.post(f"/people/{ana.pk}/change", active="yes")
    assert Somebody(ana).is_in


@pytest.mark.parametrize("act", [{"operator": "no"}, {"active": "no"}])
def test_nobody_takes_rights_from_themselves(boss, act):
    User.objects.create_superuser("second")
    said = "You can’t do this to yourself. Ask another operator. Nothing was changed."
    assert said in words(boss.post(f"/people/{boss.user.pk}/change", **act))
    boss.user.refresh_from_db()
    assert boss.user.is_superuser
    assert boss.user.is_active


def test_last_operator_stays():
    from memory.access import people

    last = User.objects.create_superuser("last")
    User.objects.create_superuser("away", is_active=False)
    plain = User.objects.create_user("plain")
    said = "Kenoweb would have no operator left. Make someone else an operator first. Nothing was changed."
    assert people.set_operator(last, False, plain) == said
    assert people.set_active(last, False, plain) == said
    assert people.set_active(plain, False, last) == ""


@pytest.mark.parametrize(
    ("path", "post"), [("", False), ("add", True), ("{}", False), ("{}/link", True), ("{}/change", True)]
)
def test_people_are_for_operators(ana, owner, path, post):
    somebody = Somebody(ana)
    ask = somebody.post if post else somebody.get
    page = ask(f"/people/{path.format(owner.pk)}", **({"active": "no", "username": "x"} if post else {}))
    assert page.status == 403
    assert "Only operators can do this." in words(page)
    assert User.objects.filter(is_active=True).count() == 2


def test_own_name_is_what_the_history_says(ana):
    somebody = Somebody(ana)
    somebody.post("/account", name="Ana López")
    ana.refresh_from_db()
    assert ana.get_full_name() == "Ana López"
    assert somebody.get("/account").select_one("input[name=name]")["value"] == "Ana López"
    assert somebody.post("/account", name="x" * 151).status == 422


def test_own_sessions_are_shown_by_browser_and_never_by_key(ana):
    here, phone = Somebody(ana), Somebody(ana, PHONE)
    page = here.get("/account")
    rows = [words(row) for row in page.select(".rows li")]
    assert re.match(r"Firefox on Linux this session logged in just now", rows[0])
    assert re.match(r"Chrome on Android logged in just now", rows[1])
    for somebody in (here, phone):
        assert somebody.client.session.session_key not in str(page)


def test_one_session_is_ended_and_others_stay(ana, boss):
    here, phone, tablet = Somebody(ana), Somebody(ana, PHONE), Somebody(ana, "curl\x7f/8")
    named = here.get("/account").select_one("button[name=session]")["value"]
    here.post("/account/sessions", session=named)
    assert [one.is_in for one in (here, phone, tablet, boss)].count(False) == 1
    assert boss.is_in
    foreign = boss.post("/account/sessions", session=here.client.session.session_key)
    assert "That session had already ended." in words(foreign)
    assert here.is_in


def test_all_other_sessions_are_ended_at_once(ana, boss):
    here, phone = Somebody(ana), Somebody(ana, PHONE)
    assert "1 session was logged out." in words(here.post("/account/sessions", others=""))
    assert (here.is_in, phone.is_in, boss.is_in) == (True, False, True)


def test_language_is_chosen_on_the_account(ana):
    somebody = Somebody(ana)
    answer = somebody.client.post("/language", {"language": "es", "next": "/account"})
    assert (answer.status_code, answer["Location"]) == (302, "/account")
    page = somebody.get("/account")
    assert page.html["lang"] == "es"
    assert [one["value"] for one in page.select("button[name=language][aria-pressed=true]")] == ["es"]


def test_long_and_odd_agents_are_cut(ana):
    Somebody(ana, "\x01x" * 500)
    assert Session.objects.get(user=ana).agent == "x" * 100
