"""The desk over a DiscoClaw: every layer is shown, facts are edited, forgotten and restored, and each change can be undone."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from memory import index, journal, registry
from memory.bots import directories, families, open_bot
from memory.checks import findings
from memory.curation import adding, facts
from memory.dialects.discoclaw import DIALECT, config, curate, javascript, kept, maintenance, restore, sample
from memory.dialects.discoclaw.durable import BROKEN
from memory.domain.attributes import Draft
from memory.domain.fields import Configured
from memory.domain.outcomes import Refused
from memory.models import ChangeSet, Document, Fact, FactAttributes, Finding
from memory.web.base.changed_words import changed

pytestmark = pytest.mark.django_db
OWNER = journal.By("owner")
USER = "710000000000000011"
FACTS, CHAT = f"durable/{USER}.json", "discord:channel:820000000000000001"
MALFORMED = "durable/710000000000000066.json"


def page(visitor, bot, name, *more, **query):
    answer = visitor.get(reverse(f"memory:{name}", args=[bot.slug, *more]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def newest(there, path=FACTS):
    return json.loads((there / path).read_text())["items"]


def test_every_layer_is_known_and_nothing_else(bot):
    kinds = dict(Document.objects.filter(bot=bot).values_list("path", "kind"))
    assert not [path for path in kinds if ".tmp." in path]
    counted = {kind: list(kinds.values()).count(kind) for kind in set(kinds.values())}
    assert counted == {"long-term": 18, "history": 6, "identity": 4, "daily": 4}
    assert FactAttributes.objects.filter(bot=bot, status="deprecated").exists()
    assert set(FactAttributes.objects.filter(bot=bot).values_list("source", flat=True)) == {"manual", "summary"}


def test_where_its_facts_lie_may_be_closed_alone(bot, there, monkeypatch):
    may, shut = os.access, there / "durable"
    monkeypatch.setattr(
        directories.os, "access", lambda path, mode: may(path, mode) and (mode, path) != (os.W_OK, shut)
    )
    assert open_bot(bot).access is directories.Access.PARTLY
    assert open_bot(bot).unwritable == [shut]


def test_it_is_told_from_other_bots(bot, there):
    assert (bot.dialect, bot.directories["workspace"]) == ("discoclaw", str(there.parent / "workspace"))
    assert families.recognise("/x/memory", ["rolling"]).family == ""
    assert families.recognise("/x/memory", ["rolling", "shortterm"]).family == "discoclaw"


def test_a_fact_is_added_reworded_forgotten_and_restored_and_each_is_undone(bot, there):
    before = (there / FACTS).read_bytes()
    added = adding.add(bot, f"discord:user:{USER}", Draft("tool", "Uses a plane"), OWNER)
    fact = Fact.objects.get(bot=bot, text="Uses a plane")
    edited = facts.edit(bot, FACTS, fact.key, fact.nth, "Uses two planes", OWNER)
    item = newest(there)[-1]
    assert (item["kind"], item["text"], item["source"]) == ("tool", "Uses two planes", {"type": "manual"})
    fact = Fact.objects.get(bot=bot, text="Uses two planes")
    gone = facts.forget(bot, [(FACTS, fact.key, fact.nth)], OWNER)
    assert newest(there)[-1]["status"] == "deprecated"
    assert newest(there)[-1]["updatedAt"] > item["updatedAt"] - 1
    assert FactAttributes.objects.get(fact__text="Uses two planes").status == "deprecated"
    back = restore.restore(bot, [(FACTS, fact.key, fact.nth)], OWNER)
    assert newest(there)[-1]["status"] == "active"
    for change in (back, gone.change_set, edited.change_set, added.change_set):
        journal.undo(bot, change, by=OWNER)
    assert (there / FACTS).read_bytes() == before


@pytest.mark.parametrize("chat", ["99", "discord:user:99", f"discord:user:{USER}", f"discord:dm:{USER}"])
def test_a_fact_is_added_to_a_user_by_a_form_though_nothing_is_known_of_them_yet(bot, there, visitor, chat):
    sent = {"text": "Uses a plane", "kind": "tool", "whose": "user", "chat": chat}
    assert visitor.post(reverse("memory:entry_new", args=[bot.slug]), sent).status_code == 302
    assert newest(there, f"durable/{chat.rpartition(':')[2]}.json")[-1]["text"] == "Uses a plane"


@pytest.mark.parametrize("chat", ["", "Ana", "../9", "9 9", "٩", "discord:channel:99", CHAT])
def test_a_fact_is_added_to_nobody_who_is_no_user(bot, there, visitor, chat):
    sent = {"text": "Uses a plane", "kind": "tool", "whose": "user", "chat": chat}
    assert visitor.post(reverse("memory:entry_new", args=[bot.slug]), sent).status_code == 422
    assert not [path for path in there.rglob("*") if path.is_file() and b"Uses a plane" in path.read_bytes()]


def test_what_is_not_forgotten_or_is_said_again_is_not_restored(bot, there):
    active = FactAttributes.objects.filter(bot=bot, status="active", document__path=FACTS).first().fact
    assert restore.restore(bot, [(FACTS, active.key, active.nth)], OWNER) == Refused(restore.NOT_THERE)
    gone = FactAttributes.objects.filter(bot=bot, status="deprecated", document__path=FACTS).first().fact
    adding.add(bot, f"discord:user:{USER}", Draft(gone.attributes.kind, gone.text), OWNER)
    known = (there / FACTS).read_bytes()
    assert restore.restore(bot, [(FACTS, gone.key, gone.nth)], OWNER) == Refused(curate.SAID)
    assert (there / FACTS).read_bytes() == known


def test_a_summary_is_reworded_and_forgotten(bot, there):
    path = f"rolling/{CHAT}.json"
    fact = Fact.objects.get(bot=bot, document__path=path)
    facts.edit(bot, path, fact.key, 0, "All went well.", OWNER)
    assert json.loads((there / path).read_text())["summary"] == "All went well."
    fact = Fact.objects.get(bot=bot, document__path=path)
    gone = facts.forget(bot, [(path, fact.key, 0)], OWNER)
    assert not (there / path).exists()
    journal.undo(bot, gone.change_set, by=OWNER)
    assert json.loads((there / path).read_text())["summary"] == "All went well."


def test_a_malformed_file_is_shown_kept_and_repaired(bot, there, visitor):
    before = (there / MALFORMED).read_bytes()
    outcome = adding.add(bot, "discord:user:710000000000000066", Draft("fact", "x"), OWNER)
    assert outcome == Refused(BROKEN)
    assert (there / MALFORMED).read_bytes() == before
    assert "mornings free" in page(visitor, bot, "document", MALFORMED)
    assert maintenance.CHECK.look(bot).path == MALFORMED
    findings.look(bot)
    line = before[: before.index(b",,")].count(b"\n") + 1
    for name in ("tidy", "overview"):
        shown = page(visitor, bot, name)
        assert f"{MALFORMED} is malformed at line {line}." in shown
        assert f'href="{reverse("memory:document", args=[bot.slug, MALFORMED])}?line={line}"' in shown
        assert shown.count(str(maintenance.CHECK.why)) == 1
    (there / MALFORMED).write_bytes(before.replace(b",,", b","))
    index.refresh(bot, patience=5)
    assert Fact.objects.filter(bot=bot, document__path=MALFORMED).count() == 3
    bot.refresh_from_db()
    assert maintenance.CHECK.look(bot) is None


@pytest.mark.parametrize(
    ("data", "line"), [(b"", 1), (b"[]", 1), (b'{\n\n"version": 1,\n"items": \xff}', 4), (b'{\n"version": NaN}', 1)]
)
def test_where_a_file_goes_wrong_is_told_of_the_first(bot, there, data, line):
    (there / FACTS).write_bytes(data)
    index.refresh(bot, patience=5)
    found = maintenance.CHECK.look(bot)
    assert (found.path, found.line) == (FACTS, line)
    assert str(found.note) == f"2 files are malformed, the first at line {line} of {FACTS}."
    findings.look(bot)
    (there / FACTS).unlink()
    index.refresh(bot, patience=5)
    bot.refresh_from_db()
    findings.look(bot)
    assert Finding.objects.get(bot=bot, rule="malformed", gone=None).path == MALFORMED


def test_what_a_killed_bot_left_behind_stands_in_no_way(bot, there):
    left = there / "durable" / "710000000000000044.json.tmp.31877"
    before = left.read_bytes()
    adding.add(bot, "discord:user:710000000000000044", Draft("fact", "Uses a plane"), OWNER)
    assert newest(there, "durable/710000000000000044.json")[-1]["text"] == "Uses a plane"
    assert left.read_bytes() == before
    assert [path.name for path in left.parent.glob("*.tmp.*")] == [left.name]


def test_pages_of_its_own_show_what_was_learned_and_forgotten(bot, there, visitor):
    shown = page(visitor, bot, "learned")
    assert "Patches plover on Saturdays" in shown
    fact = Fact.objects.get(bot=bot, text="Patches plover on Saturdays")
    name = shown.split('name="one" value="')[1].split('"')[0]
    assert visitor.post(reverse("memory:fact_forget", args=[bot.slug]), {"one": name}).status_code == 302
    assert next(one for one in newest(there) if one["text"] == fact.text)["status"] == "deprecated"
    assert fact.text not in page(visitor, bot, "learned")
    assert fact.text in page(visitor, bot, "forgotten")
    assert visitor.post(reverse("memory:facts_restore", args=[bot.slug]), {"one": name}).status_code == 302
    assert next(one for one in newest(there) if one["text"] == fact.text)["status"] == "active"
    assert ChangeSet.objects.filter(bot=bot).count() >= 2


def test_what_was_learned_is_kept_and_not_listed_again_until_it_is_learned_anew(bot, there, visitor):
    before = (there / FACTS).read_bytes()
    shown = page(visitor, bot, "learned")
    assert "Keep: Patches plover on Saturdays" in shown
    assert "#" in shown.split("Patches plover on Saturdays")[1].split("</li>")[0]  # the channel it is from
    name = shown.split("Keep: Patches plover")[0].rpartition('value="')[2].split('"')[0]
    address = reverse("memory:learned_keep", args=[bot.slug])
    for _ in range(2):
        assert 'class="toast' in visitor.post(address, {"one": name}, follow=True).content.decode()
    left = page(visitor, bot, "learned")
    assert "Patches plover on Saturdays" not in left
    assert "Show those that were kept, too" in left
    assert "Patches plover on Saturdays" in page(visitor, bot, "learned", all="")
    assert (there / FACTS).read_bytes() == before
    assert Finding.objects.get(bot=bot, rule="learned").gone
    findings.look(bot)
    assert "Patches plover" not in page(visitor, bot, "tidy")
    said = visitor.post(address, {"one": name.replace(":0:", ":7:")}, follow=True)
    assert "This fact has changed since" in said.content.decode()


def test_where_everything_was_kept_nothing_is_new(bot, visitor):
    learned = Fact.objects.filter(bot=bot, attributes__source="summary", attributes__status="active")
    wanted = list(learned.values_list("document__path", "key", "nth"))
    assert kept.keep(bot, wanted, None) == len(wanted) > 20
    assert "Nothing new" in page(visitor, bot, "learned")


def test_pages_of_its_own_are_nobody_elses(visitor, tmp_path):
    jots = tmp_path / "elsewhere"
    jots.mkdir()
    (jots / "MEMORY.md").write_text("- tea\n")
    other = registry.add(jots, "workspace")
    assert visitor.get(reverse("memory:learned", args=[other.slug])).status_code == 404


def test_compaction_is_not_offered_although_there_are_notes_by_day(bot, visitor):
    address = reverse("memory:compaction", args=[bot.slug])
    assert visitor.get(address).status_code == 404
    assert f'"{address}"' not in page(visitor, bot, "tidy")
    assert f'"{reverse("memory:days", args=[bot.slug])}"' in page(visitor, bot, "entries")


def test_entries_say_which_are_forgotten_and_are_found_by_channel(bot, visitor):
    assert '<span class="chip">Forgotten</span>' in page(visitor, bot, "entries", status="deprecated")
    assert '<span class="chip">Forgotten</span>' not in page(visitor, bot, "entries", status="active")
    assert "Expires" not in page(visitor, bot, "entries")
    found = Fact.objects.filter(bot=bot, heading__contains="#sound")
    assert found.count() > 5
    assert {fact.about for fact in found} >= {"fact sound"}


def test_what_is_forgotten_is_said_wherever_it_is_listed_and_is_nothing_learned(bot, there, visitor):
    path, text = "durable/710000000000000055.json", "Never washes squash, only brushes it"
    assert text not in page(visitor, bot, "overview")
    listed = page(visitor, bot, "facts", path, q=text)
    assert '<span class="chip">Forgotten</span>' in listed
    assert '<span class="chip">Forgotten</span>' in page(visitor, bot, "search", q="squash brushes")
    assert "Forgotten</span>" not in page(visitor, bot, "facts", path, q="tomato sauce")


def test_what_is_forgotten_is_no_duplicate_of_what_is_said_again(bot, there):
    def found(path=FACTS):
        findings.look(bot)
        return list(Finding.objects.filter(bot=bot, rule="twice", gone=None, path=path).values_list("nth", flat=True))

    def write(*statuses):
        items = [{"text": "Likes tea", "status": status, "updatedAt": 1, "kind": "fact"} for status in statuses]
        (there / FACTS).write_text(json.dumps({"version": 1, "updatedAt": 1, "items": items}))
        index.refresh(bot, patience=5)
        bot.refresh_from_db()

    write("deprecated", "active")
    assert found() == []
    write("deprecated", "active", "deprecated", "active")
    assert found() == [3]
    write("deprecated", "active", "deprecated", "active", "active")
    assert found() == [3], "however often, it is one"
    write("active", "deprecated")
    assert found() == []


def test_forgetting_by_words_says_what_the_bots_own_rule_would_forget(bot, visitor):
    def told(query):
        answer = visitor.post(reverse("memory:entries_prune", args=[bot.slug]), {"q": query})
        return answer.content.decode()

    assert "“!memory forget plover” would forget 0 of these" in told("plover")
    assert "“!memory forget PATCHES plover on satur” would forget 1 of these" in told("PATCHES plover on satur")
    assert "“!memory forget Uses vim” would forget 0 of these" in told("Uses vim")
    answer = visitor.post(reverse("memory:entries_prune", args=[bot.slug]), {"kind": "tool"})
    assert "!memory forget" not in answer.content.decode()


def test_the_prompt_of_a_channel_asks_who_writes(bot, visitor):
    shown = page(visitor, bot, "prompt", chat=CHAT)
    assert "Enter a sender to see theirs" in shown
    assert "Durable memory" not in shown
    assert "Durable memory (user-specific notes)" in page(visitor, bot, "prompt", chat=CHAT, sender=USER)
    for chat in (f"discord:dm:{USER}", f"discord:user:{USER}"):
        assert "Durable memory (user-specific notes)" in page(visitor, bot, "prompt", chat=chat)


def test_home_tells_no_size_of_a_prompt_that_depends_on_who_writes(bot, visitor):
    assert "<strong>0</strong>" not in page(visitor, bot, "overview")


def test_files_are_not_said_to_be_read_where_they_are_not(bot, visitor):
    for query in ({}, {"q": "discord"}, {"q": "shortterm"}):
        shown = page(visitor, bot, "documents", **query)
        assert "in every message" not in shown
        assert "how far it has processed" not in shown


def test_its_own_environment_sets_it(bot, there):
    (there.parent.parent / ".env").write_text(
        "# memory\nexport DISCOCLAW_SHORTTERM_MEMORY_ENABLED=TRUE\nDISCOCLAW_SHORTTERM_MAX_AGE_HOURS='2.5'\n"
        'DISCOCLAW_DURABLE_INJECT_MAX_CHARS="99999999"\nDISCOCLAW_DURABLE_MAX_ITEMS=40 # fewer\n'
        "DISCOCLAW_MEMORY_COMMANDS_ENABLED=off\nDISCOCLAW_SUMMARY_ENABLED=\n"
    )
    family = families.get("discoclaw")
    assert family.configured(bot).wrong == "DISCOCLAW_MEMORY_COMMANDS_ENABLED"
    bot.__dict__.pop("_opened", None)
    chosen = open_bot(bot).settings
    assert (chosen.short_term, chosen.short_term_hours, chosen.durable_chars) == (True, 2.5, 1_000_000)
    assert (chosen.durable_items, chosen.commands, chosen.summaries) == (40, True, True)
    assert open_bot(bot).dialect.most == 40


OF_ITS_OWN = {
    "MESSAGE_HISTORY_BUDGET": ("history_chars", 3000, "0", 0),
    "SUMMARY_ENABLED": ("summaries", True, "0", False),
    "SUMMARY_MAX_CHARS": ("summary_chars", 2000, "0x10", 16),
    "SUMMARY_EVERY_N_TURNS": ("summary_turns", 5, "1e1", 10),
    "DURABLE_MEMORY_ENABLED": ("durable", True, "False", False),
    "DURABLE_INJECT_MAX_CHARS": ("durable_chars", 2000, " 7 ", 7),
    "DURABLE_MAX_ITEMS": ("durable_items", 200, "5.", 5),
    "MEMORY_COMMANDS_ENABLED": ("commands", True, "FALSE", False),
    "SUMMARY_TO_DURABLE_ENABLED": ("learns", False, "1", True),
    "SHORTTERM_MEMORY_ENABLED": ("short_term", False, "True", True),
    "SHORTTERM_MAX_ENTRIES": ("short_term_entries", 20, "+3", 3),
    "SHORTTERM_MAX_AGE_HOURS": ("short_term_hours", 6.0, ".5", 0.5),
    "SHORTTERM_INJECT_MAX_CHARS": ("short_term_chars", 1000, "1", 1),
}


@pytest.mark.parametrize("name", OF_ITS_OWN)
def test_each_variable_has_the_bots_default_and_is_read_as_the_bot_reads_it(name):
    setting, usual, raw, value = OF_ITS_OWN[name]
    assert getattr(DIALECT.settings({}), setting) == usual
    assert config.configured(f"DISCOCLAW_{name}= \n").values == {}
    found = config.configured(f"DISCOCLAW_{name}={raw}")
    assert (found.wrong, found.values) == ("", {setting: value})
    assert getattr(DIALECT.settings(found.values), setting) == value
    for wrong in ("off", "-1", "NaN", "Infinity", "1_0", "١", "0x", "1,5"):
        assert config.configured(f"DISCOCLAW_{name}={wrong}") == Configured({}, f"DISCOCLAW_{name}")


def test_every_variable_that_gives_a_setting_is_tried_here():
    assert set(OF_ITS_OWN) == {name for name, (_read, setting) in config.VARIABLES.items() if setting}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("SUMMARY_MODEL=whatever", ""),
        ("SUMMARY_TARGET_RATIO=0.65", ""),
        ("SUMMARY_TARGET_RATIO=1", "DISCOCLAW_SUMMARY_TARGET_RATIO"),
        ("SUMMARY_MAX_TOKENS=0", "DISCOCLAW_SUMMARY_MAX_TOKENS"),
        ("DURABLE_SUPERSESSION_SHADOW=yes", "DISCOCLAW_DURABLE_SUPERSESSION_SHADOW"),
        ("DASHBOARD_PORT=9401", ""),
        ("NOT_OF_MEMORY=???", ""),
    ],
)
def test_a_variable_that_gives_no_setting_is_checked(line, wrong):
    assert config.configured(f"DISCOCLAW_{line}") == Configured({}, wrong)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("export DISCOCLAW_DURABLE_MAX_ITEMS=40", {"durable_items": 40}),
        ("  export  DISCOCLAW_DURABLE_MAX_ITEMS = '40'  # fewer", {"durable_items": 40}),
        ('DISCOCLAW_DURABLE_MAX_ITEMS="40"# fewer', {"durable_items": 40}),
        ("DISCOCLAW_DURABLE_MAX_ITEMS=`40`", {"durable_items": 40}),
        ("DISCOCLAW_DURABLE_MAX_ITEMS: 40", {"durable_items": 40}),
        (
            "DISCOCLAW_DURABLE_MAX_ITEMS=40\r\nDISCOCLAW_SUMMARY_ENABLED=0\r\n",
            {"durable_items": 40, "summaries": False},
        ),
        ("\ufeffDISCOCLAW_DURABLE_MAX_ITEMS=40", {"durable_items": 40}),
        ("DISCOCLAW_DURABLE_MAX_ITEMS=40\nDISCOCLAW_DURABLE_MAX_ITEMS=50", {"durable_items": 50}),
        ('A="x\nDISCOCLAW_DURABLE_MAX_ITEMS=1\n"\nDISCOCLAW_DURABLE_MAX_ITEMS=50', {"durable_items": 50}),
        ("#DISCOCLAW_DURABLE_MAX_ITEMS=40", {}),
        ("DISCOCLAW_DURABLE_MAX_ITEMS=#40", {}),
        ("DISCOCLAW_DURABLE_MAX_ITEMS", {}),
        ("MY_DISCOCLAW_DURABLE_MAX_ITEMS=40", {}),
        ("discoclaw_durable_max_items=40", {}),
        ("=\n\0\n==\nexport\n", {}),
    ],
)
def test_the_environment_file_is_read_as_the_bot_reads_it(text, values):
    assert config.configured(text) == Configured(values)


def test_directories_elsewhere_are_said(bot, there, visitor):
    (there.parent.parent / ".env").write_text("DISCOCLAW_DURABLE_DATA_DIR=/srv/facts\n")
    shown = page(visitor, bot, "settings_reads")
    assert "DISCOCLAW_DURABLE_DATA_DIR is set: the bot may keep its files elsewhere than in durable" in shown
    assert "/srv" not in shown


@pytest.mark.parametrize("raw", ["0", "-1", "1.5", "x", "inf"])
def test_a_number_that_the_bot_would_not_start_with_is_named(raw):
    found = config.configured(f"DISCOCLAW_DURABLE_MAX_ITEMS={raw}")
    assert (found.values, found.wrong) == ({}, "DISCOCLAW_DURABLE_MAX_ITEMS")


@pytest.mark.parametrize("hour", [0, 7, 23])
def test_the_sample_is_the_same_at_the_same_moment_and_shows_every_layer(tmp_path, hour):
    now = datetime(2026, 11, 21, hour, 1, tzinfo=UTC)
    assert sample.files(now) == sample.files(now)
    memory = sample.write(tmp_path / "bot", now)
    written = {path.name for path in memory.iterdir()}
    assert written == {"durable", "rolling", "shortterm"}
    assert sample.write(tmp_path / "bot", now) == memory
    statuses = [
        one["status"] for path in (memory / "durable").iterdir() for one in json.loads(path.read_text())["items"]
    ]
    assert (statuses.count("active"), statuses.count("deprecated")) == (10, 2)


def test_the_sample_has_a_prompt_with_all_it_knows(db, kenoweb_home, settings):
    added = registry.add_sample(datetime.now(UTC), "discoclaw")
    index.refresh(added, patience=5)
    opened = open_bot(added)
    chat = f"discord:channel:{sample.TOLD['channels']['garden']}"
    read = opened.dialect.prompt(
        index.BotMemory(added), chat, "", opened.now(), opened.settings, sample.TOLD["people"]["nadia"]
    )
    headings = [section.heading for section in read.sections]
    assert headings == [
        "Durable memory (user-specific notes)",
        "Recent activity (cross-channel)",
        "Conversation memory",
    ]


def test_the_history_says_which_facts_changed_and_no_lines_of_json(bot, there):
    def told(path, before, after):
        found = changed(DIALECT, path, before, after)
        return found and ([(piece.kind, piece.text) for piece in found.pieces], found.more)

    def items(*told):
        return [{"text": text, "status": status, "kind": "fact"} for text, status in told]

    def facts(*told, at=1):
        return javascript.written({"version": 1, "updatedAt": at, "items": items(*told)})

    tea, gone = ("Likes tea", "active"), ("Likes tea", "deprecated")
    assert told(FACTS, facts(), facts(tea, at=2)) == ([("ins", "Likes tea")], 0)
    assert told(FACTS, facts(tea), facts(gone, at=2)) == ([("del", "Likes tea")], 0)
    assert told(FACTS, facts(gone), facts(tea, at=2)) == ([("ins", "Likes tea")], 0)
    assert told(FACTS, facts(tea, gone), facts(tea, at=2)) == ([("del", "Likes tea")], 0)
    assert told(FACTS, facts(tea), facts(tea, at=2)) is None
    assert told(FACTS, facts(tea, ("x", "active")), b"") == ([("del", "Likes tea")], 1)
    summary = f"rolling/{CHAT}.json"
    before, after = (javascript.written({"summary": text, "updatedAt": 1}) for text in ("A red wall.", "A blue wall."))
    assert told(summary, before, after) == ([("", "A "), ("del", "red"), ("ins", "blue"), ("", " wall.")], 0)
    assert told(summary, before, before.replace(b"1", b"2")) is None
    assert told(FACTS, b"{", b"[") == ([("del", "{")], 0)
