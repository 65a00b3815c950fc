"""Editing a document: saving, drafts, what happens when the file moved on, what cannot be edited."""

from __future__ import annotations

import json
import os
import stat

import pytest

from memory.bots.opened import OpenBot
from memory.domain.changes import digest
from memory.domain.prompt import Limit
from memory.models import ChangeSet, Draft
from tests.web.conftest import MEMORY


def test_memory_shows_text_preview_and_base(desk):
    page = desk.get("memory")
    assert page.field == MEMORY
    assert page.base == desk.hash()
    assert page.soup.select_one("#preview li").get_text() == "Prefers concise responses"
    assert page.soup.select_one("#preview h2").get_text() == "KenoBot Memory"


def test_long_term_memory_says_how_much_of_it_the_bot_reads(desk, monkeypatch):
    head = desk.get("memory").soup.select_one(".head p").text
    assert head == "MEMORY.md · 2 facts · KenoBot reads all of it in every message"
    monkeypatch.setattr(OpenBot, "limit", Limit(10, cuts=True))
    assert "KenoBot reads the first 10 bytes" in desk.get("memory").soup.select_one(".head p").text


def test_save_writes_what_was_typed_and_offers_undo(desk):
    page = desk.save(MEMORY + "- Likes Go\n")
    assert desk.read() == MEMORY + "- Likes Go\n"
    assert "Saved MEMORY.md" in page.text
    made = ChangeSet.objects.get(kind="edit")
    assert made.by == "ana"
    undone = desk.post(page.soup.select_one(".toast form")["action"].removeprefix("/keno/"))
    assert desk.read() == MEMORY
    assert "Undone: " in undone.text


def test_save_of_browser_line_ends_changes_no_other_byte(desk):
    crlf = b"\xef\xbb\xbf- one\r\n- two\r\n- three  \r\n- no end"
    desk.write("MEMORY.md", crlf)
    page = desk.get("memory")
    desk.save(page.field.replace("- two", "- 2").replace("\n", "\r\n"), page.base)
    assert (desk.root / "MEMORY.md").read_bytes() == crlf.replace(b"- two", b"- 2")


def test_save_of_an_unchanged_text_writes_nothing_and_says_so(desk):
    page = desk.save(MEMORY.replace("\n", "\r\n"))
    assert "already says this" in page.text
    assert not ChangeSet.objects.filter(kind="edit").exists()


def test_save_by_htmx_answers_with_the_new_base(desk):
    page = desk.save(MEMORY + "- Likes Go\n", htmx=True)
    assert page.status == 200
    assert desk.hash() in page.response["HX-Trigger-After-Settle"]
    assert page.soup.find(id="messages")["hx-swap-oob"] == "true"
    assert "3 facts" in page.soup.find(id="of-file", attrs={"hx-swap-oob": "true"}).get_text()
    assert page.soup.find("html") is None


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("- A line\n", "Saved. One line added by someone else was kept."),
        ("- A line\n\n- Another\n", "Saved. 2 lines added by someone else were kept."),
    ],
)
def test_save_after_an_append_keeps_it_and_says_so(desk, added, said):
    base = desk.hash()
    desk.get("memory")
    desk.append("MEMORY.md", added)
    typed = MEMORY.replace("concise", "short") + "- Mine\n"
    page = desk.save(typed, base)
    assert page.status == 200
    assert said in page.text
    assert desk.read() == typed + added
    assert page.field == typed + added
    assert page.base == desk.hash()
    desk.post(page.soup.select_one(".toast form")["action"].removeprefix("/keno/"))
    assert desk.read() == MEMORY + added


def test_save_says_what_the_bot_added_by_its_own_form(desk):
    log = "2026-02-07.md"
    desk.write(log, "# 2026-02-07\n\n## 09:00 — One\n\n")
    shown = desk.get(f"documents/{log}")
    desk.append(log, "## 10:00 — Two\n\n")
    page = desk.save(shown.field.replace("One", "Uno"), shown.base, path=log)
    assert "Saved. One line added by the bot was kept." in page.text
    assert desk.read(log) == "# 2026-02-07\n\n## 09:00 — Uno\n\n## 10:00 — Two\n\n"
    spanish = desk.client.get(f"/keno/documents/{log}", headers={"Accept-Language": "es"})
    assert spanish.status_code == 200


