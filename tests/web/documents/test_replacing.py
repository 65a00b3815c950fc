"""Find and replace over all files of a bot: seen first, one change, one undo, and nothing else touched."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings as example, strategies as st

from memory import index
from memory.curation import replacing
from memory.curation.replacing import Replacement
from memory.domain.outcomes import Refused
from memory.journal import By
from memory.models import ChangeSet
from memory.text.secrets import DOTS
from tests.support.amounts import times

ANA = By("Ana")
TODAY = "2026-11-20.md"


@pytest.fixture
def bot(desk):
    desk.write("MEMORY.md", "# Memory\r\n\r\n- Rosa lives in Porto\r\n- Likes Porto, and porto too\r\n")
    desk.write(TODAY, "## 10:00 — Flies to Porto\n\n")
    desk.write("chats/telegram-1/MEMORY.md", "- Porto is far\n")
    desk.indexed()
    return desk


def printed(page):
    return page.soup.find("input", {"name": "print"})["value"]


def test_every_change_is_seen_before_any_is_made(bot):
    before = bot.read()
    page = bot.post("replace", find="Porto", instead="Vigo")
    assert "Found 4 times in 3 files" in page.text
    assert bot.read() == before
    assert [one.get_text() for one in page.soup.select("section h2.mono")] == [
        TODAY,
        "MEMORY.md",
        "chats/telegram-1/MEMORY.md",
    ]


def test_it_is_one_change_with_one_undo(bot):
    before = {path: bot.read(path) for path in ("MEMORY.md", TODAY, "chats/telegram-1/MEMORY.md")}
    sent = {"find": "Porto", "instead": "Vigo"}
    done = bot.post("replace", print=printed(bot.post("replace", **sent)), **sent)
    assert "Replaced 4 times" in done.text
    assert (
        bot.root / "MEMORY.md"
    ).read_bytes() == b"# Memory\r\n\r\n- Rosa lives in Vigo\r\n- Likes Vigo, and porto too\r\n"
    made = ChangeSet.objects.filter(bot=bot.bot).latest("pk")
    assert made.revisions.count() == 3
    bot.post(f"changes/{made.pk}/undo")
    assert {path: bot.read(path) for path in before} == before


def test_letters_and_names_of_files_narrow_it_or_widen_it(bot):
    assert "Found 5 times in 3 files" in bot.post("replace", find="porto", instead="x", ignores_case="on").text
    assert "Found 1 time in 1 file" in bot.post("replace", find="Porto", instead="x", within="telegram").text
    assert "Not found in any file" in bot.post("replace", find="Lisbon", instead="x").text


def test_what_changed_meanwhile_is_shown_anew(bot):
    sent = {"find": "Porto", "instead": "Vigo"}
    seen = printed(bot.post("replace", **sent))
    bot.append(TODAY, "## 11:00 — Porto again\n\n")
    page = bot.post("replace", print=seen, **sent)
    assert "The files have changed. Nothing was replaced" in page.text
    assert "Found 5 times" in page.text
    assert "Vigo" not in bot.read()


@pytest.mark.parametrize(("find", "instead"), [("", "x"), ("  ", "x"), ("a\nb", "x"), ("Porto", DOTS)])
def test_what_cannot_be_meant_is_refused(bot, find, instead):
    before = bot.read()
    page = bot.post("replace", find=find, instead=instead, print="x")
    assert page.status == 422
    assert bot.read() == before


def test_a_file_that_would_break_is_left_and_named(bot):
    bot.write("procedural/patterns.json", '["Porto"]')
    bot.step()
    page = bot.post("replace", find='Porto"', instead="Vigo")
    assert "procedural/patterns.json" in page.soup.select_one(".problem").get_text()
    assert "isn’t valid JSON" in page.text
    assert page.soup.find("input", {"name": "print"}) is None


def test_signs_mean_themselves(bot):
    bot.write("MEMORY.md", "- a.b costs $1 \\1\n- axb\n")
    bot.step()
    sent = {"find": "a.b", "instead": r"\1$&"}
    bot.post("replace", print=printed(bot.post("replace", **sent)), **sent)
    assert bot.read() == "- \\1$& costs $1 \\1\n- axb\n"


LINES = st.lists(st.text("abAB é-#\t", max_size=12), max_size=6)
ENDS = st.sampled_from(["\n", "\r\n"])
WORDS = st.text("abAB é", min_size=1, max_size=2).filter(str.strip)


@example(max_examples=times(6, 150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(LINES, ENDS), min_size=1, max_size=3),
    st.lists(st.tuples(WORDS, st.text("abAB é", max_size=3), st.booleans()), min_size=1, max_size=3),
)
def test_any_acts_leave_every_other_byte_and_undone_leave_all(desk, files, acts):
    written = {f"chats/topic-{number}/MEMORY.md": end.join(lines).encode() for number, (lines, end) in enumerate(files)}
    for path, data in written.items():
        desk.write(path, data)
    index.refresh(desk.bot, accept_vanished=True)
    began = ChangeSet.objects.filter(bot=desk.bot).count()
    expected = dict(written)
    for find, instead, ignores_case in acts:
        wanted = Replacement(find, instead, ignores_case, within="topic-")
        done = replacing.replace(desk.bot, wanted, replacing.plan(desk.bot, wanted).print, ANA)
        assert not isinstance(done, Refused)
        expected = {
            path: wanted.pattern.sub(lambda _m, to=instead: to, data.decode()).encode()
            for path, data in expected.items()
        }
        assert {path: (desk.root / path).read_bytes() for path in written} == expected
    for made in ChangeSet.objects.filter(bot=desk.bot).order_by("-pk")[
        : ChangeSet.objects.filter(bot=desk.bot).count() - began
    ]:
        desk.post(f"changes/{made.pk}/undo")
    assert {path: (desk.root / path).read_bytes() for path in written} == written


@pytest.mark.database
def test_large_differences_share_one_page_and_each_is_shown_whole_where_it_is_asked_for(desk):
    names, line = ("2026-02-03.md", "2026-02-04.md"), "Olive invoice, heater. " * 6
    for name in names:
        desk.write(name, "".join(f"- {number}: Porto {line}\n" for number in range(800)))
    desk.indexed()
    sent = {"find": "Porto", "instead": "Vigo"}
    page = desk.post("replace", **sent)
    assert len(page.response.content) < 200_000
    more = page.soup.find("button", string="Show all")
    assert (more["form"], more["name"], more["value"]) == ("replace", "file", names[0])
    seen, number = set(), "1"
    while number:
        page = desk.post("replace", file=names[0], page=number, **sent)
        assert len(page.response.content) < 200_000
        assert [one.get_text() for one in page.soup.select("section h2.mono")] == [names[0]]
        assert page.soup.select_one("input[name=file][form=replace]")["value"] == names[0]
        seen |= {row.get_text() for row in page.soup.select("table.unified tr.added td.text")}
        after = page.soup.find("button", string="Next")
        number = after and after["value"]
    assert len(seen) == 800
