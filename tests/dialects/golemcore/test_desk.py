"""The desk over a GolemCore: every item is shown, edited and forgotten with its copies, and each change can be undone."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from django.urls import reverse

from memory import index, journal, registry
from memory.bots import directories, families, open_bot
from memory.bots.directories import names
from memory.checks import findings
from memory.curation import adding, facts, moving
from memory.dialects.golemcore import DIALECT, items, sample
from memory.dialects.golemcore.layout import EPISODIC, PROCEDURAL, SEMANTIC, items_path
from memory.dialects.golemcore.pages.losses import losses
from memory.domain.attributes import Draft
from memory.domain.places import Kind
from memory.models import ChangeSet, Document, Fact, FactAttributes, Finding
from memory.web.base.fact_rows import fact_name
from tests.dialects.golemcore.bot import NOW, files
from tests.dialects.memories import FakeMemory

pytestmark = pytest.mark.django_db
OWNER = journal.By("owner")
LASTING = items_path(SEMANTIC)
NEW = {"kind": "FIX", "whose": "semantic", "importance": "0.8", "confidence": "1"}
SWITCHES = [field.name for field in DIALECT.fields if field.default is True]


def page(visitor, bot, name, *more, **query):
    answer = visitor.get(reverse(f"memory:{name}", args=[bot.slug, *more]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def tree(there):
    return {path: (there / path).read_bytes() for path in files()}


def test_where_its_facts_lie_may_be_closed_alone(bot, there, monkeypatch):
    may, shut = os.access, there / "memory/items"
    monkeypatch.setattr(
        directories.os, "access", lambda path, mode: may(path, mode) and (mode, path) != (os.W_OK, shut)
    )
    assert open_bot(bot).access is directories.Access.PARTLY
    assert open_bot(bot).unwritable == [shut]


def test_it_is_told_from_other_bots(bot, there):
    assert bot.dialect == "golemcore"
    assert families.recognise("/x/workspace", ["memory", "memory/items", "sessions"]).family == "golemcore"
    assert families.recognise("/x/workspace", ["memory", "sessions"]).family != "golemcore"


def test_its_days_are_counted_as_days_everywhere(bot, visitor):
    """It writes two files a day."""
    (cell,) = [
        " ".join(one.get_text(" ").split())
        for one in BeautifulSoup(page(visitor, bot, "overview"), "lxml").select(".strip > a")
        if one.get_text(" ").split()[0] == "Days"
    ]
    told = BeautifulSoup(page(visitor, bot, "days"), "lxml").select_one("#days-told").get_text()
    assert cell.startswith(f"Days {told.split(',')[0]} ")


def test_a_memory_of_another_name_is_found(db, kenoweb_home, there):
    (there / "memory").rename(there / "brain")
    (there / "sessions").mkdir(exist_ok=True)
    bot = registry.add(there, name="Brain")
    index.refresh(bot, patience=5)
    assert bot.dialect == "golemcore"
    assert Document.objects.filter(bot=bot, path="brain/items/semantic.jsonl", facts_count=23).exists()


def test_other_files_of_the_bot_are_neither_opened_nor_made_a_word_of(bot, there, visitor):
    for name in ("preferences/telegram.json", "preferences/llm.json.bak", "usage/1.json", "stray.bin"):
        (there / name).parent.mkdir(exist_ok=True)
        (there / name).write_text('{"token": "123:abc"}')
    index.refresh(bot, patience=5)
    bot.refresh_from_db()
    assert bot.others == 1
    assert visitor.get(f"/{bot.slug}/raw/preferences/telegram.json").status_code == 404
    said = page(visitor, bot, "documents")
    assert ("telegram.json" in said, "Compaction moves" in said) == (False, False)


def test_every_item_is_an_entry(bot, visitor):
    rows = FactAttributes.objects.filter(bot=bot)
    wanted = sum(data.count(b"\n") for path, data in files().items() if path.endswith(".jsonl"))
    assert rows.count() == wanted
    assert set(rows.values_list("whose", flat=True)) == {EPISODIC, SEMANTIC, PROCEDURAL}
    said = page(visitor, bot, "entries", whose="semantic", kind="CONSTRAINT")
    assert "Deploys only Tuesday and Thursday before 14:00, never on Friday" in said
    assert "Semantic" in said


def test_an_item_is_added_reworded_and_forgotten_and_each_is_undone(bot, there):
    before = tree(there)
    added = adding.add(bot, SEMANTIC, Draft("PREFERENCE", "Likes rye bread", 0.9, 0.95), OWNER)
    assert (there / LASTING).read_bytes().startswith(before[LASTING])
    item = items.read((there / LASTING).read_bytes())[-1]
    assert (item.type, item.salience, item.confidence, item.id) == ("PREFERENCE", 0.9, 0.95, added.told.id)
    fact = Fact.objects.get(bot=bot, text="Likes rye bread")
    edited = facts.edit(bot, LASTING, fact.key, fact.nth, "Rye", OWNER)
    item = items.read((there / LASTING).read_bytes())[-1]
    assert (item.content, item.title) == ("Rye", "Rye")
    fact = Fact.objects.get(bot=bot, text="Rye")
    gone = facts.forget(bot, [(LASTING, fact.key, fact.nth)], OWNER)
    assert (there / LASTING).read_bytes() == before[LASTING]
    for one in (gone, edited, added):
        journal.undo(bot, one.change_set, by=OWNER)
    assert tree(there) == before


def test_what_is_said_again_is_merged(bot, there):
    adding.add(bot, PROCEDURAL, Draft("FIX", "Restart the worker", 0.2, 0.3), OWNER)
    again = adding.add(bot, PROCEDURAL, Draft("FIX", "restart  the WORKER", 0.9, 0.1), OWNER)
    found = [item for item in items.read((there / items_path(PROCEDURAL)).read_bytes()) if "estart" in item.content[:8]]
    assert not again.told.is_new
    assert [(item.salience, item.confidence) for item in found if item.type == "FIX"][-1] == (0.9, 0.3)


def test_forgetting_an_episodic_item_takes_its_copies(bot, there):
    """The bot keeps a promoted item in the day's file, in that of its layer and in the .bak beside."""
    path = items_path(EPISODIC, "2026-02-18")
    episode = next(item for item in items.read((there / path).read_bytes()) if item.type == "CONSTRAINT")
    places = [path, LASTING, f"{LASTING}.bak"]
    assert all(episode.id.encode() in (there / one).read_bytes() for one in places)
    before = tree(there)
    number = next(line.number for line in items.lines((there / path).read_bytes()) if line.item.id == episode.id)
    fact = Fact.objects.get(bot=bot, document__path=path, line=number)
    done = facts.forget(bot, [(path, fact.key, fact.nth)], OWNER)
    assert not any(episode.id.encode() in (there / one).read_bytes() for one in places)
    journal.undo(bot, done.change_set, by=OWNER)
    assert tree(there) == before


