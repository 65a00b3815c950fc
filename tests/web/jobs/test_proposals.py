"""What a job proposes: each source with its fate on the page, decided in part, with nothing written before."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import index
from memory.domain.changes import base_of
from memory.models import ChangeSet, Fact, Job, Proposal
from memory.web.jobs.job import SETS_SHOWN
from tests.web.conftest import MEMORY
from tests.web.jobs.made_jobs import job, propose, source

LOG = """\
## 09:00 — Likes green tea

## 10:30 — Ana moved to Vigo in March

## 11:00 — Ana lives in Lugo

## 12:00 — Ate <soup>

"""
SAID = "Picked apples on Sunday"
CLOSED = "None of the selected suggestions are open any more. Nothing was changed."
NONE = "Nothing selected. Nothing was changed."


@pytest.fixture
def facts(desk):
    """The facts of an old log, by the first word or two of each."""
    desk.write("2026-01-01.md", LOG)
    index.refresh(desk.bot)
    found = Fact.objects.filter(bot=desk.bot, document__path="2026-01-01.md").select_related("document")
    return {fact.text.split()[1]: source(fact) for fact in found}


@pytest.fixture
def planned(desk, facts):
    """A job that proposes one of each, and nothing decided."""
    made = job(desk.bot, "planned")
    propose(made, "merge", [facts["green"], facts["moved"]], text="Ana moved to Vigo; likes tea", path="MEMORY.md")
    propose(made, "supersede", [facts["lives"]], newer=facts["moved"])
    propose(
        made, "archive", [facts["<soup>"]], path="archive/2026.md", flags=["It names Rodrigo, which no source does."]
    )
    propose(made, "keep", [facts["green"]], path="MEMORY.md")
    return made


@pytest.fixture
def picked(desk):
    """Facts picked out of a chat that wait for somebody."""
    desk.write("chats/telegram-1/2026-01-01.md", "## 09:00 — Old\n\n")
    index.refresh(desk.bot)
    made = job(desk.bot, "planned", "extraction", params={"chat": "telegram-1"})
    message = {"path": "@sessions/telegram-1.jsonl", "line": 7, "text": "We picked apples"}
    for text, flags in ((SAID, []), ("Baked a cake", []), ("Met Rodrigo", ["It names Rodrigo."])):
        propose(made, "remember", [message], text=text, path="chats/telegram-1", flags=flags)
    return made


def rows(page):
    return page.soup.select(".plan tr[data-row]")


def send(page, **ticks):
    """What the form of a plan sends; `ticks`: other states of the boxes, by what they send (`p1=False`)."""
    sent = {}
    for field in page.soup.select("#plan-form input[name]"):
        on = ticks.get(f"p{field.get('value')}", "checked" in field.attrs)
        if field["name"] != "csrfmiddlewaretoken" and (field.get("type") != "checkbox" or on):
            sent.setdefault(field["name"], []).append(field.get("value", ""))
    return sent


def words(node):
    return " ".join(node.get_text(" ").split())


def chat_says(desk):
    return "".join(path.read_text() for path in sorted((desk.root / "chats/telegram-1").glob("*.md")))


def states(made):
    return list(made.proposals.order_by("number").values_list("state", flat=True))


# ---- the page ---------------------------------------------------------------------------------------------------------------


def test_merge_shows_its_sources_with_what_the_line_says_of_them(desk, planned):
    row = rows(desk.get(f"jobs/{planned.pk}"))[0]
    assert [link["href"] for link in row.select(".place a")] == [
        "/keno/documents/2026-01-01.md?line=1",
        "/keno/documents/2026-01-01.md?line=3",
    ]
    first, second = row.select(".sources .fact")
    assert first.get_text() == "Likes green tea"
    assert [mark.get_text() for mark in first.select("mark")] == ["Likes", "tea"]
    assert [mark.get_text() for mark in second.select("mark")] == ["Ana moved to Vigo"]
    assert words(row.select_one(".becomes")) == "becomes Ana moved to Vigo; likes tea"
    assert words(row.select_one(".goes")) == "MEMORY.md"
    assert words(row.select_one(".fate")) == "merge"


def test_superseded_fact_is_struck_through_beside_the_newer_one(desk, planned):
    row = rows(desk.get(f"jobs/{planned.pk}"))[1]
    assert row.select_one("del").get_text() == "Ana lives in Lugo"
    assert words(row.select_one(".becomes")) == "because of 2026-01-01.md:3 Ana moved to Vigo in March"


def test_archived_fact_says_where_it_goes_and_what_is_flagged(desk, planned):
    row = rows(desk.get(f"jobs/{planned.pk}"))[2]
    assert words(row.select_one(".fact")) == "Ate <soup>"
    assert words(row.select_one(".goes")) == "archive/2026.md"
    assert (row.select_one(".when a")["href"], words(row.select_one(".when"))) == (
        "/keno/documents/2026-01-01.md?line=7",
        "12:00",
    )
    assert words(row.select_one(".flags")) == "It names Rodrigo, which no source does."


def test_page_counts_what_waits_and_offers_what_has_no_flag(desk, planned):
    page = desk.get(f"jobs/{planned.pk}")
    assert "4 suggestions to review. Nothing changes until you accept them." in page.text
    assert [(one["value"], "checked" in one.attrs) for one in page.soup.select(".plan .select")] == [
        ("1", True),
        ("2", True),
        ("3", False),
        ("4", True),
    ]
    assert len(page.soup.select("main .filled")) == 1


def test_proposals_are_filtered_by_fate_flag_and_state(desk, planned):
    planned.proposals.filter(number=4).update(state="refused")
    at = f"jobs/{planned.pk}"
    assert [row["id"] for row in rows(desk.get(at, action="merge"))] == ["p-1"]
    assert [row["id"] for row in rows(desk.get(at, q="SOUP"))] == ["p-3"]
    assert len(rows(desk.get(at, action="flagged"))) == 1
    assert len(rows(desk.get(at, state="open"))) == 3
    assert len(rows(desk.get(at, state="refused", action="keep"))) == 1
    assert len(rows(desk.get(at, state="nonsense", action="'", page="x"))) == 4
    assert "No matches" in desk.get(at, state="refused", action="merge").text


def test_fact_that_is_not_there_any_more_is_said(desk, planned):
    desk.write("2026-01-01.md", LOG.replace("Ana lives in Lugo", "Ana lives in Rome"))
    index.refresh(desk.bot)
    stale = [bool(row.select(".warned")) for row in rows(desk.get(f"jobs/{planned.pk}"))]
    assert stale == [False, True, False, False]


def test_blocked_run_names_what_would_be_lost_and_offers_to_ask_again(desk, facts, settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "playing-1"
    made = job(desk.bot, "failed", trouble="The model’s plan would lose 1 fact. Nothing was changed.")
    loss = "“Vigo” and “March” are not in the line."
    propose(made, "merge", [facts["moved"]], text="Ana moved", state="blocked", losses=[loss])
    propose(made, "keep", [facts["green"]], path="MEMORY.md")
    page = desk.get(f"jobs/{made.pk}")
    assert "This plan would lose 1 fact, so it can’t be accepted." in page.text
    assert words(rows(page)[0].select_one(".losses")) == loss
    assert not page.soup.select(".plan input, form[action$='/accept'], [formaction$='/accept']")
    assert words(page.soup.select_one(".head .filled")) == "Ask again"
    assert CLOSED in desk.post(f"jobs/{made.pk}/accept", number="2").text
    assert desk.read() == MEMORY


def test_whole_document_is_shown_by_what_would_differ(desk):
    desk.write("working/telegram-1.md", "- Plans a trip\n- Wants tea\n")
    made = job(desk.bot, "planned", "summary", params={"chat": "telegram-1"})
    messages = [{"path": "@sessions/telegram-1.jsonl", "line": n, "text": f"Message {n}"} for n in range(1, 31)]
    propose(made, "replace", messages, text="- Plans a trip\n- Booked it\n", path="working/telegram-1.md")
    page = desk.get(f"jobs/{made.pk}")
    row = rows(page)[0]
    assert words(row.select_one("summary")) == "From 30 messages"
    assert len(row.select("details .sources li")) == 21
    assert [words(cell) for cell in row.select(".unified .text")] == ["- Plans a trip", "- Wants tea", "- Booked it"]
    form = page.soup.select_one(".head .filled").find_parent("form")
    assert [words(button) for button in form.select("button")] == ["Accept", "Skip"]
    assert form.select_one("input[name=number]")["value"] == "1"
    assert not page.soup.select(".filters, .plan input")
    assert "1 skipped. No file was changed." in desk.post(f"jobs/{made.pk}/refuse", number="1").text


def test_thousands_of_proposals_are_paged_with_as_few_statements_as_one(desk, facts, django_assert_max_num_queries):
    small, large = job(desk.bot, "planned"), job(desk.bot, "planned")
    propose(small, "keep", [facts["green"]])
    each = {"bot": desk.bot, "job": large, "action": "merge", "text": "Likes tea", "path": "MEMORY.md"}
    sources = [facts["green"], facts["moved"]]
    Proposal.objects.bulk_create(Proposal(**each, number=n, sources=sources) for n in range(1, 2001))
    with CaptureQueriesContext(connection) as few:
        desk.get(f"jobs/{small.pk}")
    with CaptureQueriesContext(connection) as many:
        page = desk.get(f"jobs/{large.pk}", page="3")
    assert len(many) <= len(few)
    assert len(rows(page)) == 50
    assert "101–150 of 2,000" in page.text
    assert len(page.response.content) < 200_000


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "a\u2028b\x00'\"", "\ud83d".encode("utf-8", "replace").decode(), "x" * 9000]
)
def test_odd_texts_break_no_page(desk, text):
    made = job(desk.bot, "planned")
    text = text.replace("\0", "")
    odd = {"path": "chats/a\n<b>/2026.md", "line": "3", "text": text}
    propose(made, "merge", [odd, {}], text=text, path="<i>", flags=[text], newer={"path": "x"})
    page = desk.get(f"jobs/{made.pk}")
    assert page.status == 200
    assert not page.soup.select("main script, main b, main i")
    assert len(page.response.content) < 60_000


# ---- deciding ---------------------------------------------------------------------------------------------------------------


def test_selected_proposals_are_accepted_as_one_change_that_can_be_undone(desk, picked):
    page = desk.post(f"jobs/{picked.pk}/accept", number=["1", "2"])
    assert "2 accepted." in page.text
    made = ChangeSet.objects.get(job=picked)
    assert states(picked) == ["applied", "applied", "open"]
    assert SAID in chat_says(desk)
    assert "Met Rodrigo" not in chat_says(desk)
    first = rows(page)[0]
    assert words(first.select_one(".fate")) == f"remembered accepted change {made.pk}"
    assert first.select_one(".fate a")["href"] == f"/keno/changes/{made.pk}"
    assert page.soup.select_one(f".toast form[action='/keno/changes/{made.pk}/undo']")
    assert page.soup.select_one(f".rows button[formaction='/keno/changes/{made.pk}/undo']")
    desk.post(f"changes/{made.pk}/undo")
    assert SAID not in chat_says(desk)
    fates = [words(row.select_one(".fate")) for row in rows(desk.get(f"jobs/{picked.pk}"))[:2]]
    assert fates == [f"remembered undone change {made.pk}"] * 2
    assert by_state(desk, picked) == {"All": 3, "Needs review 1": 1, "Undone 2": 2}
    desk.post(f"changes/{ChangeSet.objects.get(undoes=made).pk}/undo")
    assert f"remembered accepted change {made.pk}" in words(rows(desk.get(f"jobs/{picked.pk}"))[0])
    assert by_state(desk, picked) == {"All": 3, "Needs review 1": 1, "Accepted 2": 2}


def by_state(desk, made):
    """The filters by state, and how many suggestions each shows."""
    buttons = desk.get(f"jobs/{made.pk}").soup.select("button[name=state]")
    return {words(one): len(rows(desk.get(f"jobs/{made.pk}", state=one["value"]))) for one in buttons}


def test_each_of_many_suggestions_that_were_undone_one_by_one_counts_as_undone(desk, planned):
    number, fields = SETS_SHOWN + 6, {"bot": desk.bot, "state": "applied", "created": timezone.now()}
    for _ in range(number):
        made = ChangeSet.objects.create(kind="compaction", job=planned, **fields)
        propose(planned, "remember", [], text=SAID, path="MEMORY.md", state="accepted", change_set=made)
        ChangeSet.objects.create(kind="undo", undoes=made, **fields)
    found = {words(one) for one in desk.get(f"jobs/{planned.pk}").soup.select("button[name=state]")}
    assert f"Undone {number}" in found
    assert not any(one.startswith("Accepted") for one in found)


def test_what_was_undone_is_no_bar_of_before_and_after(desk, planned):
    sizes = {"details": {"moved": 1, "sizes": {"MEMORY.md": [10, 900]}}, "kind": "compaction", "state": "applied"}
    made = [ChangeSet.objects.create(bot=desk.bot, job=planned, created=timezone.now(), **sizes) for _ in range(2)]
    for undone, bars in ((None, 1), (made[0], 1), (made[1], 0)):
        if undone:
            ChangeSet.objects.create(bot=desk.bot, kind="undo", state="applied", created=timezone.now(), undoes=undone)
        page = desk.get(f"jobs/{planned.pk}")
        assert len(page.soup.select(".after > .bars")) == bars


def test_where_nothing_is_ticked_nothing_is_skipped(desk, picked):
    page = desk.get(f"jobs/{picked.pk}")
    assert "disabled" not in page.soup.find("button", string="Skip selected").attrs
    page = desk.post(f"jobs/{picked.pk}", **send(page, p1=False, p2=False))
    assert "disabled" in page.soup.find("button", string="Skip selected").attrs


def test_where_a_fact_stands_is_said_once(desk, facts):
    made = job(desk.bot, "planned")
    timeless = {"time": "", "day": ""}
    propose(made, "supersede", [facts["lives"] | timeless], newer=facts["moved"])
    propose(made, "keep", [facts["green"] | timeless], path="MEMORY.md")
    said = [words(row.select_one(".when")) for row in rows(desk.get(f"jobs/{made.pk}"))]
    assert said == ["", "2026-01-01.md:1"]


def test_all_without_a_flag_are_accepted_and_the_rest_waits(desk, picked):
    page = desk.get(f"jobs/{picked.pk}")
    assert words(page.soup.select_one(".head .filled")) == "Accept 2 suggestions"
    assert "2 accepted." in desk.post(f"jobs/{picked.pk}/accept", **send(page)).text
    assert states(picked) == ["applied", "applied", "open"]
    page = desk.get(f"jobs/{picked.pk}")
    assert "1 suggestion to review. Nothing changes until you accept it." in page.text
    assert words(page.soup.select_one(".head .filled[disabled]")) == "Nothing selected"
    assert "1 accepted." in desk.post(f"jobs/{picked.pk}/accept", number="3").text
    assert Job.objects.get(pk=picked.pk).state == "applied"
    assert "All reviewed" in desk.get(f"jobs/{picked.pk}").text


def test_ticks_decide_what_is_accepted_on_this_page_and_on_others(desk):
    made = job(desk.bot, "planned", "extraction", params={"chat": "telegram-1"})
    message = {"path": "@sessions/telegram-1.jsonl", "line": 7, "text": "Said"}
    for n in range(120):
        propose(
            made, "remember", [message], text=f"Fact {n}", path="chats/telegram-1", flags=["Odd."] if n == 2 else []
        )
    at = f"jobs/{made.pk}"
    second = desk.post(at, **{**send(desk.get(at), p2=False, p3=True), "page": "2"})
    assert "51–100 of 120" in second.text
    third = desk.post(at, **{**send(second, p60=False), "page": "3"})
    assert words(third.soup.select_one(".head .filled")) == "Accept 118 suggestions"
    assert states(made) == ["open"] * 120
    desk.post(f"{at}/accept", **send(third))
    assert [n for n, state in enumerate(states(made), 1) if state == "open"] == [2, 60]


def test_a_day_that_is_left_comes_back_as_it_was(desk, planned):
    at, log = f"jobs/{planned.pk}", "p2026-01-01.md"
    fewer = desk.post(at, **send(desk.get(at), p2=False))
    left = desk.post(at, **send(fewer, **{log: False}))
    assert words(left.soup.select_one(".head .filled")) == "Nothing selected"
    again = desk.post(at, **send(left, **{log: True}))
    ticks = {box["value"]: "checked" in box.attrs for box in again.soup.select(".plan .select")}
    assert ticks == {"1": True, "2": False, "3": False, "4": True}


def test_nothing_selected_decides_nothing(desk, picked):
    for act in ("accept", "refuse"):
        assert "Nothing selected. Nothing was changed." in desk.post(f"jobs/{picked.pk}/{act}").text
    assert states(picked) == ["open", "open", "open"]


def test_a_typed_yes_is_only_asked_of_a_compaction(desk, picked):
    assert "1 accepted." in desk.post(f"jobs/{picked.pk}/accept", number="1", word="move").text


def test_refused_proposals_change_no_file(desk, picked):
    before = chat_says(desk)
    assert "1 skipped. No file was changed." in desk.post(f"jobs/{picked.pk}/refuse", number="2").text
    assert states(picked) == ["open", "refused", "open"]
    assert words(rows(desk.get(f"jobs/{picked.pk}"))[1].select_one(".fate")) == "remembered skipped"
    assert "2 skipped. No file was changed." in desk.post(f"jobs/{picked.pk}/refuse", all="open").text
    assert Job.objects.get(pk=picked.pk).state == "cancelled"
    assert chat_says(desk) == before


def test_what_is_decided_already_is_not_decided_twice(desk, picked):
    desk.post(f"jobs/{picked.pk}/refuse", number="1")
    page = desk.post(f"jobs/{picked.pk}/accept", number="1")
    assert CLOSED in page.text
    assert SAID not in chat_says(desk)
    assert "0 skipped. No file was changed." in desk.post(f"jobs/{picked.pk}/refuse", number="1").text


def test_what_cannot_be_accepted_is_told_with_the_reason(desk, picked):
    desk.post(f"jobs/{picked.pk}/accept", number="1")
    Proposal.objects.filter(job=picked, number=2).update(text=SAID)
    page = desk.post(f"jobs/{picked.pk}/accept", number=["2", "3"])
    assert re.search(r"1 accepted\. 1 couldn’t be applied: chats/telegram-1/[\d-]+\.md already says this\.", page.text)
    assert states(picked) == ["applied", "open", "applied"]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [([], NONE), (["x"], NONE), (["-1"], NONE), (["9" * 30], NONE), (["77"], CLOSED)],
)
def test_nothing_sensible_selected_changes_nothing(desk, picked, numbers, said):
    page = desk.post(f"jobs/{picked.pk}/accept", number=numbers)
    assert page.status == 200
    assert said in page.text
    assert states(picked) == ["open"] * 3


def test_proposals_of_a_job_that_is_not_planned_are_not_accepted(desk, picked):
    Job.objects.filter(pk=picked.pk).update(state="running")
    desk.post(f"jobs/{picked.pk}/accept", all="plain")
    desk.post(f"jobs/{picked.pk}/refuse", all="open")
    assert states(picked) == ["open"] * 3


@pytest.mark.database
@pytest.mark.parametrize("kind", ["consolidation", "held"])
def test_documents_that_are_proposed_share_one_page_and_each_is_shown_whole_where_it_is_asked_for(desk, facts, kind):
    made, line = job(desk.bot, "planned", kind), "Olive invoice, heater. " * 5
    text = "# Memory\n" + "".join(f"- {number}: {line}\n" for number in range(900))
    wants = {"act": "document", "base": base_of((desk.root / "MEMORY.md").read_bytes())} if kind == "held" else {}
    for _one in range(2):
        propose(made, "replace", [facts["green"]], text=text, path="MEMORY.md", newer=wants)
    page = desk.get(f"jobs/{made.pk}")
    assert len(page.response.content) < 200_000
    seen, href = set(), page.soup.find("a", string="Show all")["href"]
    assert href == "?number=1"
    while href:
        page = desk.get(f"jobs/{made.pk}{href}")
        assert len(page.response.content) < 200_000
        assert page.link("Show all") == "?"
        seen |= {row.get_text() for row in page.soup.select("table.unified tr.added td.text")}
        after = page.soup.select_one("main nav.pages a[rel=next]")
        href = after and after["href"]
    assert len(seen) > 900
