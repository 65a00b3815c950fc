"""Facts as rows: listed, searched, mended in place, forgotten, promoted, added."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.bots import open_bot
from memory.web.base.fact_rows import fact_name

LOG = "# 2026-02-07\n\n## 09:00 — One\n\n## 09:30 — Two <b>bold</b>\n\n- loose\n"
DAY = "2026-02-07.md"


def rows(page):
    return page.soup.select(".facts > li[data-row]")


def name(page, text):
    """The name of the fact that says this."""
    row = next(row for row in rows(page) if text in row.select_one(".fact").get_text())
    return row.select_one(".select")["value"]


def press(desk, page, words, text, **more):
    """Press a row's button."""
    row = next(row for row in rows(page) if text in row.select_one(".fact").get_text())
    button = next(button for button in row.find_all("button") if button.get_text() == words)
    form = row.find_parent("form")
    fields = {"next": form.find("input", {"name": "next"})["value"], "one": button["value"], **more}
    return desk.post((button.get("formaction") or form["action"]).removeprefix("/keno/"), **fields)


def test_facts_are_listed_with_place_time_and_cost(desk):
    desk.write(DAY, LOG)
    page = desk.get(f"facts/{DAY}")
    assert [row.select_one(".fact").get_text() for row in rows(page)] == ["One", "Two <b>bold</b>\n\n- loose Show all"]
    assert [row.time.get_text() for row in rows(page)] == ["09:00", "09:30"]
    assert "line 3" in rows(page)[0].get_text()
    assert "1 token" in rows(page)[0].get_text()
    assert "timed" in page.soup.select_one(".facts")["class"]


def test_document_without_times_has_no_column_for_them(desk):
    page = desk.get("facts/MEMORY.md")
    assert page.soup.select(".facts time") == []
    assert "timed" not in page.soup.select_one(".facts")["class"]
    assert page.soup.select("[formaction='/keno/entry/promote']") == []


def test_every_row_has_a_label_and_belongs_to_one_form(desk):
    desk.write(DAY, LOG)
    page = desk.get(f"facts/{DAY}")
    assert page.soup.select(".select")
    for box in page.soup.select(".select"):
        assert (box["aria-label"], box.parent.name) == ("Select", "label")
    assert len(page.soup.select("form.entries")) == 1
    assert len(page.soup.select("form.entries input[name=csrfmiddlewaretoken]")) == 1


def test_search_finds_marks_and_says_when_there_is_nothing(desk):
    desk.write("MEMORY.md", "".join(f"- fact {n} of Oaxaca & more\n" for n in range(20)))
    page = desk.get("facts/MEMORY.md", q="oaxaca & m")
    assert len(rows(page)) == 20
    assert rows(page)[0].mark.get_text() == "Oaxaca & m"
    assert "20 facts contain “oaxaca & m”" in page.text
    nothing = desk.get("facts/MEMORY.md", q="<script>")
    assert "No facts contain “<script>”" in nothing.text


def test_long_list_is_paged_and_long_text_is_cut(desk):
    desk.write("MEMORY.md", "".join(f"- fact {n}\n" for n in range(130)) + f"- {'long ' * 400}end\n")
    assert len(rows(desk.get("facts/MEMORY.md"))) == 50
    page = desk.get("facts/MEMORY.md", page="3")
    assert len(rows(page)) == 31
    text = rows(page)[-1].select_one(".fact")
    assert len(text.get_text()) < 800
    whole = desk.client.get(text.a["href"] + "&whole=1", headers={"HX-Request": "true"}).content.decode()
    assert "long end</p>" in whole


def test_hit_far_behind_in_a_long_text_is_shown(desk):
    desk.write("MEMORY.md", f"- {'long ' * 400}needle {'tail ' * 400}\n")
    assert rows(desk.get("facts/MEMORY.md", q="needle"))[0].mark.get_text() == "needle"


