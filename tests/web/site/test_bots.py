from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import index, registry
from memory.models import Bot, ChangeSet, Document, RecallTest, Root
from memory.web.base import dates
from tests.web.conftest import make_bot


class Operator:
    """Somebody who runs this Kenoweb."""

    def __init__(self, user):
        self.client = Client()
        self.client.force_login(user)

    def get(self, where, **query):
        return self._page(self.client.get(where, query, follow=True))

    def post(self, where, **fields):
        return self._page(self.client.post(where, fields, follow=True))

    @staticmethod
    def _page(response):
        page = BeautifulSoup(response.content, "lxml")
        page.status = response.status_code
        page.words = " ".join(page.get_text(" ").split())
        return page


@pytest.fixture
def boss(owner):
    return Operator(owner)


@pytest.fixture
def found(desk, tmp_path):
    """A directory with a memory that no bot has yet."""
    memory = tmp_path / "rosa" / "memory"
    for path, text in {
        "MEMORY.md": "- The launch code is 0000\n",
        "2026-03-01.md": "## 10:00 — x\n",
        "2026-03-02.md": "## 10:00 — x\n",
        "chats/telegram-1/MEMORY.md": "- y\n",
        "chats/telegram-1/notes.txt": "none of ours",
    }.items():
        (memory / path).parent.mkdir(parents=True, exist_ok=True)
        (memory / path).write_text(text)
    (memory.parent / "sessions").mkdir()
    return memory


def given(page, **more):
    """What the form of the second step sends."""
    fields = {one["name"]: one.get("value", "") for one in page.select("form.fields input[name]")}
    fields |= {one["name"]: one.option["value"] for one in page.select("form.fields select[name]")}
    fields.pop("csrfmiddlewaretoken", None)
    return fields | more


def test_bots_are_listed_with_what_they_hold(desk, boss):
    index.refresh(desk.bot)
    Bot.objects.filter(pk=desk.bot.pk).update(trouble="41 documents vanished at once.")
    page = boss.get("/bots/")
    assert "2 facts" in page.words
    assert re.search(r"checked just now", page.words)
    assert "41 documents vanished" in page.words
    assert str(desk.root) in page.words


def test_a_bot_that_nobody_looked_at_yet_is_not_said_to_have_no_facts(desk, boss):
    Bot.objects.filter(pk=desk.bot.pk).update(walked=None, trouble="")
    words = boss.get("/bots/").words
    assert "not checked yet" in words
    assert "0 facts" not in words


def test_one_of_many_bots_is_found_by_its_name(desk, boss):
    assert not boss.get("/bots/").select("[name=q]")
    for name in ("Atlas", "Moss", "Rosa", "Pedal", "Ida", "Fox"):
        Bot.objects.create(slug=name.lower(), name=name, dialect="kenobot")
    switcher = boss.get("/bots/").select_one("main [name=q]")
    assert switcher["placeholder"] == "Find a bot"
    page = boss.get("/bots/", q="PED")
    assert [one.get_text() for one in page.select(".rows strong")] == ["Pedal"]
    assert "No results" in boss.get("/bots/", q="zz").words
    assert desk.get("").soup.select_one(".switch [name=q]")["placeholder"] == "Find a bot"
    assert "Signed in as" in boss.get("/bots/").words


def test_directories_are_shown_to_operators_only(desk):
    page = desk.client.get("/bots/").content.decode()
    assert "KenoBot" in page
    assert str(desk.root) not in page
    assert "/bots/add" not in page


def test_list_costs_the_same_queries_however_many_bots(desk, boss):
    def asked():
        with CaptureQueriesContext(connection) as captured:
            boss.get("/bots/")
        return len(captured)

    few = asked()
    for n in range(20):
        bot = Bot.objects.create(slug=f"b{n}", name=f"Bot {n}", dialect="kenobot")
        Root.objects.create(bot=bot, name="memory", path=f"/nowhere/{n}")
    assert asked() == few > 0


def numbers(page):
    """What stands beside each bot in the switcher, and how bad it is."""
    found = {link["href"]: link.select_one(".count") for link in page.select(".switch .pop a:has(.badge)")}
    return {at: (" ".join(one.get_text(" ").split()), one["class"][1:]) for at, one in found.items() if one}


