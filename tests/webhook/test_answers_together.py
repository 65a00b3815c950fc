"""Many answers at once: each goes to who asked, made of that chat alone, and the desk is there for everybody else meanwhile."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.cookiejar import CookieJar
from itertools import count
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from memory.models import Answering, Delivery, Root
from memory.webhook import chat_lock
from tests.llm.server import MODEL, Playing, slow
from tests.support import prepared
from tests.support.amounts import times
from tests.support.planted import plant
from tests.support.together import until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"Open (http://\S+)/login\?token=(\S+)")
SECRET = "a-secret-of-the-environment"
TREES = times(10, 40)


def at_once(*acts):
    """What each act returns, all of them begun together, each in a thread with a connection of its own."""
    begin = threading.Barrier(len(acts))

    def run(act):
        try:
            begin.wait()
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def together(transactional_db, sender, settings, model):
    settings.LLM_TIMEOUT = 60  # they wait for each other too
    directory = sender.root.parent / "sessions"
    directory.mkdir()
    Root.objects.create(bot=sender.bot, name="sessions", path=str(directory))
    return sender, directory


@pytest.mark.database
def test_twenty_chats_at_once_get_each_its_own_answer(together, model):
    sender, directory = together
    chats = [f"c{n}" for n in range(20)]
    for chat in chats:
        (sender.root / "chats" / f"http-{chat}").mkdir(parents=True)
        (sender.root / "chats" / f"http-{chat}" / "MEMORY.md").write_text(f"- Secret of {chat}-end\n")
        (directory / f"http-{chat}.jsonl").write_text(
            json.dumps({"role": "user", "content": f"Earlier in {chat}-end"}) + "\n"
        )

    def clever(messages):
        time.sleep(0.05 * (hash(messages[-1]["content"]) % 5))  # those who asked first are not answered first
        return f"For {messages[-1]['content']} <chat-memory>Heard {messages[-1]['content']}</chat-memory>"

    model.plays(clever)
    answers = at_once(*[lambda chat=chat: sender.post(message=f"I am {chat}-end", chat_id=chat) for chat in chats])
    for chat, answer in zip(chats, answers, strict=True):
        assert (answer.status_code, answer.json()["response"]) == (200, f"For I am {chat}-end")
        assert [line["content"] for line in lines(directory / f"http-{chat}.jsonl")] == [
            f"Earlier in {chat}-end",
            f"I am {chat}-end",
            f"For I am {chat}-end",
        ]
        (log,) = (sender.root / "chats" / f"http-{chat}").glob("2*.md")
        assert re.findall(r"Heard I am (\S+)-end", log.read_text()) == [chat]
    assert len(model.asked) == 20
    for asked in model.asked:
        told = {name for one in asked.messages for name in re.findall(r"\b(c\d+)-end", one["content"])}
        assert len(told) == 1
        assert json.dumps(asked.messages).count("Secret of") == 1
    assert not Answering.objects.exists()


@pytest.mark.database
def test_messages_of_one_chat_are_answered_one_after_the_other(together, model):
    sender, directory = together
    under_way, most = 0, 0
    lock = threading.Lock()

    def play(messages):
        nonlocal under_way, most
        with lock:
            under_way, most = under_way + 1, max(most, under_way + 1)
        time.sleep(0.05)
        with lock:
            under_way -= 1
        return f"After {len(messages) - 2}: {messages[-1]['content']}"

    model.plays(play)
    at_once(*[lambda n=n: sender.post(message=f"m{n}", chat_id="7") for n in range(8)])
    said = [line["content"] for line in lines(directory / "http-7.jsonl")]
    assert most == 1
    assert len(said) == 16
    for number, (question, answer) in enumerate(zip(said[::2], said[1::2], strict=True)):
        assert answer == f"After {number * 2}: {question}"


def test_who_came_first_is_answered_first(together, model):
    sender, directory = together
    all_wait = threading.Event()
    model.plays(lambda _messages: all_wait.wait(50) and "Yes.")
    line = sender.bot.pk, "http-7"
    with ThreadPoolExecutor(5) as pool:
        for number in range(5):
            pool.submit(lambda n=number: (sender.post(message=f"m{n}", chat_id="7"), connection.close()))
            until(lambda n=number: len(chat_lock._lines.get(line, ())) == n + 1, seconds=20)
        all_wait.set()
    assert [line["content"] for line in lines(directory / "http-7.jsonl")][::2] == ["m0", "m1", "m2", "m3", "m4"]


@pytest.mark.database
def test_copies_of_one_message_are_answered_once(together, model):
    sender, directory = together
    model.plays(slow(0.3, "Once. <memory>Once</memory>"))
    answers = at_once(*[lambda: sender.post(message="m", chat_id="7", message_id="m-1")] * 6)
    assert sorted({answer.status_code for answer in answers}) in ([200], [200, 409])
    assert len(model.asked) == 1
    assert len(lines(directory / "http-7.jsonl")) == 2
    again = sender.post(message="m", chat_id="7", message_id="m-1")
    assert (again.status_code, again.json()["response"]) == (200, "Once.")
    assert Delivery.objects.count() == 1


@pytest.mark.database
def test_one_of_many_has_the_turn(together):
    bot, held, most = together[0].bot, 0, 0
    lock = threading.Lock()

    def take():
        nonlocal held, most
        with chat_lock.turn(bot, "chat", wait=50, seconds=50):
            with lock:
                held, most = held + 1, max(most, held + 1)
            time.sleep(0.01)
            with lock:
                held -= 1

    at_once(*[take] * 12)
    assert most == 1
    assert not Answering.objects.exists()


@pytest.mark.database
def test_turn_of_the_dead_is_taken_over_by_one(together):
    bot = together[0].bot
    Answering.objects.create(bot=bot, session_id="chat", holder="dead", until=timezone.now() - timedelta(seconds=1))
    # As two processes would: past the line of this one.
    holds = [chat_lock.Hold(bot, "chat", f"h{n}") for n in range(6)]
    taken = at_once(*[lambda hold=hold: chat_lock._take(hold, 30) for hold in holds])
    assert sorted(taken) == [False] * 5 + [True]
    assert Answering.objects.get().holder == holds[taken.index(True)].holder


@pytest.mark.parametrize("version", ["seed", "0.7"])
def test_nothing_of_another_chat_is_sent_to_the_model(sender, model, version, tmp_path):
    seen = 0
    for seed in range(TREES):
        tree = plant(seed)
        root, directory = tmp_path / f"{seed}" / "memory", tmp_path / f"{seed}" / "sessions"
        tree.write(root, directory)
        Root.objects.filter(bot=sender.bot).delete()
        Root.objects.create(bot=sender.bot, name="memory", path=str(root))
        Root.objects.create(bot=sender.bot, name="sessions", path=str(directory))
        sender.bot.settings = {"version": version, "memory_days": 30}
        sender.bot.save()
        for chat in tree.chats:
            model.asked.clear()
            query = f"deploy ana {' '.join(tree.own('')[:3])}"
            answer = sender.post(message=query, session_id=chat)
            assert answer.status_code == 200, answer.json()
            (asked,) = model.asked
            sent = json.dumps(asked.body, ensure_ascii=False)
            assert not tree.leaked(sent, chat), (seed, chat)
            assert version != "seed" or any(mark in sent for mark in tree.own(chat))
            assert json.loads(tree.documents[f"@sessions/{chat}.jsonl"])["content"] in sent
            seen += 1
    assert seen >= 2 * TREES


# Through the server as it runs.


@pytest.fixture(scope="module")
def thinking():
    """A language model that answers nobody before it is told to; each test gets it as it was."""
    told = threading.Event()
    with Playing(lambda _messages: told.wait(120) and "At last.") as model:
        yield model, told


@pytest.fixture(scope="module")
def served(tmp_path_factory, thinking):
    """The real server with a sample bot: its address, and a browser that is logged in."""
    folder = tmp_path_factory.mktemp("served")
    prepared.home(folder / ".kenoweb")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "WEBHOOK_SECRET": SECRET}
    environment |= {"LLM_BASE_URL": thinking[0].url, "LLM_MODEL": MODEL, "LLM_TIMEOUT": "140"}
    command = [sys.executable, "manage.py", "serve", "--sample", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        found = LINK.search(line := process.stdout.readline())
        assert found, line + process.stderr.read()
        base, token = found.groups()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        page = opener.open(f"{base}/login?token={token}").read().decode()
        mark = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
        form = urllib.parse.urlencode({"token": token, "csrfmiddlewaretoken": mark}).encode()
        opener.open(urllib.request.Request(f"{base}/login", form, {"Origin": base})).close()
        yield base, opener
    finally:
        process.terminate()
        process.communicate(timeout=200)  # it ends what it answers first, and may share its processor


def call(base, **fields):
    body = json.dumps(fields).encode()
    signature = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    request = urllib.request.Request(f"{base}/webhook", body, {"X-Webhook-Signature": signature})
    try:
        with urllib.request.urlopen(request, timeout=150) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def last_but_one(number, act):
    """Of so many times that an act took, in seconds: one of them may meet the machine at work."""
    times = []
    for _ in range(number):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return sorted(times)[-2]


@pytest.fixture
def silent(thinking):
    """The model, which nobody has asked and which says nothing yet."""
    model, told = thinking
    model.asked.clear()
    told.clear()
    return model, told


def test_pages_and_finished_turns_are_quick_while_answers_wait(served, silent):
    (model, told), (base, browser) = silent, served
    numbers = count()

    def page():
        browser.open(f"{base}/sample-bot/").read()

    def turn():
        call(base, message="m", chat_id=f"t{next(numbers)}", response="<memory>Quick</memory>")

    page()
    calm = max(last_but_one(5, page), last_but_one(5, turn))
    with ThreadPoolExecutor(30) as pool:
        waiting = [pool.submit(call, base, message=f"m{n}", chat_id=f"c{n}") for n in range(30)]
        try:
            until(lambda: len(model.asked) == 30)
            pages, turns = last_but_one(10, page), last_but_one(5, turn)
            assert not any(one.done() for one in waiting)
        finally:
            told.set()
        answers = [one.result() for one in waiting]
    print(f"pages {pages:.3f} s, turns {turns:.3f} s, {calm:.3f} s before")
    assert max(pages, turns) < max(1, 10 * calm)
    assert [status for status, _ in answers] == [200] * 30
    assert {said["response"] for _, said in answers} == {"At last."}


def test_more_than_it_waits_for_are_told_so_and_pages_stay_quick(served, silent):
    (model, told), (base, browser) = silent, served

    def page():
        browser.open(f"{base}/sample-bot/").read()

    page()
    calm = last_but_one(5, page)
    with ThreadPoolExecutor(80) as pool:
        waiting = [pool.submit(call, base, message=f"m{n}", chat_id=f"d{n}") for n in range(80)]
        try:
            until(lambda: sum(one.done() for one in waiting) + len(model.asked) == 80)
            pages = last_but_one(10, page)
        finally:
            told.set()
        answers = [one.result() for one in waiting]
    print(f"pages {pages:.3f} s, {calm:.3f} s before")
    assert pages < max(1, 10 * calm)
    refusals = [said["error"] for status, said in answers if status == 429]
    assert set(refusals) == {"too many messages are being answered"}
    assert sorted({status for status, _ in answers}) == [200, 429]
    assert [status for status, _ in answers].count(200) <= 48
