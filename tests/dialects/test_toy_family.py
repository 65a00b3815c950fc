"""A family that is a package and one word in `settings.DIALECTS`: all that there is works with a bot of it, and what it is not able
to do is nowhere offered."""

from __future__ import annotations

import json
from collections import Counter
from urllib.parse import urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup
from django.core.management import load_command_class
from django.test import Client

from memory import index, journal, registry
from memory.bots import families, open_bot
from memory.domain.changes import Append
from memory.domain.dialect import NO_LOGS
from memory.models import Bot
from memory.web.days.views import NO_DAYS
from memory.webhook import webhook_secrets
from tests.hostile.test_every_address import answers
from tests.management.cli.conftest import run
from tests.web.api.conftest import Program
from tests.webhook.conftest import Sender

CHAT = "telegram-5"
ITEMS = f"items/{CHAT}.jsonl"
LINES = [
    {"text": "Water the plants", "kind": "task", "status": "open", "at": "2026-01-02T00:00:00+00:00"},
    {"text": "Likes tea", "kind": "note", "status": "open", "at": "2026-01-03T00:00:00+00:00"},
]
MEMORY = "# Jotter\n\n- Lives in Porto\n"
VALUES = {
    "path": ("MEMORY.md", ITEMS, "items/none.jsonl", "none.md", "2026-01-02.md"),
    "scope": (CHAT, "telegram-6", ".."),
    "day": ("2026-01-02", "2026-13-45"),
    "pk": ("1", "999"),
    "token": ("x",),
}


@pytest.fixture(autouse=True)
def plugged_in(settings):
    settings.DIALECTS = [*settings.DIALECTS, "tests.support.jotter.family"]


@pytest.fixture
def home(db, tmp_path, settings, kenoweb_home):
    settings.API_RATE = 1_000_000
    settings.KENOBOT_VARIABLES = ()
    return tmp_path


@pytest.fixture
def directory(home):
    root = home / "machine" / "jots"
    (root / "items").mkdir(parents=True)
    (root / "MEMORY.md").write_text(MEMORY)
    (root / ITEMS).write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return root


@pytest.fixture
def bot(directory):
    added = registry.add(directory, name="Jots")
    index.refresh(added)
    added.refresh_from_db()
    return added


@pytest.fixture
def program(bot, directory):
    return Program(bot, directory)


# Added by its directory


def test_a_directory_is_recognised_and_added(bot, visitor):
    assert (bot.dialect, set(bot.directories)) == ("jotter", {"memory"})
    assert set(bot.documents.values_list("path", flat=True)) == {"MEMORY.md", ITEMS}
    assert ("jotter", "Jotter") in families.choices()
    other = open_bot(bot).memory_path.with_name("more")
    (other / "items").mkdir(parents=True)
    assert (
        "It looks like the memory of this bot type." in visitor.get("/bots/add", {"path": str(other)}).content.decode()
    )


# Every page


def test_every_page_answers(bot, visitor):
    seen = Counter()
    for name, address, looked, sent in answers(visitor, bot.slug, VALUES):
        seen[looked.status_code] += 1
        assert looked.status_code in (200, 301, 302, 404, 405), (name, address)
        assert sent.status_code < 500, (name, address)
    assert seen[200] > 40


def test_every_link_leads_somewhere_and_to_nothing_that_it_lacks(bot, visitor):
    seen, left = set(), ["/jots/"]
    while left:
        address = left.pop()
        if address in seen:
            continue
        seen.add(address)
        answer = visitor.get(address)
        assert answer.status_code in (200, 302), address
        if answer.status_code == 302:
            left.append(urljoin(address, answer["Location"]))
        elif answer["Content-Type"].startswith("text/html"):
            hrefs = (urljoin(address, a["href"]) for a in BeautifulSoup(answer.content, "lxml").select("a[href]"))
            left += [one.split("#")[0] for one in hrefs if one.startswith("/jots/")]
    rooms = {urlsplit(address).path.split("/")[2] for address in seen}
    assert {"memory", "entries", "chats", "prompt", "history", "settings", "webhooks"} <= rooms
    assert not {"compaction", "days", "jobs", "working"} & rooms


def test_nothing_is_compacted_by_hand_either(bot, visitor, directory):
    assert visitor.get("/jots/compaction").status_code == 404
    assert visitor.post("/jots/compaction/apply").status_code == 404
    told = visitor.get("/jots/go", {"q": "compact"}).content.decode()
    assert "/jots/compaction" not in told
    assert (directory / "MEMORY.md").read_text() == MEMORY


