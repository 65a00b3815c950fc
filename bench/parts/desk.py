"""Make a memory and a desk over it, with people, deliveries, names and history: `python desk.py`, told what to do by JSON on
stdin. Says as JSON how to log in and which addresses are to be asked."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not __package__:  # run as a script: the project is two directories up
    sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from bench.parts import asked, history as summed_up, place, text, tree

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from memory.models import Bot

SEVERAL = 60  # edits and turns: more than a page of them
PEOPLE = 20
REFUSED = 500
JOBS = 2000
PROPOSALS = 2000  # of one job


def main() -> int:
    told = json.loads(sys.stdin.read())
    sizes = tree.Sizes(told["chats"], told["days"], told["facts"], told["entries"], told["history"])
    home = Path(told["home"])
    tree.write(home / "bot", sizes)
    summed_up.write(home / "keeper" / "workspace", sizes.history)
    place.enter(home)
    print(json.dumps(make(home, sizes, told["rounds"])))
    return 0


def make(home: Path, sizes: tree.Sizes, rounds: int) -> dict[str, Any]:
    """Everything in the database, and the addresses."""
    from memory import bots, index
    from memory.digests import subscriptions
    from memory.models import Document, Fact

    bot = bots.default_bot()
    if bot is None:
        raise SystemExit("There is no bot.")
    index.refresh(bot)
    owner = people()
    several = min(SEVERAL, sizes.chats)
    known = {**history(bot, several), **calls(bot, several), "person": owner.pk}
    names(bot, sizes)
    index.refresh(bot)
    known |= {"fact": fact(bot), "token": sent(bot, owner), "job": jobs(bot)}
    known |= {
        "feed": subscriptions.new_feed(subscriptions.of(owner)),
        "autobot": summed_up.add(home / "keeper" / "workspace").slug,
    }
    numbers(bot, sizes)
    return {
        "documents": Document.objects.filter(bot=bot).count(),
        "facts": Fact.objects.filter(bot=bot).count(),
        "cookie": cookie(owner),
        "pages": asked.addresses(asked.Made(bot.slug, sizes, known), rounds),
    }


def people() -> User:
    from django.contrib.auth.models import User

    for number in range(PEOPLE):
        User.objects.create_user(f"person{number}")
    return User.objects.create_superuser("owner")


def history(bot: Bot, edits: int) -> dict[str, int | str]:
    """A first look that found everything, a compaction of one chat, and edits."""
    from memory import journal
    from memory.compaction import runner
    from memory.curation import documents
    from memory.models import ChangeSet

    by = journal.By("Ana")
    for line in text.facts(edits, seed=5):
        now = documents.open_document(bot, "MEMORY.md")
        edited = documents.save(bot, now.path, f"{now.text}- {line}\n", now.sha256, by)
        if not isinstance(edited, documents.Saved):
            raise SystemExit(f"An edit was not saved: {edited}")
    ran = runner.run(bot, (tree.COMPACTED_CHAT,), by, past_limit=True)
    if not isinstance(ran, runner.Ran) or ran.change_set is None:
        raise SystemExit(f"Nothing was compacted: {ran}")
    found = ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.FOUND).latest("pk")
    edit = ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.EDIT).latest("pk")
    return {"found": found.pk, "edit": edit.pk, "run": ran.change_set.pk}


def numbers(bot: Bot, sizes: tree.Sizes) -> None:
    """A measure and what each source brought, of every day."""
    from django.utils import timezone

    from memory.models import Measure, Tally

    now, days = timezone.now(), [tree.day(number) for number in range(sizes.days)]
    each = {"bot": bot, "at": now, "facts": sizes.facts, "size": 20_000}
    Measure.objects.bulk_create(
        Measure(day=day, tokens=4000 + number % 900, open=number % 40, settled=number % 5, **each)
        for number, day in enumerate(days)
    )
    Tally.objects.bulk_create(
        Tally(bot=bot, day=day, source=source, learned=number % 30, forgotten=number % 7)
        for number, day in enumerate(days)
        for source in Tally.Source.values
    )


def jobs(bot: Bot) -> int:
    """Jobs that are over, and one that proposes much and waits for somebody: its key."""
    from django.utils import timezone

    from memory.models import Fact, Job, Proposal

    now = timezone.now()
    each = {"bot": bot, "by": "Ana", "created": now, "run_after": now, "finished": now}
    old = Job.Kind.COMPACTION
    Job.objects.bulk_create(Job(kind=old, state=Job.State.APPLIED, **each) for _ in range(JOBS))
    job = Job.objects.create(kind=Job.Kind.CONSOLIDATION, params={"scopes": [""]}, state=Job.State.PLANNED, **each)
    facts = list(Fact.objects.filter(bot=bot).select_related("document")[: 2 * PROPOSALS])
    about = [
        {
            "path": one.document.path,
            "line": one.line,
            "key": one.key,
            "nth": one.nth,
            "text": one.text,
            "day": one.document.day,
            "time": one.time,
        }
        for one in facts
    ]
    line = {"bot": bot, "job": job, "action": Proposal.Action.MERGE, "path": "MEMORY.md"}
    Proposal.objects.bulk_create(
        Proposal(**line, number=number + 1, sources=[first, second], text=f"{first['text']}; {second['text']}")
        for number, (first, second) in enumerate(zip(about[::2], about[1::2], strict=False))
    )
    return job.pk


def calls(bot: Bot, number_of_turns: int) -> dict[str, int | str]:
    """Turns as the webhook takes them in, secrets, and refused calls."""
    import time

    from django.utils import timezone

    from memory.domain.changes import digest
    from memory.models import Delivery, RefusedCalls
    from memory.webhook import call as turn_calls, deliveries

    for number, fact in enumerate(text.facts(number_of_turns, seed=6)):
        body = {
            "message": "Please remember",
            "response": f"Noted. <memory>{fact}</memory>",
            "chat_id": f"c{number % 7}",
        }
        raw = json.dumps(body).encode()
        call = turn_calls.parse(raw, timezone.now())
        deliveries.receive(bot, call, deliveries.Letter(digest(raw), timezone.now(), time.perf_counter()))
    minute = timezone.now().replace(second=0, microsecond=0)
    RefusedCalls.objects.bulk_create(
        RefusedCalls(
            address=f"10.0.{number % 250}.7",
            minute=minute - timedelta(minutes=number),
            status=401,
            reason="invalid signature",
            count=3,
        )
        for number in range(REFUSED)
    )
    return {"delivery": Delivery.objects.filter(bot=bot).latest("pk").pk}


def names(bot: Bot, sizes: tree.Sizes) -> None:
    """What people call every third chat."""
    from memory.models import ChatName

    ChatName.objects.bulk_create(
        ChatName(bot=bot, scope=tree.chat(number), name=f"Family no. {number}") for number in range(0, sizes.chats, 3)
    )


def fact(bot: Bot) -> str:
    """A fact, as forms and addresses name it."""
    from memory.models import Fact
    from memory.web.base.fact_rows import fact_name

    one = Fact.objects.filter(bot=bot, document__path="MEMORY.md").select_related("document").latest("pk")
    return fact_name(one.document.path, one.key, one.nth)


def sent(bot: Bot, owner: User) -> str:
    """The token of an import that waits to be looked at: the whole memory, as it was exported."""
    from django.conf import settings

    from memory.registry import export_zip, uploads

    target = settings.KENOWEB_HOME / "export.zip"
    export_zip.write(bot, target)
    token = uploads.keep(bot, owner.pk, [target.read_bytes()], target.name).token
    target.unlink()
    return token


def cookie(owner: User) -> str:
    """The header of somebody who is logged in."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(owner)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


if __name__ == "__main__":
    sys.exit(main())
