"""The pages of a bot: what they say, and who may see them."""

from __future__ import annotations

import os
import time

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from memory.models import Bot, ChangeSet, RefusedCalls, Root
from memory.web.urls import urlpatterns
from tests.support.days import day


def fill(desk):
    """Two months of logs, a chat, a fresh and a stale scratchpad."""
    for ago in (0, 1, 2, 40, 41):
        desk.write(f"{day(ago)}.md", f"## 10:30 — Fact of {ago}\n\n## 11:00 — Likes Google Docs\n\n")
    desk.write(f"chats/telegram-1/{day(1)}.md", "## 09:00 — Plans a talk\n\n")
    desk.write("working/telegram-1.md", "topic")
    desk.write("working/telegram-9.md", "old topic")
    stale = time.time() - 12 * 86_400
    os.utime(desk.root / "working/telegram-9.md", (stale, stale))


def addresses(bot):
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        arguments = {"slug": bot.slug, "pk": 1, "path": "MEMORY.md", "day": "2026-03-14", "scope": "telegram-1"}
        arguments["token"] = "0" * 32
        wanted = {name: arguments[name] for name in pattern.pattern.converters}
        yield reverse(f"memory:{pattern.name}", kwargs=wanted) if pattern.name else f"/{bot.slug}"


@pytest.mark.slow
def test_every_page_needs_a_login(desk):
    stranger = Client()
    for address in addresses(desk.bot):
        for answer in (stranger.get(address), stranger.post(address)):
            assert answer.status_code in (302, 405), address
            if answer.status_code == 302:
                assert answer["Location"].startswith(reverse("login"))


@pytest.mark.slow
def test_every_page_is_not_found_for_an_unknown_bot(desk):
    for address in addresses(Bot(slug="nobody")):
        if address in ("/theme", "/keys"):
            continue
        assert {desk.client.get(address).status_code, desk.client.post(address).status_code} <= {403, 404, 405}, address


def test_inactive_user_sees_nothing(desk):
    desk.user.is_active = False
    desk.user.save()
    assert desk.client.get("/keno/").status_code == 302


def test_changing_addresses_refuse_get(desk):
    for name in ("save", "draft", "merge", "overwrite", "discard"):
        assert desk.client.get(reverse(f"memory:{name}", args=["keno", "MEMORY.md"])).status_code == 405
    for name in ("undo", "restore"):
        assert desk.client.get(reverse(f"memory:{name}", args=["keno", 1])).status_code == 405


def test_forms_without_the_token_are_refused_in_the_house_style(desk):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(desk.user)
    answer = strict.post("/keno/save/MEMORY.md", {"text": "x", "base": desk.hash()})
    assert answer.status_code == 403
    assert b"This form has expired" in answer.content
    assert desk.read() != "x"


def test_pages_have_landmarks_one_heading_and_no_inline_code(desk):
    fill(desk)
    for path in (
        "",
        "memory",
        "facts/MEMORY.md",
        "documents/",
        "history/",
        "history/MEMORY.md",
        "compaction",
        "settings",
    ):
        page = desk.get(path)
        assert page.status == 200, path
        assert len(page.soup.find_all("h1")) == 1, path
        assert page.soup.main
        assert page.soup.find("nav")
        assert page.soup.select_one("a.skip")["href"] == "#main"
        assert not page.soup.find_all(style=True)
        assert not [tag for tag in page.soup.find_all(True) if any(name.startswith("on") for name in tag.attrs)]
        assert not [s for s in page.soup.find_all("script") if not s.get("src") and s.get("type") != "application/json"]
        for field in page.soup.select("input:not([type=hidden]), select, textarea"):
            labelled = field.get("aria-label") or page.soup.find("label", {"for": field.get("id")})
            assert labelled or field.find_parent(class_="prose"), field


def test_htmx_elements_have_a_form_or_link_beside_them(desk):
    fill(desk)
    for path in ("", "memory"):
        for tag in desk.get(path).soup.find_all(attrs={"hx-post": True}):
            assert tag.name == "form" or tag.get("formaction") or "hx-trigger" in tag.attrs


def test_overview_says_what_there_is(desk):
    fill(desk)
    page = desk.get()
    assert "15 facts in 9 files" in page.text
    assert "1 current, 1 stale" in page.text
    assert "2 logs are older than 30 days" in page.text
    assert "1 stale working memory" in page.text
    assert page.soup.select_one(".learned a")["href"].startswith("/keno/days/")


def test_overview_of_an_empty_bot_says_what_will_be_here(desk):
    (desk.root / "MEMORY.md").unlink()
    desk.step()
    page = desk.get()
    assert "No memory found yet" in page.text
    assert "Talk to your bot and its first fact will show here, or name another directory." in page.text
    assert "All tidy" in page.text


