"""Sentences that were agreed on and stand in no single message, since two numbers need two plurals: said whole by the pages."""

from __future__ import annotations

import os
import re
import time

import pytest

from memory import index
from memory.bots import open_bot
from memory.models import ChangeSet
from tests.support.days import day
from tests.web.compaction.test_compaction import send
from tests.web.conftest import MEMORY


def log(*texts):
    return "".join(f"## 10:{at:02} — {text}\n\n" for at, text in enumerate(texts))


@pytest.fixture
def lived(desk):
    """A bot with new and old logs, chats, and working memory of which one is stale."""
    for ago, texts in ((2, ("Likes tea", "Likes figs")), (60, ("Rides a bicycle", "Prefers concise responses"))):
        desk.write(f"{day(ago)}.md", log(*texts))
    desk.write(f"{day(61)}.md", log("Sings", "Paints"))
    desk.write(f"chats/telegram-1/{day(1)}.md", log("Plans a talk", "Needs slides"))
    desk.write(f"chats/telegram-2/{day(1)}.md", log("Asks early"))
    desk.write("working/telegram-1.md", "- now\n")
    desk.write("working/telegram-2.md", "- then\n")
    then = time.time() - 30 * 86_400
    os.utime(desk.root / "working/telegram-2.md", (then, then))
    index.refresh(desk.bot)
    return desk


def says(page, *sentences):
    """Each sentence is read on the page, # being a number, a size, a day, a name."""
    for sentence in sentences:
        wanted = r"\S.{0,40}?".join(map(re.escape, sentence.split("#")))
        assert re.search(wanted, page.text), sentence


def test_home_and_the_list_of_chats_say_their_sums(lived):
    home = lived.get()
    says(home, "# facts in # files, newest #", "# facts in 2 chats", "1 current, 1 stale", "Stale after # days")
    says(lived.get("chats/"), "2 chats, 3 facts. 2 were active this week.")
    says(lived.get(f"days/{day(2)}"), "2 facts, # tokens. KenoBot still reads this day.")
    says(lived.get("prompt/"), "As of now or yesterday")
    for path in (f"{day(2)}.md", f"chats/telegram-1/{day(1)}.md", f"chats/telegram-2/{day(1)}.md"):
        (lived.root / path).unlink()
    index.refresh(lived.bot, accept_vanished=True)
    says(lived.get(), "# facts in # files, newest #")


def test_a_compaction_says_what_it_would_do_did_and_undid(lived):
    plan = lived.get("compaction")
    says(
        plan,
        "2 logs older than 30 days, 4 facts. Nothing changes until you apply.",
        "Move 3 facts, remove 2 logs",
        "3 move to long-term",
        "1 duplicate, dropped",
        "2 emptied logs, removed",
    )
    lived.post("compaction/apply", **send(plan))
    made = ChangeSet.objects.get(kind=ChangeSet.Kind.COMPACTION)
    says(lived.get(f"compaction/{made.pk}"), "3 facts moved, 2 logs removed")
    says(lived.post(f"changes/{made.pk}/undo"), "2 logs restored, 3 facts moved back.")


def test_an_edit_says_how_many_facts_it_rewords_adds_and_removes(lived):
    one = MEMORY.replace("Likes Google Docs", "Likes Google Sheets")
    preview = lived.post("foresee/MEMORY.md", htmx=True, text=one, base=lived.hash())
    assert "1 fact reworded" in preview.text
    lived.save(one.replace("- Prefers concise responses\n", ""))
    made = ChangeSet.objects.filter(kind=ChangeSet.Kind.EDIT).latest("pk")
    page = lived.get(f"changes/{made.pk}")
    says(page, "1 fact reworded, 1 removed", f"Change {made.pk} · you, #")


def test_a_directory_that_went_says_as_of_when_it_is_shown(lived):
    open_bot(lived.bot)
    lived.root.rename(lived.root.parent / "gone")
    says(lived.get(), "You see it as of #. Nothing was changed, and nothing can be saved until it is back.")


def test_an_operator_without_a_bot_is_offered_a_sample(desk, owner):
    desk.client.force_login(owner)
    (desk.root / "MEMORY.md").unlink()
    index.refresh(desk.bot, accept_vanished=True)
    says(desk.get(), "No bot yet? Try a sample")