def test_an_item_of_a_day_is_moved_to_those_that_last_and_it_is_undone(bot, there, visitor):
    before, path = tree(there), items_path(EPISODIC, "2026-02-21")
    episode = items.read(before[path])[0]
    fact = Fact.objects.get(bot=bot, document__path=path, line=1)
    assert "Move to long-term" in page(visitor, bot, "fact", fact=fact_name(path, fact.key, fact.nth))
    done = moving.promote(bot, [(path, fact.key, fact.nth)], OWNER)
    assert (there / LASTING).read_bytes().startswith(before[LASTING])
    item = items.read((there / LASTING).read_bytes())[-1]
    renewed = replace(episode, layer="SEMANTIC", updated=item.updated)
    assert (item, item.updated > episode.updated) == (renewed, True)
    assert not (there / path).exists()  # it was the only one of its day
    journal.undo(bot, done.change_set, by=OWNER)
    assert tree(there) == before


def test_an_item_that_lasts_already_is_not_moved_again(bot, there):
    path, before = items_path(EPISODIC, "2026-02-18"), tree(there)
    number = next(line.number for line in items.lines(before[path]) if line.item.type == "CONSTRAINT")
    fact = Fact.objects.get(bot=bot, document__path=path, line=number)
    assert f"{LASTING} already says this" in moving.promote(bot, [(path, fact.key, fact.nth)], OWNER).reason
    assert tree(there) == before


def test_no_page_asks_for_a_chat_where_items_and_notes_belong_to_none(bot, visitor):
    assert "Chat" not in page(visitor, bot, "entry_new").partition("<main")[2]
    assert "One chat or user" not in page(visitor, bot, "entries")
    assert 'name="chat"' not in page(visitor, bot, "days")
    visitor.post(reverse("memory:entry_new", args=[bot.slug]), {**NEW, "text": "Rye"})
    visitor.post(reverse("memory:day_add", args=[bot.slug]), {"text": "Frost"})
    assert set(Fact.objects.filter(bot=bot, text__in=["Rye", "Frost"]).values_list("text", flat=True)) == {
        *("Rye", "Frost")
    }


