"""What programs read and write: documents, facts, the prompt, turns, compaction, change sets."""

from __future__ import annotations

import json
import os
from datetime import timedelta

import pytest
from django.utils import timezone

from memory.bots import open_bot
from memory.models import ChangeSet, Delivery, Fetched, Measure, Root, Tally
from memory.prompts import served
from tests.llm import server as playing
from tests.web.api.conftest import LOG
from tests.web.conftest import MEMORY


@pytest.fixture
def full(program):
    """A bot with logs of its own and of two chats."""
    for path in ("2026-01-05.md", "chats/tg-1/2026-01-05.md", "chats/tg-2/2026-01-05.md"):
        program.write(path, LOG.replace("kettle", f"kettle for {path}"))
    program.write("working/tg-1.md", "- [ ] buy tea\n")
    program.look()
    return program


def pages(program, where, key, **query):
    """Every entry of a list, a page after the other, and how many pages there were."""
    found, count, more = [], 0, {}
    while True:
        status, told = program.get(where, **query, **more)
        assert status == 200, told
        found += told[key]
        count += 1
        if told["next"] is None:
            return found, count
        more = {"before" if where in ("changes", "fetched") else "after": told["next"]}


def test_documents_are_listed_with_their_versions(full):
    status, told = full.get("documents")
    by_path = {one["path"]: one for one in told["documents"]}
    assert status == 200
    assert list(by_path) == sorted(by_path)
    assert by_path["MEMORY.md"]["sha256"] == full.hash()
    assert (by_path["chats/tg-1/2026-01-05.md"]["scope"], by_path["chats/tg-1/2026-01-05.md"]["facts"]) == ("tg-1", 2)


def test_documents_come_a_page_at_a_time(full):
    every, count = pages(full, "documents", "documents", limit=2)
    assert (len(every), count) == (5, 3)
    assert every == full.get("documents")[1]["documents"]


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ({"kind": "long-term"}, ["MEMORY.md"]),
        ({"tier": "working"}, ["working/tg-1.md"]),
        ({"day": "2026-01-05", "scope": ""}, ["2026-01-05.md"]),
        ({"scope": "tg-2"}, ["chats/tg-2/2026-01-05.md"]),
        ({"chat": "tg-2"}, ["2026-01-05.md", "MEMORY.md", "chats/tg-2/2026-01-05.md"]),
        ({"chat": "tg-2", "scope": "tg-1"}, []),
    ],
)
def test_documents_of_a_kind(full, query, paths):
    assert [one["path"] for one in full.get("documents", **query)[1]["documents"]] == paths


def test_the_index_is_brought_in_step_without_a_page_that_is_open(full):
    full.write("2026-01-06.md", LOG)
    assert "2026-01-06.md" not in str(full.get("documents"))
    full.bot.walked = timezone.now() - timedelta(seconds=16)
    full.bot.save()
    assert "2026-01-06.md" in str(full.get("documents"))


def test_a_document_is_read_and_written(full):
    status, told = full.get("document", path="MEMORY.md")
    assert (status, told["text"], told["sha256"]) == (200, MEMORY, full.hash())
    assert (told["read_only"], told["caution"]) == ("", "")
    status, done = full.put("document", path="MEMORY.md", text=MEMORY + "- Sings\n", base=told["sha256"], why="a test")
    assert (status, done["sha256"], done["joined"]) == (200, full.hash(), 0)
    assert full.read() == MEMORY + "- Sings\n"
    one = ChangeSet.objects.get(pk=done["change_set"])
    assert (one.by, one.why) == ("API: admin", "a test")


def test_bytes_that_are_not_changed_stay(full):
    full.write("MEMORY.md", b"\xef\xbb\xbf- one \r\n- two")
    base = full.get("document", path="MEMORY.md")[1]
    assert base["text"] == "- one \n- two"
    full.put("document", path="MEMORY.md", text="- one \n- three", base=base["sha256"])
    assert (full.root / "MEMORY.md").read_bytes() == b"\xef\xbb\xbf- one \r\n- three"


