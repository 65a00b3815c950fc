"""Digests by mail, against a real server."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memory.digests import mail, outbox, subscriptions
from memory.digests.outcomes import Letter, State
from memory.models import Dispatch, Job, Notice, Proposal
from tests.digests.conftest import NAME, PASSWORD, MailServer, free_port, learned, person, post, use
from tests.support.together import together

LETTER = Letter("Kenoweb: test", "Text")


def states():
    return list(Dispatch.objects.order_by("pk").values_list("state", flat=True))


def test_digest_of_yesterday_comes_once(desk, mail_server, clock):
    person()
    learned(desk, "2026-11-22", "Likes tea", "Likes rain")
    learned(desk, "2026-11-23", "Too late for yesterday")
    clock("2026-11-23 07:59")
    post()
    assert mail_server.mails == []
    clock("2026-11-23 08:00")
    one = post()
    one.look()
    post()
    (found,) = mail_server.mails
    assert found["to"] == "ana@example.org"
    assert found["from"] == "kenoweb@example.org"
    assert found["subject"].startswith("Kenoweb: 2 facts learned")
    assert "22 Nov" in found.get_content().splitlines()
    assert "tea" not in found.get_content()
    assert states() == [State.SENT]


def test_facts_are_in_it_only_where_somebody_wants_them(desk, mail_server, clock):
    person(facts=True, desk="https://desk.example.org/")
    learned(desk, "2026-11-22", "Likes tea")
    clock("2026-11-23 08:00")
    post()
    text = mail_server.mails[0].get_content()
    assert "Likes tea" in text
    assert "https://desk.example.org/keno/" in text


def test_digest_is_in_the_language_of_its_reader(desk, mail_server, clock):
    person(language="es")
    learned(desk, "2026-11-22", "Le gusta el té")
    clock("2026-11-23 08:00")
    post()
    assert "1 hecho aprendido" in mail_server.mails[0]["subject"]


def held(desk, *texts, flags=()):
    """What deliveries want written and nobody has accepted yet."""
    now = timezone.now()
    job = Job.objects.create(bot=desk.bot, kind="held", state="planned", by="delivery", created=now, run_after=now)
    for number, text in enumerate(texts, 1):
        Proposal.objects.create(
            bot=desk.bot, job=job, number=number, action="remember", text=text, path="MEMORY.md", flags=list(flags)
        )
    return job


@pytest.mark.parametrize(
    ("language", "words"), [("en", "12 facts wait for your yes"), ("es", "12 hechos esperan tu visto bueno")]
)
def test_what_is_held_has_a_line_of_its_own_and_no_text(desk, mail_server, clock, language, words):
    one = person(language=language, facts=True)
    address = subscriptions.new_feed(one)
    clock("2026-11-23 08:00")
    job = held(desk, *(f"Likes tea of sort {number}" for number in range(12)))
    post()
    (mail,) = mail_server.mails
    assert mail["subject"] == f"Kenoweb: {words}"
    assert f"- {words}" in mail.get_content().splitlines()
    feed = Client().get(f"/feed/{address}").content.decode()
    assert words in feed
    for text in (mail.get_content(), feed):
        assert "tea" not in text
        assert "review" not in text  # and is not counted twice
    Proposal.objects.filter(job=job).update(state="applied")
    Job.objects.filter(pk=job.pk).update(state="done")
    clock("2026-11-24 08:00")
    post()
    assert len(mail_server.mails) == 1


def test_what_is_held_and_would_remove_much_is_urgent_and_in_the_digest_too(desk, mail_server, clock):
    person(urgent=True)
    clock("2026-11-23 08:00")
    held(desk, "# Memory", flags=["It removes 8 of 10 facts."])
    post()
    assert {mail["subject"] for mail in mail_server.mails} == {
        "Kenoweb: 1 fact waits for your yes",
        "Kenoweb: Keno wants to remove much of a file; it is held for review",
    }


def test_nothing_new_is_not_sent(desk, mail_server, clock):
    person()
    clock("2026-11-23 08:00")
    post()
    learned(desk, "2026-11-22", "Written into yesterday, later")
    post()
    assert mail_server.mails == []
    assert Notice.objects.get().counts == []
    clock("2026-11-24 08:00")
    learned(desk, "2026-11-23", "Likes tea")
    post()
    assert len(mail_server.mails) == 1


def test_who_may_not_come_in_hears_nothing(desk, mail_server, clock):
    one = person()
    one.user.is_active = False
    one.user.save()
    learned(desk, "2026-11-22", "Likes tea")
    clock("2026-11-23 08:00")
    post()
    assert mail_server.mails == []


@pytest.mark.slow
def test_of_many_workers_one_sends(desk, mail_server, clock):
    for number in range(3):
        person(f"p{number}")
    learned(desk, "2026-11-22", "Likes tea")
    clock("2026-11-23 08:00")
    together(4, post)
    assert sorted(found["to"] for found in mail_server.mails) == [f"p{number}@example.org" for number in range(3)]


def test_server_that_is_away_is_tried_again(desk, settings, clock):
    person()
    learned(desk, "2026-11-22", "Likes tea")
    port = free_port()
    use(settings, port)
    clock("2026-11-23 08:00")
    post()
    one = Dispatch.objects.get()
    assert (one.state, str(one.trouble)) == (
        State.WAITING,
        "The mail server refused the connection. Its address or port may be wrong.",
    )
    post()
    assert Dispatch.objects.get().tries == 1  # not before its time
    server = MailServer()
    server.start()
    use(settings, server.port)
    clock("2026-11-23 08:05")
    post()
    server.stop(no_assert=True)
    assert states() == [State.SENT]
    assert len(server.mails) == 1


def test_tries_come_to_an_end(desk, settings, clock):
    person()
    learned(desk, "2026-11-22", "Likes tea")
    use(settings, free_port())
    for hour in ("08:00", "08:10", "09:00", "13:00", "20:00"):
        clock(f"2026-11-23 {hour}")
        post()
    one = Dispatch.objects.get()
    assert (one.state, one.tries) == (State.FAILED, len(outbox.WAITS) + 1)


def test_connection_that_breaks_over_a_message_leaves_it_open_whether_it_came(desk, mail_server, clock):
    """It may have arrived, so it is not sent again until its person says so."""
    one = person()
    learned(desk, "2026-11-22", "Likes tea")
    mail_server.handler.cuts = True
    clock("2026-11-23 08:00")
    post()
    assert states() == [State.UNSURE]
    clock("2026-11-23 20:00")
    post()
    assert len(mail_server.mails) == 1
    mail_server.handler.cuts = False
    assert outbox.again(one.user, Dispatch.objects.get().pk, timezone.now())
    assert not outbox.again(one.user, Dispatch.objects.get().pk, timezone.now())
    post()
    assert states() == [State.SENT]
    assert len(mail_server.mails) == 2


@pytest.mark.parametrize(
    ("says", "state", "passes"), [("451 later", State.FAILED, True), ("554 spam", State.FAILED, False)]
)
def test_refusal_says_whether_another_try_may_help(mail_server, says, state, passes):
    mail_server.handler.says = says
    outcome = mail.send("ana@example.org", LETTER)
    assert (outcome.state, outcome.passes) == (state, passes)
    assert says[:3] in outcome.trouble


def test_wrong_password_is_said(settings):
    server = MailServer(asks=True)
    server.start()
    use(settings, server.port)
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = NAME.decode(), "another one"
    assert mail.send("ana@example.org", LETTER).trouble == "The mail server refused the user name or password."
    settings.EMAIL_HOST_PASSWORD = PASSWORD.decode()
    assert mail.send("ana@example.org", LETTER).state == State.SENT
    server.stop(no_assert=True)


def test_without_a_server_it_says_so(settings):
    settings.EMAIL_HOST = ""
    assert "No mail server is set up" in mail.send("ana@example.org", LETTER).trouble


def test_old_notices_go_but_for_the_last_digest(desk, settings, clock):
    one = person()
    settings.EMAIL_HOST = ""
    for day in ("2026-01-10", "2026-01-11"):
        clock(f"{day} 09:00")
        post()
    outbox.forget_old(timezone.now() + timedelta(days=365))
    assert [found.name for found in Notice.objects.filter(user=one.user)] == ["daily 2026-01-11"]
