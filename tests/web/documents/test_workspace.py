"""The pages of a workspace: everything in it is there, and what its bot does not have is not offered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory import index, registry
from memory.bots import open_bot
from memory.checks import findings, never_loaded
from memory.models import ChangeSet, Document, Finding
from memory.web.base.gauges import kilobytes, surplus
from memory.web.base.translation import translate
from memory.webhook import transcripts, webhook_secrets
from tests.support.workspaces import FILES, OPENCLAW, write
from tests.web.compaction.test_compaction import send
from tests.web.conftest import added

PAGES = (
    *(
        "",
        "search/?q=frost",
        "memory",
        "days/",
        "days/2026-01-03",
        "days/2026-01-04",
        "days/today",
        "documents/",
        "chats/",
    ),
    *(
        "chats/cli_direct",
        "chats/cli_direct/transcript",
        "prompt/",
        "compaction",
        "findings/",
        "recall/",
        "history/",
        "tidy/?show=jobs",
    ),
    *(
        "webhooks/",
        "webhooks/secrets",
        "webhooks/try",
        "api",
        "settings",
        "settings/reads",
        "export",
        "go",
        "model",
    ),
    *(f"documents/{path}" for path in FILES if not path.startswith((".", "node", "memory/."))),
    *(
        "facts/memory/2026-01-03.md",
        "facts/memory/people/ana.md",
        "facts/memory/HISTORY.md",
        "facts/memory/history.jsonl",
    ),
)


@pytest.fixture
def workspace(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", OPENCLAW)
    return added(root)


@pytest.fixture
def whole(db, tmp_path, kenoweb_home):
    return added(write(tmp_path / "workspace", FILES))


def test_the_test_of_its_webhook_says_that_it_is_only_logged(workspace):
    webhook_secrets.make(workspace.bot, "Mine")
    page = workspace.get("webhooks/try")
    assert "It is only logged: Nursery writes its own files." in page.text
    assert "Use a reply with a fact to store" not in page.text


def test_a_workspace_is_known_by_its_files(workspace):
    assert workspace.bot.dialect == "workspace"
    assert open_bot(workspace.bot).settings.flavour == "openclaw"


def test_every_page_of_a_workspace_comes(whole):
    found = {page: whole._page(whole.client.get(f"/{whole.bot.slug}/{page}", follow=True)).status for page in PAGES}
    assert found == dict.fromkeys(PAGES, 200)


def test_what_its_bot_does_not_have_is_not_offered(workspace):
    places = {link.get_text(strip=True) for link in workspace.get("").soup.select("nav.places a")}
    assert "Working memory" not in places
    assert {"Memory", "Days", "Prompt", "Compaction", "Files"} <= places
    chips = {next(link.stripped_strings) for link in workspace.get("search/", q="heater").soup.select(".filters a")}
    assert {"Daily logs", "Newest first"} <= chips
    assert not {"Shared", "Chats", "Working memory"} & chips  # all of it is shared


def test_the_palette_offers_what_its_bot_has(workspace):
    every = workspace.get("go").text
    assert "Discard stale working memory" not in every
    assert "Add a fact to today" in every
    assert "memory/people/ana.md" in workspace.get("go", q="ana").text


def test_everything_in_it_is_a_document_and_nothing_else_is(workspace):
    rows = dict(Document.objects.filter(bot=workspace.bot).values_list("path", "kind"))
    away = {path for path in OPENCLAW if path.startswith((".git", "node_modules", "memory/."))}
    assert set(rows) == OPENCLAW.keys() - away
    assert not Document.objects.filter(bot=workspace.bot).exclude(error="").exists()
    unread = Document.objects.filter(bot=workspace.bot, kind__in=["cache", "other"])
    assert {(row.path, row.sha256, row.facts_count) for row in unread} == {
        ("memory/main.sqlite", "", 0),
        ("memory/south-beds.jpg", "", 0),
        ("memory/heartbeat-state.json", "", 0),
    }


def test_a_day_has_all_its_files(workspace):
    page = workspace.get("days/2026-01-03")
    assert "memory/2026-01-03.md" in page.text
    assert "memory/2026-01-03-night-watch.md" in page.text
    assert "greenhouse heater is set to 6 degrees" in page.text


def test_the_documents_page_lists_topics_identity_caches_and_other_files(workspace):
    page = workspace.get("documents/")
    links = {link["href"].partition("/documents/")[2] for link in page.soup.select("main a")}
    assert {"SOUL.md", "memory/people/ana.md"} <= links
    for name in ("SOUL.md", "ana.md", "main.sqlite", "south-beds.jpg"):
        assert name in page.text


def test_a_topic_is_edited_and_it_is_undone(workspace):
    path, before = "memory/people/ana.md", workspace.read("memory/people/ana.md")
    page = workspace.save(before.replace("cash", "coins"), path=path)
    assert page.status == 200
    assert "coins" in workspace.read(path)
    changed = ChangeSet.objects.filter(bot=workspace.bot, kind=ChangeSet.Kind.EDIT).latest("pk")
    workspace.post(f"changes/{changed.pk}/undo")
    assert workspace.read(path) == before


def test_an_edit_that_would_invalidate_a_cursor_is_refused_with_the_reason(whole):
    path, before = "memory/history.jsonl", whole.read("memory/history.jsonl")
    page = whole.save(before.replace('"cursor": 2', '"cursor": 3'), path=path)
    assert "The entry with cursor 3 is new or has moved." in page.text
    assert whole.read(path) == before
    whole.save(before.replace("heater", "boiler"), path=path)
    assert "boiler" in whole.read(path)


def test_what_is_no_note_is_never_opened(workspace, tmp_path):
    for path in ("memory/main.sqlite", "memory/south-beds.jpg"):
        (workspace.root / path).chmod(0)
    index.reindex(workspace.bot)
    assert not Document.objects.filter(bot=workspace.bot).exclude(error="").exists()
    page = workspace.get("documents/memory/main.sqlite")
    assert "This file isn’t one of the bot’s notes. It is listed but not opened." in page.text
    assert page.soup.find("textarea", {"name": "text"}) is None
    assert workspace.get("raw/memory/main.sqlite").status == 404


def test_a_transcript_reads_in_the_forms_of_several_bots(workspace):
    openclaw = (
        '{"type": "session", "id": "x", "cwd": "/home/rosa"}\n'
        '{"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "Frost?"}]}, '
        '"timestamp": "2026-01-03T21:10:00Z"}\n'
        '{"type": "compaction", "summary": "long ago"}\n'
    )
    workspace.write("sessions/agent.jsonl", openclaw)
    text = workspace.get("chats/agent/transcript").text
    assert "Frost?" in text
    assert "compaction" in text
    assert "not recognised" not in text
    assert "08:40" in workspace.get("chats/cli_direct/transcript").text


def test_an_entry_of_today_goes_where_the_notes_lie(workspace):
    today = open_bot(workspace.bot).today()
    workspace.post("days/add", text="Frost fleece bought", chat="")
    assert "Frost fleece bought" in workspace.read(f"memory/{today}.md")


def test_long_term_memory_lies_where_hkuds_keeps_it(db, tmp_path, settings, kenoweb_home):
    files = {path: data for path, data in FILES.items() if path != "MEMORY.md"}
    nursery = added(write(tmp_path / "ws", files | {"memory/MEMORY.md": "- Olive cuttings root in sand.\n"}))
    assert open_bot(nursery.bot).settings.flavour == "hkuds"
    assert "Olive cuttings" in nursery.get("memory").field
    assert nursery.get("memory").soup.select_one("nav.places a[aria-current]").get_text(strip=True) == "Memory"


def test_the_prompt_says_what_is_cut(workspace):
    workspace.write("MEMORY.md", "- olive\n" * 4_000)
    text = workspace.get("prompt/").text
    assert "and the bot loads 18,000." in text
    assert "memory/people/ana.md" in text
    lost = re.search(r"([\d,]+) more are never loaded", text)
    assert lost
    assert f"{lost[1]} more are not loaded" in workspace.get("").text


@pytest.mark.parametrize(
    ("flavour", "before", "behind"),
    [
        ("openclaw", "From line {0:,} on the middle is left out", "Nursery reads its beginning and end"),
        ("claude-code", "Line {1:,} is the last one loaded", "Nursery reads the first 24.4 KB"),
    ],
)
def test_home_says_which_lines_are_not_loaded(workspace, flavour, before, behind):
    workspace.bot.settings = {"flavour": flavour}
    workspace.bot.save()
    workspace.write("MEMORY.md", "".join(f"- olive tree {number}\n" for number in range(4_000)))
    workspace.step()
    findings.look(workspace.bot)
    first = Finding.objects.get(bot=workspace.bot, rule=never_loaded.NAME, path="MEMORY.md").line
    assert first > 100
    assert before.format(first, first - 1) in workspace.get("").text
    assert behind in workspace.get("memory").text


def test_a_middle_that_is_not_loaded_is_one_amount_everywhere_and_one_thing_to_review(workspace):
    workspace.write("MEMORY.md", "".join(f"- Fact {number:04}\n" for number in range(4_000)))
    workspace.step()
    findings.look(workspace.bot)
    (row,) = Finding.objects.filter(bot=workspace.bot, rule=never_loaded.NAME)
    first, last = map(int, re.findall(r"(?:lines|to) (\d+)", str(translate(row.note))))
    home, tidy, prompt = (workspace.get(page).text for page in ("", "tidy/", "prompt/"))
    assert f"only {kilobytes(18_000)} loaded" in home  # of 20,000 characters it keeps 14,000 and 4,000
    assert "never reads 29.3 KB of MEMORY.md" in home  # 46.8 KB less the 17.5 KB that it names beside it
    assert f"{last - first + 1:,} lines of MEMORY.md are not loaded" in prompt
    assert f"Lines {first} to {last} are cut" in prompt
    assert "never reads" not in tidy, "the finding says it"
    assert f"in lines {first} to {last} are not loaded." in tidy
    card = workspace.get("tidy/", kind=never_loaded.NAME).soup.select_one(f"#finding-row-{row.pk}")
    assert card.select_one(".fact").get_text() == "MEMORY.md"
    shorten = card.find("a", string="Shorten")["href"].removeprefix(f"/{workspace.bot.slug}/")
    assert workspace.get(shorten).field
    assert "2 things to review" in tidy  # and a file that is none of the bot’s


def test_a_plan_and_its_result_hold_such_a_memory_against_what_is_loaded_of_it(workspace):
    workspace.write("MEMORY.md", "".join(f"- Fact {number:04}\n" for number in range(4_000)))  # 48,000 bytes
    workspace.write("memory/2026-01-05.md", "- Grafts hold\n")
    workspace.step()

    def held(page):
        box = page.soup.select_one(".bars")
        assert box.select_one(".limit text").get_text() == f"{kilobytes(18_000)} loaded"
        for bar in box.select("dd svg"):
            ends = sum(int(bar.select_one(part)["width"]) for part in (".old", ".new"))
            assert bar.line["x1"] == str(ends), "the line stands where the solid bar ends"
        return box.header.get_text()

    page = workspace.get("compaction", retention_days=1)
    assert "46.8 KB · 20,680 → 20,680 tokens · already 29.3 KB over what Nursery loads" in held(page)
    picked = workspace.post("compaction", **send(page), take=[page.soup.select_one("[name=take]")["value"]])
    held(picked)
    notice = picked.soup.select_one("#passes").get_text()
    meant = workspace.post("compaction", **send(picked, word="move"))
    result = held(workspace.post("compaction/apply", **send(meant)))
    over = kilobytes(surplus(len(workspace.read()), 18_000))
    assert "Already 29.3 KB over the limit. Your selection adds 170 bytes." in notice
    assert f"Above {kilobytes(20_000)}, Nursery loads only {kilobytes(18_000)} of it" in notice
    assert f" · {over} over what Nursery loads" in result


def test_a_workspace_is_surveyed_before_it_is_added(workspace, tmp_path):
    root = write(tmp_path / "other", FILES)
    page = workspace.client.get("/bots/add", {"path": str(root)}, follow=True)
    text = page.content.decode()
    assert page.status_code == 200
    for words in (
        "HKUDS nanobot",
        "It has a history, or a MEMORY.md inside memory, as HKUDS nanobot does.",
        "7 daily logs",
        "3 topics",
        "1 index of another tool",
        "2 other files",
    ):
        assert words in text


def test_home_of_an_openclaw_leads_to_its_workspace(db, tmp_path):
    write(tmp_path / ".openclaw" / "workspace", OPENCLAW)
    found = registry.look_at(tmp_path / ".openclaw")
    assert found.dialect is None
    assert found.below == Path(tmp_path / ".openclaw" / "workspace")


def test_the_prompt_asks_for_no_chat_where_every_session_loads_the_same(workspace):
    for page in ("prompt/", "prompt/compare"):
        asked = {
            field["name"]
            for field in workspace.get(page, chat="nobody", q="frost?").soup.select("main form input[name]")
        }
        assert not asked & {"chat", "q", "with"}
        assert "at" in asked


def test_settings_are_those_of_its_flavour(workspace):
    def shown():
        pages = [workspace.get(where) for where in ("settings", "settings/reads", "settings/compaction")]
        return {field["name"] for page in pages for field in page.soup.select("main form [name]")}

    assert {"document_chars", "notes_chars", "flavour", "memory_retention_days"} <= shown()
    assert not shown() & {"memory_lines", "history_chars"}
    sent = {"name": "Nursery", "time_zone": "UTC", "flavour": "claude-code"}
    workspace.post("settings", **sent)
    assert {"memory_lines", "memory_bytes"} <= shown()
    assert "document_chars" not in shown()
    choice = workspace.get("settings").soup.select_one("select[name=flavour] option[value='']").get_text()
    assert "OpenClaw" in choice
    assert "guessed from its files" in choice


@pytest.mark.parametrize("flavour", ["openclaw", "claude-code"])
def test_where_the_form_of_a_session_is_not_known_no_answer_is_written(workspace, flavour):
    workspace.post("settings", name="Nursery", time_zone="UTC", flavour=flavour)
    bot = type(workspace.bot).objects.get(pk=workspace.bot.pk)
    assert "Kenoweb" in transcripts.unwritable(bot, "cli_direct")
    workspace.post("settings", name="Nursery", time_zone="UTC", flavour="hkuds")
    bot = type(workspace.bot).objects.get(pk=workspace.bot.pk)
    assert transcripts.unwritable(bot, "cli_direct") == ""


def test_a_text_of_a_skill_is_edited_and_it_is_undone(workspace):
    path, before = "skills/weather/SKILL.md", workspace.read("skills/weather/SKILL.md")
    assert path in workspace.get("documents/").text
    workspace.save(before + "- and wind\n", path=path)
    assert workspace.read(path).endswith("- and wind\n")
    changed = ChangeSet.objects.filter(bot=workspace.bot, kind=ChangeSet.Kind.EDIT).latest("pk")
    workspace.post(f"changes/{changed.pk}/undo")
    assert workspace.read(path) == before
    assert "curl wttr.in" not in workspace.get("search/", q="curl").text


def test_nothing_is_said_to_be_read_of_a_memory_that_cannot_be_seen(workspace):
    away = workspace.root.with_name("unmounted")
    workspace.root.rename(away)
    for _round in ("before a walk", "after it"):
        for page in ("documents/", "memory", "documents/MEMORY.md", "", "prompt/"):
            assert "reads all of it" not in workspace.get(page).text, (_round, page)
        workspace.indexed()
    away.rename(workspace.root)
    workspace.indexed()
    assert "Nursery reads all of it in every message" in workspace.get("documents/").text


def test_what_is_said_of_its_memory_is_true_of_a_bot_that_writes_its_own_files(workspace):
    long_term = workspace.get("documents/").soup.find("a", string="MEMORY.md").find_parent("li").get_text(" ")
    assert "Nursery reads all of it in every message" in long_term
    assert "Compaction moves old facts here" not in long_term, "it archives whole logs"
    today = workspace.get(f"days/{open_bot(workspace.bot).today()}").text
    assert "No facts yet today They show here once Nursery has written them." in today
