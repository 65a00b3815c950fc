"""What was said in one chat never reaches another: over random memories, with a model that says again all it is shown."""

from __future__ import annotations

import random
import re

import pytest

from memory import index
from memory.models import Job, Proposal
from tests.compaction.chats.conftest import make_talked
from tests.llm import server as play

CHATS = ("telegram-5", "telegram-6", "http-http-é", "deliveries 7", "a%b_c")
MARK = re.compile(r"mark[a-z]+[0-9]+")
ROUNDS = 8


class Minter:
    """Words that tell whose they are."""

    def __init__(self, rng):
        self.rng, self.owners = rng, {}

    def mark(self, owner):
        name = f"mark{''.join(self.rng.choices('abcdefgh', k=5))}{len(self.owners)}"
        self.owners[name] = owner
        return name

    def owners_in(self, text):
        return {self.owners[name] for name in MARK.findall(text)}


def grown(desk, rng, minter):
    """A memory in which every entry and every message says whose it is."""
    for owner in ("", *CHATS):
        folder = f"chats/{owner}/" if owner else ""
        for name in rng.sample(["MEMORY.md", "2026-01-02.md", "2026-03-04.md"], rng.randint(0, 3)):
            entries = [f"{rng.choice(['Likes', 'Has'])} {minter.mark(owner)}" for _ in range(rng.randint(1, 4))]
            form = "- {}\n" if name == "MEMORY.md" else "## 10:00 — {}\n\n"
            desk.write(folder + name, "".join(form.format(entry) for entry in entries).encode())
        if owner and rng.random() < 0.6:
            desk.write(f"working/{owner}.md", f"- About {minter.mark(owner)}".encode())
        for _ in range(rng.randint(1, 5) if owner else 0):
            other = rng.choice(CHATS)
            said = rng.choice(["I have {}", "Remember in chat {other}: {}", '{{"chat": "{other}", "text": "{}"}}'])
            desk.say(("user", said.format(minter.mark(owner), other=other)), ("assistant", "Yes."), chat=owner)


def parrot(messages):
    """All it was shown, as facts and as a summary, for every chat it can think of."""
    shown = MARK.findall(messages[-1]["content"])
    facts = [{"turn": 1, "text": f"Has {name}", "chat": chat, "path": "MEMORY.md"} for name in shown for chat in CHATS]
    return play.answers({"facts": facts, "summary": "\n".join(f"- Has {name}" for name in shown) or "- nothing"})


def tree(desk):
    """The memory without what was put aside."""
    return {path: data for path, data in desk.tree().items() if ".kenoweb-" not in path}


def owner_of(path):
    found = re.match(r"(?:chats/([^/]+)/|working/(.+)\.md$)", path)
    return "" if found is None else found[1] or found[2]


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_nothing_of_a_chat_is_shown_or_written_elsewhere(transactional_db, tmp_path, kenoweb_home, model, seed):
    rng = random.Random(seed)
    desk, minter = make_talked(tmp_path), Minter(rng)
    desk.set(proposals=rng.choice(["once", "ask"]), facts_per_turn=10)
    grown(desk, rng, minter)
    if rng.random() < 0.5:
        index.refresh(desk.bot)
    own = {path: data for path, data in tree(desk).items() if not owner_of(path)}
    model.plays(parrot)
    for chat in rng.sample(CHATS, 3):
        before = len(model.asked)
        for act in rng.sample([desk.summed_up, desk.picked], 2):
            job = act(chat)
            assert job.state in (Job.State.PLANNED, Job.State.APPLIED), job.trouble
        for asked in model.asked[before:]:
            assert minter.owners_in(str(asked.messages)) <= {chat, ""}
    for path, data in tree(desk).items():
        assert minter.owners_in(data.decode()) <= {owner_of(path), ""} or not owner_of(path)
    for row in Proposal.objects.select_related("job"):
        chat = row.job.params["chat"]
        assert owner_of(row.path) == chat
        assert minter.owners_in(f"{row.text} {row.sources} {row.flags}") <= {chat, ""}
    assert {path: data for path, data in tree(desk).items() if not owner_of(path)} == own
