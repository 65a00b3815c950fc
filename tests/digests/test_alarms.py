"""What can't wait is told at once, each thing once, and not again while it lasts."""

from __future__ import annotations

import shutil

import pytest
from django.utils import timezone

from memory import index
from memory.checks import recall_tests
from memory.models import Alarm, Fact, Job, Proposal
from tests.digests.conftest import learned, person, post


@pytest.fixture
def ana(desk, mail_server, clock):
    clock("2026-11-23 06:00")
    desk.write("MEMORY.md", b"# Memory\n\n- Likes tea\n- Lives in Porto\n")
    return person(urgent=True, often="never")


def subjects(mail_server):
    return [found["subject"].strip() for found in mail_server.mails]


def test_directory_that_is_gone_is_told_once_and_again_when_it_goes_again(desk, ana, mail_server, clock):
    post()
    assert subjects(mail_server) == []
    away = desk.root.with_name("away")
    shutil.move(desk.root, away)
    clock("2026-11-23 06:10")
    post()
    post()
    clock("2026-11-24 06:10")
    post()
    assert subjects(mail_server) == ["Kenoweb: Keno: the files are missing or can’t be read"]
    shutil.move(away, desk.root)
    clock("2026-11-24 07:00")
    post()
    shutil.move(desk.root, away)
    clock("2026-11-24 07:30")
    post()
    assert len(mail_server.mails) == 1  # it comes and goes: that is the same thing
    shutil.move(away, desk.root)
    clock("2026-11-24 08:00")
    post()
    shutil.move(desk.root, away)
    clock("2026-11-24 12:00")
    post()
    assert len(mail_server.mails) == 2


def test_many_files_that_disappear_are_told(desk, ana, mail_server, clock):
    for day in range(1, 29):
        learned(desk, f"2026-10-{day:02}", "Likes tea")
    post()
    for path in desk.root.glob("2026-10-*.md"):
        path.unlink()
    clock("2026-11-23 06:10")
    post()
    assert len(mail_server.mails) == 1
    assert "28" not in mail_server.mails[0].get_content()  # counts and names stay here unless they are wanted


def test_recall_test_that_breaks_is_told_without_its_question(desk, ana, mail_server, clock):
    index.refresh(desk.bot)
    desk.bot.refresh_from_db()
    fact = Fact.objects.get(text__contains="Porto")
    recall_tests.add(desk.bot, "lives in Porto", ("MEMORY.md", fact.key, fact.nth))
    post()
    assert subjects(mail_server) == []
    desk.write("MEMORY.md", b"# Memory\n\n- Likes tea\n- Something else\n")
    clock("2026-11-23 06:10")
    post()
    post()
    assert subjects(mail_server) == ["Kenoweb: Keno: a recall test fails"]
    assert "lives in Porto" not in mail_server.mails[0].get_content()


def test_edit_that_takes_much_of_a_file_is_told_once(desk, ana, mail_server, clock):
    text = "".join(f"- Fact {n} that is known\n" for n in range(200))
    desk.write("MEMORY.md", f"# Memory\n\n{text}".encode())
    post()
    desk.write("MEMORY.md", b"# Memory\n\n- Fact 7 that is known\n")
    clock("2026-11-23 06:10")
    post()
    clock("2026-11-23 06:20")
    post()
    assert subjects(mail_server) == ["Kenoweb: Keno: much of a file was removed outside Kenoweb"]
    assert Alarm.objects.count() == 1


def test_who_does_not_want_it_hears_none(desk, mail_server, clock):
    person(urgent=False)
    clock("2026-11-23 06:00")
    shutil.rmtree(desk.root)
    post()
    assert mail_server.mails == []
    assert not Alarm.objects.exists()


def test_a_held_removal_is_told_once_until_it_is_decided(desk, ana, mail_server, clock):
    now = timezone.now()
    job = Job.objects.create(bot=desk.bot, kind="held", state="planned", by="delivery", created=now, run_after=now)
    Proposal.objects.create(bot=desk.bot, job=job, number=1, action="remember", text="Likes tea")
    post()
    assert subjects(mail_server) == []
    held = Proposal.objects.create(
        bot=desk.bot, job=job, number=2, action="replace", path="MEMORY.md", flags=["Removes 9 of 10 facts."]
    )
    for when in ("06:10", "06:20", "06:30"):
        clock(f"2026-11-23 {when}")
        post()
    assert subjects(mail_server) == ["Kenoweb: Keno wants to remove much of a file; it is held for review"]
    assert "Removes" not in mail_server.mails[0].get_payload()
    Proposal.objects.filter(pk=held.pk).update(state="refused")
    clock("2026-11-23 06:40")
    post()
    assert Alarm.objects.get(kind="held").ended
    Proposal.objects.create(
        bot=desk.bot, job=job, number=3, action="replace", path="x.md", flags=["9 of 10"], newer={"by": "tidier"}
    )
    clock("2026-11-23 06:50")
    post()
    assert subjects(mail_server)[1:] == [
        "Kenoweb: Keno: a program wants to remove much of a file; it is held for review"
    ]