def test_save_by_htmx_over_an_append_brings_the_desk_anew(desk):
    """Somebody who typed on keeps the field, and a base from which nothing of the bot's is taken away."""
    base = desk.hash()
    desk.get("memory")
    desk.append("MEMORY.md", "- Bot line\n")
    typed = MEMORY.replace("concise", "short")
    page = desk.save(typed, base, htmx=True)
    assert len(page.soup.select("#of-file[hx-swap-oob]")) == 1
    assert (page.response["HX-Retarget"], page.response["HX-Reswap"]) == ("#desk", "outerHTML")
    assert page.field == typed + "- Bot line\n"
    told = json.loads(page.response["HX-Trigger"])["kenoweb:saved"]["base"]
    assert told == digest(typed.encode())
    assert desk.save(typed + "- Typed on\n", told).status == 200
    assert sorted(desk.read().splitlines()) == sorted([*typed.splitlines(), "- Bot line", "- Typed on"])


@pytest.mark.parametrize("typed", [MEMORY.replace("Google Docs", "Go"), MEMORY.removesuffix("\n") + " and Go"])
def test_save_that_touches_the_line_that_the_bot_went_on_with_asks(desk, typed):
    desk.write("MEMORY.md", MEMORY.removesuffix("\n"))
    shown = desk.get("memory")
    desk.append("MEMORY.md", " of all kinds\n")
    page = desk.save(typed.removesuffix("\n"), shown.base)
    assert page.status == 409
    assert desk.read() == MEMORY.removesuffix("\n") + " of all kinds\n"


def test_save_that_leaves_the_line_alone_that_the_bot_went_on_with_is_joined(desk):
    desk.write("MEMORY.md", MEMORY.removesuffix("\n"))
    shown = desk.get("memory")
    desk.append("MEMORY.md", " of all kinds\n")
    assert desk.save(shown.field.replace("concise", "short"), shown.base).status == 200
    assert desk.read() == MEMORY.replace("concise", "short").removesuffix("\n") + " of all kinds\n"


def test_save_beside_a_rewrite_and_an_append_asks(desk):
    base = desk.hash()
    desk.get("memory")
    desk.write("MEMORY.md", MEMORY.replace("Docs", "Maps") + "- Bot line\n")
    page = desk.save(MEMORY.replace("concise", "short"), base)
    assert page.status == 409
    assert "2 lines added, 1 removed. They don’t touch your change." in page.text
    assert page.field == MEMORY.replace("concise", "short")
    assert page.base == base
    assert desk.read() == MEMORY.replace("Docs", "Maps") + "- Bot line\n"


def test_save_of_json_that_would_not_be_json_with_what_was_added_is_refused(desk):
    path = "procedural/patterns.json"
    desk.write(path, "[]\n")
    shown = desk.get(f"documents/{path}")
    desk.append(path, "[]\n")
    page = desk.save('[{"trigger": "a"}]\n', shown.base, path=path)
    assert page.status == 422
    assert desk.read(path) == "[]\n[]\n"


def test_merge_and_save_keeps_both(desk):
    base = desk.hash()
    desk.get("memory")
    desk.write("MEMORY.md", "- Theirs\n" + MEMORY)
    typed = MEMORY.replace("concise", "short")
    assert desk.save(typed, base).status == 409
    page = desk.post("merge/MEMORY.md", text=typed, base=base, save="yes")
    assert desk.read() == "- Theirs\n" + typed
    assert "Saved MEMORY.md" in page.text


def test_clash_offers_no_merge_and_overwriting_needs_a_second_word(desk):
    base = desk.hash()
    desk.get("memory")
    desk.write("MEMORY.md", MEMORY.replace("concise", "long"))
    mine = MEMORY.replace("concise", "short")
    page = desk.save(mine, base)
    assert page.status == 409
    assert "1 line added, 1 removed. They change the same lines as you." in page.text
    assert "Merge" not in page.text
    assert page.soup.select_one("#save").get_text(" ", strip=True).startswith("Save")
    theirs = desk.hash()
    asked = desk.post("overwrite/MEMORY.md", text=mine, base=base, theirs=theirs)
    assert "Replace their version with yours?" in asked.text
    assert "long" in desk.read()
    desk.post("overwrite/MEMORY.md", text=mine, base=base, theirs=theirs, confirmed="yes")
    assert desk.read() == mine


