"""What a chat reads and should not is found, with the reason; what is nobody's secret is left in peace."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.bots.family import Family
from memory.checks import findings, leaks
from memory.dialects.kenobot import KenoBot
from memory.domain.places import Tier
from memory.domain.prompt import Prompt, PromptLine, Section
from memory.models import Chat, ChecksRun, Document, Fact, Finding
from memory.prompts import build, spill
from memory.text.fidelity.pieces import is_telling, owner, pieces
from tests.support.planted import plant

pytestmark = pytest.mark.database(cases=1)

SECRET = "Marta expects a child in May"


def look(desk):
    """The findings after a walk: (path, chat, reason), the open ones."""
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    rows = Finding.objects.filter(bot=desk.bot, gone=None).order_by("path", "line")
    return [(row.path, row.scope, row.note) for row in rows]


def test_a_chats_fact_in_long_term_memory_is_found(desk):
    desk.write("chats/telegram-1/2026-03-01.md", f"## 10:00 — {SECRET}\n\n")
    desk.write("MEMORY.md", f"- Likes Go\n- **{SECRET}**.\n")
    assert look(desk) == [("MEMORY.md", "", leaks.KEPT)]
    (row,) = Finding.objects.all()
    assert (row.line, row.text, row.rule) == (2, f"**{SECRET}**.", "leak")


def test_what_a_fact_holds_of_a_chat_is_found(desk):
    desk.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n")
    desk.write("MEMORY.md", f"- From the night of 3 March: {SECRET} (one source)\n")
    assert look(desk) == [("MEMORY.md", "", leaks.HOLDS)]


def test_a_fact_marked_as_a_chats_is_found_and_one_that_only_names_a_chat_is_not(desk):
    desk.write("working/telegram-77.md", "- Topic: taxes\n")
    desk.write("MEMORY.md", "- [telegram-77] does not pay taxes\n- The group of the team is telegram-77\n")
    assert look(desk) == [("MEMORY.md", "", leaks.MARKED)]


def test_a_chats_fact_that_names_another_chat_is_found(desk):
    desk.write("chats/http-77/MEMORY.md", "- About taxes\n")
    desk.write("chats/telegram-1/MEMORY.md", "- Ask http-77.\n- Ask http-78 and telegram-1\n")
    assert look(desk) == [("chats/telegram-1/MEMORY.md", "telegram-1", leaks.NAMES)]


def test_a_long_fact_of_two_chats_is_found_where_it_came_later(desk):
    desk.write("chats/telegram-2/2026-03-02.md", f"## 10:00 — {SECRET}, says Ana herself\n\n")
    desk.write("chats/telegram-1/2026-03-01.md", f"## 10:00 — {SECRET}, says Ana herself\n\n")
    assert look(desk) == [("chats/telegram-2/2026-03-02.md", "telegram-2", leaks.SHARED)]


@pytest.mark.parametrize(
    ("shared", "private"),
    [
        ("- Likes tea\n", "- Likes tea\n"),  # too short to tell
        ("- ok\n- yes\n", "- ok\n"),
        (f"- {SECRET} 2027\n", f"- {SECRET}\n"),
        ("- Prefers concise responses, and trains\n", "- Prefers concise responses and buses\n"),
    ],
)
def test_what_proves_nothing_is_left_in_peace(desk, shared, private):
    desk.write("chats/telegram-1/MEMORY.md", private)
    desk.write("MEMORY.md", shared)
    assert look(desk) == []


def test_what_several_chats_know_or_got_later_is_nobodys_secret(desk):
    desk.write("MEMORY.md", f"- {SECRET}\n")
    desk.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n")
    desk.write("chats/telegram-2/MEMORY.md", f"- {SECRET}\n")
    desk.write("2026-03-01.md", "## 10:00 — The office moves to Puebla in June\n\n")
    desk.write("chats/telegram-1/2026-03-05.md", "## 10:00 — The office moves to Puebla in June\n\n")
    assert look(desk) == []


def test_few_signs_of_chinese_tell_enough(desk):
    desk.write("chats/telegram-1/MEMORY.md", "- 玛塔五月要生孩子\n")
    desk.write("MEMORY.md", "- 玛塔五月要生孩子。\n")
    assert look(desk) == [("MEMORY.md", "", leaks.KEPT)]


def test_a_finding_goes_when_the_fact_or_its_other_copy_does_and_comes_back(desk):
    desk.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n")
    desk.write("MEMORY.md", f"- {SECRET}\n")
    assert len(look(desk)) == 1
    (first,) = Finding.objects.all()
    desk.write("chats/telegram-1/MEMORY.md", "- Another thing altogether\n")
    assert look(desk) == []
    assert Finding.objects.get().gone is not None
    desk.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n")
    assert len(look(desk)) == 1
    again = Finding.objects.get()
    assert (again.pk, again.gone) == (first.pk, None)
    assert again.found > first.found
    desk.write("MEMORY.md", "- Likes Go\n")
    assert look(desk) == []


def test_a_new_fact_of_a_chat_is_looked_for_in_what_stood_there_before(desk):
    desk.write("MEMORY.md", f"- {SECRET}\n- Heard by chance: the vault opens with nine sevens\n")
    assert look(desk) == []
    desk.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n- The vault opens with nine sevens\n")
    assert [note for *_where, note in look(desk)] == [leaks.KEPT, leaks.HOLDS]


def test_what_is_ignored_stays_ignored_when_it_is_found_again(desk):
    desk.write("chats/telegram-1/MEMORY.md", f"- {SECRET}\n")
    desk.write("MEMORY.md", f"- {SECRET}\n")
    look(desk)
    assert findings.open_ones(desk.bot) == 1
    findings.ignore(Finding.objects.get(), "Everybody knows", User.objects.get(username="ana"))
    assert findings.open_ones(desk.bot) == 0
    desk.write("MEMORY.md", "- Likes Go\n")
    look(desk)
    desk.write("MEMORY.md", f"- {SECRET}\n")
    look(desk)
    assert (findings.open_ones(desk.bot), Finding.objects.get().ignored_why) == (0, "Everybody knows")
    findings.heed(Finding.objects.get())
    assert findings.open_ones(desk.bot) == 1


def test_the_rebuilt_index_gives_the_same_findings(desk):
    tree = plant(5, ("telegram-1", "telegram-2", "http-http-7"))
    tree.write(desk.root)
    for scope in tree.chats[:2]:
        fact = first_fact(desk, f"chats/{scope}/MEMORY.md")
        desk.append("MEMORY.md", f"\n- {fact}\n")
    kept = look(desk)
    assert kept
    index.reindex(desk.bot)
    findings.look(desk.bot)
    assert look(desk) == kept


def first_fact(desk, path):
    index.look(desk.bot, path)
    return Fact.objects.filter(document__path=path).first().text.splitlines()[0]


def test_nothing_is_done_where_nothing_changed(desk):
    look(desk)
    assert ChecksRun.objects.get().upto == Fact.objects.order_by("pk").last().pk
    with CaptureQueriesContext(connection) as seen:
        findings.look(desk.bot)
    assert len(seen) == 2


def fill(desk, chats, facts):
    """So many chats, and so many facts in each of them and of the bot's own, rows only."""

    def document(path, tier, scope, day):
        about = {"kind": "daily", "tier": tier, "scope": scope, "day": day, "size": 1}
        return Document(bot=desk.bot, path=path, mtime_ns=1, ctime_ns=1, inode=1, **about)

    own = [document(f"2026-01-{number % 28 + 1:02}.md{number}", "global", "", "2026-01-01") for number in range(chats)]
    theirs = [document(f"chats/t-{number}/x.md", "chat", f"t-{number}", "2026-01-01") for number in range(chats)]
    Chat.objects.bulk_create([Chat(bot=desk.bot, scope=f"t-{number}", written_ns=1) for number in range(chats)])
    rows = Document.objects.bulk_create([*own, *theirs])
    Fact.objects.bulk_create(
        [
            Fact(
                bot=desk.bot,
                document=row,
                ordinal=number,
                line=number,
                end_line=number,
                text=f"Fact {number} of the document {row.path}: it is known",
                key=f"{row.pk:016x}{number:016x}",
            )
            for row in rows
            for number in range(facts)
        ]
    )


