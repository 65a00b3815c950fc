"""Change sets: shown, taken back, restored."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import journal
from memory.compaction import runner
from memory.domain.changes import Append, Put, digest
from memory.journal.undone import taken_back, undone
from memory.models import Blob, ChangeSet, Revision
from memory.web.history import views
from tests.web.conftest import MEMORY

ANA = journal.By("Ana")


def last(kind="edit"):
    return ChangeSet.objects.filter(kind=kind).latest("pk")


def edit(desk, text):
    desk.save(text)
    return last()


def two_documents(desk):
    outcome = journal.commit(
        desk.bot,
        [Put("2026-01-01.md", b"one\n", None), Put("2026-01-02.md", b"two\n", None)],
        by=ANA,
        kind="edit",
    )
    return outcome.change_set


def test_change_set_shows_the_words_that_changed_and_what_undo_would_do(desk):
    made = edit(desk, MEMORY.replace("concise", "short"))
    page = desk.get(f"changes/{made.pk}")
    assert page.soup.select_one(".unified del").get_text() == "concise"
    assert page.soup.select_one(".sides ins").get_text() == "short"
    assert "MEMORY.md: −1 line, +1 line." in page.text


def test_undo_keeps_what_the_bot_wrote_since_and_says_so(desk):
    made = edit(desk, MEMORY.replace("concise", "short"))
    desk.append("MEMORY.md", "- Bot line\n")
    assert "Later edits are kept." in desk.get(f"changes/{made.pk}").text
    page = desk.post(f"changes/{made.pk}/undo")
    assert desk.read() == MEMORY + "- Bot line\n"
    assert "Later edits were kept." in page.text


def test_undo_of_an_undo(desk):
    made = edit(desk, MEMORY + "- Tea\n")
    desk.post(f"changes/{made.pk}/undo")
    desk.post(f"changes/{last('undo').pk}/undo")
    assert desk.read() == MEMORY + "- Tea\n"


def test_undo_that_would_meet_others_is_refused_before_and_after(desk):
    made = edit(desk, MEMORY.replace("concise", "short"))
    desk.write("MEMORY.md", MEMORY.replace("concise", "very long"))
    assert "This can’t be undone." in desk.get(f"changes/{made.pk}").text
    page = desk.post(f"changes/{made.pk}/undo")
    assert page.status == 409
    assert "Nothing was changed." in page.text
    assert "very long" in desk.read()


def seen(one):
    """What somebody sees of a piece; what is only spoken says that it went or came."""
    return "".join(text for text in one.strings if not text.find_parent(class_="unseen"))


def rows(page):
    return [
        "".join(
            f"[-{seen(one)}]" if one.name == "del" else f"[+{seen(one)}]" if one.name == "ins" else one.text
            for one in row.a
        ).strip()
        for row in page.soup.select(".rows li")
    ]


def test_a_row_says_the_words_that_changed_and_where(desk):
    edit(desk, MEMORY.replace("concise", "short"))
    edit(desk, MEMORY.replace("concise", "short") + "- Tea\n- Milk\n- Cake\n")
    page = desk.get("history/")
    assert rows(page)[:2] == ["[+Tea]", "Prefers [-concise][+short] responses"]
    first, second = page.soup.select(".rows li")[:2]
    assert "and 2 more facts" in first.get_text()
    assert second.select_one(".tier.global").get_text() == "MEMORY.md"
    assert "you" in second.select_one(".when").get_text()
    assert second.button["aria-label"].startswith("Undo: ")
    assert page.soup.select_one("h3.day").get_text() == "Today"


def test_a_row_of_something_large_or_long_gone_says_its_headline(desk):
    desk.write("MEMORY.md", MEMORY + "x" * 70_000)
    desk.get("memory")
    edit(desk, MEMORY)
    page = desk.get("history/")
    assert "[" not in rows(page)[0]
    assert page.soup.select_one(".rows li .small").get_text() == "MEMORY.md"
    made = edit(desk, MEMORY + "- Tea\n")
    Blob.objects.filter(sha256=made.revisions.get().before).delete()
    assert "[" not in rows(desk.get("history/"))[0]


def test_an_undo_of_many_files_is_one_sentence_and_a_fold(desk):
    many = [Put(f"2026-02-0{day}.md", f"- Fact {day} of Ana\n".encode(), None) for day in range(1, 7)]
    made = journal.commit(desk.bot, many, by=ANA, kind="edit").change_set
    back = desk.post(f"changes/{made.pk}/undo")
    assert "All 6 files are as they were at" in back.text
    assert len(back.soup.select(".changes li")) == 3
    assert "And 3 more files." in back.text
    folded = back.soup.select_one("details.folded")
    assert (folded.summary.get_text(), folded.get("open")) == ("6 files", None)
    assert len(folded.select(".diff")) == len(back.soup.select(".diff"))
    assert not folded.select("details.folded")


def test_an_undo_says_what_it_brought_back_and_is_folded(desk):
    made = edit(desk, MEMORY.replace("- Prefers concise responses\n", ""))
    page = desk.get(f"changes/{made.pk}")
    assert "Redo" not in page.text
    assert page.soup.select_one(".menu form button").get_text(strip=True) == "Go back to this version"
    assert page.soup.select_one(".head .actions > form button").get_text() == "Undo"
    assert page.soup.select_one(".head .actions > form button")["data-busy"] == "Writing 1 file …"
    page = desk.post(f"changes/{made.pk}/undo")
    assert seen(page.soup.select_one(".changes ins")) == "Prefers concise responses"
    told = seen(page.soup.select_one(".changes p"))
    assert re.search(rf"The file is as it was at [0-9:]+\. That was right before change {made.pk}\.", told)
    assert page.soup.select_one("details.folded .diff")
    assert not page.soup.select("details.folded[open]")
    assert page.soup.h1.get_text() == "Undone: 1 fact removed"
    assert page.soup.select_one(".toast p").get_text() == "Undone: 1 fact removed · 1 fact restored"
    assert page.soup.select_one(".head .actions > form button").get_text() == "Redo"
    assert page.soup.select_one(".toast form button").get_text() == "Redo"
    again = desk.post(f"changes/{last('undo').pk}/undo")
    assert "Prefers" not in desk.read()
    assert again.soup.h1.get_text() == again.soup.select_one(".toast p").get_text() == "Redone: 1 fact removed"
    assert seen(again.soup.select_one(".changes del")) == "Prefers concise responses"
    assert f"That was right before change {made.pk + 1}." in seen(again.soup.select_one(".changes p"))
    assert seen(desk.get(f"changes/{made.pk + 1}").soup.select_one(".changes p")) == "This is what the undo changed."
    third = desk.post(f"changes/{last('undo').pk}/undo")
    assert third.soup.h1.get_text() == "Undone: 1 fact removed"
    assert third.soup.select_one(".toast p").get_text() == "Undone: 1 fact removed · 1 fact restored"
    assert seen(desk.get(f"changes/{made.pk + 2}").soup.select_one(".changes p")) == "This is what the redo changed."
    assert again.soup.select_one(".head .actions > form button").get_text() == "Undo"


def test_a_difference_is_shown_in_one_column_or_side_by_side(desk):
    made = edit(desk, MEMORY + "- Tea\n")
    tables = {
        way: desk.get(f"changes/{made.pk}", diff=way).soup.select(".diff table") for way in ("", "one", "two", "x")
    }
    shown = {way: [table["class"][0] for table in some] for way, some in tables.items()}
    assert shown == {"": ["sides", "unified"], "one": ["unified"], "two": ["sides"], "x": ["sides", "unified"]}


def test_an_undo_and_its_redo_are_one_row(desk):
    made = edit(desk, MEMORY.replace("- Prefers concise responses\n", ""))
    desk.post(f"changes/{made.pk}/undo")
    undo = last("undo")
    rows = desk.get("history/").soup.select(".changes > li")
    assert [bool(row.select_one(".chip")) for row in rows] == [False, True, False]
    assert rows[0].select_one("div > a").get_text() == "Undone: 1 fact removed"
    assert rows[0].button.get_text() == "Redo"
    assert desk.get().soup.select_one(".changed button").get_text() == "Redo"
    desk.post(f"changes/{undo.pk}/undo")
    redo, edited, _first = desk.get("history/").soup.select(".changes > li")
    assert redo.select_one("div > a").get_text().startswith("Undone and redone: ")
    assert redo.select_one("details a")["href"].endswith(f"changes/{undo.pk}")
    assert edited.select_one("div > a")["href"].endswith(f"changes/{made.pk}")
    assert not edited.select_one(".chip")
    assert edited.select_one("button")


def chips(desk):
    """What each row of the history says that became of its change, newest first, with what its button says."""
    found = desk.get("history/").soup.select(".changes > li")
    return [
        tuple(seen(part) if part else "" for part in (row.select_one("div > a"), row.select_one(".chip"), row.button))
        for row in found
        if row.a.get_text() != "First import"
    ]


def test_however_often_a_change_is_undone_and_redone_it_is_one_row_and_said_as_it_is(desk):
    made = edit(desk, MEMORY.replace("- Prefers concise responses\n", ""))
    told = "1 fact removed"
    steps = [made]
    for time in range(1, 6):
        desk.post(f"changes/{steps[-1].pk}/undo")
        steps.append(last("undo"))
        top, edited = chips(desk)
        page, home = desk.get(f"changes/{made.pk}"), desk.get().soup.select(".changed li")
        assert [row.a["href"].rpartition("/")[2] for row in home[:-1]] == [str(steps[-1].pk), str(made.pk)]
        at_home = home[1]
        if time > 1:
            assert (seen(home[0].a).strip(), seen(home[0].button) if home[0].button else "") == (top[0], top[2])
        if time % 2:
            assert top == (f"Undone: {told}", "", "Redo")
            assert edited[1] == "undone"
            assert f"undone in change {steps[-1].pk}" in page.text
            assert page.soup.select_one(".head .actions > form button") is None
            assert seen(at_home.select_one(".chip")) == "undone"
            assert at_home.button is None
        else:
            assert top == (f"Undone and redone: {told}", "", "")
            assert edited[1:] == ("", "Undo")
            assert "undone in change" not in page.text
            assert seen(page.soup.select_one(".head .actions > form button")) == "Undo"
            assert at_home.select_one(".chip") is None
            assert seen(at_home.button) == "Undo"
        row = desk.get("history/").soup.select_one(".changes > li")
        assert [link["href"].rpartition("/")[2] for link in row.select("details a")] == [
            str(one.pk) for one in reversed(steps[1:-1])
        ]
    assert seen(row.summary) == "Show 4 earlier undos and redos"
    numbers = re.findall(r"you · just now · change (\d+)", seen(row.details))
    assert numbers == [str(one.pk) for one in reversed(steps[1:-1])]
    assert "redone in change" not in desk.get(f"changes/{steps[1].pk}").text
    assert f"undone again in change {steps[-1].pk}" in desk.get(f"changes/{steps[2].pk}").text
    desk.post(f"changes/{steps[-1].pk}/undo")
    assert f"redone in change {last('undo').pk}" in desk.get(f"changes/{steps[1].pk}").text
    desk.post(f"changes/{made.pk}/undo")  # not the last redo, but the change itself
    assert [one[0] for one in chips(desk)] == [f"Undone: {told}", edited[0]]


def test_home_tells_what_was_before_a_long_chain_of_undos_and_redos(desk):
    before, made = edit(desk, f"{MEMORY}- Rides\n"), edit(desk, MEMORY)
    rows = [ChangeSet(bot=desk.bot, kind="undo", state="applied", by="Ana", created=made.created) for _ in range(40)]
    for row, of in zip(rows, [made, *rows], strict=False):
        row.undoes = of
        row.save()
    pks = [row.a["href"].rpartition("/")[2] for row in desk.get().soup.select(".changed li")]
    assert pks[:3] == [str(one.pk) for one in (rows[-1], made, before)]


def test_what_is_undone_in_part_says_so_and_keeps_undo(desk):
    made = two_documents(desk)
    desk.post(f"changes/{made.pk}/undo", path="2026-01-01.md")
    part = last("undo")
    page = desk.get(f"changes/{made.pk}")
    assert f"undone in part in change {part.pk}" in page.text
    assert seen(page.soup.select_one(".head .actions > form button")) == "Undo"
    alone = [button["aria-label"] for button in page.soup.select("button.tiny") if "only" in button["aria-label"]]
    assert alone == ["Undo 2026-01-02.md only"]
    assert chips(desk)[1][1:] == ("undone in part", "Undo")
    row = next(one for one in desk.get().soup.select(".changed li") if one.a["href"].endswith(f"/{made.pk}"))
    assert (seen(row.select_one(".chip")), seen(row.button)) == ("undone in part", "Undo")
    desk.post(f"changes/{made.pk}/undo")
    whole = last("undo")
    told = seen(desk.get("history/").soup.find("a", href=re.compile(rf"/{made.pk}$")).find_parent("li"))
    assert "undone Ana" in told
    assert "Undo" not in told
    assert f"undone in change {whole.pk}" in desk.get(f"changes/{made.pk}").text
    desk.post(f"changes/{part.pk}/undo")
    assert f"undone in part in change {whole.pk}" in desk.get(f"changes/{made.pk}").text
    assert f"redone in change {last('undo').pk}" in desk.get(f"changes/{part.pk}").text


def test_what_undoing_many_files_would_do_is_told_of_what_is_not_undone_yet(desk, monkeypatch):
    monkeypatch.setattr(views, "FORESEEN", 1)

    def told(made):
        page = desk.get(f"changes/{made.pk}")
        busy = page.soup.select_one(".head .actions > form button")["data-busy"]
        return page.soup.select_one("header.head ~ .notice p").get_text(), busy

    many = [Put(f"2026-02-0{day}.md", b"one\n", None) for day in (1, 2, 3)]
    made = journal.commit(desk.bot, many, by=ANA, kind="edit").change_set
    kept = " files of this change. Later edits are kept."
    assert told(made) == (f"Undoing reverts all 3{kept}", "Writing 3 files …")
    desk.post(f"changes/{made.pk}/undo", path="2026-02-01.md")
    assert told(made) == (f"Undoing reverts 2 of the 3{kept}", "Writing 2 files …")
    desk.post(f"changes/{made.pk}/undo", path="2026-02-02.md")
    assert told(made) == ("If you undo now", "Writing 1 file …")
    moved = archived(desk)
    assert told(moved) == (f"Undoing reverts all 3{kept}", "Writing 3 files …")
    desk.post(f"changes/{moved.pk}/undo", revision=moved.revisions.get(path="archive/2026-01-02.md").pk)
    assert told(moved) == (f"Undoing reverts 2 of the 3{kept}", "Writing 2 files …")


def test_an_undo_over_later_edits_does_not_say_that_all_is_as_it_was(desk):
    made = edit(desk, MEMORY.replace("concise", "short"))
    desk.append("MEMORY.md", "- Bot line\n")
    page = desk.post(f"changes/{made.pk}/undo")
    assert "as it was at" not in page.text
    assert "This is what the undo changed." in page.text
    assert [seen(page.soup.select_one(f".changes {name}")) for name in ("del", "ins")] == ["short", "concise"]


def test_undo_of_one_document_of_a_set(desk):
    made = two_documents(desk)
    form = desk.get(f"changes/{made.pk}").soup.select_one("section form[action$='/undo']")
    assert "2026-01-01.md" in form.find_parent("header").text
    desk.post(f"changes/{made.pk}/undo", revision=form.select_one("[name=revision]")["value"])
    assert not (desk.root / "2026-01-01.md").exists()
    assert desk.read("2026-01-02.md") == "two\n"


def test_restore_brings_a_document_back_to_an_older_state(desk):
    first = edit(desk, MEMORY + "- One\n")
    edit(desk, MEMORY + "- Two\n")
    desk.post(f"changes/{first.pk}/restore")
    assert desk.read() == MEMORY + "- One\n"
    assert last("restore").by == "ana"


def test_going_back_is_said_as_history_says_it_in_the_language_of_each_reader(desk):
    first = edit(desk, MEMORY.replace("concise", "brief") + "- One\n")
    edit(desk, MEMORY + "- Two\n")
    page = desk.post(f"changes/{first.pk}/restore")
    done = "Went back to the files after: 1 fact reworded, 1 added"
    assert page.soup.select_one(".toast p").get_text() == page.soup.h1.get_text() == done
    desk.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "es"
    page = desk.get(f"changes/{last('restore').pk}")
    assert page.soup.h1.get_text() == "De vuelta a los archivos tras: 1 hecho reformulado, 1 añadido"


def test_first_look_cannot_be_undone(desk):
    desk.get("memory")
    found = last("found")
    page = desk.get(f"changes/{found.pk}")
    assert "Undo" not in page.text
    assert desk.post(f"changes/{found.pk}/undo").status == 409


def test_history_filters_by_kind_and_document(desk):
    edit(desk, MEMORY + "- Tea\n")
    two_documents(desk)
    assert len(desk.get("history/", kind="edit").soup.select(".rows li")) == 2
    assert len(desk.get("history/", kind="undo").soup.select(".rows li")) == len(
        desk.get("history/").soup.select(".rows li")
    )
    page = desk.get("history/2026-01-01.md")
    assert len(page.soup.select(".rows li")) == 1


def test_history_shows_what_its_reader_did_or_what_everyone_did(desk):
    edit(desk, MEMORY + "- Coffee\n")
    ChangeSet.objects.update(user=None)
    assert desk.get("history/").soup.select_one(".filters a").get_text() == "All"
    desk.save(MEMORY + "- Tea\n")
    page = desk.get("history/")
    everyone, you = page.soup.select(".filters a")[:2]
    assert (everyone.get_text(), you.get_text()) == ("Everyone", "You")
    mine = desk.get("history/" + you["href"])
    assert len(page.soup.select(".rows li")) > len(mine.soup.select(".rows li")) == 1
    assert mine.soup.select_one(".filters [aria-current]").get_text() == "You"


def test_history_says_since_when_it_tells(desk):
    edit(desk, MEMORY + "- Tea\n")
    head = " ".join(desk.get("history/").soup.select_one("header.head p").get_text().split())
    assert re.fullmatch(r"2 changes since \d\d:\d\d ?\. All but the first import can be undone\.", head)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("history/?kind=edit", "1 change. Every change can be undone."),
        ("history/?kind=found", "1 change."),
        ("history/MEMORY.md", "MEMORY.md · 2 changes. All but the first import can be undone."),
        ("history/2026-01-01.md", "2026-01-01.md · 1 change."),
    ],
)
def test_history_says_of_what_it_lists_whether_it_can_be_undone(desk, address, said):
    desk.write("2026-01-01.md", "## 09:00 — Tea\n\n")
    desk.indexed()
    edit(desk, MEMORY + "- Tea\n")
    head = desk.get(address).soup.select_one("header.head p").get_text()
    assert " ".join(head.split()) == said


def test_history_is_paged(desk):
    ChangeSet.objects.bulk_create(
        ChangeSet(bot=desk.bot, token=str(n), kind="edit", by="Ana", state="applied", created="2026-01-01T00:00:00Z")
        for n in range(120)
    )
    page = desk.get("history/", page="2")
    assert len(page.soup.select(".rows li")) == 50
    assert "51–100 of 120" in page.text


def test_change_set_of_another_bot_is_not_found(desk, tmp_path):
    from tests.web.conftest import make_bot

    made = edit(desk, MEMORY + "- Tea\n")
    make_bot(tmp_path, "other")
    assert desk.client.get(f"/other/changes/{made.pk}").status_code == 404
    assert desk.client.post(f"/other/changes/{made.pk}/undo").status_code == 404
    assert desk.read() == MEMORY + "- Tea\n"


def test_change_that_was_taken_back_offers_no_second_undo(desk):
    desk.write("2026-01-02.md", "")
    for _ in range(2):
        journal.commit(desk.bot, [Append("2026-01-02.md", b"same\n")], by=ANA, kind="capture")
    first = ChangeSet.objects.filter(kind="capture").last()
    desk.post(f"changes/{first.pk}/undo")
    page = desk.get(f"changes/{first.pk}")
    assert f"undone in change {last('undo').pk}" in page.text
    assert page.soup.select_one(".head .actions > form button") is None
    desk.post(f"changes/{first.pk}/undo")
    assert desk.read("2026-01-02.md") == "same\n"


def test_what_lay_there_at_first_was_taken_in_by_kenoweb(desk):
    found = {"kind": ChangeSet.Kind.FOUND, "by": "outside", "state": ChangeSet.State.APPLIED, "created": timezone.now()}
    made = ChangeSet.objects.create(bot=desk.bot, **found)
    Revision.objects.create(bot=desk.bot, change_set=made, path="2026-01-02.md", action="put", done=True)
    row = desk.get("history/").soup.select_one(".changes > li").get_text(" ", strip=True)
    assert row.startswith("First import Kenoweb · just now"), row
    assert f"Change {made.pk} · Kenoweb, " in desk.get(f"changes/{made.pk}").soup.select_one(".head").get_text()


@pytest.mark.slow
def test_an_undo_may_be_undone_any_number_of_times(desk):
    made = edit(desk, "- Coffee\n")
    one, now = made, timezone.now()
    for _ in range(1000):
        one = ChangeSet.objects.create(
            bot=desk.bot, kind="undo", by="Ana", state="applied", undoes=one, created=now, finished=now
        )
        Revision.objects.create(bot=desk.bot, change_set=one, path="MEMORY.md", action="put", done=True)
    assert taken_back(made) == set()  # 500 times undone, and as often redone
    with CaptureQueriesContext(connection) as asked:
        assert desk.get("history").status == 200
    assert len(asked) < 1200  # each link once, and not once for each row


@pytest.mark.usefixtures("same_minute")
def test_change_of_many_files_takes_no_more_statements_than_one_of_few(desk):
    needed = []
    for many in (17, 31):
        files = [Put(f"20{many}-01-{day:02}.md", b"one\n", None) for day in range(1, many)]
        made = journal.commit(desk.bot, files, by=ANA, kind="edit")
        desk.get(f"changes/{made.change_set.pk}")
        with CaptureQueriesContext(connection) as asked:
            assert desk.get(f"changes/{made.change_set.pk}").status == 200
        needed.append(len(asked))
    assert needed[0] == needed[1]


@pytest.mark.database
def test_many_large_files_share_one_page_and_each_is_shown_whole_where_it_is_asked_for(desk):
    names, line = (
        [f"2026-02-{day:02}.md" for day in range(1, 18)],
        "Olive invoice cutting heater follow-up backup. " * 3,
    )
    text = "".join(f"- {number}: {line}\n" for number in range(150)).encode()
    made = journal.commit(desk.bot, [Put(name, text, None) for name in names], by=ANA, kind="import").change_set
    for number in (1, 2):
        page = desk.get(f"changes/{made.pk}", page=number)
        assert len(page.response.content) < 200_000
    assert page.soup.find("a", string="Show all")["href"].startswith("?page=2&file="), "and leads back there"
    page = desk.get(f"changes/{made.pk}")
    first = page.soup.select_one("section.box.flush")
    rows = [row.get_text() for row in first.select("table.unified tr.added")]
    assert rows
    assert f"{150 - len(rows)} more rows, not shown" in first.get_text()
    whole = desk.get(f"changes/{made.pk}{first.find('a', string='Show all')['href']}")
    boxes = whole.soup.select("section.box.flush")
    assert [box.h2.a.get_text() for box in boxes] == names[:1]
    assert len(boxes[0].select("table.unified tr.added")) == 150
    assert "not shown" not in whole.text
    assert whole.link("Show all 17 files") == "?"
    assert "Show all" not in [a.get_text() for a in whole.soup.select("main a")]


def row_pages(desk, made):
    """All pages of the rows of the only file of a change, as its links lead from each to the next."""
    pages, href = [], ""
    while href is not None:
        pages.append(desk.get(f"changes/{made.pk}{href}"))
        assert len(pages[-1].response.content) < 200_000
        after = pages[-1].soup.select_one("main nav.pages a[rel=next]")
        href = after and after["href"]
    return pages


def added(page, way="unified"):
    """The text of the rows that were added."""
    return [cell.get_text() for cell in page.soup.select(f"table.{way} td.text.added, table.{way} tr.added td.text")]


@pytest.mark.database
def test_a_large_file_is_shown_in_pages_of_its_rows(desk):
    lines = [f"- {number}: “<b>” cutting" for number in range(2_100)]
    text = "\n".join([*lines, ""]).encode()
    made = journal.commit(desk.bot, [Put("large.md", text, None)], by=ANA, kind="edit").change_set
    pages = row_pages(desk, made)
    for way in ("unified", "sides"):
        assert [text for page in pages for text in added(page, way)] == lines
    assert "of 2,100" in pages[1].soup.select_one("main nav.pages").get_text()
    assert pages[1].soup.select_one("main nav.pages a[rel=prev]")["href"] == "?rows=1"
    assert "not shown" not in "".join(page.text for page in pages)
    assert added(desk.get(f"changes/{made.pk}", rows="99999")) == added(pages[-1])


@pytest.mark.database
def test_of_a_file_that_was_rewritten_each_page_marks_the_words_and_an_undo_counts_every_line(desk):
    old, new = (
        "".join(f"- {number}: likes {what}\n" for number in range(1_100)).encode() for what in ("tea", "coffee")
    )
    made = journal.commit(desk.bot, [Put("large.md", old, None)], by=ANA, kind="edit").change_set
    made = journal.commit(desk.bot, [Put("large.md", new, digest(old))], by=ANA, kind="edit").change_set
    pages = row_pages(desk, made)
    marked = [mark.get_text() for page in pages for mark in page.soup.select("table.unified tr.added ins")]
    assert marked == ["coffee"] * 1_100
    assert "large.md: −1,100 lines, +1,100 lines." in pages[0].text


@pytest.mark.database
def test_marks_never_make_a_page_of_rows_too_large(desk):
    old, new = (
        "".join("".join(f"{one}{more}" for _ in range(200)) + "\n" for one in range(30)) for more in ("<>", "<&")
    )
    made = journal.commit(desk.bot, [Put("large.md", old.encode(), None)], by=ANA, kind="edit").change_set
    made = journal.commit(
        desk.bot, [Put("large.md", new.encode(), digest(old.encode()))], by=ANA, kind="edit"
    ).change_set
    assert "".join(f"{line}\n" for page in row_pages(desk, made) for line in added(page)) == new


@pytest.mark.parametrize("line", ["Olive invoice <b>, " * 5_000, "é" * 90_000])
@pytest.mark.database
def test_a_line_that_is_longer_than_a_page_goes_on_in_the_next_row(desk, line):
    made = journal.commit(desk.bot, [Put("large.md", f"{line}\n".encode(), None)], by=ANA, kind="edit").change_set
    pages = row_pages(desk, made)
    assert len(pages) > 1
    assert "".join(text for page in pages for text in added(page)) == line
    numbers = [cell.get_text() for page in pages for cell in page.soup.select("tr.added td.at:nth-of-type(2)")]
    assert numbers[0] == "1"
    assert set(numbers[1:]) == {""}


def test_no_row_that_goes_on_in_the_next_one_parts_a_secret(desk, monkeypatch):
    monkeypatch.setattr(views, "ROOM", 6_000)
    line = " ".join(f"word sk-{number:04}aaaabbbbccccddddeeeeffff" for number in range(200))
    made = journal.commit(desk.bot, [Put("large.md", line.encode(), None)], by=ANA, kind="edit").change_set
    pages = row_pages(desk, made)
    assert len(pages) > 2
    assert sum(len(page.soup.select("table.unified .secret")) for page in pages) == 200
    assert "ccccdddd" not in "".join(page.text for page in pages)


def test_history_is_filtered_by_words_or_file(desk):
    edit(desk, MEMORY.replace("concise", "short"))
    desk.post("entry/add", path="MEMORY.md", text="Likes “Café Sol”")
    journal.commit(desk.bot, [Append("2026-01-02.md", "## 09:00 — Peut-être à Lyon\n\n".encode())], by=ANA, kind="edit")
    everything = len(rows(desk.get("history/")))
    for words, first in (("Café", "Café Sol"), ("à Lyon", "Lyon"), ("2026-01-02", "Lyon"), ("SHORT", "short")):
        some = rows(desk.get("history/", q=words))
        assert first in some[0]
        assert len(some) < everything
    page = desk.get("history/", q="100 %_")
    assert "No results" in page.text
    assert not rows(page)


def test_an_edit_says_what_it_did_to_how_many_facts(desk):
    made = edit(desk, MEMORY + "- Likes tea\n- Likes coffee at noon\n- Likes milk\n")
    assert desk.get(f"changes/{made.pk}").soup.h1.get_text() == "3 facts added"
    made = edit(desk, MEMORY + "- Likes coffee at night\n- Likes milk\n")
    assert desk.get(f"changes/{made.pk}").soup.h1.get_text() == "1 fact reworded, 1 removed"


def test_a_line_that_only_got_an_ending_is_no_changed_line(desk):
    edit(desk, MEMORY + "- Fact number 1")
    made = edit(desk, MEMORY + "- Fact number 1\n- Fact number 2")
    for page in ("history/", "history/MEMORY.md"):
        row = desk.get(page).soup.select_one(".changes > li")
        assert (seen(row.ins), row.find("del"), row.select_one(".soft")) == ("Fact number 2", None, None)
    home = desk.get().soup.select_one(".changed li")
    assert "Fact number 2" in home.get_text()
    assert "Fact number 1" not in home.get_text()
    assert "MEMORY.md: −1 line, +0 lines." in desk.get(f"changes/{made.pk}").text
    desk.write("MEMORY.md", MEMORY.replace("\n", "\r\n") + "- Fact number 1\n- Fact number 2\n")
    desk.get("memory")
    made = last("outside")
    assert rows(desk.get("history/"))[0] == "Only line endings or invisible bytes"
    assert rows(desk.get("history/MEMORY.md"))[0] == "Only line endings or invisible bytes"
    assert "MEMORY.md: only line endings or invisible bytes." in desk.get(f"changes/{made.pk}").text


def archived(desk):
    """The change set that moved two old logs, and their text."""
    for day in ("2026-01-01", "2026-01-02"):
        desk.write(f"{day}.md", f"## 10:30 — Was in Porto on {day}\n\n")
    ran = runner.run(desk.bot, [""], journal.By("ana", desk.user), old_logs="archive")
    return ran.change_set


def test_an_archive_is_shown_as_files_that_moved_and_its_undo_too(desk):
    made = archived(desk)
    page = desk.get(f"changes/{made.pk}")
    assert "If you undo now 2 files restored" in page.text
    assert not page.soup.select(".diff")
    assert [seen(row.div) for row in page.soup.select("header:has(#moved) ~ ul > li")] == [
        "archive/2026-01-01.md was 2026-01-01.md",
        "archive/2026-01-02.md was 2026-01-02.md",
    ]
    back = desk.post(f"changes/{made.pk}/undo")
    assert "All 2 files are as they were at" in back.text
    assert "2 logs restored." in back.text
    assert not back.soup.select(".changes del, .changes ins, .diff")
    assert back.soup.select_one(".toast p").get_text(strip=True) == "Compaction undone"
    assert back.text.count("The same before and after, byte for byte") == 1
    folded = back.soup.select_one("details.folded")
    assert folded.summary.get_text() == "2 files"
    assert "2026-01-01.md was archive/2026-01-01.md" in seen(folded)
    assert folded.get("open") is None
    again = desk.get(f"changes/{made.pk}")
    assert again.soup.select_one(".head .actions > form button") is None
    assert "If you undo now" not in again.text
    assert "Undo this file" not in again.text


def test_of_a_move_both_ends_are_undone(desk):
    made = archived(desk)
    button = desk.get(f"changes/{made.pk}").soup.select_one("[aria-label='Undo archive/2026-01-02.md only']")
    desk.post(f"changes/{made.pk}/undo", revision=button["value"])
    assert desk.read("2026-01-02.md").startswith("## 10:30")
    assert not (desk.root / "archive/2026-01-02.md").exists()
    assert (desk.root / "archive/2026-01-01.md").exists()
    page = desk.get(f"changes/{made.pk}")
    assert page.soup.select_one(".head .actions > form button").get_text() == "Undo"
    assert "If you undo now 1 file restored" in page.text


def test_an_undo_of_a_part_says_which(desk):
    made = archived(desk)
    part = made.revisions.get(path="archive/2026-01-02.md")
    page = desk.post(f"changes/{made.pk}/undo", revision=part.pk)
    told = "Compaction undone in 2026-01-02.md"
    assert page.soup.h1.get_text() == page.soup.select_one(".toast p").get_text(strip=True) == told
    assert "2 logs restored" not in page.text
    assert "Undone in 2026-01-02.md: " in rows(desk.get("history/"))[0]
    assert (
        desk.post(f"changes/{last('undo').pk}/undo").soup.h1.get_text() == "Compaction redone in archive/2026-01-02.md"
    )
    two = two_documents(desk)
    page = desk.post(f"changes/{two.pk}/undo", path="2026-01-01.md")
    assert page.soup.h1.get_text().startswith("Undone in 2026-01-01.md: ")
    assert "Undone in 2026-01-01.md: " in desk.get().soup.select_one(".changed").get_text()
    desk.post(f"changes/{last('undo').pk}/undo")
    assert "Undone and redone in 2026-01-01.md: " in rows(desk.get("history/"))[0]
    assert "Undone and redone in 2026-01-01.md: " in desk.get().soup.select_one(".changed").get_text()
    turned = [Put(f"chats/{scope}/2026-02-01.md", b"one\n", None) for scope in ("a\u202eb", "\u05d0")]
    made = journal.commit(desk.bot, turned, by=ANA, kind="edit").change_set
    page = desk.post(f"changes/{made.pk}/undo", path=turned[0].path)
    assert page.soup.h1.get_text().startswith("Undone in \u2068chats/a\u202eb/2026-02-01.md\u2069: ")
    many = [Put(f"2026-02-0{day}.md", b"one\n", None) for day in (1, 2, 3)]
    made = journal.commit(desk.bot, many, by=ANA, kind="edit").change_set
    page = desk.post(f"changes/{made.pk}/undo", path=["2026-02-01.md", "2026-02-02.md"])
    assert page.soup.h1.get_text().startswith("Undone in 2 of its files: ")
    assert desk.post(f"changes/{made.pk}/undo").soup.h1.get_text().startswith("Undone in 2026-02-03.md: ")


@pytest.mark.parametrize("state", ["abandoned", "failed"])
def test_an_undo_that_was_never_written_leaves_its_change_to_be_undone(desk, state):
    one = edit(desk, MEMORY + "- Tea\n")
    ChangeSet.objects.create(
        bot=desk.bot, token="t", kind="undo", by="Ana", state=state, undoes=one, created=one.created
    )
    assert undone(desk.bot, [one.pk]) == {}
    row = desk.get("history/").soup.find("a", href=re.compile(rf"/{one.pk}$")).find_parent("li")
    assert row.find("button", string=re.compile("Undo"))
    assert "undone" not in row.get_text()
