"""Contradictions on the page: the answers side by side with when and where, one press that keeps one, and its undo."""

from __future__ import annotations

import pytest

from memory import index
from memory.checks import findings
from memory.models import ChangeSet, Finding
from tests.web.checks.test_findings import confirmed, press, row_of

NINE = [f"## {hour:02}:00 — Chuy: birthday is June {hour}\n\n" for hour in range(10, 19)]


@pytest.fixture
def desk(desk):
    """A bot that was told nine birthdays of one person on two days."""
    desk.write("2026-03-01.md", "".join(NINE[:5]))
    desk.write("2026-03-02.md", "".join(NINE[5:]))
    desk.write("MEMORY.md", "- Likes Go\n")
    walk(desk)
    return desk


def walk(desk):
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)


def sides(page):
    return [" ".join(one.get_text(" ").split()) for one in page.soup.select(".answers > li")]


def test_nine_birthdays_lie_side_by_side_with_their_dates(desk):
    page = desk.get("tidy/")
    shown = sides(page)
    assert len(shown) == 9
    newest = page.soup.select_one(".answers time")
    assert (newest["datetime"], newest["title"]) == ("2026-03-02T18:00:00", "2 March 2026, 18:00")
    assert newest.get_text().startswith("18:00, 2 Mar")
    assert shown[0].startswith(f"{newest.get_text()} newest Chuy: birthday is June 18")
    assert "2026-03-02.md, line 7" in shown[0]
    assert shown[-1].startswith("10:00, 1 Mar")
    assert "oldest Chuy: birthday is June 10" in shown[-1]
    assert page.soup.select_one(".kind")["aria-label"] == "Contradictions"
    assert "9 answers" in page.text
    assert [one.get_text() for one in page.soup.select(".answers mark")][:2] == ["18", "17"]
    assert page.soup.select_one("[data-press]").get_text() == "Keep this, forget 8 1"
    assert [one["data-press"] for one in page.soup.select("[data-press]")] == list("123456789")


def test_one_press_keeps_one_as_one_change_with_one_undo(desk):
    before = desk.read("2026-03-01.md"), desk.read("2026-03-02.md")
    changes = ChangeSet.objects.count()
    page = keep(desk, "June 12")
    assert "Kept one, forgot 8 facts" in page.text
    assert desk.read("2026-03-01.md") == NINE[2]
    assert not (desk.root / "2026-03-02.md").exists()
    assert ChangeSet.objects.count() == changes + 1
    walk(desk)
    assert findings.open_ones(desk.bot) == 0
    change = ChangeSet.objects.latest("pk")
    assert "and 7 more facts" in desk.get("history/").soup.select_one(".changes > li").get_text(), "of both logs"
    desk.post(f"changes/{change.pk}/undo")
    assert (desk.read("2026-03-01.md"), desk.read("2026-03-02.md")) == before
    walk(desk)
    assert findings.open_ones(desk.bot) == 1


def keep(desk, text):
    page = desk.get("tidy/")
    answer = next(one for one in page.soup.select(".answers > li") if text in one.get_text())
    return pressed(desk, page, answer.select_one("button"))


def pressed(desk, page, button):
    seen = page.soup.select_one(f"#{button['form']} input[name=seen]")["value"]
    return desk.post(button["formaction"].removeprefix("/keno/"), one=button["value"], seen=seen)


def test_an_answer_that_is_gone_meanwhile_is_said_and_nothing_is_done(desk):
    page = desk.get("tidy/")
    button = page.soup.select_one("[data-press='1']")
    desk.write("2026-03-02.md", "## 18:00 — Chuy: birthday is not known\n\n")
    index.look(desk.bot, "2026-03-02.md")
    page = pressed(desk, page, button)
    assert "These facts have changed since you looked. Nothing was changed now." in page.text
    assert desk.read("2026-03-01.md") == "".join(NINE[:5])
    for nonsense in ("", "x", "0" * 32 + ":0:MEMORY.md"):
        assert "Nothing was changed now." in desk.post(f"findings/{Finding.objects.get().pk}/keep", one=nonsense).text


def test_what_goes_is_all_in_sight_with_its_file_and_day(desk):
    desk.write("2026-03-03.md", "".join(f"## 1{hour}:00 — Chuy: birthday is June 18\n\n" for hour in range(6)))
    desk.write("2026-03-04.md", "".join(f"## 1{n}:00 — Chuy: birthday is May {n + 10}\n\n" for n in range(6)))
    walk(desk)
    page = desk.get("tidy/")
    assert len(sides(page)) == 15
    assert page.soup.select_one(".said > details > summary").get_text() == "3 more answers", "no key is for these"
    copied = next(one for one in page.soup.select(".answers > li") if one.select_one(".copies"))
    assert copied.select_one("summary").get_text() == "and 6 more that say the same"
    copies = [" ".join(one.get_text(" ").split()) for one in copied.select(".copies li")]
    assert copied.select_one(".copies time")["title"] == "3 March 2026, 14:00"
    assert copies[0].startswith("14:00, 3 Mar")
    assert copies[0].endswith(" 2026-03-03.md, line 9")
    assert copies[-1].startswith("18:00, 2 Mar")
    assert copies[-1].endswith(" 2026-03-02.md, line 7")
    assert "Kept one, forgot 20 facts" in keep(desk, "May 10").text