def test_overview_warns_of_a_full_memory(desk):
    desk.write("MEMORY.md", "- x\n" * 3000)
    page = desk.get()
    assert "MEMORY.md is at 117% of the recommended 10 KB" in page.text
    assert "red" in page.soup.select_one("svg.gauge")["class"]


def test_overview_tells_of_refused_deliveries(desk):
    RefusedCalls.objects.create(
        address="10.0.0.1", minute=timezone.now(), status=401, reason="invalid signature", count=3
    )
    assert "3 rejected deliveries since yesterday · answered “invalid signature”" in desk.get().text


def test_lately_lists_what_the_bot_wrote_with_an_undo(desk):
    desk.write(f"{day(0)}.md", "## 10:30 — First\n\n")
    desk.get()
    desk.append(f"{day(0)}.md", "## 10:31 — Prefers tea\n\n")
    desk.post("step")
    page = desk.get()
    assert "Prefers tea" in page.text
    assert f"{day(0)}.md · KenoBot" in page.text
    desk.post(page.soup.select_one("[aria-labelledby=lately] button")["formaction"].removeprefix("/keno/"))
    assert desk.read(f"{day(0)}.md") == "## 10:30 — First\n\n"


def test_step_brings_rows_in_step_and_answers_the_mark(desk):
    desk.get()
    desk.append("MEMORY.md", "- Likes tea\n")
    page = desk.post("step", htmx=True)
    assert page.text.startswith("MEMORY.md changed just now")
    assert page.soup.find("html") is None
    assert "Likes tea" in desk.get("facts/MEMORY.md").text


def test_theme_is_kept_in_a_cookie_and_leads_back(desk):
    answer = desk.client.post("/theme", {"theme": "dark", "next": "/keno/memory"})
    assert answer["Location"] == "/keno/memory"
    assert 'data-theme="dark"' in desk.client.get("/keno/").content.decode()
    desk.client.post("/theme", {"theme": "system"})
    assert "data-theme" not in desk.client.get("/keno/").content.decode()


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example", "//elsewhere.example", "javascript:alert(1)", ""])
def test_theme_leads_nowhere_else(desk, elsewhere):
    assert desk.client.post("/theme", {"theme": "dark", "next": elsewhere})["Location"] == "/"


def test_settings_warn_of_the_rules_of_0_7(desk):
    desk.write("procedural/patterns.json", "[]")
    assert "This version deletes logs over 30 days old by itself, compacted or not." in desk.get("settings").text
    assert "3 things to know about this bot’s version version" in desk.get().text


def test_what_is_no_markdown_is_previewed_as_it_stands(desk):
    desk.write("procedural/patterns.json", '[{"trigger": "*deploy*"}]')
    page = desk.get("documents/procedural/patterns.json")
    assert page.soup.select_one("#preview pre").get_text() == '[{"trigger": "*deploy*"}]'


def test_missing_page_is_said_in_the_house_style(desk):
    page = desk.get("nothing/here")
    assert page.status == 404
    assert "Page not found" in page.text
    assert str(desk.root) not in page.text


def test_history_of_unread_bot_is_empty_and_says_so(desk):
    ChangeSet.objects.all().delete()
    assert "No changes yet" in desk.get("history/").text


def test_transcript_reads_as_a_conversation_by_the_bots_clock(desk):
    sessions = desk.root.parent / "sessions"
    sessions.mkdir()
    Root.objects.create(bot=desk.bot, name="sessions", path=str(sessions))
    Bot.objects.filter(pk=desk.bot.pk).update(time_zone="America/Mexico_City")
    lines = [
        '{"role": "user", "content": "<b>hello</b>", "timestamp": 1770508800000}',
        "torn {",
        '{"role": 1}',
        "[" * 5000,
    ]
    (sessions / "telegram-1.jsonl").write_text("\n".join(lines) + "\n")
    page = desk.get("documents/@sessions/telegram-1.jsonl")
    said = [item.get_text(" ", strip=True) for item in page.soup.select(".talk li")]
    moment = page.soup.select_one(".talk time")
    assert said[0] == f"user {moment.get_text()} <b>hello</b>"
    assert moment.get_text().startswith("18:00, 7 Feb")
    assert (moment["datetime"], moment["title"]) == ("2026-02-07T18:00:00-06:00", "7 February 2026, 18:00")
    assert page.soup.select_one(".sum").get_text().count("18:00, 7 Feb") == 2
    assert said[1] == "not recognised torn {"
    assert len(said) == 4
    assert page.soup.find("textarea") is None


@pytest.mark.parametrize("page", ["history/", "trash", "documents/", "webhooks/"])
def test_list_of_nothing_has_no_filters(desk, page):
    (desk.root / "MEMORY.md").unlink()
    shown = desk.get(page)
    assert shown.status == 200
    assert not shown.soup.select("main form[role=search], main nav.filters")
    assert desk.get(page, q="tea", chat="tea").soup.select("main form[role=search]")  # what was asked for stays
