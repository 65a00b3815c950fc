"""The page of the prompt: each line with its place and its cost, budgets, what is left out; for a chat and a message."""

from __future__ import annotations

import os
import re
import time
from urllib.parse import quote

import pytest

from memory import registry
from memory.index import BotMemory
from memory.models import ChatName
from memory.prompts import build, spill
from memory.prompts.unloaded import unloaded
from tests.support.days import day

CHAT = "telegram--1001234567890"
LONG = "Rides a red bicycle to work and back again every single day"
FACTS = f"# Memory\n\n## Habits\n- Drinks green tea\n- {LONG}\n- 她喜欢绿茶 🙂\n"


@pytest.fixture
def chat(desk):
    """A group with notes, and facts of the bot's own."""
    desk.write("MEMORY.md", FACTS)
    desk.write(f"{day(0)}.md", "## 08:00 — Für Köln packen\n\n")
    desk.write(f"chats/{CHAT}/{day(0)}.md", "## 09:00 — Plans a talk\n\n## 10:30 — Meets on Friday\nat noon\n\n")
    desk.write(f"working/{CHAT}.md", "- Slides for the talk")
    desk.indexed()
    return desk


def rows(page):
    """(text, tokens, place) of every row, without heads."""
    return [
        (
            row.select_one(".fact").get_text(),
            cost(row),
            row.select_one(".place").get_text() if row.select_one(".place") else "",
        )
        for row in page.soup.select(".prompt > [data-row]")
    ]


def cost(row):
    return int(row.select_one(".cost").find(string=True).replace(",", ""))


def row(page, text):
    return next(row for row in page.soup.select(".prompt > [data-row]") if text in row.get_text())


def saved(desk, **settings):
    desk.bot.settings = settings
    desk.bot.save()


# ---- the text and its cost --------------------------------------------------------------------------------------------------


def test_every_line_has_its_place_and_its_cost(chat):
    page = chat.get("prompt/")
    shown = {text: place for text, _tokens, place in rows(page)}
    assert shown["- Drinks green tea"] == "MEMORY.md:4"
    assert shown["- 她喜欢绿茶 🙂"] == "MEMORY.md:6"
    assert shown["## 08:00 — Für Köln packen"] == f"{day(0)}.md:1"
    assert shown["## 10:30 — Meets on Friday\nat noon"] == f"{day(0)}.md:3"
    assert shown["- Slides for the talk"] == "working/….md:1"
    assert row(page, "Meets on Friday").select_one(".place")["href"] == f"/keno/documents/chats/{CHAT}/{day(0)}.md"


@pytest.mark.parametrize("tokens_of", ["gpt-4", "llama-2"])
def test_what_is_shown_sums_to_what_is_said(chat, tokens_of):
    saved(chat, tokens_of=tokens_of)
    page = chat.get("prompt/")
    priced = build.build(chat.bot, CHAT)
    parts = [cost(part) for part in page.soup.select(".part > summary")]
    assert sum(parts) == priced.tokens
    heads = sum(section.lines[0].tokens if section.tier else section.tokens for section in priced.sections)
    assert sum(tokens for _text, tokens, _place in rows(page)) + heads == priced.tokens
    assert f"{priced.tokens} tokens" in page.text
    papers = [int(line.select(".num")[1].get_text()) for line in page.soup.select(".papers-of tbody tr")]
    assert sum(papers) == priced.tokens


def test_counter_is_named(chat):
    assert "exact count for GPT-4" in chat.get("prompt/").text
    saved(chat, tokens_of="llama-2")
    assert "estimate for Llama 2, ±3%" in chat.get("prompt/").text


def test_money_is_said_once_somebody_said_what_tokens_cost(chat):
    assert "$" not in chat.get("prompt/").text
    saved(chat, token_price=10)
    tokens = build.build(chat.bot, CHAT).tokens
    assert f"about ${tokens / 100_000:.4f} a message" in chat.get("prompt/").text


def test_facts_are_sorted_by_cost_when_asked(chat):
    page = chat.get("prompt/", by="cost")
    found = rows(page)
    assert found[0][0] == f"- {LONG}"
    assert [tokens for _text, tokens, _place in found] == sorted(
        (tokens for _text, tokens, _place in found), reverse=True
    )
    assert len(found) == 7
    assert not page.soup.select(".part > summary")
    assert "Most expensive first 7" in page.text