# Every command

WORDS = {
    "add-bot": ["{elsewhere}"],
    "show": [ITEMS],
    "context": ["--chat", CHAT],
    "search": ["tea"],
    "pin": ["Who drinks tea?", f"{ITEMS}:2"],
    "turn": ["-"],
    "write": ["MEMORY.md", "-"],
    "undo": ["{change_set}"],
    "export": ["{file}"],
    "import": ["{file}"],
    "summarise": ["--chat", CHAT],
    "pick": ["--chat", CHAT],
    "add": ["--text", "Sings", "--kind", "fact"],
    "why": ["tea"],
    "tool": ["search", "query=tea"],
    "compact": ["--dry-run"],
    "prune": ["--kind", "task"],
    "extract": ["-"],
    "purge": ["-"],
    "fact": [ITEMS, "2"],
    "forget": [f"{ITEMS}:2"],
    "move": [f"{ITEMS}:2", "--to", "shared"],
    "merge": [f"{ITEMS}:1", f"{ITEMS}:2"],
    "split": [f"{ITEMS}:2", "Sings", "Dances"],
    "pin-fact": [f"{ITEMS}:2"],
    "unpin-fact": [f"{ITEMS}:2"],
    "replace": ["tea", "milk"],
}
REFUSED = {"summarise", "pick", "compact"}  # without a model and without logs by day


def test_every_command_runs(bot, visitor, directory, tmp_path):
    elsewhere = tmp_path / "machine" / "more"
    (elsewhere / "items").mkdir(parents=True)
    (elsewhere / "items" / "a.jsonl").write_text(json.dumps(LINES[0]) + "\n")
    change = journal.commit(bot, [Append("MEMORY.md", b"- Sings\n")], by=journal.By("ana"), kind="edit").change_set
    given = {"elsewhere": elsewhere, "change_set": change.pk, "file": tmp_path / "all.zip"}
    turn = json.dumps({"message": "hi", "response": "ho", "session_id": CHAT}).encode()
    failed = {}
    for name in commands():
        words = [word.format(**given) for word in WORDS.get(name, [])]
        sent = turn if name == "turn" else (directory / "MEMORY.md").read_bytes()
        done = run(name, *words, "--bot", "jots", "--json", stdin=sent)
        assert json.loads(done.out), (name, done)
        if done.code:
            failed[name] = done.err.strip()
    of_others = {name for name, parser in commands().items() if parser.get_default("family")}
    assert set(failed) == REFUSED | of_others, failed
    assert len(of_others) > 3


def commands():
    """All of them by their names."""
    parser = load_command_class("memory", "memory").create_parser("manage.py", "memory")
    return next(one for one in parser._actions if one.choices and "status" in one.choices).choices


# The API


def test_programs_read_and_write_it(program):
    assert program.get("/api/v1/bots")[1]["bots"][0]["slug"] == "jots"
    assert program.get("/api/v1/bots/jots")[1]["dialect"] == "jotter"
    status, told = program.get("documents")
    assert (status, [one["path"] for one in told["documents"]]) == (200, ["MEMORY.md", ITEMS])
    facts = program.get("facts", path=ITEMS)[1]["facts"]
    assert [fact["text"] for fact in facts] == ["Water the plants", "Likes tea"]
    status, told = program.post("facts", text="Call Ana", path=ITEMS)
    assert (status, told["paths"]) == (200, [ITEMS])
    assert program.post("facts", text="Sings", path="MEMORY.md")[0] == 200
    status, told = program.post("facts", text="Sings")
    assert (status, told["error"]["message"]) == (422, "This bot keeps no daily log; name a path.")
    assert program.patch("facts", path=ITEMS, key=facts[1]["key"], nth=0, text="Likes coffee")[0] == 200
    meant = [{"path": ITEMS, "key": facts[0]["key"], "nth": 0}]
    status, told = program.post("facts/forget", facts=meant)
    assert status == 200
    assert [json.loads(line)["text"] for line in program.read(ITEMS).splitlines()] == ["Likes coffee", "Call Ana"]
    assert program.post(f"changes/{told['change_set']}/undo")[0] == 200
    assert "Water the plants" in program.read(ITEMS)
    assert len(program.get("changes")[1]["changes"]) == 6  # with the first look
    assert program.read() == MEMORY + "- Sings\n"


