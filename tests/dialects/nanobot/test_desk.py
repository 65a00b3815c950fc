"""A nanobot on the desk: found, listed, searched, and its scopes kept apart."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from bs4 import BeautifulSoup

from memory import index, journal, registry
from memory.bots import open_bot
from memory.curation import acts, moving, replacing
from memory.dialects.nanobot import Nanobot, curate, family
from memory.dialects.nanobot.layout import LEGACY
from memory.domain.errors import Refusal
from memory.domain.places import Kind
from memory.models import ChangeSet, Document, Fact
from memory.prompts import build
from memory.registry import survey
from memory.search.find import search
from tests.dialects.nanobot import golden, home

CHAT, USER = "@database/telegram_123.jsonl", "@database/telegram:user:123.jsonl"
BY = journal.By("Ana")
pytestmark = pytest.mark.django_db


def state(directory):
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in directory.rglob("*") if path.is_file()}


def test_a_workspace_is_recognised_with_its_database(there):
    workspace, file = there
    site = registry.look_at(workspace)
    assert site.dialect == "nanobot"
    assert registry.roots_of(site.directory, site.dialect) == {
        "memory": workspace.resolve(),
        "database": file.resolve(),
    }


def test_the_database_leads_to_its_workspace_only_if_its_bot_says_so(there, tmp_path):
    workspace, file = there
    assert registry.look_at(file).directory == workspace.resolve()
    alone = golden.make(tmp_path / "elsewhere" / "longterm.db")
    with pytest.raises(Refusal, match=r"This is a database\. Enter the bot’s workspace instead"):
        registry.look_at(alone)


def test_the_configuration_says_which_database_it_is(there, tmp_path):
    workspace, _file = there
    other = golden.make(tmp_path / ".nanobot" / "other.db")
    (tmp_path / ".nanobot" / "config.json").write_text(json.dumps({"memory": {"dbPath": "other.db"}}))
    assert registry.roots_of(workspace, "nanobot")["database"] == other


@pytest.mark.parametrize("told", [{}, {"memory": {"dbPath": ""}}, {"memory": {"enabled": True}}])
@pytest.mark.parametrize("name", ["memory/memory.db", "data/memory/memory.db"])
def test_a_newer_bots_database_is_found_without_being_named(there, tmp_path, told, name):
    workspace, _older = there
    (tmp_path / ".nanobot" / "config.json").write_text(json.dumps(told))
    newer = golden.make(tmp_path / ".nanobot" / name)
    assert registry.roots_of(workspace, "nanobot")["database"] == newer
    (tmp_path / ".nanobot" / "config.json").write_text(
        json.dumps({"memory": {"dbPath": "~/.nanobot/memory/longterm.db"}})
    )
    assert registry.roots_of(workspace, "nanobot")["database"] == there[1]


def test_a_workspace_elsewhere_gets_no_database_that_is_not_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    home.make(tmp_path / ".nanobot")
    (tmp_path / "copy" / "memory" / "session-state").mkdir(parents=True)
    assert "database" not in registry.roots_of(tmp_path / "copy", "nanobot")
    assert survey.survey({"memory": tmp_path / "copy"}, "nanobot").notes == (family.NO_DATABASE_FOUND,)


def test_entries_of_other_workspaces_are_said_and_left_out(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    workspace, _file = home.make(tmp_path / ".nanobot", more=[golden.row("not mine", "0" * 16)])
    roots = registry.roots_of(workspace, "nanobot")
    assert survey.survey(roots, "nanobot").notes == (family.OTHERS_TOO,)
    bot = registry.add(workspace)
    index.refresh(bot, patience=5)
    assert not Fact.objects.filter(text="not mine").exists()


def test_facts_are_those_of_the_database_with_their_scope(bot):
    facts = {(fact.document.path, fact.text) for fact in Fact.objects.select_related("document")}
    assert {text for path, text in facts if path == CHAT} == {
        "let's use Postgres for the shop",
        "we decided to deploy on Fridays",
        "do not deploy on Mondays",
    }
    assert {text for path, text in facts if path == "memory/MEMORY.md"} == {"Speaks Spanish", "Works at night"}
    assert not [path for path, _ in facts if "semantic" in path]
    scopes = dict(Document.objects.values_list("path", "scope"))
    assert (scopes[CHAT], scopes[USER]) == ("telegram_123", "telegram:user:123")
    assert scopes["memory/session-state/telegram_123.md"] == "telegram_123"


def test_looking_changes_no_byte(there):
    before = state(there[0].parent)
    bot = registry.add(there[0])
    index.refresh(bot, patience=5)
    index.reindex(bot)
    index.refresh(bot, patience=5)
    build.build(bot, "telegram_123", "deploy")
    assert state(there[0].parent) == before


def test_a_second_walk_reads_nothing_anew(bot, there):
    past = there[1].stat().st_mtime - 100
    for path in there[0].rglob("*"):
        os.utime(path, (past, past))
    index.refresh(bot, patience=5)
    assert index.refresh(bot, patience=5).changed == ()


def test_what_the_bot_writes_is_seen_and_told_as_its_own(bot, there):
    of = golden.workspace_id(there[0])
    with closing(sqlite3.connect(there[1])) as db:
        golden.insert(db, golden.row("i am in Oslo", of, day="2026-03-03"))
        db.commit()
    index.refresh(bot, patience=5)
    assert Fact.objects.filter(text="i am in Oslo").exists()
    assert ChangeSet.objects.filter(bot=bot).first().by == "looks like the bot"


def test_a_chat_finds_its_own_entries_and_its_users_and_nobody_elses(bot):
    hits = {
        hit.text
        for hit in search(
            bot, "secret deploy postgres berlin", limit=50, chat="telegram_123", now=open_bot(bot).now()
        ).hits
    }
    assert "let's use Postgres for the shop" in hits
    assert not [text for text in hits if "secret" in text or "blob" in text]


def test_the_pages_of_a_nanobot_are_there(desk):
    chat = "chats/telegram_123"
    pages = [
        "",
        "documents/",
        "chats/",
        "search/?q=deploy",
        "prompt/?chat=telegram_123&query=deploy",
        "settings",
        "memory",
    ]
    pages += [
        "history/",
        "findings/",
        "webhooks/",
        "tidy/?show=jobs",
        "recall/",
        chat,
        f"{chat}/transcript",
    ]
    pages += [
        f"{chat}/reads",
        "chats/telegram:user:123",
        f"documents/{CHAT}",
        f"facts/{CHAT}",
        f"raw/{CHAT}",
        f"documents/{USER}",
    ]
    pages += [
        "documents/memory/session-state/telegram_123.md",
        "documents/memory/semantic/decisions.md",
        f"history/{CHAT}",
    ]
    for page in pages:
        found = desk.client.get(f"/{desk.bot.slug}/{page}", follow=True)
        assert found.status_code == 200, page


def test_what_a_nanobot_does_not_keep_is_offered_nowhere(desk):
    places = {link["href"] for link in desk.get("").soup.select("nav a")}
    assert not {f"/{desk.bot.slug}/working/", f"/{desk.bot.slug}/compaction"} & places
    assert desk.get("compaction").status == 404
    missing = desk.get("working/")
    assert (missing.status, "This bot keeps no working memory." in missing.text) == (404, True)


def test_all_entries_stand_in_one_table_and_are_narrowed(desk):
    page = desk.get("entries/")
    assert "9 entries" not in page.text
    assert len(page.soup.select("tbody tr")) == 8
    row = next(row for row in page.soup.select("tbody tr") if "Mondays" in row.get_text())
    assert [cell.get_text().strip() for cell in row.find_all("td")][2:6] == [
        "Decision By the bot",
        "telegram_123",
        "0.80",
        "0.88",
    ]
    assert row.select_one(".chip").get_text() == "expired"
    assert len(desk.get("entries/", kind="decision").soup.select("tbody tr")) == 4
    assert len(desk.get("entries/", whose="user").soup.select("tbody tr")) == 3
    assert len(desk.get("entries/", whose="chat", q="deploy").soup.select("tbody tr")) == 2
    assert len(desk.get("entries/", whose="global").soup.select("tbody tr")) == 1
    assert len(desk.get("entries/", kind="nonsense", whose="x").soup.select("tbody tr")) == 8
    assert "No matching entries" in desk.get("entries/", q="zzz").text


def test_a_chat_without_notes_by_day_opens_with_its_entries(desk):
    page = desk.get("chats/telegram_123")
    assert "let's use Postgres for the shop" in page.text
    tabs = page.soup.select("nav[aria-label='Views of this chat'] a")
    assert [tab.get_text(" ", strip=True).split()[0] for tab in tabs] == ["Facts", "Transcript", "Prompt"]


def test_the_prompt_page_recalls_for_a_message(desk):
    page = desk.get("prompt/", chat="telegram_123", q="deploy the shop")
    assert "let's use Postgres for the shop" in page.text
    assert "secret" not in page.text
    rows = [
        [cell.get_text(" ", strip=True) for cell in row.find_all("td")]
        for row in page.soup.select("section[aria-labelledby=recalled] tbody tr")
    ]
    assert rows[0][0].startswith("let's use Postgres for the shop")
    assert rows[0][1] == "the, shop"
    fit, importance, lately, score = (float(cell) for cell in rows[0][2:])
    assert fit + importance + lately == pytest.approx(score, abs=0.02)


def test_a_session_shows_its_turns_and_the_one_that_died(desk):
    page = desk.get("chats/telegram_123/transcript")
    said = [item.get_text(" ", strip=True) for item in page.soup.select("ol.talk li")]
    assert len(said) == 4
    assert said[0].endswith("let's use Postgres")
    assert said[1].startswith("bot")
    assert "Never answered: the bot stopped or failed." in said[3]


def test_the_overview_shows_entries_by_the_day_they_were_last_said(desk, there):
    with closing(sqlite3.connect(there[1])) as rows:
        of = "(SELECT id FROM memory_entries WHERE is_deleted = 0 AND workspace_id = ? ORDER BY id LIMIT 2)"
        days = [(datetime.now(UTC) - timedelta(days=back)).isoformat() for back in (3, 9)]
        found = [one for (one,) in rows.execute(of[1:-1], [golden.workspace_id(there[0])])]
        rows.executemany("UPDATE memory_entries SET updated_at = ? WHERE id = ?", zip(days, found, strict=True))
        rows.commit()
    index.refresh(desk.bot, patience=5)
    page = desk.get("")
    assert len(page.soup.select(".learned a[href*='/facts/@database/']")) == 1
    assert "Learned this week 1 fact " in page.text
    assert "No matching entries" in desk.get("entries/", on="2001-01-01").text
    assert "No matching entries" not in desk.get("entries/", on="the first of May").text


def test_days_are_shown_only_where_the_workspace_has_notes_of_days(desk):
    missing = desk.get("days/")
    assert (missing.status, "This bot doesn’t keep daily logs, so there are no days to show." in missing.text) == (
        404,
        True,
    )
    url = f"/{desk.bot.slug}/days/"
    assert url not in {a["href"] for a in desk.get("").soup.select("nav a[href]")}
    (desk.root / "memory/2026-01-02.md").write_text("# 2026-01-02\n\n- Fired the kiln\n")
    index.refresh(desk.bot, patience=5)
    assert desk.get("days/").status == 200
    assert "Fired the kiln" in desk.get("days/2026-01-02").text
    assert url in {a["href"] for a in desk.get("").soup.select("nav a[href]")}


def test_an_entry_takes_all_that_it_says_of_itself_along(bot):
    told = Fact.objects.get(bot=bot, document__path=USER, text="i prefer short answers")
    before, target = [about(bot, "i prefer short answers")], open_bot(bot).dialect.path(Kind.LONG_TERM, "telegram_123")
    act = partial(moving.plan_move, bot, [(USER, told.key, told.nth)], target)
    assert acts.foresee(bot, act).left_behind == []
    done = acts.do(bot, BY, act)
    assert [about(bot, "i prefer short answers")] == [
        replace(before[0], whose="chat", id=about(bot, "i prefer short answers").id)
    ]
    journal.undo(bot, done.change_set, BY)
    assert [about(bot, "i prefer short answers")] == before


def test_what_a_text_cannot_hold_of_an_entry_is_said_and_comes_back(bot):
    told = Fact.objects.get(bot=bot, document__path=USER, text="i prefer short answers")
    before = about(bot, "i prefer short answers")
    act = partial(moving.plan_move, bot, [(USER, told.key, told.nth)], LEGACY)
    words = f"importance {before.importance:.2f}, confidence {before.confidence:.2f}, expires on {before.expires[:10]}"
    assert acts.foresee(bot, act).left_behind == [f"“i prefer short answers”: kind Preference, {words}"]
    done = acts.do(bot, BY, act)
    journal.undo(bot, done.change_set, BY)
    assert about(bot, "i prefer short answers") == before


def about(bot, text):
    """What the one entry of this text says of itself."""
    memory = index.BotMemory(bot)
    facts = [fact for path in (CHAT, USER) for fact in open_bot(bot).facts(path, memory.read(path))]
    (found,) = [fact.attributes for fact in facts if fact.text == text]
    return found


def test_words_are_replaced_in_the_entries_of_the_database_too_as_one_change(bot, desk):
    memory, dialect = index.BotMemory(bot), open_bot(bot).dialect
    before = {path: memory.read(path) for path in memory.paths() if dialect.describe(path).editable}
    sent = {"find": "Postgres", "instead": "SQLite 3"}
    page = BeautifulSoup(desk.client.post(f"/{bot.slug}/replace", sent).content, "html.parser")
    holding = [path for path, data in before.items() if b"Postgres" in data]
    assert [one.get_text() for one in page.select("section h2.mono")] == holding
    assert {path for path in holding if path.startswith("@database/")} == {CHAT, "@database/global.jsonl"}
    button = page.select_one("[name=print]")
    desk.client.post(f"/{bot.slug}/replace", {**sent, "print": button["value"]})
    memory = index.BotMemory(bot)
    assert {path: memory.read(path) for path in before} == {
        path: data.replace(b"Postgres", b"SQLite 3") for path, data in before.items()
    }
    (done,) = ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.EDIT)
    journal.undo(bot, done, BY)
    memory = index.BotMemory(bot)
    assert {path: memory.read(path) for path in before} == before


def test_each_of_thousands_of_entries_is_reworded_without_all_the_others(monkeypatch):
    dialect, edit, sizes = Nanobot(), curate.edit, []
    monkeypatch.setattr(dialect, "edit", lambda path, data, *told: sizes.append(len(data)) or edit(path, data, *told))
    texts = [f"Is in Porto on day {number} — café" for number in range(300)]
    data = dialect.add(CHAT, None, texts, datetime(2026, 1, 5, tzinfo=UTC)).data
    place = replacing._in_rows(dialect, CHAT, data, replacing.Replacement("Porto", "Vigo"))
    assert (place.count, place.refused, place.after) == (300, "", data.replace(b"Porto", b"Vigo"))
    assert sum(sizes) < len(data)


@pytest.mark.parametrize("word", ["decision", "telegram", "2026-01"])
def test_what_only_a_column_says_is_no_word_of_an_entry(bot, word):
    plan = replacing.plan(bot, replacing.Replacement(word, "x", within="@database/"))
    assert (plan.places, plan.refused) == ([], [])


def test_an_entry_of_which_nothing_would_be_left_stays(bot):
    plan = replacing.plan(bot, replacing.Replacement("we decided to deploy on Fridays", "", within="@database/"))
    assert plan.places == []
    assert "can’t be empty" in plan.refused[0].refused