def test_plain_text_is_the_prompt_to_the_byte(chat):
    chat.write("MEMORY.md", b"# M\xe9mory\r\n\n- <b>\x00 & \xf0\x9f\x99\x82\n")
    link = chat.get("prompt/").link("Plain text")
    answer = chat.client.get(link)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content == build.build(chat.bot, CHAT).text.encode()


def test_no_half_of_a_secret_ends_what_is_shown_of_a_line(chat):
    token = "12345678:AAtowRsW3PJAyuv__p4q3rQOrcTwCE-elrX"
    chat.write("MEMORY.md", f"- {'tea ' * 145}{token} {'tea ' * 90}\n")
    page = chat.get("prompt/").response.content.decode()
    assert "tea tea" in page
    assert token[:12] not in page


def test_line_that_goes_on_is_marked(chat):
    saved(chat, version="0.7")
    chat.write("MEMORY.md", "## Deploys\n- Fridays\n")
    page = chat.get("prompt/", q="deploys")
    assert "goes-on" in row(page, "(relevance: 3)")["class"]
    assert "goes-on" not in row(page, "- Fridays").get("class", [])


# ---- mending --------------------------------------------------------------------------------------------------------------------


def test_fact_is_mended_where_it_is_read_and_the_sums_come_back(chat):
    page = chat.get("prompt/", chat=CHAT)
    before = build.build(chat.bot, CHAT).tokens
    edit = row(page, "red bicycle").select_one("[data-edit]")["href"]
    field = chat._page(chat.client.get(edit))
    assert field.field == LONG
    form = {one["name"]: one["value"] for one in field.soup.select("main form input[name=next]")}
    name = field.soup.find("button", {"name": "one"})["value"]
    done = chat.post("entry/edit", text="Cycles", one=name, **form)
    assert "- Cycles" in chat.read()
    assert done.soup.h1.get_text() == "Prompt"
    after = build.build(chat.bot, CHAT).tokens
    assert after < before
    assert f"{after} tokens" in done.text


def test_what_is_no_fact_has_no_edit(chat):
    assert row(chat.get("prompt/"), "## Habits").select_one("[data-edit]") is None


# ---- whose prompt, and for what -----------------------------------------------------------------------------------------------


def test_without_a_word_it_is_the_chat_last_written_in(chat):
    chat.write("chats/telegram-1/MEMORY.md", "- Older\n")
    then = time.time() - 90_000
    os.utime(chat.root / "chats/telegram-1/MEMORY.md", (then, then))
    chat.indexed()
    page = chat.get("prompt/")
    assert page.soup.find("input", {"name": "chat"})["value"] == CHAT
    assert page.link(CHAT) == f"/keno/chats/{CHAT}"


def test_no_chat_can_be_asked_for(chat):
    page = chat.get("prompt/", chat="")
    assert "What KenoBot reads before it answers, word for word." in page.text
    assert "Plans a talk" not in page.text
    assert "Drinks green tea" in page.text


def test_chat_is_found_by_its_name(chat):
    ChatName.objects.create(bot=chat.bot, scope=CHAT, name="Family <3")
    page = chat.get("prompt/", chat="Family <3")
    assert "Plans a talk" in page.text
    assert page.soup.find("input", {"name": "chat"})["value"] == "Family <3"
    assert page.soup.select_one(f'datalist option[value="{CHAT}"]').get_text() == "Family <3"


def test_name_of_several_chats_is_not_offered_as_if_it_were_of_one(chat):
    chat.write("chats/telegram-1/MEMORY.md", "- Older\n")
    chat.indexed()
    for scope in (CHAT, "telegram-1"):
        ChatName.objects.create(bot=chat.bot, scope=scope, name="Family")
    page = chat.get("prompt/", chat="Family")
    assert page.status == 422
    assert "Several chats have this name." in page.text
    assert chat.get("prompt/", chat=CHAT).soup.find("input", {"name": "chat"})["value"] == CHAT