def test_a_look_after_one_change_costs_the_same_in_a_large_memory(desk):
    def statements(number):
        desk.write("chats/t-1/MEMORY.md", f"- {SECRET}, take {number}\n")
        index.refresh(desk.bot, accept_vanished=True)
        with CaptureQueriesContext(connection) as seen:
            findings.look(desk.bot)
        return len(seen)

    fill(desk, 4, 5)
    findings.look(desk.bot)
    few = statements(1)
    fill(desk, 0, 0)
    Fact.objects.filter(document__path__contains="x.md").update(line=1)
    assert statements(2) == few


@pytest.mark.skipif(connection.vendor != "sqlite", reason="it is about what SQLite would rather do")
def test_equal_facts_are_looked_up_by_what_they_say_and_not_among_all(desk):
    """Else the rules would take the square of the time for a memory twice as large."""
    desk.write("MEMORY.md", f"- {SECRET}\n")
    index.refresh(desk.bot, accept_vanished=True)
    with CaptureQueriesContext(connection) as seen:
        findings.look(desk.bot)
    asked = [one["sql"] for one in seen if "wanted(key)" in one["sql"]]
    assert asked
    with connection.cursor() as cursor:
        for statement in asked:
            cursor.execute(f"EXPLAIN QUERY PLAN {statement.replace('%', '%%')}")
            plan = [row[3] for row in cursor.fetchall()]
            assert any(step.startswith("SEARCH fact") and "key=?" in step for step in plan), plan


