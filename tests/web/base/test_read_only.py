"""A memory that is out of reach: the bar over each page, what is off, what is still said."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from memory import journal, registry
from memory.bots import directories
from memory.domain.changes import Put, digest
from memory.models import Bot, ChangeSet, Measure
from memory.numbers import measures
from memory.web.base.read_only import switched_off
from memory.webhook import webhook_secrets
from tests.support.days import day

PAGES = ("", "memory", "days/", "facts/MEMORY.md", "chats/", "working/", "compaction", "tidy/", "recall/", "history/")


@pytest.fixture
def known(desk):
    desk.write(f"{day(0)}.md", "## 10:30 — First\n\n")
    change = Put("MEMORY.md", b"- One\n", desk.hash())
    journal.commit(desk.bot, [change], by=journal.By("ana"), kind=ChangeSet.Kind.EDIT)
    desk.indexed()
    return desk


@pytest.fixture
def missing(known):
    known.root.rename(known.root.with_name("elsewhere"))
    return known


@pytest.fixture
def read_only(known, monkeypatch):
    """As on a disk that is mounted so: the tests may be run by root, who may write to any other."""
    monkeypatch.setattr(directories.os, "access", lambda *_told, **_more: False)
    return known


@pytest.fixture
def closed(known, monkeypatch):
    """A way to close files and directories to writers, also to root."""
    may, shut = os.access, set()
    monkeypatch.setattr(
        directories.os,
        "access",
        lambda path, mode, **more: not (mode == os.W_OK and path in shut) and may(path, mode, **more),
    )
    return lambda *paths: shut.update(known.root / path for path in paths)


EXPORT = [("export", words) for words in ("Download ZIP", "Download without secrets", "Preview import")]


def bar(page):
    return " ".join(page.soup.select_one(".fullbar").get_text(" ").split())


def buttons(page):
    """Those in the page's own part that post something."""
    return page.soup.select("main form[method=post] button, main button[formaction]")


def test_it_is_met_before_the_side_the_search_and_the_page(missing):
    met = missing.get().soup.select("a.skip, .fullbar, aside.side, header.top, main")
    assert [one.name for one in met] == ["a", "div", "aside", "header", "main"]


@pytest.mark.database
def test_a_missing_directory_is_told_on_every_page_with_the_time_of_what_is_shown(missing):
    seen = datetime.now(UTC) - timedelta(days=2)
    Bot.objects.update(walked=seen)
    assert "Directory missing" in missing.post("step", htmx=True).text
    for path in PAGES:
        told = bar(missing.get(path))
        assert "The memory directory of KenoBot is missing." in told, path
        assert f"You see it as of {seen:%H:%M, %a} ." in told, path
        assert f"{seen:%H:%M}" in missing.get(path).soup.select_one(".fullbar time")["title"], path


def test_a_missing_directory_has_one_number_to_review_wherever_it_is_told(known):
    known.write("2026-01-01.md", "## 10:30 — Likes Go\n\n")
    known.indexed()

    def told():
        cache.clear()  # another process has found out nothing yet
        pages = [known.get(path).soup for path in PAGES]
        badges = {one.select_one("#doors[data-live] a[href$='/tidy/'] .count").contents[0] for one in pages}
        return badges | {pages[0].select_one("#needs .count").get_text()}

    assert told() == {"1"}, "a log is old"
    known.root.rename(known.root.with_name("elsewhere"))
    assert told() == {"1"}, "nothing can be compacted"
    known.post("step", htmx=True)
    assert told() == {"1"}


def test_what_is_not_known_of_a_missing_directory_is_not_shown_as_nothing(known):
    known.get()
    known.root.rename(known.root.with_name("elsewhere"))
    known.post("step", htmx=True)
    prompt = known.get("prompt/")
    assert "what the bot reads now isn’t known" in prompt.text
    assert "0 tokens" not in prompt.text
    facts = known.get("memory").soup.find("a", string="Facts as last read")["href"]
    assert "One" in known.get(facts.removeprefix("/keno/")).text
    home = known.get()
    assert "The memory directory is missing" in home.soup.select_one(".needs li").get_text()
    assert "tokens" in home.soup.select(".strip a")[-1].get_text(), "as it was known last"


def test_the_prompt_of_a_missing_directory_is_as_it_was_measured_last(known):
    def told():
        cache.clear()  # Kenoweb was restarted
        return " ".join(known.get().soup.select(".strip a")[-1].get_text(" ").split())

    elsewhere = known.root.with_name("elsewhere")
    known.root.rename(elsewhere)
    assert told() == "Prompt Not known Never measured while its directory was there"
    elsewhere.rename(known.root)
    known.bot.refresh_from_db()
    measures.measure(known.bot)
    known.root.rename(elsewhere)
    tokens = Measure.objects.get().tokens
    assert tokens > 0
    assert told() == f"Prompt {tokens} tokens Without a chat, measured just now"
    Measure.objects.update(day="2026-01-01")
    measures.measure(known.bot)
    assert Measure.objects.count() == 2
    assert told().startswith(f"Prompt {tokens} tokens"), "nothing is measured while it is missing"


