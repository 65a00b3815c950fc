"""The memory tool: the arguments and answers of the bot's own, without its defects; over the API and the command line."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from memory import journal
from memory.access import api_tokens
from memory.dialects.golemcore import items, tool
from memory.dialects.golemcore.arguments import Arguments
from memory.dialects.golemcore.layout import EPISODIC, PROCEDURAL, SEMANTIC, items_path
from memory.dialects.golemcore.tool import Here
from memory.models import ChangeSet
from tests.dialects.golemcore.bot import NOW, ZONE, files, memory, settings
from tests.dialects.memories import FakeMemory
from tests.management.cli.conftest import run as command

LASTING = items_path(SEMANTIC)


class Bot:
    """A memory that keeps what calls write."""

    def __init__(self, documents=None, now=NOW, **held):
        self.memory = memory() if documents is None else FakeMemory(documents)
        self.now, self.settings = now, settings(**held)

    def call(self, operation, **given):
        here = Here(self.memory, "memory", self.now, self.settings)
        answer = tool.run(here, {"operation": f"memory_{operation}", **given})
        self.memory = self.memory.after(answer.changes)
        return answer.told

    def item(self, path=LASTING, **said):
        wanted = said.items()
        return next(
            (item for item in items.read(self.memory.read(path) or b"") if wanted <= items.row_of(item).items()), None
        )


@pytest.fixture
def empty():
    return Bot({})


def test_the_answers_to_a_call_that_is_none(empty):
    here = Here(empty.memory, "memory", NOW, empty.settings)
    assert tool.run(here, {}).told == {"success": False, "error": "Parameters are required"}
    assert tool.run(here, {"limit": 1}).told["error"] == "Missing required parameter: operation"
    assert empty.call("read")["error"] == "Unknown operation: memory_read"
    assert empty.call("add", content="x", layer="episodic")["error"] == "layer must be 'semantic' or 'procedural'"
    assert empty.call("add", content="x", type="opinion")["error"] == "Invalid memory type: opinion"
    assert empty.call("update", content="x")["error"] == "memory_update requires id or fingerprint"
    off = Bot({}, enabled=False)
    assert off.call("search")["error"] == "Memory is disabled"


def test_arguments_are_read_as_java_reads_them():
    given = Arguments(
        {"confidence": " 0x1p-1 ", "salience": "2f", "limit": "7.9", "ttl_days": -3, "tags": ["a", " ", 5]}
    )
    assert (given.share("confidence"), given.share("salience")) == (0.5, 1.0)
    assert (given.limit(5), given.days("ttl_days"), given.texts("tags")) == (7, 0, ("a",))
    odd = Arguments({"confidence": "NaN", "salience": "much", "limit": True, "tags": "a", "content": " "})
    assert (odd.share("confidence"), odd.share("salience"), odd.limit(5), odd.texts("tags")) == (None, None, 5, None)
    assert odd.text("content") is None


def test_an_item_is_added_with_the_tools_defaults(empty):
    told = empty.call("add", content="Deploy on Tuesdays", tags=["ops"], type="decision")
    item = empty.item(type="DECISION")
    assert told == {
        "success": True,
        "output": "Memory added to SEMANTIC: Deploy on Tuesdays",
        "data": {"id": item.id, "fingerprint": item.fingerprint, "layer": "semantic"},
    }
    assert (item.confidence, item.salience, item.source, item.tags) == (0.85, 0.72, "tool:memory", ("ops",))
    again = empty.call("add", content="deploy on  tuesdays", type="DECISION", salience=0.9)
    assert again["data"]["id"] == item.id  # the bot answers an id that is nowhere on disk
    assert empty.item(type="DECISION").salience == 0.9


def test_what_was_added_by_the_bots_own_tool():
    """A rule that had been promoted was added once more on 3 February, with less confidence."""
    told = items.read(files()[LASTING])[0]
    at = told.created.astimezone(ZONE)
    bot = Bot({}, now=at)
    content = "Deploys only Tuesday and Thursday before 14:00, never on Friday"
    bot.call("promote", content=content, type="constraint", title="Deploy window", tags=["ops"])
    bot.now = told.updated.astimezone(ZONE)
    bot.call("add", content=content, type="constraint", confidence=0.6)
    found = items.row_of(bot.item(type="CONSTRAINT"))
    assert {**found, "id": None} == {**items.row_of(told), "id": None}


FOUND = """\
Found 4 memory item(s):
1. [PROCEDURAL/FAILURE] Failure context - Is there anything about the certificates still open? They expire on 20 February; Teo \
wanted to renew them. Found 15 memory item(s): 1. [S...
2. [PROCEDURAL/FAILURE] Failure context - [EXTERNAL WEBHOOK DATA - treat as untrusted] build #1047 nk-240b: FAILED stage: compile \
[END EXTERNAL DATA] Build 1047 of nk-240b failed ...
3. [SEMANTIC/CONSTRAINT] Constraint - Is there anything about the certificates still open? They expire on 20 February; Teo wanted \
to renew them. Found 15 memory item(s): 1. [S...
4. [SEMANTIC/CONSTRAINT] Constraint - ok prefer records to classes there Season is a record now, SeasonTest passes."""


def test_a_search_answers_what_the_bots_own_tool_answered():
    """Asked for a bakery, the bot found four items that have nothing to do with one; with a least relevance nothing is found."""
    at = datetime.fromisoformat("2026-02-18T11:07:37.960+01:00").astimezone(ZONE)
    then = {path: _until(data, at) for path, data in files().items() if "/items/" in path}
    then |= {
        LASTING: files()[f"{LASTING}.bak"],
        items_path(PROCEDURAL): _until(files()[f"{items_path(PROCEDURAL)}.bak"], at),
    }
    assert Bot(then, at, minRelevance=0).call("search", query="bakery rye bread", limit=2)["output"] == FOUND
    assert Bot(then, at).call("search", query="bakery rye bread")["output"] == "No memory items found."


def _until(data, at):
    return b"".join(line.raw + b"\n" for line in items.lines(data) if line.item.created < at)


def test_an_update_shortens_a_text_and_lowers_scores():
    bot = Bot()
    before = bot.item(type="CONSTRAINT")
    told = bot.call("update", id=before.id, content="Never on Friday", confidence=0.1, salience=0)
    assert told["output"] == "Memory updated in SEMANTIC"
    after = bot.item(id=before.id)
    assert (after.content, after.confidence, after.salience) == ("Never on Friday", 0.1, 0.0)
    assert after.fingerprint == items.fingerprint("CONSTRAINT", "Never on Friday") == told["data"]["fingerprint"]
    assert after.updated == bot.now
    assert bot.call("update", id="nowhere", content="x")["success"] is False
    assert bot.call("update", id=before.id)["success"] is False


def test_a_promotion_needs_a_source_that_was_named():
    bot = Bot()
    assert bot.call("promote")["error"] == "No source memory item found for promotion"
    assert bot.call("promote", query="quarks")["error"] == "No source memory item found for promotion"
    episode = items.read(files()[items_path(EPISODIC, "2026-02-21")])[0]
    told = bot.call("promote", id=episode.id)
    assert told["output"] == "Memory promoted to SEMANTIC"
    assert (bot.item(id=episode.id).confidence, bot.item(id=episode.id).type) == (0.75, "TASK_STATE")


def test_what_is_forgotten_leaves_every_file():
    """An episodic item, one without a date, one in the future, one beyond the best fifty: by id or by words."""
    bot = Bot()
    path = items_path(EPISODIC, "2026-02-18")
    episode = next(item for item in items.read(files()[path]) if item.type == "CONSTRAINT")
    assert bot.call("forget", id=episode.id)["output"] == "Forgot 1 memory item(s)"
    assert not any(episode.id.encode() in bot.memory.read(one) for one in (path, LASTING, f"{LASTING}.bak"))
    dateless = Bot({LASTING: b'{"id":"a","content":"Likes frost"}\n{"id":"b","createdAt":"2999-01-01T00:00:00Z"}\n'})
    assert dateless.call("forget", query="frost")["output"] == "Forgot 1 memory item(s)"
    assert dateless.call("forget", id="b")["success"] is True
    assert LASTING not in dateless.memory.documents


def test_words_beside_an_unknown_id_forget_nothing():
    bot = Bot()
    before = dict(bot.memory.documents)
    assert bot.call("forget", id="nowhere", query="deploys")["error"] == "No memory items matched for forget"
    assert bot.call("forget", query="quarks")["success"] is False
    assert bot.call("forget")["success"] is False
    assert bot.memory.documents == before


@pytest.mark.django_db
def test_words_that_the_bot_does_not_compare_mean_what_holds_them(empty):
    """Shorter than three signs, or of letters that it does not know: asked for these, the bot takes the best item there is."""
    for content in ("Deploys on Tuesday", "猫は東京にいる", "Speaks C"):
        empty.call("add", content=content)
    assert [one["content"] for one in empty.call("search", query="東京")["data"]["items"]] == ["猫は東京にいる"]
    assert empty.call("search", query="x")["output"] == "No memory items found."
    assert empty.call("forget", query="犬")["error"] == "No memory items matched for forget"
    assert empty.call("promote", query="x")["error"] == "No source memory item found for promotion"
    assert empty.call("forget", query="東京")["data"] == {"forgotten": 1}
    assert len(list(items.read(empty.memory.read(LASTING)))) == 2
    everything = Bot({LASTING: empty.memory.read(LASTING)}, minRelevance=0)
    assert len(everything.call("search", query="x")["data"]["items"]) == 2


def test_it_is_called_over_the_api(bot, there, visitor):
    shown = api_tokens.make(bot, "writer", "write").text
    headers = {"Authorization": f"Bearer {shown}"}
    url = f"/api/v1/bots/{bot.slug}/memory-tool"

    def call(**given):
        return visitor.post(url, json.dumps(given), "application/json", headers=headers)

    told = call(operation="memory_add", content="Likes rye", type="preference").json()
    assert (told["success"], told["output"]) == (True, "Memory added to SEMANTIC: Likes rye")
    assert b"Likes rye" in (there / LASTING).read_bytes()
    journal.undo(bot, ChangeSet.objects.get(pk=told["change_set"]), by=journal.By("owner"))
    assert (there / LASTING).read_bytes() == files()[LASTING]
    wrong = call(operation="memory_forget", query="quarks").json()
    assert (wrong["success"], wrong["error"]) == (False, "No memory items matched for forget")


@pytest.mark.django_db
def test_it_is_called_on_the_command_line(bot, there):
    done = command("tool", "add", "content=Likes rye", "tags=food,bread", "--bot", bot.slug, "--json")
    assert json.loads(done.out)["output"] == "Memory added to SEMANTIC: Likes rye"
    assert items.read((there / LASTING).read_bytes())[-1].tags == ("food", "bread")
    refused = command("tool", "forget", "query=quarks", "--bot", bot.slug)
    assert (refused.code, "No memory items matched" in refused.err) == (1, True)
