"""What is said again in nearly the same words is found once, with all its copies; another event, person or chat is none."""

from __future__ import annotations

import pytest

from memory import index
from memory.checks import facts_alone, findings, near
from memory.checks.subjects import by_key
from memory.domain.fact_ref import FactRef
from memory.domain.places import Kind
from memory.models import ChangeSet, Document, Finding
from memory.text.claims.alike import are_alike, bands
from tests.web.checks.test_answers import pressed

pytestmark = pytest.mark.database(cases=1)
SAID = "Ana lives in a flat by the river Douro"
AGAIN = "Ana lives in the flat by the river Douro"


def look(desk):
    """What is said again: (path, text, why)."""
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    rows = Finding.objects.filter(bot=desk.bot, rule=near.NAME, gone=None).order_by("path", "line")
    return [(row.path, row.text, row.note) for row in rows]


def test_it_is_found_once_where_it_stays_longest_whichever_comes_last(desk):
    desk.write("2026-03-01.md", f"## 10:00 — {SAID}\n\n")
    assert look(desk) == []
    desk.write("MEMORY.md", f"- {AGAIN}\n")
    assert look(desk) == [("MEMORY.md", AGAIN, near.WORDS)]
    desk.write("MEMORY.md", f"- {SAID}\n")
    assert look(desk) == [("MEMORY.md", SAID, facts_alone.SAME_WORDS)]
    desk.write("MEMORY.md", f"- {AGAIN}\n- Likes Go\n- {SAID}.\n")
    assert look(desk) == [("MEMORY.md", AGAIN, near.WORDS)]
    desk.write("MEMORY.md", "- Likes Go\n")
    assert look(desk) == []


def test_the_very_same_words_are_no_nearly_and_what_is_said_twice_stands_in_one_finding(desk):
    desk.write("MEMORY.md", f"- {AGAIN}\n- {AGAIN}\n- {AGAIN}\n")
    assert look(desk) == []
    assert [row.rule for row in Finding.objects.filter(bot=desk.bot, gone=None)] == [facts_alone.TWICE]
    desk.write("identity/notes.md", f"- {AGAIN}\n")
    assert [path for path, _text, _why in look(desk)] == []
    desk.write("MEMORY.md", f"- {AGAIN}\n- {AGAIN}\n- {SAID}.\n")
    assert look(desk) == [("MEMORY.md", AGAIN, near.WORDS)]


def test_a_document_that_became_another_one_is_not_asked_any_more(desk):
    """As when a setting says that the bot reads its files otherwise: its facts stay as they are."""
    desk.write("2026-03-01.md", f"## 10:00 — {SAID}\n\n")
    desk.write("MEMORY.md", f"- {AGAIN}\n")
    look(desk)
    Document.objects.filter(bot=desk.bot, path="2026-03-01.md").update(kind=Kind.ARCHIVE)
    (first,) = by_key(desk.bot, [FactRef.of(Finding.objects.get(rule=near.NAME)).key])
    assert near.matters(desk.bot, [first]) == {}


def test_two_logs_another_day_and_another_heading_are_left_in_peace(desk):
    desk.write("2026-03-01.md", f"## 10:00 — {SAID}\n\n")
    desk.write("2026-03-02.md", f"## 10:00 — {AGAIN}\n\n")
    desk.write(
        "MEMORY.md",
        f"- 2026-02-01 10:00 — {SAID}\n\n## Ana\n\n- Lives by the old river\n\n## Luis\n\n- Lives by an old river\n",
    )
    assert look(desk) == []


def test_a_chats_own_and_the_shared_one_are_named_as_that(desk):
    desk.write("MEMORY.md", f"- {SAID}, third floor\n")
    desk.write("chats/telegram-1/MEMORY.md", f"- {AGAIN}, third floor\n- Likes very green tea\n")
    desk.write(
        "chats/telegram-2/MEMORY.md", "- Likes green tea\n- Marta keeps the spare keys of the boat in the red box\n"
    )
    desk.write("chats/telegram-3/MEMORY.md", "- Marta keeps the spare keys of the boat in a red box\n")
    assert look(desk) == [
        ("MEMORY.md", f"{SAID}, third floor", near.PRIVATE),
        ("chats/telegram-2/MEMORY.md", "Marta keeps the spare keys of the boat in the red box", near.CHATS),
    ]


def test_looking_at_everything_again_finds_the_same(desk):
    desk.write("MEMORY.md", f"- {SAID}\n- {AGAIN}\n")
    before = look(desk)
    findings.check_everything(desk.bot)
    assert look(desk) == before != []


def test_one_press_keeps_one_and_forgets_the_copies_as_one_change(desk):
    desk.write("2026-03-01.md", f"## 10:00 — {SAID}\n\n## 11:00 — Likes Go\n\n")
    desk.write("MEMORY.md", f"- {AGAIN}\n")
    look(desk)
    page = desk.get("tidy/")
    answers = page.soup.select(".answers > li")
    assert [AGAIN in answers[0].get_text(), SAID in answers[1].get_text(), len(answers)] == [True, True, 2]
    assert "Both are true" not in page.text
    changes = ChangeSet.objects.count()
    button = answers[0].select_one("button")
    page = pressed(desk, page, button)
    assert "Kept one, forgot 1 fact" in page.text
    assert desk.read() == f"- {AGAIN}\n"
    assert desk.read("2026-03-01.md") == "## 11:00 — Likes Go\n\n"
    assert ChangeSet.objects.count() == changes + 1
    assert look(desk) == []


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (SAID, AGAIN, True),
        ("The user prefers long walks", "Prefers long walks", True),
        ("The build takes long on the runner", "The build takes longg on the runner", False),
        ("Uses the old accountant for tax returns", "Uses the old acountant for tax returns", True),
        ("Ana pays Luis for the garden", "Luis pays Ana for the garden", False),
        ("El hermano de Ana vive en Porto", "La hermana de Ana vive en Porto", False),
    ],
)
def test_pairs(one, other, wanted):
    assert are_alike(one, other) is are_alike(other, one) is wanted


def test_short_and_long_texts_have_no_names_and_equal_ones_share_all():
    assert bands("Likes Go") == bands("x " * 400) == ()
    assert bands("The user prefers long walks!") == bands("Prefers the long walks")