@pytest.mark.parametrize("typed", ["nobody", "../../etc", "a/b", "x" * 400, "\0", "<script>"])
def test_chat_that_is_none_is_refused_in_words(chat, typed):
    page = chat.get("prompt/", chat=typed)
    assert page.status == 422
    assert page.soup.find("input", {"name": "chat"})["aria-describedby"] == page.soup.select_one(".notice.bad")["id"]
    assert chat.get("prompt/text", chat=typed).status == 422


@pytest.mark.parametrize(
    "scope", ['two\nlines & "quotes"', "<b>bold", "a?b#c%2F", "\N{PARTY POPPER} fête", "a\\b", " space "]
)
def test_odd_chat_can_be_asked_for(chat, scope):
    chat.write(f"chats/{scope}/MEMORY.md", "- Odd\n")
    chat.indexed()
    assert "- Odd" in [text for text, _tokens, _place in rows(chat.get("prompt/", chat=scope))]
    assert "- Odd" in [text for text, _tokens, _place in rows(chat.get(f"chats/{quote(scope, safe='')}/reads"))]


def test_the_prompt_of_a_chat_is_asked_for_inside_the_chat(chat):
    page = chat.get(f"chats/{CHAT}/reads", q="thursday", chat="another")
    assert rows(page) == rows(chat.get("prompt/", chat=CHAT, q="thursday"))
    assert page.soup.find("input", {"name": "chat"}) is None
    inside = [one["href"].partition("?")[0] for one in page.soup.select(".moments a, .orders a[href*='?']")]
    assert len(inside) > 2
    assert set(inside) == {page.soup.select_one(".chat-sides [aria-current]")["href"]}


def test_chats_are_offered_while_one_is_typed(chat):
    ChatName.objects.create(bot=chat.bot, scope=CHAT, name="Family")
    for typed in ("fam", "100123", CHAT):
        page = chat.get("prompt/chats", chat=typed)
        assert [(one["value"], one.get_text()) for one in page.soup.select("option")] == [(CHAT, "Family")]
    assert chat.get("prompt/chats", chat="zzz").soup.select("option") == []


def test_what_another_chat_says_is_not_in_it(chat):
    chat.write(f"chats/telegram-1/{day(0)}.md", "## 09:00 — A secret of somebody else\n\n")
    chat.indexed()
    for page in (chat.get("prompt/", chat=CHAT), chat.get("prompt/text", chat=CHAT), chat.get("prompt/", chat="")):
        assert "A secret of somebody else" not in page.response.content.decode()


def test_a_prompt_with_text_of_another_chat_is_refused_in_words_wherever_it_is_asked_for(chat, monkeypatch):
    monkeypatch.setattr(spill, "spilled", lambda *_told: {"chats/telegram-1/MEMORY.md": "- Secret\n"})
    said = "The prompt included text from another chat, so it isn’t shown."
    for place in ("prompt/", "prompt/compare", "prompt/text"):
        assert said in chat.get(place, chat=CHAT).response.content.decode()
    assert said in chat.post("foresee/MEMORY.md", htmx=True, text=f"{FACTS}- Rows on Sundays\n", base=chat.hash()).text


def test_a_question_decides_what_0_7_reads(chat):
    saved(chat, version="0.7")
    chat.write("MEMORY.md", "## Deploys\n- Fridays\n\n## Cats\n- Two of them\n")
    page = chat.get("prompt/", q="when are deploys <b>?")
    assert page.soup.select_one("main input[name=q]")["value"] == "when are deploys <b>?"
    assert [text for text, _tokens, _place in rows(page)][2:4] == ["## Deploys", "- Fridays"]
    assert "“Cats”: no word in common" in page.text
    assert "This version reads the same memory for every message." not in page.text


def test_page_of_a_version_that_does_not_choose_says_so(chat):
    assert "This version reads the same memory for every message." in chat.get("prompt/", q="tea").text


# ---- budgets ----------------------------------------------------------------------------------------------------------------