def test_programs_read_what_the_bot_reads(program):
    told = program.post("prompt", chat=CHAT, query="hello")[1]
    assert told["text"] == f"{MEMORY}- Water the plants\n- Likes tea\n"
    assert program.post("prompt")[1]["text"] == MEMORY
    assert [hit["text"] for hit in program.get("facts/search", q="tea")[1]["hits"]] == ["Likes tea"]


def test_programs_are_told_what_it_lacks(program, model):
    for status, told in (program.get("compaction"), program.post("compaction")):
        assert (status, told["error"]["code"], told["error"]["message"]) == (409, "stopped", NO_LOGS)
    assert program.post("jobs", kind="summary", chat=CHAT)[0] == 422
    assert program.post("jobs", kind="extraction", chat=CHAT)[0] == 422
    status, told = program.post("turns", session_id=CHAT, message="hi", response="ho")
    assert (status, told["response"], told["stored"]) == (200, "ho", OBSERVED)


# Turns

OBSERVED = {"memories": 0, "documents": [], "observed": True}


@pytest.fixture
def sender(bot, directory, fresh_tally):
    return Sender(bot, directory, Client(), webhook_secrets.make(bot, "phone").text)


def test_a_turn_is_observed_and_nothing_is_written(sender):
    before = sender.files()
    answer = sender.turn("Noted. <memory>Likes rain</memory>", session_id=CHAT)
    assert answer.status_code == 200
    assert answer.json() == {"response": "Noted. <memory>Likes rain</memory>", "status": "ok", "stored": OBSERVED}
    assert sender.files() == before
    assert sender.turn("x", session_id="../x").status_code == 400


def test_a_turn_is_answered_without_being_written_down(sender, model):
    before = sender.files()
    answer = sender.post(message="Tea or coffee?", session_id=CHAT)
    assert answer.status_code == 200, answer.content
    assert answer.json()["stored"]["documents"] == []
    assert sender.files() == before


# Doors that are closed


def test_no_days_are_offered_where_none_are_kept(bot, visitor, directory):
    page = BeautifulSoup(visitor.get("/jots/").content, "lxml")
    assert "/jots/entries/" in {a["href"] for a in page.select("nav a[href]")}
    assert not [a for a in page.select("a[href]") if a["href"].startswith("/jots/days")]
    assert "/jots/days" not in visitor.get("/jots/go", {"q": "days"}).content.decode()
    for where in ("", "today", "2026-01-02"):
        looked = visitor.get(f"/jots/days/{where}")
        assert (looked.status_code, NO_DAYS in looked.content.decode()) == (404, True), where
    sent = visitor.post("/jots/days/add", {"text": "Sings"})
    assert (sent.status_code, NO_DAYS in sent.content.decode()) == (404, True)
    assert (directory / "MEMORY.md").read_text() == MEMORY


def test_the_page_of_compaction_says_why_it_is_none(bot, visitor):
    assert NO_LOGS in visitor.get("/jots/compaction").content.decode()


@pytest.mark.parametrize("kind", ["compaction", "consolidation"])
def test_no_job_compacts_what_keeps_no_logs(program, model, kind):
    status, told = program.post("jobs", kind=kind, all_chats=True)
    assert (status, told["error"]["code"], told["error"]["message"]) == (422, "invalid", NO_LOGS)
    assert program.get("jobs")[1]["jobs"] == []


def test_an_option_that_it_has_no_setting_for_changes_nothing(program):
    status, told = program.post("compaction", dedupe="same", keep_logs=True, retention_days=3)
    assert (status, told["error"]["message"]) == (409, NO_LOGS)


def test_operators_are_told_that_nothing_is_compacted(bot, visitor, model):
    act = {"action": "compact_by_meaning", "_selected_action": [bot.pk]}
    assert NO_LOGS in visitor.post("/admin/memory/bot/", act, follow=True).content.decode()
    assert not bot.jobs.exists()


@pytest.mark.parametrize("words", [("add", "-t", "Sings", "-k", "fact"), ("why", "tea"), ("backfill",)])
def test_a_command_of_one_family_is_refused_and_its_bots_are_named(bot, visitor, directory, words):
    said = f"`memory {words[0]}` is for bots of the type nanobot (SQLite memory), and this bot isn’t one."
    assert run(*words, "--bot", "jots").err.strip() == said
    Bot.objects.create(slug="nano", name="Nano", dialect="nanobot")
    assert run(*words, "--bot", "jots").err.strip() == f"{said} One that is: --bot nano."
    assert (directory / ITEMS).read_text() == "".join(json.dumps(line) + "\n" for line in LINES)