def test_whose_memory_it_is_and_what_it_loads_is_known_of_what_was_there(desk, tmp_path):
    root = tmp_path / "atlas"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "2026-01-03.md").write_text("## 10:30 — First\n")
    for name in ("SOUL.md", "AGENTS.md"):
        (root / name).write_text("Be calm.\n")
    (root / "MEMORY.md").write_text(f"- {'x' * 90}\n" * 400)
    bot = registry.add(root)
    strip = desk.client.get(f"/{bot.slug}/").content.decode()
    assert "KB loaded" in strip
    root.rename(tmp_path / "elsewhere")
    desk.client.post(f"/{bot.slug}/step", headers={"HX-Request": "true"})
    later = desk.client.get(f"/{bot.slug}/").content.decode()
    assert "KB loaded" in later
    assert "No limit known" not in later


def test_a_missing_kenobot_is_of_the_version_that_it_was(desk):
    desk.write("procedural/patterns.json", "[]")
    desk.get()
    desk.indexed()
    desk.root.rename(desk.root.with_name("elsewhere"))
    assert "3 things to know about this bot’s version" in desk.get().text


def test_only_operators_are_told_the_path_and_may_change_it(missing):
    page = missing.get("history/")
    assert str(missing.root) not in page.response.content.decode()
    assert page.soup.find("a", string="Change the directory") is None
    missing.client.force_login(User.objects.create_superuser("op"))
    page = missing.get("history/")
    assert str(missing.root) in bar(page)
    assert page.link("Change the directory") == "/bots/keno/directory"


def test_a_directory_that_the_environment_names_is_changed_there(missing, settings):
    missing.client.force_login(User.objects.create_superuser("op"))
    settings.KENOBOT_VARIABLES = ("KENOBOT_HOME",)
    Bot.objects.update(from_environment=True)
    page = missing.get("history/")
    assert page.soup.find("a", string="Change the directory") is None
    assert "KENOBOT_HOME names this directory. Change it there and restart Kenoweb." in bar(page)
    settings.KENOBOT_VARIABLES, settings.KENOBOT_HOME, settings.MEMORY_DIR = (), missing.root.parent, missing.root
    page = missing.get("history/")
    assert "Kenoweb looks here by default." in bar(page)
    assert page.link("Change the directory") == "/bots/keno/directory"


def test_what_writes_is_off_and_says_why(missing):
    off = [button for path in PAGES for button in buttons(missing.get(path))]
    assert len(off) > 5
    page = missing.get("days/")
    why = page.soup.find(id=page.soup.select_one("#add button")["aria-describedby"])
    assert "nothing can be saved until it is back" in why.get_text(" ")
    assert [button for button in off if "disabled" not in button.attrs] == []


def test_what_leads_to_nothing_without_the_directory_is_off_too(known):
    known.write("2026-01-01.md", "## 10:30 — Likes Go\n\n")
    known.write("procedural/patterns.json", "[]")  # only the version that deletes old logs has this
    known.client.force_login(User.objects.create_superuser("op"))
    webhook_secrets.make(known.bot, "Keno")
    known.indexed()
    known.root.rename(known.root.with_name("elsewhere"))
    known.indexed()
    for path, words in (
        ("tidy/", "Plan compaction"),
        ("tidy/", "Keep a copy"),
        ("webhooks/try", "Send a test"),
        *EXPORT,
    ):
        button = known.get(path).soup.main.find("button", string=words)
        assert "disabled" in button.attrs, words
        assert button["aria-describedby"] == "held", words


def test_looking_again_and_settings_go_on(missing):
    page = missing.get("settings")
    assert buttons(page)
    assert not page.soup.select("main button[disabled]")
    assert "disabled" not in page.soup.select_one(".fullbar button").attrs


def test_the_bar_goes_when_the_directory_is_back(missing):
    missing.indexed()
    missing.root.with_name("elsewhere").rename(missing.root)
    missing.indexed()
    page = missing.get("days/")
    assert page.soup.select_one(".fullbar") is None
    assert not page.soup.select("main button[disabled]")


def test_a_page_hears_that_the_directory_went_missing(known):
    seen = known.get().soup.find("input", {"name": "seen"})["value"]
    known.root.rename(known.root.with_name("elsewhere"))
    told = known.client.post("/keno/step", {"seen": seen}, headers={"HX-Request": "true"})
    assert "kenoweb:changed" in told["HX-Trigger"]


