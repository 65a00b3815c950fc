"""A leaked text is purged at the desk in steps, by operators only."""

from __future__ import annotations

import pytest

from memory.models import Purge

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "swordfish 4711"


@pytest.fixture
def operator(transactional_db, desk):
    desk.user.is_superuser = True
    desk.user.save()
    desk.save(f"- the password is {SECRET}\n")
    return desk


def test_it_is_shown_taken_out_of_the_documents_and_purged(operator):
    assert operator.get("history/").link("Purge a text") == f"/{operator.bot.slug}/purge"
    shown = operator.post("purge", text=SECRET)
    held = "These files of the bot contain it. Remove it from them first; [purged] will take its place: MEMORY.md"
    assert held in shown.text
    assert "1 · file versions" in shown.text
    taken = operator.post("purge", text=SECRET, act="files")
    assert operator.read() == "- the password is [purged]\n"
    assert "Purge it for good" in taken.text
    wrong = operator.post("purge", text=SECRET, act="purge", slug="other")
    assert (wrong.status, Purge.objects.count()) == (422, 0)
    done = operator.post("purge", text=SECRET, act="purge", slug=operator.bot.slug)
    assert "Purged for good." in done.text
    assert "Earlier purges" in done.text
    assert done.soup.select_one(".points time").get_text() == "just now"
    assert SECRET not in done.text
    assert "Nothing kept here contains it." in operator.post("purge", text=SECRET).text
    assert "Changes can be undone while History holds their text." in operator.get("history/").text


def test_a_purge_while_a_document_holds_it_says_so(operator):
    refused = operator.post("purge", text=SECRET, act="purge", slug=operator.bot.slug)
    assert refused.status == 422
    assert "MEMORY.md contains the text. Nothing was purged. Remove the text from the files first." in refused.text
    short = "Choose a text of 4 to 2000 characters that isn’t part of “[purged]”. Nothing was changed."
    page = operator.post("purge", text="abc")
    assert short in page.text
    assert page.soup.select_one("[name=text]").text.strip() == "abc"
    wrong = operator.post("purge", text="abc", act="purge", slug="other")
    assert (wrong.status, short in wrong.text) == (422, True)


def test_only_operators_may(desk):
    assert desk.get("purge").status == 403
    assert "Purge a text" not in desk.get("history/").text
