"""The page of notifications: what is kept of it, what is never shown again, whose it is; the feed."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail as outgoing
from django.test import Client
from django.utils import timezone

from memory.digests import outbox, services, subscriptions
from memory.models import Alarm, Dispatch, Notice, Subscription
from tests.web.site.test_settings import given

WHERE = "notifications"
ATOM = "{http://www.w3.org/2005/Atom}"
SECRET = "ntfys://a-secret-token@ntfy.sh/topic"


@pytest.fixture
def known(monkeypatch):
    """Every address is one of ntfy; the process that knows better has tests of its own."""
    monkeypatch.setattr(services, "named", lambda _address, *, inside: services.Named("ntfy"))


@pytest.fixture
def server(settings):
    settings.EMAIL_HOST = "127.0.0.1"  # Django's tests collect what is sent


def change(desk, **more):
    return desk.post(WHERE, **given(desk.get(WHERE), **more))


def subscription(desk):
    return Subscription.objects.get(user=desk.user)


def digest(desk, day=date(2026, 11, 22), **numbers):
    one = {"slug": "keno", "name": "KenoBot", "learned": 2, "review": 0, "doomed": 0, "doomed_facts": 0}
    return Notice.objects.create(
        user=desk.user,
        name=f"daily {day}",
        made=timezone.now(),
        since=day,
        until=day + timedelta(days=1),
        counts=[{**one, "tokens": 0, "micros": 0, **numbers}],
    )


def test_nothing_is_sent_until_somebody_asks_for_it(desk):
    page = desk.get(WHERE)
    sent = given(page)
    assert (sent["often"], sent["urgent"], sent["facts"], sent["mail"]) == ("never", "false", "false", "")
    assert not Subscription.objects.exists()


def test_what_is_wanted_is_kept(desk):
    change(desk, often="weekly", hour="6", time_zone="Europe/Madrid", urgent="true", mail="ana@example.org")
    one = subscription(desk)
    assert (one.often, one.hour, one.time_zone, one.urgent, one.facts) == ("weekly", 6, "Europe/Madrid", True, False)
    assert (one.mail, one.language, one.desk) == ("ana@example.org", "en", "http://testserver/")


def test_form_that_is_sent_as_it_came_changes_nothing(desk):
    change(desk, often="daily", facts="true", urgent="true", mail="ana@example.org")
    before = Subscription.objects.values().get()
    change(desk)
    assert Subscription.objects.values().get() == before


@pytest.mark.parametrize(
    "wrong", [{"often": "hourly"}, {"hour": "24"}, {"time_zone": "Mars"}, {"mail": "nobody"}, {"facts": "x"}]
)
def test_what_can_not_be_is_refused(desk, wrong):
    page = change(desk, **wrong)
    assert page.status == 422
    assert not Subscription.objects.exists()


def test_service_is_never_shown_again(desk, known):
    page = change(desk, service=SECRET, mail="nobody")
    assert "a-secret-token" not in page.response.content.decode()  # nor where something else was wrong
    page = change(desk, service=SECRET)
    assert "a-secret-token" not in page.response.content.decode()
    assert "ntfy is set" in page.text
    change(desk, often="daily")
    assert subscriptions.service_address(subscription(desk)) == SECRET
    desk.post("notifications/service/remove")
    assert subscription(desk).service is None


@pytest.mark.slow
def test_service_that_is_none_is_refused_in_words(desk):
    page = change(desk, service="file:///etc/passwd")
    assert page.status == 422
    assert "This isn’t the address of a known service." in page.text


def test_test_message_says_what_came_of_it(desk, settings, server):
    change(desk, mail="ana@example.org")
    assert "was sent" in desk.post("notifications/test", way="mail").text
    assert outgoing.outbox[0].to == ["ana@example.org"]
    settings.EMAIL_HOST = ""
    assert "wasn’t sent. No mail server is set up." in desk.post("notifications/test", way="mail").text
    assert "Save a mail address or a service first." in desk.post("notifications/test", way="service").text


def test_page_tells_what_may_not_have_arrived(desk):
    one = Dispatch.objects.create(notice=digest(desk), way="mail", state="sending", due=timezone.now())
    one.claimed = timezone.now()
    one.save()
    assert "being sent" in desk.get(WHERE).text
    Dispatch.objects.update(claimed=timezone.now() - outbox.LONGEST - timedelta(seconds=1))
    page = desk.get(WHERE)
    assert "2 facts learned" in page.text
    assert "may not have arrived" in page.text
    assert "Kenoweb stopped while sending it." in page.text
    desk.post(f"notifications/{one.pk}/again")
    assert Dispatch.objects.get().state == "waiting"


def test_what_is_somebody_elses_is_not_there(desk):
    one = Dispatch.objects.create(notice=digest(desk), way="mail", state="failed", due=timezone.now())
    other = Client()
    other.force_login(User.objects.create_user("ben"))
    assert "2 facts learned" not in other.get(f"/keno/{WHERE}").content.decode()
    assert other.post(f"/keno/notifications/{one.pk}/again").status_code == 404
    assert Dispatch.objects.get().state == "failed"


# ---- the feed ---------------------------------------------------------------------------------------------------------------


def new_feed(desk):
    page = desk.post("notifications/feed")
    return page.soup.find("textarea", id="address").get_text().strip().removeprefix("http://testserver")


def test_feed_holds_the_same_and_no_cookie(desk):
    digest(desk)
    Alarm.objects.create(bot=desk.bot, kind="files", began=timezone.now())
    Notice.objects.create(user=desk.user, name="alarm 1", alarm=Alarm.objects.get(), made=timezone.now())
    digest(desk, date(2026, 11, 23)).__class__.objects.filter(name="daily 2026-11-23").update(counts=[])
    address = new_feed(desk)
    answer = Client().get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert not answer.cookies
    titles = [entry.find(f"{ATOM}title").text for entry in ET.fromstring(answer.content).iter(f"{ATOM}entry")]
    assert titles == ["Kenoweb: KenoBot: the files are missing or can’t be read", "Kenoweb: 2 facts learned"]
    assert address.rpartition("/")[2].encode() not in answer.content


def test_feed_has_facts_only_where_they_are_wanted(desk):
    desk.write("2026-11-22.md", "# 2026-11-22\n\n## 10:00 — Likes tea <b>\n")
    desk.step()
    digest(desk)
    address = new_feed(desk)
    assert b"Likes tea" not in Client().get(address).content
    change(desk, facts="true")
    assert b"Likes tea" in Client().get(address).content


def test_address_that_is_none_is_not_found(desk):
    first = new_feed(desk)
    second = new_feed(desk)
    assert first != second
    other = Client()
    assert other.get(first).status_code == 404
    assert other.get(second).status_code == 200
    assert other.get("/feed/x").status_code == other.get(f"/feed/{'x' * 43}").status_code == 404
    User.objects.filter(pk=desk.user.pk).update(is_active=False)
    assert other.get(second).status_code == 404
    User.objects.filter(pk=desk.user.pk).update(is_active=True)
    desk.post("notifications/feed/end")
    assert other.get(second).status_code == 404


def test_address_of_a_feed_is_kept_as_a_hash_alone(desk):
    word = new_feed(desk).rpartition("/")[2]
    assert word not in str(Subscription.objects.values().get())
    assert word not in desk.get(WHERE).text