class Leaky(KenoBot):
    """A family whose rules are broken: every prompt holds what was said in one chat."""

    name = "leaky"

    def prompt(self, memory, chat, query, now, settings, sender=""):
        line = PromptLine("- not for others", "chats/telegram-9/MEMORY.md", 1)
        said = (line,) if memory.read(line.path) else (PromptLine("nothing"),)
        return Prompt((Section("Memory", Tier.CHAT, said),))


class Leak(Family):
    name = Leaky.name
    dialect = Leaky()


FAMILY = Leak()


def test_a_prompt_that_holds_what_is_anothers_is_not_shown_but_told(desk, settings):
    settings.DIALECTS = [*settings.DIALECTS, __name__]
    desk.write("chats/telegram-9/MEMORY.md", "- not for others\n")
    desk.bot.dialect = "leaky"
    desk.bot.save()
    with pytest.raises(build.Spilled):
        build.build(desk.bot, "telegram-1")
    assert look(desk) == [("chats/telegram-9/MEMORY.md", "telegram-1", spill.SPILLED)]
    assert build.build(desk.bot, "telegram-9").text == "- not for others"
    (desk.root / "chats/telegram-9/MEMORY.md").unlink()
    assert look(desk) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "One sentence that is long. And another that is long",
            ["One sentence that is long.", "And another that is long"],
        ),
        ("A title: what is said of it here", ["what is said of it here"]),
        ("[telegram-1] what is said of it here", ["what is said of it here"]),
        ("What is said of it here (by somebody)", ["What is said of it here"]),
        ("First line of the fact\nSecond line of the fact", ["First line of the fact", "Second line of the fact"]),
        ("Short. So. No", []),
        ("他喜欢喝咖啡不加糖。她喜欢喝绿茶也不加糖", ["他喜欢喝咖啡不加糖。", "她喜欢喝绿茶也不加糖"]),
    ],
)
def test_pieces_of_a_text(text, wanted):
    assert pieces(text) == wanted


def test_pieces_are_few_and_telling():
    long = " ".join(f"This is sentence number {number}." for number in range(500))
    assert len(pieces(long)) == 40
    assert all(is_telling(piece) for piece in pieces(long))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[telegram-1] x", "telegram-1"),
        ("telegram-1: x", "telegram-1"),
        ("(telegram--100) x", "telegram--100"),
        ("telegram-1 says x", ""),
        ("", ""),
    ],
)
def test_owner_of_a_text(text, wanted):
    assert owner(text) == wanted
