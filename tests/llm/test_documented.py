"""The table of faults in docs/model.md, each of its rows played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory import jobs, journal
from memory.jobs.tasks import run_job
from memory.llm import PASSING, Fault, budget
from memory.models import ChangeSet, Delivery, Job, ModelCall
from memory.text.message import Message
from tests.llm import server
from tests.llm.server import broken, busy, refused, trickling
from tests.webhook.conftest import SECRET, make_sender

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| ([a-z ]+?)( \*)? \| ([^|]+) \| (The [^|]+|No [^|]+|LLM_[^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs/model.md").read_text(encoding="utf-8"))

PLAYS = {
    "no model is set up": server.good(),
    "nobody listens, or the connection is torn": server.reset(),
    "the answer takes longer than LLM_TIMEOUT, or comes byte by byte": trickling(),
    "429 four times": busy(),
    "5xx four times": broken(),
    "the key is wrong": server.denied(),
    "there is no such model": broken(404),
    "the account is empty": refused(429, code="insufficient_quota"),
    "the question is too long": refused(400, "This model's maximum context length is 4096 tokens."),
    "the address redirects": server.moved("http://127.0.0.1:1/v1/chat/completions"),
    "any other status": refused(422),
    "the model would rather not, or a filter took its answer": server.refusal(),
    "the answer is blank, or only thoughts": server.good("<think>Hm.</think>"),
    "the answer was longer than it may be": server.cut_off("Some words."),
    "JSON ends before its end": server.halfway('{"facts": ["one", "two"]}'),
    "prose where JSON was asked for": server.not_json_text(),
    "a page of HTML, an empty object, numbers for texts": server.html(),
    "JSON of another shape than was asked for": server.answers({}),
    "the bound of the day is reached": server.good("Yes.", usage={"prompt_tokens": 1000, "completion_tokens": 1}),
}


MEMORY = "# Memory\n\n- Likes tea\n"


@pytest.fixture
def bots_end(db, tmp_path, settings, kenoweb_home):
    """A bot that posts messages, and whose jobs write what they are answered."""
    settings.JOB_WORKS = {Job.Kind.SUMMARY: "tests.llm.work"}
    settings.JOB_TIMING = {"tries": 1}
    sender = make_sender(tmp_path, "keno", SECRET)
    (sender.root / "MEMORY.md").write_text(MEMORY)
    return sender


def arranged(when, bot, model, settings):
    """The site as the row has it."""
    settings.LLM_TIMEOUT = 2
    model.plays(PLAYS[when])
    if when == "no model is set up":
        settings.LLM_BASE_URL = settings.LLM_MODEL = ""
    if when == "the bound of the day is reached":
        budget.ask(bot, "answer", [Message("user", "Hello")])
        bot.settings = {"daily_tokens": 1000}
        bot.save()


def test_the_table_has_every_fault():
    assert {fault for fault, *_ in ROWS} == set(Fault) - {Fault.UNFINISHED}
    assert {when for _fault, _passes, when, *_ in ROWS} == set(PLAYS)


EVERY = pytest.mark.parametrize(("fault", "passes", "when", "sentence", "delivery"), ROWS, ids=[row[2] for row in ROWS])


@EVERY
def test_a_job_fails_with_its_sentence_and_writes_nothing(
    bots_end, model, settings, fault, passes, when, sentence, delivery
):
    arranged(when, bots_end.bot, model, settings)
    job = jobs.queue(bots_end.bot, Job.Kind.SUMMARY, {}, journal.By("Ana"))
    run_job.call(job.pk)
    job.refresh_from_db()
    assert (job.state, job.trouble) == (Job.State.FAILED, sentence)
    assert bots_end.files() == {"MEMORY.md": MEMORY}
    assert not ChangeSet.objects.exists()
    found = list(ModelCall.objects.filter(job=job).values_list("fault", flat=True))
    assert found == ([] if fault in (Fault.NONE_SET, Fault.CAP) else [fault])


@EVERY
def test_a_job_is_tried_again_where_the_table_says_so(
    bots_end, model, settings, fault, passes, when, sentence, delivery
):
    settings.JOB_TIMING = {"tries": 2}
    arranged(when, bots_end.bot, model, settings)
    job = jobs.queue(bots_end.bot, Job.Kind.SUMMARY, {}, journal.By("Ana"))
    run_job.call(job.pk)
    job.refresh_from_db()
    assert (job.state == Job.State.QUEUED) == bool(passes) == (fault in PASSING)
    assert job.trouble == sentence


@EVERY
def test_a_delivery_is_answered_and_keeps_its_message(
    bots_end, model, settings, fault, passes, when, sentence, delivery
):
    if "JSON" in delivery:
        assert delivery == "nothing is asked for in JSON"
        return
    arranged(when, bots_end.bot, model, settings)
    answer = bots_end.post(message="What do I like?", chat_id="7")
    assert f"{answer.status_code} `{answer.json()['error']}`" == delivery
    assert bots_end.files() == {"MEMORY.md": MEMORY}
    kept = Delivery.objects.get()
    assert (kept.status, kept.body["message"], kept.change_set) == (answer.status_code, "What do I like?", None)
    assert not ChangeSet.objects.exists()


def test_an_answer_that_can_be_used_is_written(bots_end, model):
    model.plays(server.answers({"facts": ["Likes rain"]}))
    job = jobs.queue(bots_end.bot, Job.Kind.SUMMARY, {}, journal.By("Ana"))
    run_job.call(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.APPLIED
    assert bots_end.files() == {"MEMORY.md": f"{MEMORY}- Likes rain\n"}