def test_a_new_document_has_no_base(full):
    assert full.put("document", path="2026-01-07.md", text=LOG)[0] == 200
    assert full.read("2026-01-07.md") == LOG
    status, told = full.put("document", path="2026-01-07.md", text="other")
    assert (status, told["error"]["code"]) == (409, "conflict")


def test_what_somebody_else_wrote_is_not_lost(full):
    base = full.hash()
    full.get("document", path="MEMORY.md")
    full.write("MEMORY.md", MEMORY.replace("concise", "long"))
    status, told = full.put("document", path="MEMORY.md", text=MEMORY + "- Sings\n", base=base)
    error = told["error"]
    assert (status, error["code"], error["path"]) == (409, "conflict", "MEMORY.md")
    assert error["base"] == {"sha256": base, "text": MEMORY}
    assert error["ours"]["text"] == MEMORY + "- Sings\n"
    assert error["theirs"] == {"sha256": full.hash(), "text": MEMORY.replace("concise", "long")}
    assert error["merged"] == MEMORY.replace("concise", "long") + "- Sings\n"
    assert full.read() == MEMORY.replace("concise", "long")
    assert full.put("document", path="MEMORY.md", text=error["merged"], base=error["theirs"]["sha256"])[0] == 200


def test_what_was_only_added_at_the_end_is_kept_and_told(full):
    base = full.get("document", path="MEMORY.md")[1]["sha256"]
    with (full.root / "MEMORY.md").open("a") as file:
        file.write("- From the bot\n- And more\n")
    mine = MEMORY.replace("concise", "short")
    status, done = full.put("document", path="MEMORY.md", text=mine, base=base)
    assert (status, done["joined"]) == (200, 2)
    assert full.read() == mine + "- From the bot\n- And more\n"
    # A program that goes on from its own text takes nothing of the bot's away.
    status, again = full.put("document", path="MEMORY.md", text="# New\n" + mine, base=done["sha256"])
    assert (status, again["joined"]) == (200, 2)
    assert full.read() == "# New\n" + mine + "- From the bot\n- And more\n"


@pytest.mark.parametrize(
    ("path", "status"),
    [("none.md", 404), ("notes/x.txt", 404), ("../x", 422), ("a\0b", 422), ("", 422), ("/etc/passwd", 422)],
)
def test_what_is_no_document(full, path, status):
    answer, told = full.get("document", path=path)
    assert answer in (status, 404)
    assert str(full.root) not in json.dumps(told)
    answer, told = full.put("document", path=path, text="x")
    assert answer in (404, 422) or (path, answer) == ("none.md", 200)


def test_what_is_no_text_is_shown_and_not_written(full):
    full.write("MEMORY.md", b"- one\n- \xff\n")
    told = full.get("document", path="MEMORY.md")[1]
    assert told["text"] == "- one\n- \ufffd\n"
    assert "Line 2" in told["read_only"]
    status, said = full.put("document", path="MEMORY.md", text="x", base=told["sha256"])
    assert (status, said["error"]["message"]) == (422, told["read_only"])


def test_a_document_that_cannot_be_read(full):
    os.unlink(full.root / "MEMORY.md")
    os.mkfifo(full.root / "MEMORY.md")
    status, told = full.get("document", path="MEMORY.md")
    assert (status, told["error"]["code"]) == (409, "unreadable")
    assert str(full.root) not in json.dumps(told)
    assert full.get("facts", path="MEMORY.md")[0] == 409


def test_facts_come_a_page_at_a_time_and_in_order(full):
    every, count = pages(full, "facts", "facts", limit=3)
    assert (len(every), count) == (9, 3)
    assert [(one["path"], one["line"]) for one in every] == sorted((one["path"], one["line"]) for one in every)
    assert every == full.get("facts")[1]["facts"]


