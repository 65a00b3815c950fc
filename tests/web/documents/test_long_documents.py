"""A document that is too long for one page: shown, edited and saved by its parts, and not a byte outside of the part changes."""

from __future__ import annotations

import pytest

from memory.models import ChangeSet, Draft

LIMIT = 200 * 1024
TEXT = "# Memory\n\n" + "".join(
    f"## Chapter {number}\n\n"
    + "".join(f"- fact {at} of chapter {number}: the pump ran dry{' and' * 260}\n" for at in range(15))
    for number in range(18)
)


def part(page):
    return page.soup.find("input", {"name": "span"})["value"]


def send(desk, page, text, act="save", **more):
    data = {"text": text.replace("\n", "\r\n"), "base": page.base, "span": part(page), **more}
    return desk.client.post(f"/keno/{act}/MEMORY.md", data)


@pytest.fixture
def long(desk):
    desk.write("MEMORY.md", TEXT)
    return desk


@pytest.mark.slow
def test_every_part_fits_a_page_and_together_they_are_the_text(long):
    read, number = "", 1
    while True:
        page = long.get("memory", part=number)
        assert len(page.response.content) < LIMIT
        read += page.field
        if page.soup.select_one('nav.parting a[rel="next"]') is None:
            break
        number += 1
    assert number > 4
    assert read == TEXT
    assert len(page.soup.select("nav.parting li")) == number


def test_a_short_document_has_no_parts(desk):
    desk.write("MEMORY.md", "- one\n")
    page = desk.get("memory")
    assert page.soup.select_one("nav.parting") is None
    assert part(page) == ""


def test_a_part_is_saved_and_the_rest_stays_byte_for_byte(long):
    long.write("MEMORY.md", TEXT.replace("\n", "\r\n"))
    page = long.get("memory", part=3)
    answer = send(long, page, page.field.replace("ran dry", "ran well", 1))
    assert answer.status_code == 302
    assert answer.url.endswith("?part=3")
    at = TEXT.index(page.field)
    changed = TEXT[:at] + page.field.replace("ran dry", "ran well", 1) + TEXT[at + len(page.field) :]
    assert (long.root / "MEMORY.md").read_bytes() == changed.replace("\n", "\r\n").encode()


def test_a_part_is_saved_twice_from_one_page(long):
    page = long.get("memory", part=2)
    longer = "- new, and longer than a part\n" * 2_000 + page.field
    assert send(long, page, longer).status_code == 302
    base = long.get("memory").base
    data = {"text": page.field, "base": base, "span": part(page)}
    assert long.client.post("/keno/save/MEMORY.md", data).status_code == 302
    assert long.read("MEMORY.md") == TEXT


def test_a_line_leads_to_its_part(long):
    line = TEXT.count("\n", 0, TEXT.index("fact 7 of chapter 11")) + 1
    page = long.get("memory", line=line)
    assert "fact 7 of chapter 11" in page.field
    first = int(page.soup.find("form", id="editor")["data-first"])
    assert page.field.split("\n")[line - first] == f"- fact 7 of chapter 11: the pump ran dry{' and' * 260}"


@pytest.mark.parametrize("asked", ["0", "99999", "-1", "x", "９"])
def test_a_part_that_is_none_is_the_nearest(long, asked):
    assert long.get("memory", part=asked).status == 200


def test_a_draft_of_a_part_is_offered_and_taken_in_its_part(long):
    page = long.get("memory", part=4)
    typed = page.field.replace("ran dry", "ran over", 1)
    send(long, page, typed, "draft")
    assert Draft.objects.get().text == TEXT.replace(page.field, typed)
    assert long.get("memory", draft=1).field == typed


def test_a_part_and_what_the_bot_wrote_elsewhere_are_merged(long):
    page = long.get("memory", part=2)
    long.write("MEMORY.md", "- from the bot\n" + TEXT)
    typed = page.field.replace("ran dry", "ran well", 1)
    assert send(long, page, typed).status_code == 409
    merged = send(long, page, typed, "merge", save="yes")
    assert merged.status_code == 302
    assert long.read("MEMORY.md") == "- from the bot\n" + TEXT.replace(page.field, typed)


def test_a_part_is_saved_beside_what_the_bot_added_at_the_end(long):
    page = long.get("memory", part=2)
    long.append("MEMORY.md", "- from the bot\n")
    typed = page.field.replace("ran dry", "ran well", 1)
    assert send(long, page, typed).status_code == 302
    assert long.read("MEMORY.md") == TEXT.replace(page.field, typed) + "- from the bot\n"


def test_what_saving_a_part_would_change_is_shown_of_the_whole(long):
    page = long.get("memory", part=2)
    shown = send(long, page, page.field.replace("fact 0 of", "fact zero of", 1), "review").content.decode()
    assert "fact zero of" in shown
    assert len(shown) < LIMIT


def test_a_part_of_no_document_is_refused_and_nothing_written(long):
    page = long.get("memory", part=2)
    for span in ("999999999-5", "1", "x-y", "5-"):
        sent = {"text": "- x\n", "base": page.base, "span": span}
        assert long.client.post("/keno/save/MEMORY.md", sent).status_code in (400, 409)
    unknown = {"text": "- x\n", "base": "0" * 64, "span": part(page)}
    assert long.client.post("/keno/save/MEMORY.md", unknown).status_code == 409
    assert long.read("MEMORY.md") == TEXT
    assert not ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).exists()


def test_two_megabytes_are_edited_by_parts(desk):
    text = TEXT * 9
    desk.write("MEMORY.md", text)
    page = desk.get("memory", part=20)
    assert len(page.response.content) < LIMIT
    assert send(desk, page, page.field + "- one more\n").status_code == 302
    assert len(desk.read("MEMORY.md")) == len(text) + len("- one more\n")


def test_a_long_document_that_cannot_be_edited_is_read_by_parts(desk):
    desk.write("MEMORY.md", TEXT.encode() * 20)
    page = desk.get("memory", part=9)
    assert "This file is over 4 MB, too large to edit in a browser." in page.text
    assert len(page.response.content) < LIMIT
    assert "of chapter" in page.soup.select_one("pre.verbatim").get_text()