def test_home_keeps_what_it_knew_and_claims_nothing_of_what_it_cannot_see(known):
    assert "of 10 KB" in known.get().soup.select_one(".strip").get_text()
    known.root.rename(known.root.with_name("elsewhere"))
    known.indexed()
    page = known.get()
    assert "loaded" not in page.text
    assert "6 bytes of 10 KB" in page.soup.select_one(".strip").get_text()
    assert {one.get_text(strip=True) for one in page.soup.select(".head button[disabled]")} == {
        "Add a fact",
        "Edit memory",
    }
    assert page.soup.select_one(".head button svg ~ .word").get_text() == "Add a fact"


def test_what_is_to_review_can_be_looked_at_where_it_is_only_read(desk, read_only):
    desk.write("working/telegram-1.md", "- Something\n")
    desk.write("2020-01-03.md", "## 10:30 — Old\n\n")
    desk.indexed()
    needs = desk.get("").soup.select(".needs li")
    assert needs
    assert all(row.select_one("a.button") for row in needs if row.select_one("a, button"))
    desk.root.rename(desk.root.with_name("elsewhere"))
    desk.indexed()
    rows = desk.get("").soup.select(".needs li")
    assert [bool(row.select_one("a.button")) for row in rows] == ["account" in row.get_text() for row in rows]


def test_a_read_only_memory_is_read_and_searched(read_only):
    page = read_only.get("days/")
    assert "The memory of KenoBot is read-only." in bar(page)
    assert "disabled" in page.soup.select_one("#add button").attrs
    assert "First" in read_only.get(f"days/{day(0)}").text
    export = {
        one.get_text(): "disabled" in one.attrs for one in read_only.get("export").soup.select("main form button")
    }
    assert export == {"Download ZIP": False, "Download without secrets": False, "Preview import": True}
    assert "disabled" in read_only.get("export").soup.find("input", type="file").attrs
    filters = read_only.get("documents/").soup.select("main form[method=get] button, main form[method=get] input")
    assert filters
    assert all("disabled" not in one.attrs for one in filters)
    assert page.soup.select_one("#mark .words").get_text() == "Read only"
    spanish = read_only._page(read_only.client.get("/keno/days/", headers={"Accept-Language": "es"}))
    assert spanish.soup.select_one("#mark .words").get_text() == "Solo lectura"


@pytest.mark.database
def test_a_read_only_memory_tells_the_time_of_what_is_shown(read_only):
    seen = datetime.now(UTC) - timedelta(days=2)
    Bot.objects.update(walked=seen)
    page = read_only.get("days/")
    assert f"You see it as of {seen:%H:%M, %a} . You can read and search." in bar(page)
    assert f"{seen:%H:%M}" in page.soup.select_one(".fullbar time")["title"]
    Bot.objects.update(trouble="Something else")
    told = bar(read_only.get("days/"))
    assert "Something else" in told
    assert "Saving is off" in told


def test_the_top_bar_has_room_for_the_state_alone(known):
    Bot.objects.update(trouble="24 files disappeared at once. They are still listed; confirm if that was intended.")
    page = known.get("days/")
    assert page.soup.select_one("#mark .words").get_text() == "Out of sync"
    assert "24 files disappeared at once." in bar(page)


@pytest.mark.parametrize(
    "path", ["memory", "facts/MEMORY.md", "days/", "entry/add", "working/", "replace", "chats/telegram-1/working"]
)
def test_what_is_typed_into_is_only_read(known, monkeypatch, path):
    known.write("working/telegram-1.md", "- Busy\n")
    known.indexed()

    def fields():
        found = known.get(path).soup.select(
            "main form[method=post] :is(textarea, input:not([type]), [type=text], [type=time])"
        )
        return [one for one in found if one.get("type") != "hidden"]

    assert not any(one.has_attr("readonly") for one in fields())
    monkeypatch.setattr(directories.os, "access", lambda *_told, **_more: False)
    for one in fields():
        assert one.has_attr("readonly"), one
        assert not one.has_attr("disabled"), one
        assert "held" in one["aria-describedby"].split(), one
    assert "codemirror" not in str(known.get(path).soup)


def test_a_fact_that_is_reworded_in_its_row_is_only_read(read_only):
    name = read_only.get("facts/MEMORY.md").soup.select_one("[name=fact]")["value"]
    for htmx in ({}, {"HX-Request": "true"}):
        part = read_only._page(read_only.client.get("/keno/entry", {"fact": name}, headers=htmx)).soup
        assert part.find("textarea").has_attr("readonly")
        assert part.select_one("[data-save]").has_attr("disabled")