def test_page_costs_the_same_statements_however_many_facts(desk):
    counts = []
    for number in (2, 90):
        desk.write(DAY, "".join(f"## 09:{n % 60:02} — Fact {n}\n\n" for n in range(number)))
        desk.get(f"facts/{DAY}")
        with CaptureQueriesContext(
            connection,
        ) as asked:
            desk.get(f"facts/{DAY}")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_unreadable_document_is_said_and_its_facts_stay(desk):
    desk.write(DAY, LOG)
    desk.get(f"facts/{DAY}")
    (desk.root / DAY).unlink()
    (desk.root / DAY).mkdir()
    page = desk.get(f"facts/{DAY}")
    assert page.status == 200
    assert f"{DAY} is a directory, not a file." in page.text
    assert len(rows(page)) == 2


def test_what_is_no_document_is_not_found(desk):
    assert desk.get("facts/notes.txt").status == 404
    assert desk.get("facts/2026-02-08.md").status == 200
    assert "This file doesn’t exist yet" in desk.get("facts/2026-02-08.md").text


def test_entry_is_reworded_on_its_own_page_and_undone(desk):
    desk.write(DAY, LOG)
    page = desk.get(f"facts/{DAY}")
    edit = desk.get(rows(page)[0].select_one("[data-edit]")["href"].removeprefix("/keno/"))
    assert edit.field == "One"
    assert edit.soup.h1.get_text() == "Fact"
    button = edit.soup.select_one("[data-save]")
    back = edit.soup.select_one("main form input[name=next]")["value"]
    after = desk.post("entry/edit", one=button["value"], text="Uno\r\ndos", next=back)
    assert desk.read(DAY) == LOG.replace("One", "Uno\ndos")
    assert after.soup.select_one(".toast.success").p.get_text() == "Saved"
    assert len(rows(after)) == 2
    desk.post(after.soup.select_one(".toast form")["action"].removeprefix("/keno/"))
    assert desk.read(DAY) == LOG


def test_text_that_cannot_stand_is_handed_back(desk):
    desk.write("MEMORY.md", "prose\n")
    fact = name(desk.get("facts/MEMORY.md"), "prose")
    page = desk.post("entry/edit", one=fact, text="two\n\nparagraphs")
    assert page.status == 422
    assert page.field == "two\n\nparagraphs"
    assert "The text wouldn’t stay one fact here" in page.soup.select_one("[role=alert]").get_text()
    assert desk.read() == "prose\n"


def test_htmx_is_handed_the_field_again(desk):
    desk.write("MEMORY.md", "prose\n")
    fact = name(desk.get("facts/MEMORY.md"), "prose")
    page = desk.post("entry/edit", htmx=True, one=fact, text="two\n\nparagraphs")
    assert page.response.headers["HX-Retarget"] == "#entry-field"
    assert page.soup.find("html") is None
    assert page.field == "two\n\nparagraphs"


def test_emptied_text_asks_whether_to_forget(desk):
    fact = name(desk.get("facts/MEMORY.md"), "Google")
    page = desk.post("entry/edit", one=fact, text=" \r\n")
    assert "The text is empty. Forget this fact?" in page.text
    assert "Google" in desk.read()
    button = page.soup.select_one("button[formaction='/keno/entry/forget']")
    desk.post("entry/forget", one=button["value"])
    assert "Google" not in desk.read()


def test_one_entry_is_forgotten_at_once_and_undone(desk):
    desk.write(DAY, LOG)
    page = press(desk, desk.get(f"facts/{DAY}"), "Forget", "One")
    assert desk.read(DAY) == LOG.replace("## 09:00 — One\n\n", "")
    assert page.soup.select_one(".toast.success").p.get_text() == "Forgotten"
    assert len(rows(page)) == 1
    assert "One removed" in desk.get("history/").text