def test_facts_of_one_document_are_fresh(full):
    full.write("2026-01-05.md", LOG + "\n## 12:00 — Sings\n")
    told = full.get("facts", path="2026-01-05.md")[1]["facts"]
    assert [(one["time"], one["text"], one["line"]) for one in told][-1] == ("12:00", "Sings", 7)
    assert full.get("facts", path="none.md")[0] == 404


@pytest.mark.parametrize("after", ["x", "1", ":MEMORY.md", "-1:MEMORY.md", "1:\0", "9999999999999:x"])
def test_facts_behind_nothing(full, after):
    assert full.get("facts", after=after)[0] == 422


def test_a_fact_is_added_reworded_forgotten_and_brought_back(full):
    status, done = full.post("facts", path="MEMORY.md", text="Sings")
    assert (status, done["paths"]) == (200, ["MEMORY.md"])
    assert full.read() == MEMORY + "- Sings\n"
    fact = full.get("facts", path="MEMORY.md")[1]["facts"][-1]
    named = {name: fact[name] for name in ("path", "key", "nth")}
    assert full.patch("facts", **named, text="Sings well")[0] == 200
    assert full.read() == MEMORY + "- Sings well\n"
    status, told = full.patch("facts", **named, text="Sings badly")
    assert (status, told["error"]["code"]) == (409, "gone")
    fact = full.get("facts", path="MEMORY.md")[1]["facts"][-1]
    status, done = full.post("facts/forget", facts=[{name: fact[name] for name in ("path", "key", "nth")}])
    assert full.read() == MEMORY
    status, undone = full.call("POST", f"changes/{done['change_set']}/undo", {})
    assert (status, full.read()) == (200, MEMORY + "- Sings well\n")
    told = full.get(f"changes/{done['change_set']}")[1]
    assert (told["undone"], told["undone_by"]) == ("wholly", undone["change_set"])
    assert full.get(f"changes/{undone['change_set']}")[1]["undone"] is None
    assert full.get("facts/search", q="sings well")[0] == 200
    status, life = full.get("facts/life", path="MEMORY.md", key=named["key"])
    assert [one["words"] for one in life["searches"]] == ["sings well"]
    assert (status, life["stands"], life["text"], life["key"]) == (200, True, "Sings well", fact["key"])
    steps = [(one["how"], one["text"]) for one in life["steps"]]
    assert steps == [("added", "Sings"), ("reworded", "Sings well"), ("forgotten", ""), ("returned", "Sings well")]


def test_fact_nobody_knew_has_no_life(full):
    assert full.get("facts/life", path="MEMORY.md", key="0" * 32)[0] == 404
    assert full.get("facts/life", path="MEMORY.md", key="x")[0] == 422


def test_a_fact_without_a_place_goes_into_todays_log(full):
    today = open_bot(full.bot).today()
    assert full.post("facts", text="Sings")[1]["paths"] == [f"{today}.md"]
    assert full.post("facts", text="Hums", chat="tg-1")[1]["paths"] == [f"chats/tg-1/{today}.md"]
    assert "Sings" in full.read(f"{today}.md")


def test_what_forgets_one_wrong_fact_forgets_none(full):
    facts = full.get("facts", path="2026-01-05.md")[1]["facts"]
    good = {name: facts[0][name] for name in ("path", "key", "nth")}
    status, told = full.post("facts/forget", facts=[good, {**good, "key": "f" * 32}])
    assert (status, told["error"]["code"]) == (409, "gone")
    assert "kettle" in full.read("2026-01-05.md")


def test_facts_are_found_by_their_words(full):
    status, told = full.get("facts/search", q="kettle", chat="tg-1")
    assert status == 200
    assert {hit["path"] for hit in told["hits"]} >= {"chats/tg-1/2026-01-05.md", "2026-01-05.md"}
    assert "tg-2" not in json.dumps(told)
    first = told["hits"][0]
    assert first["why"]["words"] == ["kettle"]
    (start, end), *_ = first["marks"]
    assert first["text"][start:end] == "kettle"
    everything = full.get("facts/search", q="kettle")[1]["hits"]
    assert full.get("facts/search", q="kettle", limit=1, offset=1)[1]["hits"] == everything[1:2]
    assert full.get("facts/search", q="zeppelin")[1]["nowhere"] == ["zeppelin"]


