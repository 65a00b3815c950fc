"""Who wrote an entry, as far as it is known."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.bots import open_bot
from memory.models import ChatName, Document, Fact
from memory.web.chats.authors import sources
from memory.webhook import deliveries
from memory.webhook.call import WebhookCall
from tests.support.facts import words

CHAT = "telegram-123"


def told(desk, path):
    """What the rows of a document say of who wrote each."""
    page = desk.get(f"facts/{path}")
    return [
        (row.select_one(".fact").get_text(), [span.get_text() for span in row.select(".about > span")][:-1])
        for row in page.soup.select(".facts > li")
    ]


def post(desk, response, session=CHAT):
    """A finished turn, as the webhook hands it over."""
    name = uuid4().hex
    call = WebhookCall("hi", response, session, "telegram", name, None, True)
    letter = deliveries.Letter(name * 2, datetime.now(UTC), time.perf_counter())
    assert deliveries.receive(desk.bot, call, letter).status == 200


def test_entry_names_the_webhook_and_the_chat_it_was_said_in(desk):
    post(desk, "<memory>Likes tea</memory><chat-memory>Plans a talk</chat-memory>")
    today = open_bot(desk.bot).today()
    assert told(desk, f"{today}.md") == [("Likes tea", [f"from a webhook, {CHAT}"])]
    assert told(desk, f"chats/{CHAT}/{today}.md") == [("Plans a talk", ["from a webhook"])]
    ChatName.objects.create(bot=desk.bot, scope=CHAT, name="Family")
    assert told(desk, f"{today}.md") == [("Likes tea", ["from a webhook, Family"])]


@pytest.mark.parametrize(
    ("entry", "words"),
    [("## 00:02 — In the bot's form\n\n", "probably the bot"), ("## 00:03 - In another\n", "edited outside Kenoweb")],
)
def test_entry_names_the_bot_somebody_else_or_nobody(desk, entry, words):
    today = f"{open_bot(desk.bot).today()}.md"
    desk.write(today, "## 00:01 — First look\n\n")
    desk.get(f"facts/{today}")
    desk.append(today, entry)
    assert [found for _text, found in told(desk, today)] == [[], [words]]


def test_person_is_named(desk):
    today = f"{open_bot(desk.bot).today()}.md"
    desk.post("entry/add", path=today, text="By hand")
    assert told(desk, today) == [("By hand", ["by you"])]
    desk.client.force_login(User.objects.create_user("bo"))
    assert told(desk, today) == [("By hand", ["by ana"])]


def test_who_mended_or_promoted_an_entry_is_named(desk):
    today = f"{open_bot(desk.bot).today()}.md"
    post(desk, "<memory>Likes tee</memory><memory>Lives in Faro</memory>")
    desk.get(f"facts/{today}")
    for act, text in (("edit", "Likes tee"), ("promote", "Lives in Faro")):
        fact = Fact.objects.get(bot=desk.bot, text=text)
        desk.post(f"entry/{act}", path=today, fact=f"{fact.key}:{fact.nth}:{today}", text="Likes tea")
    assert told(desk, today) == [("Likes tea", ["by you"])]
    said, by = told(desk, "MEMORY.md")[-1]
    assert (words(said), by) == ("Lives in Faro", ["by you"])


def test_entries_that_say_the_same_keep_their_own_sources(desk):
    today = open_bot(desk.bot).today()
    moment = datetime.now(UTC).strftime("%H:%M")
    desk.write(f"{today}.md", f"## {moment} — Same\n\n")
    desk.get(f"facts/{today}.md")
    desk.post("entry/add", path=f"{today}.md", text="Same")
    found = [words for _text, words in told(desk, f"{today}.md")]
    assert found == [[], ["by you"]]


def test_entry_is_found_after_what_stands_above_was_changed(desk):
    today = f"{open_bot(desk.bot).today()}.md"
    desk.write(today, "## 00:01 — Above\n\n")
    desk.get(f"facts/{today}")
    desk.post("entry/add", path=today, text="By hand")
    desk.write(today, "Prose above.\n\n" + desk.read(today))
    assert dict(told(desk, today))["By hand"] == ["by you"]


def test_large_document_is_asked_only_about_what_is_shown(desk):
    today = f"{open_bot(desk.bot).today()}.md"
    desk.write(today, "".join(f"## 00:{n % 60:02} — Entry {n} {'long ' * 20}\n\n" for n in range(900)))
    desk.get(f"facts/{today}")
    desk.post("entry/add", path=today, text="By hand")
    desk.append(today, "".join(f"## 23:{n % 60:02} — Later {n} {'long ' * 20}\n\n" for n in range(900)))
    index.refresh(desk.bot)
    document = Document.objects.get(path=today)
    fact = Fact.objects.get(document=document, text="By hand")
    assert document.size > 200_000
    assert sources(desk.bot, [fact], {document.pk: document}, None) == {(today, fact.key, 0): "by ana"}


def test_statements_are_the_same_for_one_document_and_for_many(desk):
    today = open_bot(desk.bot).today()
    for number in range(12):
        post(desk, f"<chat-memory>Note {number}</chat-memory>", f"telegram-{number}")
    index.refresh(desk.bot)
    facts = list(Fact.objects.filter(document__day=today))
    documents = Document.objects.in_bulk()
    counts = []
    for some in (facts[:1], facts):
        shown = {fact.document_id: documents[fact.document_id] for fact in some}
        with CaptureQueriesContext(connection) as asked:
            found = sources(desk.bot, some, shown, desk.user.pk)
        assert len(found) == len(some)
        counts.append(len(asked))
    assert counts == [3, 3]
