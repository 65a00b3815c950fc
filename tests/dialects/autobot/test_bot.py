"""An Autobot on the desk: told from others, read as its own code reads it, changed and changed back."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from memory import index, journal, registry
from memory.bots import families, open_bot
from memory.bots.directories import names
from memory.curation import documents, facts
from memory.dialects.autobot import DIALECT, OVERWRITES, sample, sessions
from memory.dialects.autobot.family import BY_CONFIG, BY_TRANSCRIPT
from memory.domain.changes import digest
from memory.domain.errors import Refusal
from memory.models import Bot, ChangeSet, Document, FactAttributes
from memory.prompts import build
from tests.dialects.memories import FakeMemory
from tests.management.cli.conftest import run

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
BY = journal.By("ana")
NADIA = "sessions/telegram_70100001.jsonl"


def recognised(directory):
    return families.recognise(str(directory), names(directory))


# Which bot it is


def test_is_recognised_by_its_configuration_or_its_transcripts(directory, tmp_path):
    assert (recognised(directory).family, recognised(directory).why) == ("autobot", BY_CONFIG)
    (directory.parent / "config.yml").unlink()
    assert recognised(directory).why == BY_TRANSCRIPT
    shutil.rmtree(directory / "sessions")
    left = recognised(directory)
    assert (left.name, left.doubtful) == ("workspace:hkuds", True)  # nothing is left that only an Autobot has


def test_what_may_be_either_bots_is_said_to_be_a_guess_in_the_page_and_on_the_command_line(directory, owner):
    other = directory.parent.parent / "other"
    shutil.copytree(directory, other)
    shutil.rmtree(other / "sessions")
    shown = owner.client.get("/bots/add", {"path": str(other)}).content.decode()
    assert "This is a guess" in shown
    assert 'value="autobot"' in shown
    added = run("add-bot", str(other), "--json")
    assert (added.json["dialect"], added.json["is_guess"]) == ("workspace", True)
    registry.remove(Bot.objects.get(slug=added.json["slug"]))
    chosen = run("add-bot", str(other), "--dialect", "autobot")
    assert (chosen.code, "guess" in chosen.out) == (0, False)


def test_configuration_of_another_workspace_says_nothing(directory):
    config = directory.parent / "config.yml"
    config.write_text(config.read_text().replace("./workspace", "./other"))
    shutil.rmtree(directory / "sessions")
    assert recognised(directory).family == "workspace"


def test_transcripts_of_hkuds_nanobot_are_not_its(directory):
    (directory.parent / "config.yml").unlink()
    for file in (directory / "sessions").iterdir():
        file.write_text('{"_type": "metadata", "key": "a:b", "created_at": "2026-01-01T00:00:00", "metadata": {}}\n')
    assert recognised(directory).family == "workspace"


def test_its_configuration_may_be_named_instead(directory):
    family = families.get("autobot")
    assert family.directory_of(directory.parent / "config.yml") == directory.parent / "workspace"
    assert family.directory_of(directory) is None
    shutil.move(directory, directory.with_name("moved"))
    with pytest.raises(Refusal):
        family.directory_of(directory.parent / "config.yml")


def test_its_files_and_settings_are_there(owner):
    kinds = Document.objects.filter(bot=owner.bot).values_list("kind", flat=True)
    assert {str(kind): list(kinds).count(kind) for kind in kinds} == {
        **{"identity": 3, "long-term": 1},
        **{"history": 1, "transcript": 7},
    }
    assert open_bot(owner.bot).settings.memory_window == 70
    assert FactAttributes.objects.filter(bot=owner.bot).count() == 27
    assert "2026-10-12 13:35" in owner.page("entries/?on=2026-10-12")
    assert "27 entries" in owner.page("entries/")
    shown = owner.page("tidy/")
    assert f'href="/{owner.bot.slug}/tidy/?show=jobs"' in shown  # what a consolidation suggests is there
    assert f'href="/{owner.bot.slug}/compaction"' not in shown


@pytest.mark.parametrize(("value", "kept"), [("-3", -3), ("0", 0), ("2147483647", 2147483647)])
def test_window_may_be_any_number_that_the_bot_takes(value, kept):
    assert DIALECT.settings({"memory_window": value}).memory_window == kept
    with pytest.raises(ValueError, match="memory_window"):
        DIALECT.settings({"memory_window": "2147483648"})


# What it reads


def test_prompt_is_the_memory_part_byte_for_byte(owner):
    memory = owner.read("memory/MEMORY.md").decode()
    read = build.read(owner.bot, "telegram_70100001", "hello")
    assert read.text == f"# Memory\n\n## Long-term Memory\n{memory}"
    said = DIALECT.instructions(index.BotMemory(owner.bot), read, open_bot(owner.bot).settings)
    documents = "\n\n".join(
        f"## {name}.md\n\n{owner.read(f'{name}.md').decode()}" for name in ("AGENTS", "SOUL", "USER")
    )
    assert said == f"{documents}\n\n---\n\n{read.text}"
    assert "HISTORY.md" in [one.path.rpartition("/")[2] for one in read.left_out]


@pytest.mark.parametrize("text", [" ", "\n", "no heading", "# a\n\n---\n\n# Memory"])
def test_blank_memory_counts_and_nothing_is_escaped(text):
    memory = FakeMemory({"memory/MEMORY.md": text})
    assert (
        DIALECT.prompt(memory, None, "", NOW, DIALECT.settings({})).text == f"# Memory\n\n## Long-term Memory\n{text}"
    )


def test_messages_in_neither_prompt_nor_memory_are_left_out(owner):
    read = build.read(owner.bot, "whatsapp_15550134_s.whatsapp.net", "hello")
    assert [one.count for one in read.left_out if one.path.startswith("sessions/")] == [33]  # of 58 it sends 25


def test_damaged_transcript_is_said_and_nobody_answers_over_it(owner, model):
    file = owner.root / NADIA
    file.write_bytes(file.read_bytes() + b'{"role":"user","content":"cut')
    index.refresh(owner.bot)
    read = build.read(owner.bot, "telegram_70100001", "hello")
    assert any("damaged" in one.why for one in read.left_out)
    before = file.read_bytes()
    answer = owner.sender.post(message="hello", channel="telegram", chat_id="70100001")
    assert answer.status_code == 503
    assert (file.read_bytes(), model.asked) == (before, [])


# What is said to it


def test_reported_turn_is_the_bots_own_to_write(owner):
    before = owner.files()
    answer = owner.sender.turn("Hello!", channel="telegram", chat_id="70100001")
    assert (answer.status_code, answer.json()["stored"]["observed"]) == (200, True)
    assert owner.files() == before


def test_reported_turn_is_added_once_where_nobody_else_writes(owner):
    owner.bot.settings = {"capture": "write"}
    owner.bot.save()
    before = owner.read(NADIA)
    at = "2026-11-21T08:00:00+01:00"
    for _ in range(2):
        owner.sender.turn("Hello!", channel="telegram", chat_id="70100001", at=at, message="Hi ✿")
    lines = (
        '{"role":"user","content":"Hi ✿","timestamp":"2026-11-21T07:00:00Z"}\n'
        '{"role":"assistant","content":"Hello!","timestamp":"2026-11-21T07:00:00Z"}\n'
    )
    assert owner.read(NADIA) == before + lines.encode()
    owner.sender.turn("New.", channel="telegram", chat_id="9", at=at)
    assert sessions.parse(owner.read("sessions/telegram_9.jsonl")).lines[0].is_metadata


def test_answer_goes_into_the_transcript_of_its_chat(owner, model):
    model.plays("Twelve.")
    answer = owner.sender.post(message="How many?", channel="telegram", chat_id="70100001")
    assert answer.json()["response"] == "Twelve."
    last = [line.message.content for line in sessions.parse(owner.read(NADIA)).messages[-2:]]
    assert last == ["How many?", "Twelve."]
    assert "# Memory\n\n## Long-term Memory\n" in model.asked[0].messages[0]["content"]
    assert len(model.asked[0].messages) <= 27


def test_reset_empties_a_telegram_chat_without_asking_a_model_and_can_be_undone(owner, model):
    before = owner.read(NADIA)
    answer = owner.sender.post(message="/reset", channel="telegram", chat_id="70100001")
    assert (answer.status_code, model.asked) == (200, [])
    session = sessions.parse(owner.read(NADIA))
    assert (len(session.messages), len(session.lines), session.lines[0].is_metadata) == (0, 1, True)
    change = ChangeSet.objects.filter(bot=owner.bot).latest("id")
    assert isinstance(journal.undo(owner.bot, change, by=BY), journal.Applied)
    assert owner.read(NADIA) == before


def test_reset_is_a_message_like_any_other_elsewhere(owner, model):
    model.plays("What shall I reset?")
    answer = owner.sender.post(message="/reset", channel="slack", chat_id="C07REPAIR")
    assert answer.json()["response"] == "What shall I reset?"


# What people change


def test_entry_is_forgotten_and_brought_back(owner):
    before = owner.read("memory/HISTORY.md")
    fact = DIALECT.facts("memory/HISTORY.md", before)[3]
    done = facts.forget(owner.bot, [("memory/HISTORY.md", fact.key, fact.nth)], BY)
    assert fact.text.encode() not in owner.read("memory/HISTORY.md")
    journal.undo(owner.bot, done.change_set, by=BY)
    assert owner.read("memory/HISTORY.md") == before


def test_transcript_is_edited_but_never_so_that_the_bot_would_lose_it(owner):
    now = documents.open_document(owner.bot, NADIA)
    saved = documents.save(owner.bot, NADIA, now.text.replace("lamp", "torch"), now.sha256, BY)
    assert saved.change_set
    broken = documents.save(owner.bot, NADIA, now.text[:-30], saved.sha256, BY)
    assert "load the whole chat as empty" in broken.reason
    assert b"torch" in owner.read(NADIA)
    journal.undo(owner.bot, saved.change_set, by=BY)
    assert owner.read(NADIA).decode() == now.text


def test_transcript_is_edited_in_the_page_which_says_that_a_running_bot_overwrites_it(owner):
    at = f"/{owner.bot.slug}"
    transcript = BeautifulSoup(owner.page("chats/telegram_70100001/transcript"), "lxml")
    assert f"Newest {len(transcript.select('.talk li')) - 1} messages of" in " ".join(transcript.get_text().split())
    record = transcript.select_one(".talk details:not([open])")
    assert (record.summary.get_text(), '"_type"' in record.select_one(".fact").get_text()) == ("metadata", True)
    learned = BeautifulSoup(owner.page(""), "lxml").select(".learned .said")
    assert [one.get_text() for one in learned if one.get_text(strip=True)[:3] in ("[20", "202")] == []
    to_edit = transcript.find("a", string="Edit text")["href"]
    assert to_edit == f"{at}/documents/{NADIA}?text=1"
    assert owner.client.get(f"{at}/documents/{NADIA}").url.endswith("/transcript")
    editor = BeautifulSoup(owner.client.get(to_edit).content.decode(), "lxml")
    assert OVERWRITES in editor.select_one("#desk .notice").get_text()
    sent = {field["name"]: field.get("value", "") for field in editor.select("#editor input[name]")}
    text = editor.select_one("#text").get_text().removeprefix("\n")
    saved = owner.client.post(f"{at}/save/{NADIA}", {**sent, "text": text.replace("lamp", "torch")}, follow=True)
    said = [
        toast.get_text(" ", strip=True) for toast in BeautifulSoup(saved.content.decode(), "lxml").select(".toast p")
    ]
    assert said == [f"Saved {NADIA}", OVERWRITES]
    assert b"torch" in owner.read(NADIA)
    whole = owner.read(NADIA)
    broken = owner.client.post(f"{at}/save/{NADIA}", {**sent, "base": digest(whole), "text": "{cut"})
    assert broken.status_code == 422
    assert "load the whole chat as empty" in broken.content.decode()
    assert owner.read(NADIA) == whole


def test_chat_opens_as_its_transcript_and_no_page_counts_facts_and_logs_that_the_bot_keeps_nowhere(owner):
    opened = owner.client.get(f"/{owner.bot.slug}/chats/telegram_70100001")
    assert opened.url.endswith("/chats/telegram_70100001/transcript")
    assert "telegram_70100001" in owner.page("chats/")
    assert "0 facts" not in owner.page("chats/")
    assert "Long-term memory" in owner.page("")
    assert "logs" not in owner.page("")


def test_files_that_the_bot_reads_anew_each_time_have_no_such_warning(owner):
    for path in ("memory/MEMORY.md", "memory/HISTORY.md", "SOUL.md"):
        assert OVERWRITES not in owner.page(f"documents/{path}")
        assert DIALECT.caution(path) == ""


# The sample


def test_sample_is_an_autobot_with_something_for_every_screen(tmp_path):
    files = sample.files(NOW)
    assert files == sample.files(NOW)
    directory = sample.write(tmp_path / "sample", NOW)
    assert recognised(directory).family == "autobot"
    assert {str(DIALECT.describe(path).kind) for path in files} == {"identity", "long-term", "history", "transcript"}
    assert not any(sessions.parse(data).damaged for path, (data, _) in files.items() if path.startswith("sessions"))
    assert (directory / "memory").stat().st_mode & 0o777 == 0o700
    assert (directory / "memory/MEMORY.md").stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db
def test_sample_is_added_once(settings, kenoweb_home):
    visitor = Client()
    visitor.force_login(User.objects.create_superuser("ana"))
    for _ in range(2):
        visitor.post("/bots/sample", {"family": "autobot"})
    assert Bot.objects.get().dialect == "autobot"
    for page in ("", "memory", "entries/", "days/", "documents/", "chats/", "prompt", "tidy", "history", "settings"):
        assert visitor.get(f"/{Bot.objects.get().slug}/{page}", follow=True).status_code == 200


# Who may read it


def test_memory_that_others_may_read_is_found_and_made_private_and_that_undone(owner):
    assert "Only the owner can read the memory" in owner.page("entries/permissions")
    (owner.root / "memory").chmod(0o755)
    (owner.root / NADIA).chmod(0o644)
    shown = owner.page("entries/permissions")
    assert "2 files or directories are readable by others" in shown
    (check,) = families.get("autobot").checks
    assert check.look(owner.bot).path == "memory"
    before = owner.files()
    owner.client.post(f"/{owner.bot.slug}/entries/permissions/fix")
    assert check.look(owner.bot) is None
    assert owner.files() == before
    assert (owner.root / NADIA).stat().st_mode & 0o777 == 0o600
    assert (owner.root / "memory").stat().st_mode & 0o777 == 0o700
    journal.undo(owner.bot, ChangeSet.objects.filter(bot=owner.bot).latest("id"), by=BY)
    assert (owner.root / NADIA).stat().st_mode & 0o777 == 0o644


def test_what_is_written_here_is_private(owner):
    owner.bot.settings = {"capture": "write"}
    owner.bot.save()
    owner.sender.turn("Hello!", channel="telegram", chat_id="9")
    assert (owner.root / "sessions/telegram_9.jsonl").stat().st_mode & 0o777 == 0o600
    assert (owner.root / NADIA).stat().st_mode & 0o777 == 0o600