def test_overwrite_is_not_spent_on_a_newer_change(desk):
    base = desk.hash()
    desk.get("memory")
    desk.write("MEMORY.md", MEMORY.replace("concise", "long"))
    seen = desk.hash()
    desk.write("MEMORY.md", MEMORY.replace("concise", "longer still"))
    page = desk.post("overwrite/MEMORY.md", text=MEMORY + "- Mine\n", base=base, theirs=seen, confirmed="yes")
    assert page.status == 409
    assert "longer still" in desk.read()


def test_compare_shows_both_and_writes_nothing(desk):
    base = desk.hash()
    desk.get("memory")
    desk.write("MEMORY.md", MEMORY.replace("concise", "long"))
    page = desk.post("compare/MEMORY.md", text=MEMORY.replace("concise", "short"), base=base)
    assert [mark.get_text() for mark in page.soup.select(".sides del, .sides ins")] == ["long", "short"]
    assert "long" in desk.read()


def test_moved_says_nothing_until_the_file_moves(desk):
    base = desk.hash()
    assert desk.post("moved/MEMORY.md", htmx=True, text=MEMORY, base=base).status == 204
    desk.append("MEMORY.md", "- Bot line\n")
    page = desk.post("moved/MEMORY.md", htmx=True, text=MEMORY + "- Mine\n", base=base)
    assert "Something else added 1 line while you were editing." in page.text
    assert "It doesn’t touch your change." in page.text
    seen = page.soup.find("input", {"name": "theirs"})["value"]
    assert desk.post("moved/MEMORY.md", htmx=True, text=MEMORY, base=base, theirs=seen).status == 204


def test_save_becomes_merge_and_save_in_its_place_when_the_file_moves(desk):
    base = desk.hash()
    desk.get("memory")
    desk.append("MEMORY.md", "- Bot line\n")
    typed = MEMORY.replace("concise", "short")
    page = desk.post("moved/MEMORY.md", htmx=True, text=typed, base=base)
    (save,) = page.soup.select("#save[hx-swap-oob]")
    assert save.get_text(" ", strip=True).startswith("Merge and save")
    assert [one.get_text(strip=True) for one in page.soup.select(".notice :is(a, button)")] == ["Compare", "Reload"]
    assert not page.soup.select(".notice .filled")
    assert desk.client.post(save["formaction"], {"text": typed, "base": base}).status_code == 302
    assert desk.read() == typed + "- Bot line\n"


def test_merge_that_cannot_be_brings_the_bar_and_leaves_the_desk(desk):
    base = desk.hash()
    desk.get("memory")
    desk.write("MEMORY.md", MEMORY.replace("concise", "long"))
    answer = desk.client.post(
        "/keno/merge/MEMORY.md",
        {"text": MEMORY.replace("concise", "short"), "base": base},
        headers={"HX-Request": "true"},
    )
    assert (answer.status_code, answer["HX-Retarget"], answer["HX-Reswap"]) == (409, "#bar", "innerHTML")


def test_the_bot_is_named_by_its_name_and_how_many_lines_it_added(desk):
    base = desk.hash()
    desk.get("memory")
    desk.append("MEMORY.md", "- Bot line\n- Another\n")
    desk.post("step")
    ChangeSet.objects.filter(bot=desk.bot).update(by="looks like the bot", user=None)
    page = desk.post("moved/MEMORY.md", htmx=True, text=MEMORY, base=base)
    assert f"{desk.bot.name} added 2 lines while you were editing." in page.text
    desk.append("MEMORY.md", "- By somebody\n")
    page = desk.post("moved/MEMORY.md", htmx=True, text=MEMORY, base=base)
    assert "Something else added 3 lines while you were editing." in page.text


def test_what_looks_like_the_bots_is_its_own_before_the_history_has_seen_it(desk):
    note = "## 10:30 — Likes tea\n\n"
    desk.write("2026-11-01.md", note)
    base = desk.hash("2026-11-01.md")
    desk.get("documents/2026-11-01.md")
    desk.append("2026-11-01.md", "## 10:31 — Likes figs\n\n")
    page = desk.post("moved/2026-11-01.md", htmx=True, text=note, base=base)
    assert f"{desk.bot.name} added 1 line while you were editing." in page.text
    assert "You have no unsaved changes." in page.text