def test_budget_draws_its_line_where_it_ends(chat):
    priced = build.build(chat.bot, CHAT)
    before = 0
    for line in priced.lines:
        if "09:00" in line.text:
            break
        before += line.tokens
    saved(chat, token_budget=before)
    page = chat.get("prompt/")
    items = page.soup.select(".prompt > li")
    at = next(number for number, item in enumerate(items) if "cut" in item.get("class", []))
    assert "09:00" in items[at + 1].get_text()
    beyond = [item.select_one(".fact").get_text() for item in items if "beyond" in item.get("class", [])]
    assert [text for text in beyond if text] == [
        "## 09:00 — Plans a talk",
        "## 10:30 — Meets on Friday\nat noon",
        "- Slides for the talk",
    ]
    ends = f"Your budget of {before} tokens ends here. KenoBot still reads on."
    assert f"{ends} 3 facts are over budget, {priced.tokens - before} tokens. The bot still reads them." in page.text
    named = [item.get_text() for item in page.soup.select(".below li")]
    assert named == ["Plans a talk", "Meets on Friday at noon", "Slides for the talk"]
    assert f"{priced.tokens} of {before} tokens" in page.text
    assert page.soup.select_one("h2.red")


def test_budget_that_suffices_draws_no_line(chat):
    saved(chat, token_budget=100_000)
    page = chat.get("prompt/")
    assert not page.soup.select(".cut, .beyond, .red, .amber")
    assert "of 100,000 tokens" in page.text


def test_long_term_memory_beyond_what_the_bot_reads_well_is_shown(chat):
    chat.write("MEMORY.md", "".join(f"- Fact number {number:04}\n" for number in range(560)))
    page = chat.get("prompt/")
    assert "The recommended 10 KB end here." in page.text
    cut = page.soup.select_one(".cut")
    place = re.search(r"number (\d+)", cut.find_next_sibling("li").select_one(".fact").get_text())[1]
    assert int(place) == 10 * 1024 // len("- Fact number 0000\n")
    assert len(page.soup.select(".below li")) == 21


# ---- what is left out, and how much there is ------------------------------------------------------------------------------------


def test_what_is_left_out_says_why(chat):
    for ago in range(1, 60):
        chat.write(f"{day(ago)}.md", "## 09:00 — An entry\n\n")
    then = time.time() - 8 * 86_400
    os.utime(chat.root / f"working/{CHAT}.md", (then, then))
    chat.indexed()
    page = chat.get("prompt/", chat=CHAT)
    out = page.soup.select_one(".left-out").get_text(" ", strip=True)
    assert f"{day(4)}.md" in out
    assert "Only the newest 3 logs are read." in out
    assert "Working memory is read for 7 days" in out
    assert "And 45 older logs" in page.text


def test_a_long_part_is_folded_in_its_middle(chat):
    chat.write("MEMORY.md", "".join(f"- Fact number {number}\n" for number in range(900)) + "- " + "长" * 5000 + "\n")
    page = chat.get("prompt/")
    assert len(page.response.content) < 100_000
    assert not page.soup.select("nav.pages")
    assert "… 4,402 more characters" in page.text
    assert row(page, "长长").select_one("[data-whole]")
    assert "Fact number 18" in page.text
    assert "Fact number 300" not in page.text
    fold = page.soup.select_one(".folds")
    assert re.search(r"5\d\d lines folded, [\d,]+ tokens", fold.get_text())
    more = chat.client.get("/keno/prompt/" + fold.a["href"].partition("?")[1] + fold.a["href"].partition("?")[2])
    assert "Fact number 300" in more.text
    assert "Fact number 700" not in more.text


def test_fold_counts_what_it_hides(chat):
    chat.write("MEMORY.md", "".join(f"- Fact number {number}\n" for number in range(200)))
    page = chat.get("prompt/")
    part = next(part for part in page.soup.select("details.part") if part.select(".folds"))
    tokens = [int(one.find(string=True).replace(",", "")) for one in part.select(".cost")]
    number = int(re.search(r", ([\d,]+) tokens", part.select_one(".folds").get_text())[1].replace(",", ""))
    heading = build.build(chat.bot, CHAT)
    own = next(section for section in heading.sections if any(line.path == "MEMORY.md" for line in section.lines))
    assert tokens[0] == own.tokens == sum(tokens[1:]) + number + own.lines[0].tokens


@pytest.mark.parametrize("opened", ["x", "0-99999999", "9999-1", "-1--1"])
def test_what_names_no_part_opens_none(chat, opened):
    assert chat.get("prompt/", open=opened).status == 200