def test_switcher_says_what_there_is_to_review_as_far_as_that_was_counted(desk, boss, tmp_path):
    rosa, _root = make_bot(tmp_path, "rosa")
    make_bot(tmp_path, "moss")
    RecallTest.objects.create(bot=rosa, question="Which tea?", path="MEMORY.md", key="k", broken=timezone.now())
    assert numbers(boss.get("/keno/history/")) == {}
    badge = boss.get("/rosa/").select_one("#doors .count")
    said = {"/rosa/": (" ".join(badge.get_text(" ").split()), badge["class"][1:])}
    assert said == {"/rosa/": ("1 to review", ["bad"])}
    assert numbers(boss.get("/rosa/history/")) == numbers(boss.get("/keno/history/")) == said
    RecallTest.objects.all().delete()
    boss.get("/rosa/tidy/")
    assert numbers(boss.get("/keno/history/")) == {}


def test_switcher_costs_the_same_queries_however_many_bots(desk, boss, tmp_path):
    def asked():
        with CaptureQueriesContext(connection) as captured:
            boss.get("/keno/history/")
        return len(captured)

    asked()  # what is found out once
    few = asked()
    for n in range(50):
        make_bot(tmp_path, f"b{n}")
    assert asked() == few > 0


@pytest.mark.parametrize("path", ["add", "keno/remove", "keno/restore"])
def test_only_operators_add_and_remove(desk, path):
    for answer in (desk.client.get(f"/bots/{path}?path=/tmp"), desk.client.post(f"/bots/{path}", {"act": "remove"})):
        assert answer.status_code == 403
    desk.bot.refresh_from_db()
    assert desk.bot.removed is None


def test_second_step_says_what_is_there_and_no_word_of_it(found, boss):
    page = boss.get("/bots/add", path=str(found))
    assert "KenoBot memory" in page.words
    assert "2 long-term memory files" in page.words
    assert "2 daily logs 2026-03-01.md, 2026-03-02.md 30 bytes" in page.words
    assert "1 unrecognised file. It won’t be opened." in page.words
    assert str(found.parent / "sessions") in page.words
    assert "launch code" not in page.words
    assert not Bot.objects.filter(roots__path=str(found)).exists()


def test_bot_is_added_with_its_name_and_zone(found, boss):
    page = boss.get("/bots/add", path=str(found))
    after = boss.post("/bots/add", **given(page, name="Rosa's bot", time_zone="America/Mexico_City"))
    bot = Bot.objects.get(name="Rosa's bot")
    assert "Added Rosa's bot" in after.words
    assert (bot.slug, bot.time_zone, bot.dialect) == ("rosas-bot", "America/Mexico_City", "kenobot")
    assert bot.directories == {"memory": str(found), "sessions": str(found.parent / "sessions")}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/", "It is the root directory. Enter the directory that contains MEMORY.md."),
        ("~", "It is a home directory. Enter the directory in it that contains MEMORY.md."),
        ("relative/path", "Enter an absolute path, starting with /."),
        ("/no/such/place", "This directory doesn’t exist."),
        ("/a\0b", "This directory doesn’t exist."),
        ("/" + "x" * 3000, "It can’t be read: File name too long."),
        ("~nobody-of-this-name/x", "It can’t be read: the path isn’t usable."),
        ("<script>", "Enter an absolute path, starting with /."),
    ],
)
def test_directories_that_cannot_be_are_refused_in_words(desk, boss, path, why):
    page = boss.get("/bots/add", path=path)
    assert page.status == 422
    assert f"{why} Nothing was added." in page.words
    assert boss.post("/bots/add", path=path, name="x", time_zone="UTC", dialect="kenobot").status == 422
    assert Bot.objects.count() == 1


def test_own_home_and_taken_directories_are_refused(desk, boss, settings):
    for path in (settings.KENOWEB_HOME, settings.KENOWEB_HOME.parent):
        said = "It contains Kenoweb’s own directory with its keys and database."
        assert said in boss.get("/bots/add", path=str(path)).words
    assert "Another bot already uses this directory." in boss.get("/bots/add", path=str(desk.root)).words


def test_empty_directory_asks_whose_it_is(desk, boss, tmp_path):
    (tmp_path / "empty").mkdir()
    page = boss.get("/bots/add", path=str(tmp_path / "empty"))
    assert "No bot memory found here." in page.words
    assert page.select_one("select[name=dialect]")
    boss.post("/bots/add", **given(page))
    assert Bot.objects.get(name="empty").dialect == "kenobot"


