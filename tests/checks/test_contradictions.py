"""Answers that cannot all be so are found together; what may be so beside each other is left in peace."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from memory import index
from memory.checks import contradictions, findings
from memory.models import Claim, Document, Finding

pytestmark = pytest.mark.database(cases=1)


def look(desk):
    """The contradictions after a walk, the answers of each and its chat."""
    index.refresh(desk.bot, accept_vanished=True)
    findings.look(desk.bot)
    rows = Finding.objects.filter(bot=desk.bot, rule=contradictions.NAME, gone=None).order_by("pk")
    return [(row.text.split("\n"), row.scope) for row in rows]


def found(desk):
    (row,) = Finding.objects.filter(bot=desk.bot, rule=contradictions.NAME)
    (matter,) = contradictions.matters(desk.bot, [row.key])
    return matter


def test_birthdays_of_one_person_are_one_finding_with_the_newest_first(desk):
    desk.write("2026-03-01.md", "## 10:00 — Ana: birthday is June 3\n\n## 11:00 — Luis: birthday is May 1\n\n")
    desk.write("2026-03-09.md", "## 08:00 — Ana: birthday is March 3\n\n## 09:00 — Ana's birthday is June 3\n\n")
    desk.write("MEMORY.md", "- Ana's birthday is July 3\n")
    assert [answers for answers, _chat in look(desk)] == [
        ["Ana's birthday is July 3", "Ana's birthday is June 3", "Ana: birthday is March 3"]
    ]
    answers = found(desk).answers
    assert [(one.when, len(one.facts)) for one in answers] == [
        ("2026-03-09 09:00", 2),
        ("2026-03-09 08:00", 1),
        ("", 1),
    ]


def test_a_fact_and_its_denial_are_found_whichever_comes_first(desk):
    desk.write("MEMORY.md", "- Ana drinks coffee\n- Doesn't like Go\n")
    assert look(desk) == []
    desk.write("2026-03-01.md", "## 10:00 — Ana doesn't drink coffee\n\n## 11:00 — Likes Go\n\n")
    assert sorted(answers for answers, _chat in look(desk)) == [
        ["Ana doesn't drink coffee", "Ana drinks coffee"],
        ["Doesn't like Go", "Likes Go"],
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("Ana's birthday is June 3", "Ana’s birthday: 3 June 1990"),
        ("Ana's birthday is June 3", "Ana's dog's birthday is June 4"),
        ("Ana lives in Madrid", "Ana lives in Madrid, Spain"),
        ("Ana lives in Spain", "Ana lives in Madrid"),
        ("Ana lives in Munich", "Ana wohnt in München"),
        ("Ana's favourite colour is blue", "Ana's favourite tea is green"),
        ("Works at Acme", "Works at Acme Research"),
        ("Likes cats", "Likes dogs"),
        ("Likes Go", "Likes Google Docs"),
        ("Server: disk at 90 % on nas", "Server: disk at 68 % on nas"),
        ("Budget: 992 EUR for Grafana", "Budget: 479 EUR for Grafana"),
        ("Her birthday is June 3", "His birthday is June 4"),
    ],
)
def test_what_may_be_so_beside_each_other_is_no_contradiction(desk, lines):
    desk.write("MEMORY.md", "".join(f"- {line}\n" for line in lines))
    assert look(desk) == []


def test_a_state_of_one_day_and_of_another_is_none(desk):
    desk.write("2026-03-01.md", "## 10:00 — The server is up\n\n")
    desk.write("2026-03-02.md", "## 10:00 — The server is not up\n\n")
    assert look(desk) == []


def test_each_chat_has_its_own_user(desk):
    desk.write("chats/telegram-1/MEMORY.md", "- Lives in Porto\n")
    desk.write("chats/telegram-2/MEMORY.md", "- Lives in Lisbon\n")
    assert look(desk) == []
    desk.write("chats/telegram-2/2026-03-02.md", "## 10:00 — Lives in Braga\n\n")
    assert look(desk) == [(["Lives in Braga", "Lives in Lisbon"], "telegram-2")]


def test_under_headings_with_names_each_line_is_about_another(desk):
    desk.write("MEMORY.md", "## Ana\n\n- Birthday: 3 June\n\n## Luis\n\n- Birthday: 4 May\n")
    assert look(desk) == []


def test_it_goes_when_one_answer_is_left_and_comes_back(desk):
    desk.write("MEMORY.md", "- Lives in Porto\n- Lives in Lisbon\n")
    assert len(look(desk)) == 1
    desk.write("MEMORY.md", "- Lives in Porto\n")
    assert look(desk) == []
    desk.write("MEMORY.md", "- Lives in Porto\n- Lives in Lisbon\n")
    assert len(look(desk)) == 1
    assert Finding.objects.count() == 1


def test_both_are_true_until_one_of_them_is_another(desk):
    desk.write("MEMORY.md", "- Lives in Porto\n- Lives in Lisbon\n")
    look(desk)
    findings.ignore(Finding.objects.get(), "A flat in each", User.objects.get(username="ana"))
    desk.write("MEMORY.md", "- Likes Go\n- Lives in Porto\n- Lives in Lisbon\n")
    look(desk)
    assert findings.open_ones(desk.bot) == 0
    desk.write("MEMORY.md", "- Lives in Porto\n- Lives in Braga\n")
    look(desk)
    assert findings.open_ones(desk.bot) == 1


def test_looking_at_everything_again_finds_the_same(desk):
    desk.write("MEMORY.md", "- Lives in Porto\n- Lives in Lisbon\n- Likes Go\n- Doesn't like Go\n")
    before = look(desk)
    claims = Claim.objects.count()
    findings.check_everything(desk.bot)
    assert look(desk) == before
    assert Claim.objects.count() == claims
    index.reindex(desk.bot)
    findings.look(desk.bot)
    assert look(desk) == before


def test_a_look_after_one_change_costs_the_same_however_much_is_claimed(desk):
    def statements(text):
        desk.write("MEMORY.md", text)
        index.refresh(desk.bot)
        with CaptureQueriesContext(connection) as seen:
            findings.look(desk.bot)
        return len(seen)

    desk.write("2026-03-01.md", "".join(f"## 10:00 — Nr{'x' * n}'s birthday is May 1\n\n" for n in range(30, 60)))
    look(desk)
    few = statements("- Lives in Porto\n")
    desk.write("2026-03-02.md", "".join(f"## 10:00 — Nr{'x' * n}'s birthday is May 1\n\n" for n in range(1, 300)))
    look(desk)
    assert statements("- Lives in Porto today\n") <= few


@pytest.mark.django_db(transaction=True)
def test_a_document_may_go_while_what_it_claims_is_kept(desk):
    desk.write("MEMORY.md", "- Lives in Porto\n")
    desk.write("2026-03-02.md", "## 10:00 — Lives in Lisbon\n\n")

    def removes_it(execute, sql, params, many, context):
        if sql.startswith("INSERT") and "memory_claim" in sql:
            with transaction.atomic():
                Document.objects.filter(bot=desk.bot, path="2026-03-02.md").delete()
        return execute(sql, params, many, context)

    index.refresh(desk.bot)
    with connection.execute_wrapper(removes_it):
        findings.look(desk.bot)
    assert Finding.objects.filter(bot=desk.bot, rule=contradictions.NAME, gone=None).count() == 0