@pytest.mark.parametrize("odd", ["", '"', "-", "tier:", "a:b", "'; --", "\0", "%", "(*", "🦀", "NEAR(", "x" * 5000])
def test_nothing_typed_into_a_search_is_an_error(full, odd):
    assert full.get("facts/search", q=odd)[0] == 200


def test_the_prompt_and_what_it_was_made_of(full):
    status, told = full.post("prompt", chat="tg-1", query="What do I like?", now="2026-01-05T12:00:00Z")
    assert status == 200
    assert told["text"] == "".join(section["text"] for section in told["sections"])
    assert "kettle for chats/tg-1" in told["text"]
    assert "kettle for chats/tg-2" not in json.dumps(told)
    versions = {one["path"]: one["sha256"] for one in told["documents"]}
    assert versions["MEMORY.md"] == full.hash()
    facts = [fact for section in told["sections"] for fact in section["facts"]]
    assert {"path", "line", "key", "nth", "text", "tokens"} <= set(facts[0])
    listed = full.get("fetched")[1]["fetched"][0]
    assert (listed["id"], listed["chat"], listed["query"]) == (told["fetched"], "tg-1", "What do I like?")
    assert (listed["sha256"], listed["token"]) == (told["sha256"], "admin")
    assert {one["path"]: (one["sha256"], one["current"]) for one in listed["documents"]} == {
        path: (sha256, True) for path, sha256 in versions.items()
    }


def test_a_document_that_moved_on_is_not_what_was_loaded(full):
    full.post("prompt", chat="tg-1")
    full.write("MEMORY.md", MEMORY + "- Sings\n")
    full.look()
    documents = full.get("fetched")[1]["fetched"][0]["documents"]
    assert {one["path"]: one["current"] for one in documents}["MEMORY.md"] is False


def test_a_prompt_for_an_odd_chat(full):
    for chat in ("a/b", "..", "x" * 256):
        assert full.post("prompt", chat=chat)[0] == 422
    assert full.post("prompt", query="\0 \ud83d")[0] == 200
    for now in ("yesterday", "1990-01-01", "9999-12-31T00:00:00Z"):
        assert full.post("prompt", now=now)[0] == 422


def test_only_the_newest_prompts_are_kept(full):
    for _ in range(6):
        full.post("prompt")
    served.forget(full.bot, kept=4)
    assert Fetched.objects.count() == 4
    assert len(pages(full, "fetched", "fetched", limit=3)[0]) == 4


def test_a_turn_is_taken_in_as_by_the_webhook(full):
    turn = {"session_id": "tg-1", "message": "hi", "response": "Noted. <memory>Sings</memory>", "message_id": "m-1"}
    status, told = full.post("turns", **turn)
    assert (status, told["response"], told["status"]) == (200, "Noted.", "ok")
    assert full.post("turns", **turn) == (200, told)
    today = f"{open_bot(full.bot).today()}.md"
    assert full.read(today).count("Sings") == 1
    assert Delivery.objects.count() == 1
    assert ChangeSet.objects.latest("id").by == "API: admin"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({}, "invalid"),
        ({"message": ""}, "invalid"),
        ({"message": "hi", "response": 7}, "invalid"),
        ({"message": "hi", "session_id": "a/b", "response": ""}, "invalid"),
        ({"message": "hi"}, "no_model"),
    ],
)
def test_a_turn_that_is_none(full, sent, code):
    status, told = full.post("turns", **sent)
    assert status in (400, 422)
    assert told["error"]["code"] == code