@pytest.mark.parametrize("wrong", [{"time_zone": "Mars/Base"}, {"name": ""}, {"name": "x" * 121}, {"dialect": "no"}])
def test_what_does_not_fit_is_asked_again(found, boss, wrong):
    page = boss.post("/bots/add", **given(boss.get("/bots/add", path=str(found)), **wrong))
    assert page.status == 422
    assert not Bot.objects.filter(roots__path=str(found)).exists()


def test_names_of_files_that_are_hostile_do_no_harm(desk, boss, tmp_path):
    memory = tmp_path / "odd"
    for name in (b"<script>alert(1)</script>", b"line\nend", b"\xff\xfe", "🎉".encode()):
        folder = os.fsencode(memory) + b"/chats/" + name
        os.makedirs(folder)
        Path(os.fsdecode(folder), "MEMORY.md").write_text("- x\n")
    os.mkfifo(memory / "MEMORY.md")
    page = boss.get("/bots/add", path=str(memory))
    assert page.status == 200
    assert not page.find("script", string="alert(1)")
    assert "1 file can’t be read" in page.words


def test_removal_says_what_stays_and_does_so(desk, boss):
    desk.save("- mine\n")
    before = desk.read()
    page = boss.get("/bots/keno/remove")
    for words in (
        "Its files stay as they are, and the bot keeps running.",
        f"Its history since {dates.at(desk.bot.created)} is kept here.",
        "Its webhook stops.",
        "Add the same directory again to get the bot back with its history.",
    ):
        assert words in page.words
    done = boss.post("/bots/keno/remove", act="remove").words
    assert "Removed KenoBot. Its files are unchanged and its history is kept." in done
    assert desk.read() == before
    assert desk.get().status == 404
    assert "KenoBot" not in BeautifulSoup(desk.client.get("/bots/").content, "lxml").main.get_text()
    assert "Removed Their history is kept and their files are unchanged. KenoBot" in boss.get("/bots/").words


def test_removed_bot_comes_back_with_its_history(desk, boss):
    desk.save("- mine\n")
    boss.post("/bots/keno/remove", act="remove")
    page = boss.get("/bots/add", path=str(desk.root))
    assert "This is KenoBot, which was removed earlier." in page.words
    boss.post("/bots/add", **given(page, name="Keno again"))
    desk.bot.refresh_from_db()
    assert (desk.bot.removed, desk.bot.name) == (None, "Keno again")
    assert ChangeSet.objects.filter(bot=desk.bot).exists()
    boss.post("/bots/keno/remove", act="remove")
    boss.post("/bots/keno/restore")
    assert desk.get().status == 200


def test_bring_back_says_when_the_directory_is_gone(desk, boss):
    boss.post("/bots/keno/remove", act="remove")
    desk.root.rename(desk.root.parent / "away")
    assert "This directory doesn’t exist." in boss.post("/bots/keno/restore").words
    assert desk.get().status == 404


@pytest.mark.parametrize("typed", ["", "Keno", "keno2"])
def test_history_is_not_forgotten_by_a_wrong_word(desk, boss, typed):
    desk.save("- mine\n")
    page = boss.post("/bots/keno/remove", act="forget", slug=typed)
    assert page.status == 422
    assert "Nothing was deleted: the name you typed isn’t keno." in page.words
    assert Bot.present.filter(slug="keno").exists()
    assert ChangeSet.objects.filter(bot=desk.bot).exists()


def test_history_is_forgotten_when_the_name_is_typed(desk, boss):
    desk.save("- mine\n")
    done = boss.post("/bots/keno/remove", act="forget", slug=" keno ").words
    assert "The history of KenoBot was deleted. Its files are unchanged." in done
    assert not Bot.objects.exists()
    assert not ChangeSet.objects.exists()
    assert not Document.objects.exists()
    assert desk.read() == "- mine\n"


def test_bot_of_the_environment_says_why_it_stays(desk, boss, settings):
    settings.KENOBOT_VARIABLES = ("MEMORY_DIR",)
    Bot.objects.update(from_environment=True)
    page = boss.get("/bots/keno/remove")
    assert "Because of MEMORY_DIR , the next start would add the bot again." in page.words
    assert not page.select("form button[name=act]")
    refused = boss.post("/bots/keno/remove", act="remove")
    assert refused.status == 409
    assert Bot.present.filter(slug="keno").exists()


def test_webhooks_of_a_removed_bot_are_refused(desk, boss, settings):
    registry.remove(desk.bot)
    answer = desk.client.post("/webhook/keno", b"{}", content_type="application/json")
    assert answer.status_code == 401