def test_parts_fold_by_a_link(chat):
    page = chat.get("prompt/")
    assert page.soup.select("details.part[open]")
    fold = next(link for link in page.soup.select(".orders a") if link.get_text() == "Fold all")
    assert "folded=1" in fold["href"]
    folded = chat.get("prompt/", folded="1")
    assert not folded.soup.select("details.part[open]")
    assert "Unfold all" in folded.text


def test_what_is_not_loaded_is_in_the_bar_and_the_cut_in_the_text(tmp_path, desk):
    root = tmp_path / "atlas"
    (root / "memory").mkdir(parents=True)
    (root / "SOUL.md").write_text("# Soul\nBe calm.\n")
    (root / "AGENTS.md").write_text("# Agents\nRead it.\n")
    (root / "MEMORY.md").write_text("# Memory\n\n" + "".join(f"- Fact number {at:04}\n" for at in range(2000)))
    bot = registry.add(root, name="Atlas")
    page = desk._page(desk.client.get(f"/{bot.slug}/prompt/"))
    lost = int(re.match(r"[\d,]+", page.soup.select_one(".lost").get_text())[0].replace(",", ""))
    priced = build.build(bot, None)
    (missing,) = unloaded(priced, BotMemory(bot))
    assert lost == priced.counter.count(missing.text)
    whole = (root / "MEMORY.md").read_text()
    assert (
        whole.replace(missing.text, "", 1).rstrip()
        == "".join(line.text for line in priced.lines if line.path == "MEMORY.md").rstrip()
    )
    bars = page.soup.select(".shares rect")
    assert bars[-2]["fill"] == "url(#hatch)"
    assert int(bars[-2]["width"]) == pytest.approx(1000 * lost / (lost + priced.tokens), abs=2)
    cut = page.soup.select_one("#cut.stops")
    assert "skips some lines here" in cut.get_text()
    assert cut.a["href"].endswith("/documents/MEMORY.md")
    assert page.soup.select_one('.orders a[href="#cut"]')
    parts = [link["href"] for link in page.soup.select(".legend a")]
    assert parts == [link["href"] for link in page.soup.select(".shares a")]
    assert [page.soup.select_one(part)["id"] for part in parts] == [part.removeprefix("#") for part in parts]
    assert page.soup.select_one(parts[0]).summary.get_text().startswith("## AGENTS.md")
    assert parts[-1] == "#cut"
    by_cost = desk._page(desk.client.get(f"/{bot.slug}/prompt/?by=cost"))
    assert not by_cost.soup.select(".legend a, .shares a[href]")


@pytest.mark.parametrize("number", ["0", "-1", "99999", "x", ""])
def test_page_that_is_none_shows_one_that_is(chat, number):
    assert chat.get("prompt/", page=number).status == 200


def test_memory_that_is_gone_is_said_in_words(chat):
    chat.root.rename(chat.root.with_name("elsewhere"))
    page = chat.get("prompt/")
    assert page.status == 200
    assert (
        "The directory is missing, so what the bot reads now isn’t known."
        in page.soup.select_one("#refusal").get_text()
    )
    assert "0 tokens" not in page.text
    assert str(chat.root) not in page.text


def test_empty_memory_is_shown_with_the_instructions_where_the_bot_gives_them(desk):
    (desk.root / "MEMORY.md").unlink()
    page = desk.get("prompt/")
    assert "How to remember things" not in page.text  # before 0.7 the bot says nothing of a memory that is empty
    assert page.soup.find(id="left-out") is None
    assert "No facts yet" in page.text
    desk.bot.settings = {"version": "0.7"}
    desk.bot.save()
    assert "Memory tags" in desk.get("prompt/").text
    assert "No facts yet" in desk.get("prompt/", by="cost").text


@pytest.mark.parametrize("by", ["", "cost"])
def test_page_costs_the_same_however_much_there_is(chat, by, django_assert_max_num_queries):
    for ago in range(1, 45):
        chat.write(f"chats/{CHAT}/{day(ago)}.md", "## 09:00 — One\n\n" * 3)
        chat.write(f"{day(ago)}.md", "## 09:00 — One\n\n" * 3)
    chat.indexed()
    chat.get("prompt/", by=by)
    with django_assert_max_num_queries(32):
        chat.client.get("/keno/prompt/", {"by": by})