def test_many_are_forgotten_after_a_look_at_some_of_them(desk):
    desk.write("MEMORY.md", "".join(f"- fact {n}\n" for n in range(8)))
    facts = [row.select_one(".select")["value"] for row in rows(desk.get("facts/MEMORY.md"))][:7]
    page = desk.post("entry/forget", fact=facts, next="/keno/facts/MEMORY.md")
    assert "Forget 7 facts?" in page.text
    assert "And 2 more" in page.text
    assert [row.get_text() for row in page.soup.select(".acting .rows .fact")] == [f"fact {n}" for n in range(5)]
    assert len(page.soup.select(".sides td.text.removed")) == 7
    assert desk.read().count("\n") == 8
    named = [field["value"] for field in page.soup.select("input[name=fact]")]
    shown = page.soup.select_one("button[name=print]")["value"]
    page = desk.post("entry/forget", fact=named, print=shown, next="/keno/facts/MEMORY.md")
    assert desk.read() == "- fact 7\n"
    assert "Forgot 7 facts" in page.text


def test_entry_is_promoted_into_long_term_memory(desk):
    desk.write(DAY, LOG)
    page = press(desk, desk.get(f"facts/{DAY}"), "Move to long-term", "One")
    assert desk.read().endswith(f"- Likes Google Docs\n- {DAY[:10]} 09:00 — One\n")
    assert "One" not in desk.read(DAY)
    assert "Moved to long-term" in page.text


def test_what_is_said_already_is_not_promoted(desk):
    desk.write(DAY, "## 09:00 — likes google docs.\n\n")
    page = press(desk, desk.get(f"facts/{DAY}"), "Move to long-term", "likes")
    assert "MEMORY.md already says this in line 5." in page.soup.select_one(".toast.error").get_text()


def test_fact_is_added_where_there_is_a_field_for_it(desk):
    page = desk.get("facts/MEMORY.md")
    form = page.soup.select_one(".fact-add")
    page = desk.post(
        "entry/add", path=form.find("input", {"name": "path"})["value"], text="Likes tea", next="/keno/facts/MEMORY.md"
    )
    assert desk.read().endswith("- Likes Google Docs\n- Likes tea\n")
    assert page.soup.select_one(".toast.success").p.get_text() == "Added"
    today = f"{open_bot(desk.bot).today()}.md"
    desk.post("entry/add", path=today, text="Hello")
    assert desk.read(today).endswith(" — Hello\n\n")
    assert desk.get(f"facts/{DAY}").soup.select_one(".fact-add") is None


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (DAY, "Facts can only be added to today’s log, so that dates stay true."),
        ("working/a.md", "one text that the bot replaces as a whole"),
        ("x.txt", "This bot has no file with that name."),
        ("", "This bot has no file with that name."),
    ],
)
def test_addition_that_is_refused_keeps_what_was_typed(desk, path, why):
    page = desk.post("entry/add", path=path, text="Hello")
    assert page.status == 422
    assert why in page.text
    assert page.field == "Hello"


def test_entry_that_is_gone_is_said(desk):
    desk.write(DAY, LOG)
    page = desk.get(f"facts/{DAY}")
    edit = rows(page)[0].select_one("[data-edit]")["href"]
    desk.write(DAY, LOG.replace("One", "Uno"))
    assert "This fact no longer exists or was changed." in press(desk, page, "Forget", "One").text
    assert "no longer in memory" in desk.get(edit.removeprefix("/keno/")).text
    typed = desk.post("entry/edit", one=name(page, "One"), text="My words")
    assert "This fact no longer exists or was changed." in typed.text
    assert typed.field == "My words"


@pytest.mark.parametrize("fields", [{}, {"one": "nonsense"}, {"fact": ["", "a:b:c"]}, {"one": "0" * 32 + ":1:~"}])
def test_damaged_forms_change_nothing(desk, fields):
    before = desk.read()
    for act in ("edit", "forget", "promote"):
        page = desk.post(f"entry/{act}", text="x", **fields)
        assert page.status in (200, 422)
    assert desk.read() == before
    assert desk.get("entry", fact="nonsense").status == 404
    assert desk.get("entry").status == 404


