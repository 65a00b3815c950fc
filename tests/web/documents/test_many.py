"""Acts on selected facts as pages: what would be done is shown first, and only that is done."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.llm import budget
from memory.models import ChangeSet, ChatName

DAY = "2026-02-07.md"
LOG = "# 2026-02-07\n\n## 09:00 — One\n\n## 09:30 — Two\n\n## 10:00 — Three\n\n"
MEMORY = "# Memory\n\n## Home\n\n- Lives in Porto\n\n## Work\n\n- Paints boats\n"
HERE = "/keno/facts/MEMORY.md"


@pytest.fixture
def bot(desk):
    desk.write("MEMORY.md", MEMORY)
    desk.write(DAY, LOG)
    desk.write("chats/tg-1/MEMORY.md", "- Likes tea\n")
    desk.indexed()
    return desk


def names(bot, path):
    return [box["value"] for box in bot.get(f"facts/{path}").soup.select(".facts .select")]


def options(page, field):
    return [one.get_text() for one in page.soup.select(f"select[name={field}] option")]


def confirm(bot, page, **more):
    """Press the filled button of a shown act."""
    form = page.soup.select_one(".acting form")
    sent = {one["name"]: one.get("value", "") for one in form.select("input[name]")}
    for field in form.select("select[name]"):
        picked = field.select_one("option[selected]") or field.option
        sent[field["name"]] = picked["value"]
    sent |= {"print": form.select_one("button[name=print]")["value"], **more}
    sent.pop("csrfmiddlewaretoken", None)
    return bot.post(form["action"].removeprefix("/keno/"), **sent)


def test_facts_of_a_log_go_under_a_heading_after_a_look(bot):
    page = bot.post("entry/move", fact=names(bot, DAY)[:2], heading="Home", next=HERE)
    assert page.soup.h1.get_text() == "Move 2 facts"
    assert options(page, "to") == ["Long-term memory", "tg-1: its own memory"]
    assert options(page, "heading") == ["at the end", "Memory", "Home", "Work"]
    assert "Changes 2 files." in page.text
    assert {one.get_text() for one in page.soup.select("section h2.mono")} == {"MEMORY.md", DAY}
    assert (bot.read(), bot.read(DAY)) == (MEMORY, LOG)
    told = confirm(bot, page)
    assert "Moved 2 facts" in told.text
    assert bot.read() == MEMORY.replace("Porto\n", f"Porto\n- {DAY[:10]} 09:00 — One\n- {DAY[:10]} 09:30 — Two\n")
    bot.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert (bot.read(), bot.read(DAY)) == (MEMORY, LOG)


def test_the_shared_memory_is_another_place_for_a_fact_of_a_chat(bot):
    bot.write(f"chats/tg-1/{DAY}", LOG)
    bot.indexed()
    page = bot.post("entry/move", fact=names(bot, f"chats/tg-1/{DAY}")[:1], next=HERE)
    assert options(page, "to") == ["tg-1: its own memory", "Shared long-term memory"]
    confirm(bot, page)
    assert "One" in bot.read("chats/tg-1/MEMORY.md")


def test_facts_go_to_a_chat_by_what_people_call_it(bot):
    ChatName.objects.create(bot=bot.bot, scope="tg-1", name="Family")
    facts = names(bot, "MEMORY.md")
    page = bot.post("entry/move", fact=facts)
    assert options(page, "to") == ["Family: its own memory", "Shared long-term memory"]
    assert confirm(bot, page).status == 200
    assert bot.read("chats/tg-1/MEMORY.md") == "- Likes tea\n- Lives in Porto\n- Paints boats\n"
    assert bot.read() == "# Memory\n\n## Home\n\n## Work\n\n"


def test_of_many_chats_one_is_named(bot):
    for number in range(60):
        bot.write(f"chats/tg-{number}/MEMORY.md", "- Likes tea\n")
    bot.indexed()
    facts = names(bot, "MEMORY.md")
    assert "Another chat: its own memory" in options(bot.post("entry/move", fact=facts), "to")
    page = bot.post("entry/move", fact=facts, to="chat:", chat="tg-59")
    confirm(bot, page)
    assert bot.read("chats/tg-59/MEMORY.md") == "- Likes tea\n- Lives in Porto\n- Paints boats\n"


@pytest.mark.parametrize("chat", ["", "nobody", "../x", "\0", "x" * 300])
def test_chat_that_is_none_moves_nothing(bot, chat):
    for number in range(60):
        bot.write(f"chats/tg-{number}/MEMORY.md", "- Likes tea\n")
    bot.indexed()
    page = bot.post("entry/move", fact=names(bot, "MEMORY.md"), to="chat:", chat=chat, print="f" * 64)
    assert page.soup.select_one("button[name=print]") is None
    assert bot.read() == MEMORY


def test_fact_goes_under_another_heading_of_its_file(bot):
    page = bot.post("entry/move", fact=names(bot, "MEMORY.md")[0], to="shared")
    assert "It is there already." in page.text
    confirm(bot, bot.post("entry/move", fact=names(bot, "MEMORY.md")[0], to="shared", heading="Work"))
    assert bot.read() == "# Memory\n\n## Home\n\n## Work\n\n- Paints boats\n- Lives in Porto\n"


def test_what_changed_since_it_was_shown_is_shown_again(bot):
    page = bot.post("entry/move", fact=names(bot, DAY)[:1])
    bot.write("MEMORY.md", MEMORY + "- New\n")
    again = confirm(bot, page)
    assert "This would now write something else." in again.soup.select_one("[role=alert]").get_text()
    assert bot.read() == MEMORY + "- New\n"
    confirm(bot, again)
    assert bot.read().endswith(f"- New\n- {DAY[:10]} 09:00 — One\n")


def test_choosing_another_target_writes_nothing_unseen(bot):
    page = bot.post("entry/move", fact=names(bot, DAY)[:1])
    again = confirm(bot, page, to="chat:tg-1")
    assert "This would now write something else." in again.text
    assert (bot.read(), bot.read(DAY)) == (MEMORY, LOG)


@pytest.mark.database
def test_a_large_difference_of_an_act_is_shown_in_pages(bot):
    large = "".join(f"## 10:30 — Boat {number} {'olive ' * 600}\n\n" for number in range(50))
    bot.write(DAY, large)
    bot.indexed()
    seen, facts = set(), names(bot, DAY)
    page = bot.post("entry/forget", fact=facts)
    while page:
        assert len(page.response.content) < 200_000
        seen |= {row.get_text() for row in page.soup.select("table.unified tr.removed td.text")}
        after = page.soup.find("button", string="Next")
        assert after is None or (after["form"], after["name"], after["type"]) == (
            "act",
            "page",
            "submit",
        )  # or htmx sends no name
        page = bot.post("entry/forget", fact=facts, page=after["value"]) if after else None
    assert len({row for row in seen if "Boat" in row}) == 50
    assert bot.read(DAY) == large


def test_all_that_a_search_finds_is_taken(bot):
    bot.write(DAY, "".join(f"## {9 + n // 60:02}:{n % 60:02} — Boat number {n}\n\n" for n in range(30)))
    bot.indexed()
    page = bot.get("search/", q='"boat number"')
    assert page.soup.select_one("input[name=matching]")["value"] == '"boat number"'
    assert len(page.soup.select(".facts .select")) == 20
    shown = bot.post("entry/forget", matching='"boat number"', next=HERE)
    assert shown.soup.h1.get_text() == "Forget 30 facts?"
    confirm(bot, shown)
    assert not (bot.root / DAY).exists()
    assert bot.read() == MEMORY


def test_fact_that_is_gone_moves_nothing_with_it(bot):
    gone = f"{'0' * 32}:0:MEMORY.md"
    page = bot.post("entry/move", fact=[*names(bot, DAY), gone])
    assert "This fact no longer exists" in page.text
    assert bot.read(DAY) == LOG


@pytest.mark.parametrize("fact", ["", "x", "../..:0:x", "\0", f"{'f' * 32}:0:~00"])
def test_what_names_no_fact_is_refused_in_words(bot, fact):
    assert bot.post("entry/move", fact=fact).status == 200
    assert bot.read() == MEMORY


def test_facts_are_merged_into_a_wording_that_is_shown_first(bot):
    facts = [*names(bot, "MEMORY.md"), *names(bot, "chats/tg-1/MEMORY.md")]
    page = bot.post("entry/merge", fact=facts)
    assert page.soup.h1.get_text() == "Merge 3 facts"
    assert page.soup.select_one(".acting textarea").get_text().strip() == "Lives in Porto"
    assert "This wording leaves out: Paints, boats, Likes, tea" in page.text
    assert page.soup.select_one("button[name=suggest]") is None
    text = "Lives in Porto, paints boats and likes tea"
    shown = bot.post("entry/merge", fact=facts, text=text)
    assert "This wording leaves out" not in shown.text
    assert "Merged 3 facts" in confirm(bot, shown, text=text).text
    assert bot.read() == MEMORY.replace("Lives in Porto", text).replace("- Paints boats\n", "")
    bot.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert (bot.read(), bot.read("chats/tg-1/MEMORY.md")) == (MEMORY, "- Likes tea\n")


def test_the_newest_wording_is_offered_for_a_merged_fact(bot):
    bot.write("MEMORY.md", "- The office is in Rua do Sol 5 in Porto\n- 2026-03-02 — Office: Rua B 9\n")
    bot.indexed()
    page = bot.post("entry/merge", fact=names(bot, "MEMORY.md"))
    assert page.soup.select_one(".acting textarea").get_text().strip().endswith("Office: Rua B 9")


def test_model_is_asked_for_a_wording_where_there_is_one(bot, settings, monkeypatch):
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9", "m"
    monkeypatch.setattr(budget, "ask_json", lambda *_args, check, **_more: check({"text": "Lives in Porto"}))
    facts = names(bot, "MEMORY.md")
    assert bot.post("entry/merge", fact=facts).soup.select_one("button[name=suggest]")
    page = bot.post("entry/merge", fact=facts, suggest="yes")
    assert "The model left out: Paints, boats." in page.soup.select_one("[role=alert]").get_text()
    assert bot.read() == MEMORY


def test_one_fact_is_not_merged(bot):
    assert "Select two facts or more" in bot.post("entry/merge", fact=names(bot, "MEMORY.md")[:1]).text


def test_a_fact_that_is_one_is_asked_for_its_parts_without_a_complaint(bot):
    one = names(bot, "MEMORY.md")[0]
    page = bot.post("entry/split", one=one)
    assert page.soup.select_one(".acting textarea").get_text().strip() == "Lives in Porto"
    assert page.soup.select_one(".acting .problem") is None
    assert bot.post("entry/split", fact=one, parts="Lives in Porto").soup.select_one(".acting .problem")


def test_fact_is_split_into_lines_that_are_shown_first(bot):
    bot.write("MEMORY.md", "- Lives in Porto. Paints boats.\n")
    page = bot.post("entry/split", one=names(bot, "MEMORY.md")[0])
    assert page.soup.select_one("textarea").get_text().strip() == "Lives in Porto.\nPaints boats."
    told = confirm(bot, page, parts="Lives in Porto\nPaints boats")
    assert "This would now write something else." in told.text
    assert "Split into 2 facts" in confirm(bot, told, parts="Lives in Porto\nPaints boats").text
    assert bot.read() == "- Lives in Porto\n- Paints boats\n"


def test_pinned_facts_are_marked_listed_and_let_go_by_the_same_press(bot):
    facts = names(bot, "MEMORY.md")
    assert "Pinned 1 fact" in bot.post("entry/pin", one=facts[0], next=HERE).text
    marked = [row.select_one(".chip") is not None for row in bot.get("facts/MEMORY.md").soup.select(".facts > li")]
    assert marked == [True, False]
    page = bot.post("entry/pin", fact=facts, next=HERE)
    assert page.soup.h1.get_text() == "Pin 2 facts"
    assert len(page.soup.select(".acting .rows li")) == 2
    assert "No file changes." in page.text
    assert len(bot.get("pinned").soup.select(".facts > li")) == 1
    assert "Pinned 2 facts" in confirm(bot, page).text
    assert len(bot.get("pinned").soup.select(".facts > li")) == 2
    page = bot.post("entry/pin", fact=facts, next=HERE)
    assert page.soup.h1.get_text() == "Unpin 2 facts"
    assert "Unpinned 2 facts" in confirm(bot, page).text
    assert "Nothing is pinned" in bot.get("pinned").text
    assert bot.read() == MEMORY


def test_pin_says_how_many_others_say_the_same_and_what_it_does_not_keep(bot):
    bot.write("procedural/patterns.json", "[]")
    bot.write(DAY, LOG + "## 11:00 — Lives in Porto\n\n")
    bot.indexed()
    page = bot.post("entry/pin", fact=names(bot, "MEMORY.md"), next=HERE)
    assert "1 other fact says the same and is pinned, too." in page.text
    assert "1 is in a log that KenoBot deletes by itself, and goes with it." in page.text
    told = confirm(bot, page)
    assert "Pinned 2 facts and 1 that says the same. 1 is in a log that KenoBot deletes" in told.text


def test_pins_are_a_change_of_the_history_that_is_undone_and_redone(bot):
    facts = names(bot, "MEMORY.md")
    told = confirm(bot, bot.post("entry/pin", fact=facts, next=HERE))
    change = ChangeSet.objects.latest("pk")
    assert told.soup.select_one("#messages form")["action"] == f"/keno/changes/{change.pk}/undo"
    page = bot.get(f"changes/{change.pk}")
    assert page.soup.h1.get_text() == "Pinned 2 facts"
    assert [one.get_text() for one in page.soup.select(".rows .fact")] == ["Lives in Porto", "Paints boats"]
    assert "Go back to this version" not in page.text
    assert "Undone: Pinned 2 facts" in bot.post(f"changes/{change.pk}/undo").text
    assert "Nothing is pinned" in bot.get("pinned").text
    assert "undone" in bot.get("history").soup.select_one(f"li:has(a[href$='/{change.pk}'])").text
    assert "undone" in bot.get("").soup.select_one(f"li:has(a[href$='/{change.pk}'])").text
    bot.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert len(bot.get("pinned").soup.select(".facts > li")) == 2


def test_no_list_of_changes_reads_which_facts_were_pinned(bot):
    """One change may name 40,000 of them, and each undo and redo names them again."""
    facts = names(bot, "MEMORY.md")
    confirm(bot, bot.post("entry/pin", fact=facts, next=HERE))
    for _ in range(4):
        bot.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    for page in ("", "history"):
        with CaptureQueriesContext(connection) as asked:
            assert bot.get(page).status == 200
        read = [one["sql"] for one in asked.captured_queries if '."details",' in one["sql"].partition(" FROM ")[0]]
        assert read == []


def test_pin_that_would_mark_something_else_by_now_is_shown_again(bot):
    page = bot.post("entry/pin", fact=names(bot, "MEMORY.md"), next=HERE)
    bot.write(DAY, LOG + "## 11:00 — Lives in Porto\n\n")
    bot.indexed()
    assert "This would now write something else." in confirm(bot, page).soup.select_one("[role=alert]").get_text()
    assert "Nothing is pinned" in bot.get("pinned").text


def test_facts_with_a_hidden_secret_are_worded_by_nobody_who_does_not_see_it(bot):
    bot.write(
        "MEMORY.md", "- The wifi password: hunter2\n- The mail password: Swordfish; key sk-proj-abcdefghij1234567890\n"
    )
    bot.indexed()
    some = names(bot, "MEMORY.md")
    for page in (
        bot.post("entry/merge", fact=some, next=HERE),
        bot.post("entry/merge", fact=some, text="Nothing", next=HERE),
        bot.post("entry/split", fact=some[1], next=HERE),
        bot.post("entry/split", fact=some[0], parts="a\nb", next=HERE),
    ):
        assert "Show it to edit the text." in page.text
        assert not any(said in page.text for said in ("hunter2", "Swordfish", "sk-proj-abcdefghij1234567890"))
    bot.post("secrets/show", next=HERE)
    assert "Swordfish" in bot.post("entry/merge", fact=some, next=HERE).soup.textarea.get_text()


def test_what_one_chat_alone_knows_is_said_to_become_shared(bot):
    own, shared = names(bot, "chats/tg-1/MEMORY.md")[0], names(bot, "MEMORY.md")
    words = "What one chat alone knows becomes shared with all chats."
    assert words in bot.post("entry/merge", fact=[own, shared[0]]).text
    assert words in bot.post("entry/move", fact=[own], to="shared").text
    assert words not in bot.post("entry/merge", fact=shared).text
    assert words not in bot.post("entry/move", fact=shared[:1], to="chat:tg-1").text


def test_what_one_chat_alone_knows_is_said_to_become_known_to_another(bot):
    bot.write("chats/tg-2/MEMORY.md", "- Likes coffee\n")
    bot.indexed()
    own = names(bot, "chats/tg-1/MEMORY.md")[0]
    words = "What another chat alone knows becomes known to tg-2."
    assert words in bot.post("entry/move", fact=[own], to="chat:tg-2").text
    assert bot.read("chats/tg-1/MEMORY.md") == "- Likes tea\n"