def test_nothing_is_asked_of_a_text_that_cannot_be_saved(read_only):
    base = read_only.hash()
    read_only.append("MEMORY.md", "- Two\n")
    assert read_only.post("moved/MEMORY.md", htmx=True, text="- One\n", base=base).status == 204


def test_a_directory_of_facts_below_the_memory_is_told_before_saving(known, closed):
    known.client.force_login(User.objects.create_superuser("op"))
    known.write("working/telegram-1.md", "- Busy\n")
    known.indexed()
    closed("working", "working/telegram-1.md")
    page = known.get("memory")
    assert "Part of the memory of KenoBot is read-only." in bar(page)
    assert str(known.root / "working") in bar(page)
    assert page.soup.select_one("#mark .words").get_text() == "Partly read-only"
    assert "readonly" not in page.soup.find(id="text").attrs
    assert "disabled" not in page.soup.find(id="save").attrs
    assert known.get().soup.find("a", string="Edit memory")
    assert all("disabled" not in one.attrs for one in buttons(known.get("days/")))
    shut = known.get("documents/working/telegram-1.md").soup
    assert "readonly" in shut.find(id="text").attrs
    assert "disabled" in shut.find(id="save").attrs
    assert "Pages over several files can’t save anything until it may." in bar(page)
    for path in ("working/", "history/", "tidy/"):
        assert all("disabled" in one.attrs for one in buttons(known.get(path))), path


def test_the_page_of_a_change_goes_by_its_one_file(known, closed):
    state, other = (Put(path, b"- Busy\n", None) for path in ("working/telegram-1.md", "working/telegram-2.md"))
    memory, both = (
        Put("MEMORY.md", b"- Two\n", known.hash()),
        [Put("MEMORY.md", b"- Three\n", digest(b"- Two\n")), other],
    )
    made = [
        journal.commit(known.bot, changes, by=journal.By("Ana"), kind="edit").change_set
        for changes in ([state], [memory], both)
    ]
    closed("working", "working/telegram-1.md", "working/telegram-2.md")
    pages = [known.get(f"changes/{one.pk}") for one in made]
    assert [{"disabled" in one.attrs for one in buttons(page)} for page in pages] == [{True}, {False}, {True}]


def test_a_directory_that_is_closed_leaves_the_files_in_it_that_are_open(known, closed):
    closed("")
    assert "Part of the memory of KenoBot is read-only." in bar(known.get())
    assert "readonly" not in known.get("memory").soup.find(id="text").attrs
    assert "readonly" in known.get("documents/2026-01-02.md").soup.find(id="text").attrs
    closed("MEMORY.md", f"{day(0)}.md")
    assert "The memory of KenoBot is read-only." in bar(known.get())
    assert "readonly" in known.get("memory").soup.find(id="text").attrs


def test_a_file_that_is_closed_says_so_on_its_own_pages(known, closed):
    closed("MEMORY.md")
    assert known.get().soup.select_one(".fullbar") is None
    for path in ("memory", "facts/MEMORY.md", "history/MEMORY.md"):
        page = known.get(path).soup
        assert "This file is read-only." in page.find(id="held").get_text(), path
        off = buttons(known.get(path))
        assert all(one["aria-describedby"] == "held" for one in off), path
    assert "readonly" in known.get("memory").soup.find(id="text").attrs
    assert known.get("days/").soup.find(id="held") is None


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<form method="post"><button>', '<form method="post"><button disabled aria-describedby="held">'),
        ('<form method="post"></form><button>', '<form method="post"></form><button>'),
        ('<form method="get"><button>', '<form method="get"><button>'),
        ('<button formaction="/x">', '<button formaction="/x" disabled aria-describedby="held">'),
        ('<form method="post"><button disabled>', '<form method="post"><button disabled>'),
        ('<form method="post"><textarea>', '<form method="post"><textarea readonly aria-describedby="held">'),
        ('<form method="get"><textarea>', '<form method="get"><textarea>'),
        (
            '<form method="post"><input name="a" aria-describedby="why">',
            '<form method="post"><input name="a" aria-describedby="held why" readonly>',
        ),
        ('<form method="post"><input type="hidden" name="a">', '<form method="post"><input type="hidden" name="a">'),
        ('<form method="post"><input type="checkbox">', '<form method="post"><input type="checkbox">'),
        (
            '<form method="post"><input type="file" name="a">',
            '<form method="post"><input type="file" name="a" disabled aria-describedby="held">',
        ),
        (
            '<form method="post" hx-trigger="change"><select><button>',
            '<form method="post" hx-trigger="change"><select><button disabled aria-describedby="held">',
        ),
    ],
)
def test_what_posts_is_switched_off(markup, expected):
    assert switched_off(markup, "held") == expected