def test_two_browsers_saving_one_file_lose_nothing(desk):
    base = desk.hash()
    desk.save(MEMORY + "- From the first\n", base)
    page = desk.save(MEMORY.replace("concise", "short"), base)
    assert "Saved. One line added by someone else was kept." in page.text
    assert desk.read() == MEMORY.replace("concise", "short") + "- From the first\n"


def test_two_browsers_saving_the_same_line_are_asked(desk):
    base = desk.hash()
    desk.save(MEMORY.replace("concise", "long"), base)
    page = desk.save(MEMORY.replace("concise", "short"), base)
    assert page.status == 409
    assert "ana wrote to this file" in page.text
    assert desk.read() == MEMORY.replace("concise", "long")


def test_overwriting_keeps_what_came_behind_what_was_seen(desk):
    base = desk.hash()
    desk.get("memory")
    desk.write("MEMORY.md", MEMORY.replace("concise", "long"))
    desk.save(MEMORY.replace("concise", "short"), base)
    seen = desk.hash()
    desk.append("MEMORY.md", "- Bot line\n")
    mine = MEMORY.replace("concise", "short")
    desk.post("overwrite/MEMORY.md", text=mine, base=base, theirs=seen, confirmed="yes")
    assert desk.read() == mine + "- Bot line\n"


def test_draft_is_kept_offered_and_taken_in_another_browser(desk):
    desk.post("draft/MEMORY.md", htmx=True, text=MEMORY + "- Half a thou", base=desk.hash())
    page = desk.get("memory")
    assert "You have a draft from" in page.text
    assert page.field == MEMORY
    assert desk.get("documents/MEMORY.md", draft="1").field == MEMORY + "- Half a thou"
    assert desk.read() == MEMORY


def test_draft_goes_when_it_says_nothing_new_when_saved_and_when_discarded(desk):
    typed = MEMORY + "- More\n"
    for end in (
        lambda: desk.post("draft/MEMORY.md", htmx=True, text=MEMORY, base=desk.hash()),
        lambda: desk.post("discard/MEMORY.md"),
        lambda: desk.save(typed),
    ):
        desk.post("draft/MEMORY.md", htmx=True, text=typed, base=desk.hash())
        assert Draft.objects.count() == 1
        end()
        assert not Draft.objects.exists()


def test_draft_is_somebodys_own(desk, django_user_model):
    desk.post("draft/MEMORY.md", htmx=True, text=MEMORY + "- Secret\n", base=desk.hash())
    desk.client.force_login(django_user_model.objects.create_user("ben"))
    assert "draft" not in desk.get("memory").text


def test_draft_of_an_older_version_meets_the_newer_one(desk):
    base = desk.hash()
    desk.get("memory")
    desk.post("draft/MEMORY.md", htmx=True, text=MEMORY + "- Mine\n", base=base)
    desk.append("MEMORY.md", "- Bot line\n")
    page = desk.get("documents/MEMORY.md", draft="1")
    assert page.base == base
    assert "load" in page.soup.find(id="bar")["hx-trigger"]


def test_price_is_told_while_typing(desk):
    page = desk.post(
        "preview/MEMORY.md", htmx=True, text=MEMORY + "- A much longer line than before\n", base=desk.hash()
    )
    assert "→" in page.soup.find(id="price").get_text()
    assert "A much longer line" in page.text


def test_review_marks_the_changed_words(desk):
    page = desk.post("review/MEMORY.md", text=MEMORY.replace("concise", "short"), base=desk.hash())
    assert page.soup.select_one(".unified del").get_text() == "concise"
    assert page.soup.select_one(".unified ins").get_text() == "short"
    assert page.field == MEMORY.replace("concise", "short")
    assert desk.read() == MEMORY


def test_new_document_is_made_by_saving(desk):
    page = desk.get("documents/chats/telegram-1/MEMORY.md")
    assert "chats/telegram-1/MEMORY.md doesn’t exist yet. Saving creates it." in page.text
    desk.save("- Likes tea\n", "", "chats/telegram-1/MEMORY.md")
    assert desk.read("chats/telegram-1/MEMORY.md") == "- Likes tea\n"


def test_new_document_that_appeared_meanwhile_is_not_overwritten(desk):
    desk.write("2026-01-01.md", "## 10:00 — a\n\n")
    page = desk.save("mine\n", "", "2026-01-01.md")
    assert page.status == 409
    assert desk.read("2026-01-01.md") == "## 10:00 — a\n\n"


