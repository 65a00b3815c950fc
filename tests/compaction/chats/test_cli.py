"""`memory summarise` and `memory pick`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory.management.commands.memory import Command
from memory.models import Job
from tests.compaction.chats.conftest import CHAT, WORKING
from tests.llm import server as play
from tests.management.cli.conftest import run

DOCS = Path(__file__).resolve().parents[3] / "docs" / "model.md"
SUMMARY = play.answers({"summary": "- User moved to Porto last week"})
FACTS = play.answers({"facts": [{"turn": 1, "text": "The user moved to Porto last week."}]})


def asked(*words):
    return run(*words, "--bot", "keno")


def told(*words):
    done = asked(*words, "--json")
    assert (done.code, done.err) == (0, ""), done
    return done.json


@pytest.mark.parametrize("command", ["summarise", "pick"])
def test_a_job_is_queued_once_for_a_worker(talked, model, command):
    first, second = told(command, "--chat", CHAT), told(command, "--chat", CHAT)
    assert first == second == {"job": Job.objects.get().pk, "state": "queued", "trouble": "", "proposals": []}
    assert model.asked == []
    assert asked(command, "--chat", CHAT).out == f"Job {first['job']} is queued.\n"


@pytest.mark.parametrize(("command", "answer"), [("summarise", SUMMARY), ("pick", FACTS)])
def test_waiting_does_it_here(talked, model, command, answer):
    model.plays(answer)
    done = told(command, "--chat", CHAT, "--wait")
    assert (done["state"], len(done["proposals"]), done["proposals"][0]["flags"]) == ("planned", 1, [])
    assert "Porto" in done["proposals"][0]["text"]
    assert Job.objects.get().by == "command line"
    assert talked.read(WORKING) is None


def test_waiting_says_what_is_proposed(talked, model):
    model.plays(FACTS)
    done = asked("pick", "--chat", CHAT, "--wait")
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"1  open  The user moved to Porto last week\.\nJob \d+: 1 suggestion, planned\.\n", done.out)


@pytest.mark.parametrize("command", ["summarise", "pick"])
def test_a_model_that_fails_is_said_on_stderr(talked, model, settings, command):
    settings.LLM_TIMEOUT = 3
    model.plays(play.not_json_text())
    done = asked(command, "--chat", CHAT, "--wait", "--json")
    assert (done.code, done.json["state"]) == (1, "failed")
    assert done.err.count("\n") == 1
    assert f"Job {done.json['job']}: The model’s reply wasn’t valid JSON.\n" == done.err
    model.plays(play.empty())
    done = asked(command, "--chat", CHAT, "--wait", "--json")
    assert (done.code, done.json["state"]) == (1, "queued")
    assert done.err.endswith("It is tried again later.\n")


@pytest.mark.parametrize("command", ["summarise", "pick"])
@pytest.mark.parametrize("chat", ["..", "a/b", "x" * 300])
def test_a_chat_that_cannot_be_is_refused(talked, model, command, chat):
    done = asked(command, "--chat", chat, "--json")
    assert (done.code, bool(done.json["error"])) == (1, True)
    assert not Job.objects.exists()


def test_without_a_language_model_it_is_refused(talked):
    done = asked("summarise", "--chat", CHAT)
    assert done.code == 1
    assert done.err == "No language model set up. Set LLM_BASE_URL and LLM_MODEL in the environment.\n"


@pytest.mark.parametrize("command", ["summarise", "pick"])
def test_the_command_is_documented_with_its_options(command):
    parser = Command().create_parser("manage.py", "memory")
    given = next(one for one in parser._subparsers._group_actions).choices[command]
    options = {name for action in given._actions for name in action.option_strings} - {
        "-h",
        "--help",
        "--bot",
        "--json",
    }
    (row,) = [line for line in DOCS.read_text().splitlines() if line.startswith(f"| `memory {command} ")]
    assert set(re.findall(r"--[a-z]+", row.split("|")[1])) == options