def test_a_message_without_a_reply_is_answered(full, model):
    model.plays("Noted. <memory>Sings</memory>")
    status, told = full.post("turns", session_id="tg-1", message="I sing")
    assert (status, told["response"], told["stored"]["memories"]) == (200, "Noted.", 1)
    assert full.get("changes")[1]["changes"][0]["kind"] == "answer"


@pytest.mark.parametrize(
    ("play", "status", "code"),
    [
        (playing.slow(3), 408, "timeout"),
        (playing.empty(), 503, "not_answered"),
        (playing.denied(), 503, "not_answered"),
    ],
)
def test_a_message_that_is_not_answered_says_why(full, model, settings, play, status, code):
    settings.LLM_TIMEOUT = 1 if status == 408 else 20
    model.plays(play)
    got, told = full.post("turns", session_id="tg-1", message="I sing")
    assert (got, told["error"]["code"]) == (status, code)
    assert "127.0.0.1" not in told["error"]["message"]


def test_the_plan_and_its_run(full):
    status, plan = full.get("compaction")
    assert (status, plan["moved"], plan["removed"]) == (200, 2, 1)
    assert {one["path"] for one in plan["decisions"]} == {"2026-01-05.md"}
    assert full.get("compaction", chat="tg-1")[1]["decisions"][0]["path"] == "chats/tg-1/2026-01-05.md"
    assert full.get("compaction", all_chats=True, limit=2)[1]["next"] == 2
    status, ran = full.post("compaction", fingerprint=plan["fingerprint"])
    assert (status, ran["moved"], ran["removed"]) == (200, 2, 1)
    assert "kettle" in full.read()
    assert not (full.root / "2026-01-05.md").exists()
    assert full.post("compaction")[1]["change_set"] is None


def test_compaction_names_the_logs_that_it_cannot_read(full):
    (full.root / "2026-01-06.md").symlink_to("/etc/passwd")
    left = [{"path": "2026-01-06.md", "why": "2026-01-06.md is a link to a place outside the memory directory."}]
    status, plan = full.get("compaction")
    assert (status, plan["unread"]) == (200, left)
    status, ran = full.post("compaction", fingerprint=plan["fingerprint"])
    assert (status, ran["unread"]) == (200, left)
    assert ran["moved"] == plan["moved"] > 0
    assert (full.root / "2026-01-06.md").is_symlink()


def test_a_plan_that_is_not_the_one_that_was_seen(full):
    plan = full.get("compaction")[1]
    full.write("2026-01-05.md", LOG + "\n## 12:00 — Sings\n")
    status, told = full.post("compaction", fingerprint=plan["fingerprint"])
    assert (status, told["error"]["code"]) == (409, "changed")
    assert (full.root / "2026-01-05.md").exists()


@pytest.mark.parametrize(
    "query",
    [{"today": "2026-02-30"}, {"today": "x"}, {"retention_days": 0}, {"chat": "a/b"}, {"chat": "x", "all_chats": True}],
)
def test_a_plan_by_odd_rules(full, query):
    assert full.get("compaction", **query)[0] == 422


def test_change_sets_are_listed_and_shown(full):
    full.put("document", path="MEMORY.md", text=MEMORY.replace("concise", "long"), base=full.hash())
    listed = full.get("changes", path="MEMORY.md", kind="edit")[1]["changes"]
    assert [(one["by"], one["kind"], one["paths"]) for one in listed] == [("API: admin", "edit", ["MEMORY.md"])]
    status, one = full.get(f"changes/{listed[0]['id']}")
    assert status == 200
    assert one["documents"][0]["after"] == full.hash()
    assert "-- Prefers concise responses\n+- Prefers long responses\n" in one["documents"][0]["diff"]
    assert one["documents"][0]["diff"].startswith("@@ -1,5 +1,5 @@\n")
    every, count = pages(full, "changes", "changes", limit=1)
    assert (len(every), count) == (2, 2)
    assert full.get("changes/999")[0] == 404
    assert full.get("changes/0")[0] == 422
    assert full.get(f"changes/{9**30}")[0] == 422