def _form(said):
    """What a browser sends of the form of details when nothing is touched."""
    soup = BeautifulSoup(said, "html.parser").select_one("main form.fields")
    fields = {one["name"]: one.get("value", "") for one in soup.select("input[name]")}
    fields |= {one["name"]: one.get_text().removeprefix("\n") for one in soup.select("textarea[name]")}
    return fields | {one["name"]: one.select_one("option[selected]")["value"] for one in soup.select("select[name]")}


def test_what_an_item_says_besides_its_text_is_set_with_its_copies(bot, there, visitor):
    path, before = items_path(EPISODIC, "2026-02-18"), tree(there)
    old = next(line for line in items.lines(before[path]) if line.item.type == "CONSTRAINT")
    fact = Fact.objects.get(bot=bot, document__path=path, line=old.number)
    url = f"{reverse('memory:entry_details', args=[bot.slug])}?fact={fact_name(path, fact.key, fact.nth)}"
    assert "Details" in page(visitor, bot, "fact", fact=fact_name(path, fact.key, fact.nth))
    form = _form(visitor.get(url).content.decode())
    visitor.post(url, form)
    assert tree(there) == before  # nothing was touched

    with (there / path).open("r+b") as file:  # meanwhile the bot itself raises its salience
        file.write(before[path].replace(b'"salience":0.82', b'"salience":0.91'))
    visitor.post(url, form | {"tags": "ops\r\n deploy \r\n", "confidence": "0.1", "days": "0", "references": ""})
    for place in (path, LASTING, f"{LASTING}.bak"):
        item = next(one for one in items.read((there / place).read_bytes()) if one.id == old.item.id)
        assert (item.tags, item.confidence, item.ttl_days, item.references) == (("ops", "deploy"), 0.1, 0, ())
        assert (item.content, item.type, item.updated > old.item.updated) == (old.item.content, "CONSTRAINT", True)
    assert items.read((there / path).read_bytes())[old.number - 1].salience == 0.91
    wrong = visitor.post(url, form | {"importance": "1.5", "days": "-1", "kind": "OPINION"})
    assert wrong.status_code == 422
    assert wrong.content.decode().count('class="errorlist"') == 3


def test_scores_are_explained(bot, visitor):
    settings = {"recentDays": 90, "decayEnabled": False}
    bot.settings = settings
    bot.save()
    said = page(visitor, bot, "scores", q="deploys only Tuesday")
    assert "Deploys only Tuesday and Thursday before 14:00, never on Friday" in said
    assert "deploys, only, tuesday" in said
    prompt = page(visitor, bot, "prompt", q="deploys only Tuesday")
    assert "Why it remembers" in prompt
    assert "- [CONSTRAINT] Deploys only Tuesday" in prompt
    fact = Fact.objects.filter(bot=bot, document__path=LASTING).first()
    assert "this item" in page(visitor, bot, "scores", entry=fact_name(LASTING, fact.key, fact.nth))


def test_what_the_bot_will_drop_is_a_finding(bot, there, visitor):
    with (there / LASTING).open("ab") as file:
        file.write(b'{"content":"half\n{"content":"Pinned","pinned":true}\n')
    index.refresh(bot, patience=5)
    said = page(visitor, bot, "losses")
    assert "isn’t valid JSON" in said
    assert "The bot doesn’t know pinned." in said
    assert "It hasn’t been repeated for longer than the bot keeps items." in said
    listed = page(visitor, bot, "entries", status="lost")
    assert "Unreadable for the bot" in listed
    assert "about to be dropped" in listed
    assert "isn’t valid JSON" in listed
    assert "The bot doesn’t know pinned." in page(visitor, bot, "entries", q="Pinned")
    assert "about to be dropped" not in page(visitor, bot, "entries", whose="episodic")  # files by day are not pruned
    findings.look(bot)
    assert Finding.objects.filter(bot=bot, rule="losses").exists()
    assert page(visitor, bot, "tidy").count("Items about to be dropped") == 3
    visitor.defaults["HTTP_ACCEPT_LANGUAGE"] = "es"
    assert 'data-label="Importancia">0,' in page(visitor, bot, "entries", kind="CONSTRAINT")


def test_the_bots_preferences_are_written_and_undone(bot, there, visitor):
    before = tree(there)
    bot.settings = {"recentDays": 14, "keepLastMessages": 30}
    bot.save()
    assert "2 values differ." in page(visitor, bot, "preferences")
    visitor.post(reverse("memory:preferences_write", args=[bot.slug]))
    memory = (there / "preferences/memory.json").read_bytes()
    assert memory == before["preferences/memory.json"].replace(b'"recentDays" : 7', b'"recentDays" : 14')
    compaction = (there / "preferences/compaction.json").read_bytes()
    assert compaction == before["preferences/compaction.json"].replace(b" : 12", b" : 30")
    assert "The bot’s files say the same." in page(visitor, bot, "preferences")
    journal.undo(bot, ChangeSet.objects.filter(bot=bot).latest("pk"), by=OWNER)
    assert tree(there) == before


