"""What jobs over chats propose, on the page of the job."""

from __future__ import annotations

from memory.models import Delivery, Job
from tests.web.conftest import desk
from tests.web.jobs.made_jobs import job, propose

__all__ = ["desk"]


def test_a_message_that_came_by_webhook_leads_to_its_call(desk):
    delivery = Delivery.objects.create(bot=desk.bot, session_id="telegram-1", status=200, received="2026-03-20T10:00Z")
    made = job(desk.bot, "planned", Job.Kind.EXTRACTION, params={"chat": "telegram-1", "delivery": delivery.pk})
    said = {"path": "", "line": 0, "role": "user", "text": "I <b>moved</b>", "delivery": delivery.pk}
    propose(made, "remember", [said], text="The user moved.", path="chats/telegram-1/2026-03-20.md")
    page = desk.get(f"jobs/{made.pk}")
    (link,) = page.soup.select(".sources .place a")
    assert (link["href"], link.text) == (f"/{desk.bot.slug}/webhooks/{delivery.pk}", f"delivery {delivery.pk}")
    assert desk.get(f"webhooks/{delivery.pk}").status == 200
    assert page.soup.select_one(".sources .fact").text == "I <b>moved</b>"


def test_many_messages_behind_a_suggestion_are_folded_and_named_by_their_line_alone(desk):
    name = f"@sessions/{'long-' * 12}name.jsonl"
    made = job(desk.bot, "planned", Job.Kind.SUMMARY, params={"chat": "telegram-1"})
    said = [{"path": name, "line": line, "role": "user", "text": f"Message {line}."} for line in range(1, 9)]
    first, second = (f"chats/telegram-1/2026-03-2{day}.md" for day in "01")
    propose(made, "remember", said, text="They agreed.", path=first, flags=["A name is new."])
    propose(made, "remember", said[:2], text="They met.", path=second)
    many, few = desk.get(f"jobs/{made.pk}").soup.select("tr[data-row]")
    assert many.select_one("details summary").get_text() == "From 8 messages"
    assert not few.select("details")
    assert [place.get_text() for place in few.select(".sources .place")] == ["line 1", "line 2"]
    assert many.select_one(".take").get_text(strip=True) == "Accept"