def test_an_undo_that_something_stands_in_the_way_of(full):
    done = full.put("document", path="MEMORY.md", text=MEMORY.replace("concise", "long"), base=full.hash())[1]
    full.write("MEMORY.md", full.read().replace("long", "short"))
    status, told = full.post(f"changes/{done['change_set']}/undo")
    assert (status, told["error"]["code"], told["error"]["path"]) == (409, "conflict", "MEMORY.md")
    assert "short" in told["error"]["theirs"]["text"]


def test_an_undo_of_a_first_look(full):
    found = full.get("changes", kind="found")[1]["changes"][0]
    status, told = full.post(f"changes/{found['id']}/undo")
    assert (status, told["error"]["code"]) == (409, "conflict")


def test_a_file_whose_name_is_no_text(full):
    os.close(os.open(os.fsencode(full.root) + b"/chats/tg-1/\xff.md", os.O_CREAT | os.O_WRONLY))
    full.look()
    for where in ("documents", "facts", "changes"):
        assert full.get(where)[0] == 200
    assert full.post("prompt", chat="tg-1")[0] == 200


def test_a_list_costs_the_same_however_long_it_is(full, django_assert_max_num_queries):
    for number in range(60):
        full.write(f"chats/tg-{number}/2026-02-{number % 28 + 1:02}.md", LOG)
    full.look()
    for where in ("documents", "facts", "changes", "fetched"):
        with django_assert_max_num_queries(6):
            assert full.get(where, limit=100)[0] == 200


def test_a_root_that_is_gone(full):
    (full.root).rename(full.root.with_name("away"))
    full.bot.walked = timezone.now() - timedelta(minutes=1)
    full.bot.save()
    assert full.get("documents")[0] == 200
    for answer in (
        full.get("document", path="MEMORY.md"),
        full.post("prompt"),
        full.post("facts", text="x"),
        full.get("compaction"),
    ):
        assert answer[0] in (409, 422, 503), answer
        assert str(full.root.parent) not in json.dumps(answer)


def test_a_file_with_an_absurd_time(full):
    os.utime(full.root / "MEMORY.md", ns=(0, 2**62))
    full.look()
    assert full.get("documents")[0] == 200


@pytest.mark.parametrize(
    "path", ["@sessions/7.jsonl", "working/.kenoweb-1.md", "chats/.kenoweb-1/MEMORY.md", ".kenoweb-1.md"]
)
def test_documents_that_nobody_writes_are_refused_and_not_called_unwritable(writer, home, path):
    sessions = home / "sessions"
    sessions.mkdir()
    Root.objects.create(bot=writer.bot, name="sessions", path=str(sessions))

    code, told = writer.put("document", path=path, text="- x\n", base=None)
    assert (code, told["error"]["code"]) in ((422, "refused"), (404, "not_found"))
    assert not list(sessions.iterdir())
    assert not ChangeSet.objects.exists()


def test_numbers_are_told_day_by_day_since_a_day(full):
    for day, tokens in (("2026-01-05", 900), ("2026-01-06", 950)):
        Measure.objects.create(
            bot=full.bot, day=day, at=timezone.now(), facts=3, size=100, tokens=tokens, open=1, settled=2
        )
    Tally.objects.create(bot=full.bot, day="2026-01-06", source="turns", learned=4, forgotten=1)
    status, told = full.get("numbers", since="2026-01-06")
    assert status == 200
    assert told["days"] == [
        {
            **{"day": "2026-01-06", "facts": 3, "long_term_bytes": 100, "prompt_tokens": 950},
            **{"findings_open": 1, "findings_settled": 2, "learned": {"turns": 4}, "forgotten": {"turns": 1}},
        }
    ]
    assert len(full.get("numbers", since="2026-01-01")[1]["days"]) == 2
    assert full.get("numbers", since="yesterday")[0] == 422