def test_what_came_since_one_looked_is_not_forgotten_unseen(desk):
    page = desk.get("tidy/")
    desk.write("2026-03-03.md", "## 09:00 — Chuy: birthday is May 2\n\n")
    walk(desk)
    again = pressed(desk, page, page.soup.select_one("[data-press='1']"))
    assert "These facts have changed since you looked." in again.text
    assert desk.read("2026-03-01.md") == "".join(NINE[:5])


def test_what_was_found_of_forgotten_facts_goes_with_them(desk):
    desk.write("MEMORY.md", "- Chuy: birthday is June 11\n- Chuy: birthday is June 11\n")
    walk(desk)
    assert findings.open_ones(desk.bot) == 3, "also twice in a file, and the same in a log"
    assert keep(desk, "June 12").soup.select(".findings > li") == []
    assert findings.open_ones(desk.bot) == 0


def test_both_are_true_asks_for_a_reason_and_is_kept_below(desk):
    page = press(desk, desk.get("tidy/"), "June 18", "Ignore", why="Twins")
    assert sides(page) == []
    folded = page.soup.select_one("#ignored")
    assert "Twins" in folded.get_text()
    assert "June 10" in folded.get_text()
    page = press(desk, page, "June 18", "Stop ignoring")
    assert row_of(page, "June 18")


def test_a_secret_in_an_answer_is_masked(desk):
    token = "123456789:" + "Abc-_" * 7
    desk.write("MEMORY.md", f"- Main language: {token}\n- Main language: Spanish\n")
    walk(desk)
    page = desk.get("tidy/")
    assert "Main language" in " ".join(sides(page))
    assert token not in page.response.text


def test_another_bots_contradiction_and_none_are_404(desk):
    assert desk.post("findings/999999/keep", one="x").status == 404
    assert desk.client.get(f"/keno/findings/{Finding.objects.get().pk}/keep").status_code == 405


def test_one_of_each_is_kept_of_all_that_is_said_twice(desk):
    desk.write("MEMORY.md", "- Likes Go\n- Likes Go\n")
    walk(desk)
    button = desk.get("tidy/").soup.find("button", string="Keep one of each")
    assert button is None, "one of a kind needs no press for all"
    desk.write(
        "MEMORY.md", "- Likes Go\n- Likes Go\n- The spare key hangs in the shed\n- The spare key hangs in a shed\n"
    )
    walk(desk)
    assert desk.get("tidy/").soup.find("button", string="Keep one of each") is not None
    page = confirmed(desk, desk.post("findings/keep-each"))
    assert "Kept one of each, forgot 2 facts" in page.text
    assert desk.read() == "- Likes Go\n- The spare key hangs in the shed\n"
    assert "Nothing is said twice any more." in desk.post("findings/keep-each").text


def test_what_is_said_often_in_the_same_words_is_one_card_of_which_one_press_keeps_one(desk):
    desk.write("MEMORY.md", "- Likes Go\n" * 6)
    walk(desk)
    page = desk.get("tidy/")
    (card,) = page.soup.select(".kind[aria-label='Duplicates'] .findings > li")
    assert card.select_one(".fact").get_text() == "Likes Go"
    assert card.select_one(".why").get_text() == "Exactly the same words"
    places = " ".join(card.select_one(".about").get_text(" ").split())
    assert places.startswith("MEMORY.md, line 1 MEMORY.md, line 2 MEMORY.md, line 3 MEMORY.md"), (
        "no chats, so none shares it"
    )
    assert "line 4 And 2 more found" in places
    changes = ChangeSet.objects.count()
    page = pressed(desk, page, card.find("button", string="Keep one"))
    assert "Kept one, forgot 5 facts" in page.text
    assert page.soup.select(".kind[aria-label='Duplicates']") == []
    assert (desk.read(), ChangeSet.objects.count()) == ("- Likes Go\n", changes + 1)
    desk.post(f"changes/{ChangeSet.objects.latest('pk').pk}/undo")
    assert desk.read() == "- Likes Go\n" * 6


def test_a_copy_more_since_one_looked_is_not_forgotten_unseen(desk):
    desk.write("MEMORY.md", "- Likes Go\n" * 2)
    walk(desk)
    button = (page := desk.get("tidy/")).soup.find("button", string="Keep one")
    desk.write("MEMORY.md", "- Likes Go\n" * 3)
    walk(desk)
    assert "These facts have changed since you looked." in pressed(desk, page, button).text
    assert desk.read() == "- Likes Go\n" * 3