def test_odd_names_of_chats_survive_forms_and_addresses(desk):
    path = 'chats/a\r\n"<b>&~%~41é?#/2026-02-07.md'
    desk.write(path, "## 09:00 — Odd\n\n")
    fact = open_bot(desk.bot).dialect.facts(path, (desk.root / path).read_bytes())[0]
    odd = fact_name(path, fact.key, fact.nth)
    assert desk.get("entry", fact=odd).field == "Odd"
    desk.post("entry/edit", one=odd, text="Even")
    assert desk.read(path) == "## 09:00 — Even\n\n"


def test_text_that_is_no_utf8_is_shown_and_not_edited(desk):
    desk.write("MEMORY.md", b"- caf\xe9\n- ok\n")
    page = desk.get("facts/MEMORY.md")
    fact = name(page, "ok")
    assert "Line 1 isn’t valid UTF-8." in desk.get("entry", fact=fact).text
    assert "Line 1 isn’t valid UTF-8." in desk.post("entry/forget", one=fact).text


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example"])
def test_back_leads_nowhere_else(desk, elsewhere):
    assert desk.client.post("/keno/entry/forget", {"next": elsewhere})["Location"] == "/keno/"
    main = desk.get("entry", next=elsewhere, fact=name(desk.get("facts/MEMORY.md"), "Google")).soup.main
    assert main.select_one("form.box input[name=next]")["value"] == "/keno/documents/MEMORY.md"
    assert "elsewhere" not in main.select_one("form.box").decode()


def test_acts_need_the_token(desk):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(desk.user)
    for act in ("add", "edit", "forget", "promote"):
        assert strict.post(f"/keno/entry/{act}", {"one": "x"}).status_code == 403


def test_the_address_of_a_line_opens_its_fact_on_its_page_without_a_script(desk):
    desk.write(DAY, "".join(f"## 09:{n % 60:02} — Note {n}\n\n- more of {n}\n- **and** more\n\n" for n in range(130)))
    desk.indexed()
    response = desk.client.get(f"/keno/facts/{DAY}?line=301")
    address, _hash, row = response["Location"].partition("#")
    page = desk._page(desk.client.get(address))
    (opened,) = page.soup.select(".facts > li:has(.fold[open])")
    assert opened["id"] == row
    assert opened.select_one(".prose strong").get_text() == "and"
    assert "51–100 of 130" in page.text or "101–130 of 130" in page.text
    turned = desk._page(desk.client.get(f"{address}&page=1"))
    assert turned.soup.find(id=row) is None
    assert desk.get(f"facts/{DAY}", at="1-2-3").status == 200


@pytest.mark.parametrize("lines", [3000, 20_000])
def test_nothing_of_a_fact_that_is_too_much_to_be_laid_out_is_lost(desk, lines):
    desk.write(DAY, "## 09:00 — Heartbeat\n\n" + "".join(f"- **{n}** w\n" for n in range(lines)))
    desk.indexed()
    (link,) = desk.get(f"facts/{DAY}").soup.select("[data-whole]")
    soup = desk._page(desk.client.get(link["href"] + "&whole=1", headers={"HX-Request": "true"})).soup
    assert soup.select_one(".prose > .rest > summary").get_text() == "Show the rest"
    assert len(soup.select(".prose *")) <= 2010
    if lines == 3000:
        assert "- **2999** w" in soup.select_one(".rest pre").get_text()
    else:  # more than an entry's page shows
        assert soup.find("a", string="Show in file")["href"] == f"/keno/documents/{DAY}?line=1"


@pytest.mark.parametrize("before", range(0, 60, 4))
def test_no_row_begins_or_ends_within_a_secret(desk, before):
    words = "word " * 300
    long = f"- {words[: 670 + before]} the password: Hunter-TAIL9876# {words} boat {words}\n"
    far = f"- {words[:1250]} the password of the shed: Hunter9TAIL# {words[: 150 + before]} boat {words}\n"
    desk.write("MEMORY.md", long + far)
    desk.indexed()
    for asked in ({}, {"q": "boat"}):
        page = desk.get("facts/MEMORY.md", **asked)
        assert len(page.soup.select(".fact")) == 2
        assert not re.search("TAIL9876|9TAIL#|Hunter", page.text)
