"""A fact's page says where it came from and what became of it, also when it is gone."""

from __future__ import annotations

from django.utils import timezone

from memory.curation import facts
from memory.domain.changes import digest
from memory.models import ApiToken, Fact, Fetched, Searched, Use
from memory.prompts import uses
from memory.search import log
from memory.web.base.fact_rows import fact_name
from tests.journal.conftest import ANA

MEMORY = "MEMORY.md"


def one(desk, text):
    desk.indexed()
    fact = Fact.objects.select_related("document").get(bot=desk.bot, text=text)
    return fact.document.path, fact.key, fact.nth


def life(page):
    """The deeds and words of the steps."""
    steps = page.soup.select("#life li")
    return [(step.strong.get_text(), getattr(step.select_one(".fact"), "text", "")) for step in steps]


def test_page_of_a_fact_tells_its_life_and_edits_it(desk):
    wanted = one(desk, "Likes Google Docs")
    facts.edit(desk.bot, *wanted, "Likes plain text", ANA)
    page = desk.get("entry", fact=fact_name(*one(desk, "Likes plain text")))
    assert life(page) == [("Already there at the first import", "Likes Google Docs"), ("Reworded", "Likes plain text")]
    assert page.field == "Likes plain text"
    assert "Earlier changes aren’t known" in page.text
    assert "MEMORY.md, line" in page.soup.select_one("#life dd").get_text()


def test_old_address_of_a_fact_leads_to_where_it_is(desk):
    wanted = one(desk, "Likes Google Docs")
    facts.edit(desk.bot, *wanted, "Likes plain text", ANA)
    page = desk.get("entry", fact=fact_name(*wanted))
    assert page.status == 200
    assert not page.soup.select("#entry-field")
    assert life(page)[-1] == ("Reworded", "Likes plain text")
    there = desk.client.get(page.link("Open it there"), follow=True)
    assert "entry-field" in there.content.decode()


def test_fact_that_is_gone_has_a_page_and_comes_back_from_it(desk):
    wanted = one(desk, "Likes Google Docs")
    facts.forget(desk.bot, [wanted], ANA)
    page = desk.get("entry", fact=fact_name(*wanted))
    assert "no longer in memory" in page.text
    assert life(page)[-1] == ("Forgotten", "")
    button = page.soup.select_one("#life form button")
    desk.post("trash/restore", one=button["value"], next="/keno/")
    page = desk.get("entry", fact=fact_name(*wanted))
    assert life(page)[-1] == ("Restored", "Likes Google Docs")
    assert page.soup.select("#entry-field")


def test_trash_leads_to_the_life_of_what_is_gone(desk):
    facts.forget(desk.bot, [one(desk, "Likes Google Docs")], ANA)
    (link,) = desk.get("trash").soup.select(".deeds a")
    assert "Likes Google Docs" in desk.client.get(link["href"]).content.decode()


def test_part_for_a_row_is_asked_without_the_life(desk):
    wanted = one(desk, "Likes Google Docs")
    answer = desk.client.get("/keno/entry", {"fact": fact_name(*wanted)}, headers={"HX-Request": "true"})
    assert b"entry-field" in answer.content
    assert b'id="life"' not in answer.content


def test_secrets_are_hidden_in_its_life(desk):
    wanted = one(desk, "Likes Google Docs")
    facts.edit(desk.bot, *wanted, "The password of the router is hunter2-Xk93", ANA)
    page = desk.get("entry", fact=fact_name(*wanted))
    assert "hunter2" not in page.response.content.decode()


def test_program_that_fetched_a_prompt_with_it_is_counted(desk):
    wanted = one(desk, "Likes Google Docs")
    token = ApiToken.objects.create(bot=desk.bot, name="reader", token_hash="d" * 64, hint="abcd")
    for path in (MEMORY, "other.md"):
        documents = {path: digest((desk.root / MEMORY).read_bytes())}
        Fetched.objects.create(
            bot=desk.bot, token=token, at=timezone.now(), tokens=3, sha256="0" * 64, documents=documents
        )
    assert "1 prompt, last just now" in desk.get("entry", fact=fact_name(*wanted)).text


def test_searches_of_programs_that_found_it_are_named_and_the_oldest_are_let_go(desk, monkeypatch):
    wanted, other = one(desk, "Likes Google Docs"), "1" * 32
    monkeypatch.setattr(log, "KEPT", 2)
    monkeypatch.setattr(log, "TIDIED", 1)
    for words, keys in (("first", [wanted[1]]), ("which <docs>?", [other, wanted[1]]), ("else", [other]), ("none", [])):
        log.note(desk.bot, words, keys, timezone.now())
    page = desk.get("entry", fact=fact_name(*wanted))
    assert "Found by programs “which <docs>?” just now" in page.text
    assert "first" not in page.soup.select_one("#life dl").text
    assert Searched.objects.count() == 2


def test_when_it_was_last_in_a_prompt_and_found_is_said_apart(desk):
    wanted = one(desk, "Likes Google Docs")
    desk.get("entry", fact=fact_name(*wanted))
    assert "in none that Kenoweb saw" in desk.get("entry", fact=fact_name(*wanted)).text
    Use.objects.create(bot=desk.bot, key=wanted[1], how=Use.How.PROMPT, day="2026-03-11")
    uses.record(desk.bot, [wanted[1]])
    page = desk.get("entry", fact=fact_name(*wanted)).text
    assert "Last in a prompt 11 Mar" in page
    assert "Last found by a search, today" in page
