"""The prompt as of an earlier moment, and two prompts side by side."""

from __future__ import annotations

import os
import time
from datetime import UTC, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from memory import index
from memory.compaction import runner
from memory.journal import By
from memory.models import ChangeSet, ChatName
from memory.prompts import as_of
from memory.web.base import dates

HOUR = timedelta(hours=1)


def local(moment):
    """A moment as the field of a form sends it, by the clock of a bot in UTC."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds")


def aged(desk, path, by):
    then = time.time() - by.total_seconds()
    os.utime(desk.root / path, (then, then))


@pytest.fixture
def changed(desk):
    """MEMORY.md was written three hours ago, and saved anew just now."""
    aged(desk, "MEMORY.md", 3 * HOUR)
    desk.write("chats/telegram-1/MEMORY.md", "- In this chat\n")
    index.refresh(desk.bot)
    time.sleep(0.02)
    desk.save("# KenoBot Memory\n\n- Likes Google Docs\n- Rides a bicycle\n")
    return desk


def test_the_prompt_of_an_hour_ago_is_the_one_of_then(changed):
    ago = (timezone.now() - HOUR).replace(second=30)  # a whole minute is said without its seconds
    page = changed.get("prompt/", chat="", at=local(ago))
    assert "Prefers concise responses" in page.text
    assert "Rides a bicycle" not in page.text
    words = f"The files as they were at {dates.as_of(ago)}, read with today’s settings."
    assert words in page.soup.select_one("#then").get_text()
    assert page.soup.select_one("#then time")["title"] == f"{ago.day} {ago:%B %Y, %H:%M}"
    assert page.soup.find("input", {"name": "at"})["value"] == local(ago)
    assert page.soup.select("[data-edit]") == []
    assert "Rides a bicycle" in changed.get("prompt/", chat="").text


def test_the_text_alone_is_that_of_then_too(changed):
    address = f"/keno/prompt/text?chat=&at={local(timezone.now() - HOUR)}"
    text = changed.client.get(address).content.decode()
    assert "Prefers concise responses" in text
    assert "Rides a bicycle" not in text


def test_what_is_not_known_of_then_is_named(changed):
    page = changed.get("prompt/", chat="telegram-1", at=local(timezone.now() - HOUR))
    notice = " ".join(page.soup.select_one("#then").get_text(" ").split())
    assert "Not known for that time, so not included:" in notice
    assert "First seen later; its content at that time is unknown. 1 chats/telegram-1/MEMORY.md known since" in notice


def test_moments_that_people_ask_for_are_offered(changed):
    changed.write("2020-01-01.md", "## 10:00 — Long ago\n\n")
    index.refresh(changed.bot)
    runner.run(changed.bot, [""], By("Ana"))
    time.sleep(0.02)
    changed.save("# KenoBot Memory\n\n- Another\n")
    page = changed.get("prompt/", chat="")
    assert (
        page.soup.select_one(".moments").get_text()
        == "As of now or yesterday, before the last compaction, before the last change"
    )
    links = {link.get_text(): link["href"] for link in page.soup.select(".moments a")}
    assert list(links) == ["yesterday", "before the last compaction", "before the last change"]
    before = changed.client.get(links["before the last compaction"]).content.decode()
    assert "Long ago" in before
    assert "Rides a bicycle" in before
    last = changed.client.get(links["before the last change"]).content.decode()
    assert "Rides a bicycle" in last


def test_before_a_change_set_is_before_it(changed):
    saved = ChangeSet.objects.get(kind=ChangeSet.Kind.EDIT)
    page = changed.get("prompt/", chat="", before=saved.pk)
    assert "Prefers concise responses" in page.text
    assert "Rides a bicycle" not in page.text
    link = page.soup.find("a", string="Plain text")["href"]
    assert parse_qs(urlsplit(link).query)["at"] == [as_of.moment_before(saved).isoformat()]


@pytest.mark.parametrize(
    "at", ["yesterday", "2026-02-30T10:00", "9" * 40, "0001-01-01T00:00", "2026-01-01T00:00+99:00", "<b>", "2026-W01-1"]
)
def test_what_is_no_moment_is_said(desk, at):
    page = desk.get("prompt/", chat="", at=at)
    if at == "2026-W01-1":
        assert page.status == 200
    else:
        assert page.status == 422
        assert f"“{at}” isn’t a valid time. Write it as 2026-01-31T18:30." in page.text
        assert "<b>” is" not in page.response.content.decode()


@pytest.mark.parametrize("before", ["0", "99999999999999999999", "x", "-1", "٣"])
def test_no_such_change_is_said(desk, before):
    page = desk.get("prompt/", chat="", before=before)
    assert (page.status, "History has no such change." in page.text) == (422, True)


def test_a_moment_that_is_not_over_is_now(changed):
    page = changed.get("prompt/", chat="", at="2999-01-01T00:00")
    assert "Rides a bicycle" in page.text
    assert page.soup.select_one("#then") is None


def test_the_field_goes_by_the_bots_clock(changed):
    changed.bot.time_zone = "Asia/Tokyo"
    changed.bot.save()
    tokyo = (timezone.now() - HOUR + 9 * HOUR).replace(second=30)  # a whole minute is written shorter
    page = changed.get("prompt/", chat="", at=local(tokyo))
    assert "Prefers concise responses" in page.text
    assert page.soup.find("input", {"name": "at"})["value"] == local(tokyo)


def words(page, kind):
    """The words of one kind of line in the difference."""
    return " ".join(row.get_text() for row in page.soup.select(f".unified tr.{kind} .text"))


def test_then_and_now_side_by_side(changed):
    page = changed.get("prompt/compare", chat="", at=local(timezone.now() - HOUR))
    assert "Prefers concise responses" in words(page, "removed")
    assert "Rides a bicycle" in words(page, "added")
    assert "Likes Google Docs" not in words(page, "added") + words(page, "removed")
    assert "1 fact only on the left" in page.text
    assert "1 fact on both sides" in page.text


def test_a_change_leads_to_the_prompt_before_it(changed):
    saved = ChangeSet.objects.get(kind=ChangeSet.Kind.EDIT)
    page = changed.get(f"changes/{saved.pk}")
    answer = changed.client.get(page.link("Compare prompts")).content.decode()
    assert "Prefers concise responses" in answer


def test_two_chats_side_by_side(changed):
    changed.write("chats/telegram-2/MEMORY.md", "- In the other chat <i>\n")
    ChatName.objects.create(bot=changed.bot, scope="telegram-2", name="Family")
    index.refresh(changed.bot)
    page = changed.get("prompt/compare", chat="telegram-1", **{"with": "Family"})
    assert "In this chat" in words(page, "removed")
    assert "In the other chat <i>" in words(page, "added")
    assert [head.get_text() for head in page.soup.select(".against h2")] == ["telegram-1", "Family"]
    assert page.soup.find("input", {"name": "with"})["value"] == "Family"


def test_a_large_difference_is_shown_in_pages(changed):
    changed.write("chats/telegram-2/MEMORY.md", "".join(f"- Boat {n} {'olive ' * 20}\n" for n in range(800)))
    index.refresh(changed.bot)
    seen, url = "", "prompt/compare?chat=telegram-1&with=telegram-2"
    while url:
        page = changed._page(changed.client.get(f"/keno/{url}"))
        assert len(page.response.content) < 200_000
        seen += words(page, "added")
        after = page.soup.find("a", rel="next")
        url = after and f"prompt/compare{after['href']}"
    assert all(f"Boat {n} " in seen for n in range(800))


def test_without_another_chat_the_latest_is_the_other_side(changed):
    changed.write("chats/telegram-2/MEMORY.md", "- In the other chat\n")
    index.refresh(changed.bot)
    page = changed.get("prompt/compare", chat="telegram-2")
    assert [head.get_text() for head in page.soup.select(".against h2")] == ["telegram-2", "telegram-1"]


def test_the_same_on_both_sides_has_no_difference(changed):
    page = changed.get("prompt/compare", chat="telegram-1", **{"with": "telegram-1"})
    assert "No differences." in page.text


@pytest.mark.parametrize("sent", [{"chat": "nobody"}, {"with": "nobody"}, {"with_at": "x"}, {"before": "0"}])
def test_what_cannot_be_compared_is_said(changed, sent):
    page = changed.get("prompt/compare", **sent)
    assert page.status == 422
    assert "These can’t be compared." in page.text