def test_its_own_settings_are_read_and_out_of_range_is_refused(bot, there, visitor):
    held = open_bot(bot).settings
    assert (held.softPromptBudgetTokens, held.semanticTopK, held.maxContextTokens) == (1500, 8, 10300)
    for values, name in (
        ({"recentDays": 91}, "recentDays"),
        ({"softPromptBudgetTokens": 199}, "softPromptBudgetTokens"),
        ({"promotionMinConfidence": 1.1}, "promotionMinConfidence"),
        ({"softPromptBudgetTokens": 4000}, "maxPromptBudgetTokens"),
        ({"memoryDirectory": "../x"}, "memoryDirectory"),
    ):
        with pytest.raises(ValueError, match=name):
            open_bot(bot).check(values)
    (there / "preferences/memory.json").write_text('{"recentDays": 400}')
    bot.refresh_from_db()
    assert page(visitor, bot, "settings").count("recentDays in the bot’s preferences isn’t valid") == 1


def test_budgets_that_do_not_go_together_are_refused_where_they_are_saved(bot, visitor):
    def sent(**given):
        where = reverse("memory:settings_reads", args=[bot.slug])
        answer = visitor.post(where, {**dict.fromkeys(SWITCHES, "true"), **given})
        bot.refresh_from_db()
        return answer

    answer = sent(softPromptBudgetTokens=3001)
    assert (answer.status_code, bot.settings) == (422, {})
    assert "maxPromptBudgetTokens must be at least softPromptBudgetTokens." in answer.content.decode()
    assert sent(maxPromptBudgetTokens=1600).status_code == 302  # the bot's own file says 1500 for the other
    answer = visitor.post(
        reverse("memory:settings", args=[bot.slug]), {"name": "G", "time_zone": "UTC", "memoryDirectory": "../x"}
    )
    assert "memoryDirectory must be the name of a directory" in answer.content.decode()
    assert (bot.settings["maxPromptBudgetTokens"], "memoryDirectory" in bot.settings) == (1600, False)


def test_a_soft_budget_above_the_hard_one_in_the_bots_file_is_both(bot, there, visitor):
    (there / "preferences/memory.json").write_text('{"softPromptBudgetTokens": 4000}')
    assert "budgets 4,000 and 4,000" in page(visitor, bot, "scores", q="deploys")
    assert page(visitor, bot, "settings")


def test_the_sample_is_a_golemcore_with_something_for_every_screen(tmp_path):
    found = sample.files(NOW)
    assert found == sample.files(NOW)
    assert all(written <= NOW for _data, written in found.values())
    root = sample.write(tmp_path / "sample", NOW)
    assert families.recognise(str(root), names(root)).family == "golemcore"
    assert {DIALECT.describe(path).kind for path in found} == {Kind.LONG_TERM, Kind.DAILY, Kind.TRANSCRIPT, Kind.TEXT}
    memory = FakeMemory({path: data for path, (data, _written) in found.items()})
    assert list(losses(memory, "memory", NOW, DIALECT.settings({})))
    headings = [section.heading for section in DIALECT.prompt(memory, None, "", NOW, DIALECT.settings({})).sections]
    assert headings == ["Episodic Memory", "Semantic Memory", "Procedural Memory", "Legacy Memory"]


def test_what_a_note_cannot_hold_of_an_item_is_shown_before_it_moves(bot, there, visitor):
    before = tree(there)
    fact = Fact.objects.filter(bot=bot, document__path=LASTING, attributes__kind="CONSTRAINT").first()
    name = fact_name(LASTING, fact.key, fact.nth)
    answer = visitor.post(reverse("memory:fact_move", args=[bot.slug]), {"fact": name})
    words = BeautifulSoup(answer.content, "html.parser").select_one(".acting .noted").get_text(" ", strip=True)
    assert words.startswith("Left behind, because the new place can’t hold it:")
    assert "kind Constraint, importance 0." in words
    done = moving.move(bot, [(LASTING, fact.key, fact.nth)], moving.target(bot, moving.To.SHARED), OWNER)
    assert fact.text in (there / "memory/MEMORY.md").read_text()
    journal.undo(bot, done.change_set, by=OWNER)
    assert tree(there) == before
