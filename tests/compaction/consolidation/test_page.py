"""A run that a model has answered, decided on the job's page."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from memory import index
from memory.models import Document, Fact, Job
from tests.compaction.consolidation.conftest import OLD, clever, keeping, log, op, planned, rows, tree
from tests.compaction.consolidation.test_plan import tidy


@pytest.fixture
def visitor(desk):
    client = Client()
    client.force_login(User.objects.create_user("ana"))
    index.refresh(desk.bot)
    return client


class Page:
    """The page of a job as somebody reads it, and what they press on it."""

    def __init__(self, visitor, desk, job):
        self.visitor, self.url = visitor, f"/{desk.bot.slug}/jobs/{job.pk}"

    def read(self):
        self.soup = BeautifulSoup(self.visitor.get(self.url).content, "lxml")
        return " ".join(self.soup.get_text(" ").split())

    def row(self, text):
        self.read()
        return next(row for row in self.soup.select(".plan tr[data-row]") if text in row.get_text())

    def press(self, act, **fields):
        return self.visitor.post(f"{self.url}/{act}", fields, follow=True).text

    def tick(self, text):
        return self.row(text).select_one(".select")["value"]


@pytest.mark.slow
def test_accepted_line_by_line_and_the_rest_later(desk, model, visitor):
    job = planned(desk, model, clever(tidy))
    page, before = Page(visitor, desk, job), tree(desk)
    assert "5 suggestions to review. Nothing changes until you accept them." in page.read()
    assert tree(desk) == before
    assert "2 facts moved." in page.press("accept", number=page.tick("Ana likes tea and coffee"))
    assert b"- Ana likes tea and coffee\n" in desk.read("MEMORY.md")
    assert "accepted" in page.row("Ana likes tea and coffee").select_one(".fate").get_text()
    assert "1 skipped. No file was changed." in page.press("refuse", number=page.tick("It rained"))
    page.press("accept", all="ticked")
    flagged = page.row("Ana lives in Porto")
    assert "It isn’t clear which fact is newer" in flagged.get_text()
    page.press("accept", number=flagged.select_one(".select")["value"])
    assert "All reviewed" in page.read()
    assert Job.objects.get(pk=job.pk).state == "applied"
    assert b"Porto" not in desk.read("MEMORY.md")
    for button in page.soup.select(".rows button[formaction]"):
        visitor.post(button["formaction"])
    assert {path: data for path, data in tree(desk).items() if path in before} == before


def test_history_says_what_became_of_facts_that_left(desk, model, visitor):
    def gone(facts):
        return [op("archive", number) if "rained" in text else op("keep", number) for number, text in facts.items()]

    page = Page(visitor, desk, planned(desk, model, clever(gone)))
    page.press("accept", number=page.tick("It rained"))
    assert "1 fact archived" in visitor.get(f"/{desk.bot.slug}/history/").text
    assert "1 fact archived" in page.read()
    assert "0 facts" not in page.read()


def test_what_changed_meanwhile_is_said_and_cannot_be_accepted(desk, model, visitor):
    job = planned(desk, model, clever(tidy))
    page = Page(visitor, desk, job)
    desk.write(OLD, log("08:00", "Ana likes tea", "Ana likes juice", "The router is at 192.168.0.1"))
    index.refresh(desk.bot)
    row = page.row("Ana likes tea and coffee")
    assert "This fact has changed, so the suggestion can’t be accepted. Skip it or retry the job." in row.get_text()
    assert "facts moved" not in page.press("accept", number=row.select_one(".select")["value"])
    assert b"tea and coffee" not in desk.read("MEMORY.md")
    assert rows(job, state="applied") == []


def test_plan_that_is_newer_than_the_index_can_be_accepted(desk, model, visitor):
    desk.write(OLD, log("08:00", "The gate is blue", "The fence is red"))
    job = planned(desk, model, clever(lambda facts: [op("keep", *facts)]))
    Fact.objects.filter(document__path=OLD).delete()
    Document.objects.filter(path=OLD).update(ctime_ns=0)
    page = Page(visitor, desk, job)
    assert "This fact has changed" not in page.read()
    assert "1 fact moved" in page.press("accept", number=page.tick("The gate is blue"))


def test_plan_that_would_lose_a_fact_is_named_fact_by_fact(desk, model, visitor):
    def losing(facts):
        tea, coffee = (next(n for n, text in facts.items() if text.endswith(end)) for end in ("tea", "coffee"))
        return [op("merge", tea, coffee, text="Ana likes tea"), op("keep", *(set(facts) - {tea, coffee}))]

    job = planned(desk, model, clever(losing))
    page, before = Page(visitor, desk, job), tree(desk)
    assert "This plan would lose 1 fact, so it can’t be accepted." in page.read()
    lost = page.row("Ana likes coffee")
    assert "coffee" in lost.select_one(".losses").get_text()
    assert not page.soup.select(".plan input")
    page.press("accept", all="ticked")
    assert tree(desk) == before


def test_button_toast_history_and_bars_say_the_same(desk, model, visitor):
    job = planned(desk, model, clever(tidy))
    page = Page(visitor, desk, job)
    page.read()
    does = page.soup.select_one(".head .filled").get_text()
    assert does == "Move 4 facts, archive 1 fact, remove 2 logs"
    [now, after] = page.soup.select("#plan-form .bars .number")
    size = len(desk.read("MEMORY.md"))
    assert now.get_text() == f"{size} bytes"
    told = "4 facts moved, 1 fact archived, 2 logs removed"
    assert told in page.press("accept", all="ticked")
    assert told in visitor.get(f"/{desk.bot.slug}/history/").text
    assert after.get_text() == f"{len(desk.read('MEMORY.md'))} bytes"
    page.read()
    assert [one.get_text() for one in page.soup.select(".bars dt")] == ["Before", "After"]


def test_what_passes_the_limit_needs_the_typed_word(desk, model, visitor):
    desk.write("MEMORY.md", b"- " + b"x" * 10_200 + b"\n")
    page = Page(visitor, desk, planned(desk, model, clever(keeping)))
    assert "Your selection passes the limit by" in page.read()
    assert page.soup.select_one(".head .filled[disabled]")
    before = tree(desk)
    assert "larger than what the bot loads. Nothing was changed." in page.press("accept", all="ticked")
    assert tree(desk) == before
    page.press("accept", all="ticked", word="move")
    assert "08:02 — The router" in desk.read("MEMORY.md").decode()
