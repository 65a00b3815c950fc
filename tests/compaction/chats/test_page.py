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