def test_removed_document_leaves_the_text_on_the_desk(desk):
    base = desk.hash()
    desk.get("memory")
    (desk.root / "MEMORY.md").unlink()
    page = desk.save(MEMORY + "- Mine\n", base)
    assert page.status == 409
    assert "removed while you were editing" in page.text
    assert page.field == MEMORY + "- Mine\n"
    assert not (desk.root / "MEMORY.md").exists()


def test_undecodable_document_is_shown_and_read_only(desk):
    desk.write("MEMORY.md", b"- good\n- caf\xe9\n")
    page = desk.get("memory")
    assert "Line 2 isn’t valid UTF-8." in page.text
    assert page.soup.find("textarea") is None
    answer = desk.save("- cafe\n")
    assert answer.status == 422
    assert (desk.root / "MEMORY.md").read_bytes() == b"- good\n- caf\xe9\n"
    assert desk.client.get("/keno/raw/MEMORY.md").content == b"- good\n- caf\xe9\n"


def test_large_document_is_shown_read_only_in_parts(desk):
    desk.write("MEMORY.md", "a line of some length in a very long file\n" * 120_000)
    page = desk.get("memory")
    assert "This file is over 4 MB, too large to edit in a browser." in page.text
    assert page.soup.select_one("nav.parting")
    assert page.soup.find("textarea") is None


def test_symlink_that_leaves_the_directory_is_an_error_not_an_empty_text(desk, tmp_path):
    outside = tmp_path / "secret.md"
    outside.write_text("not for you")
    (desk.root / "MEMORY.md").unlink()
    (desk.root / "MEMORY.md").symlink_to(outside)
    page = desk.get("memory")
    assert "not for you" not in page.text
    assert page.soup.select_one(".notice.bad")
    desk.save("- mine\n", "")
    assert outside.read_text() == "not for you"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only_directory_refuses_and_keeps_the_text(desk):
    desk.root.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        page = desk.save(MEMORY + "- Mine\n")
    finally:
        desk.root.chmod(stat.S_IRWXU)
    assert page.status == 422
    assert page.field == MEMORY + "- Mine\n"
    assert desk.read() == MEMORY


@pytest.mark.parametrize("path", ["../home/x.md", "notes.txt", "chats/a/b/c.md", "@sessions/../x.jsonl", "a%00b.md"])
def test_what_is_no_document_is_not_found(desk, path):
    assert desk.client.get(f"/keno/documents/{path}").status_code == 404
    assert desk.client.post(f"/keno/save/{path}", {"text": "x", "base": ""}).status_code == 404


def test_damaged_form_is_refused(desk):
    assert desk.save("x\n", "not a hash").status == 400
    assert desk.save("x\0y\n").status == 400
    assert desk.read() == MEMORY


@pytest.mark.parametrize(
    "nasty", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))"]
)
def test_nasty_text_is_shown_harmlessly_everywhere(desk, nasty):
    desk.write("MEMORY.md", f"- {nasty}\n")
    desk.write("2026-01-02.md", f"## 10:00 — {nasty}\n\n")
    desk.save(f"- {nasty}\n- {nasty} again\n</textarea><script>alert(2)</script>\n")
    pk = ChangeSet.objects.filter(kind="edit").get().pk
    for path in ("memory", "facts/MEMORY.md", "facts/2026-01-02.md", "", "history/", f"changes/{pk}", "compaction"):
        page = desk.get(path)
        assert page.status == 200
        assert not page.soup.select("[onerror]")
        assert not page.soup.select("a[href^=javascript]")
        assert not [s for s in page.soup.find_all("script") if not s.get("src") and s.get("type") != "application/json"]


def test_what_is_too_much_to_be_laid_out_is_a_press_away_in_the_preview(desk):
    text = "".join(f"- **{n}** word\n" for n in range(3000))
    desk.write("MEMORY.md", text)
    soup = desk.post("preview/MEMORY.md", text=text, base=desk.hash(), htmx=True).soup
    assert len(soup.select(".rest summary")) == 1
    assert len(soup.select("li")) < 2000
    laid = [item.get_text() for item in soup.select("li")]
    assert laid + [line[2:].replace("*", "") for line in soup.select_one(".rest pre").get_text().split("\n")[:-1]] == [
        f"{n} word" for n in range(3000)
    ]
    assert not desk.post("preview/MEMORY.md", text="- one\n", base=desk.hash(), htmx=True).soup.select(".rest")
