"""A text that leaked is gone from everything that is kept, to the last byte of the database's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from memory import index, journal
from memory.curation import lineage, purge as purging
from memory.domain.errors import Refusal
from memory.journal import Applied, Conflict, How, versions
from memory.models import (
    Blob,
    ChangeSet,
    Delivery,
    Draft,
    Fact,
    Fetched,
    Finding,
    Job,
    Lineage,
    Pinned,
    Proposal,
    Purge,
    RecallTest,
    Revision,
    Searched,
    Use,
    Vector,
)
from memory.search import vectors
from memory.text.markdown.normal import key
from memory.text.sentences import say
from tests.journal.conftest import ANA, make_desk

pytestmark = pytest.mark.database

SECRET = 'hunter-zorro «Ñandú" \\ end'
LOG, MEMORY = "2026-01-01.md", "MEMORY.md"
OTHERS = "".join(f"- {number} {number**9:x} that is no secret\n" for number in range(200))


@pytest.fixture
def desk(transactional_db, tmp_path, kenoweb_home):
    return make_desk(tmp_path)


@pytest.fixture
def leaked(desk):
    """A memory in which the secret was written, said, typed, looked for and proposed; the file has it no more, or still."""
    bot = desk.bot
    desk.write(MEMORY, OTHERS.encode())
    index.refresh(bot)
    sets = [desk.applied(desk.put(MEMORY, (OTHERS + f"- the password is {SECRET}\n").encode()))]
    for number in range(12):
        now = desk.read(MEMORY)
        sets.append(desk.applied(desk.put(MEMORY, now.replace(f"- {number} ".encode(), b"- edited "))))
    sets.append(desk.append(LOG, f"## 10:00 — heard {SECRET}\n\n".encode()))
    sets.append(desk.append(LOG, b"## 10:01 - and what came after it\n\n"))
    index.refresh(bot)
    user, now = User.objects.create(username="ana"), timezone.now()
    Draft.objects.create(bot=bot, user=user, path=MEMORY, base=sets[0].revisions.get().after, text=f"typed {SECRET}")
    body = {"message": f"my password is {SECRET}", "response": json.dumps({"said": SECRET})}
    Delivery.objects.create(bot=bot, body_sha256="0" * 64, session_id="s", body=body, answer=body, received=now)
    Fetched.objects.create(bot=bot, at=now, query=f"what is {SECRET}?", tokens=1, sha256="0" * 64)
    job = Job.objects.create(bot=bot, kind="summary", by="x", created=now, run_after=now, outcome={"text": SECRET})
    Proposal.objects.create(bot=bot, job=job, number=1, action="keep", text=SECRET, sources=[{"text": SECRET}])
    RecallTest.objects.create(bot=bot, question=f"is it {SECRET}", path=MEMORY, key="k", text=SECRET)
    Finding.objects.create(bot=bot, rule="secret", path=MEMORY, text=SECRET, note=f"says {SECRET}", found=now)
    Searched.objects.create(bot=bot, at=now, words=f"where is {SECRET}", keys="0" * 32)
    return sets


def bytes_on_disk():
    """All that SQLite has in files, the log that is written ahead too."""
    name = Path(str(connection.settings_dict["NAME"]))
    return b"".join(path.read_bytes() for path in name.parent.glob(f"{name.name}*"))


def traces():
    with connection.cursor() as cursor:
        return [found for found in _cells(cursor) if b"hunter" in found or b"zorro" in found]


def _cells(cursor):
    for table in connection.introspection.table_names(cursor):
        if not table.startswith("memory_fact_"):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                for cell in row:
                    yield bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode()


def test_it_is_shown_by_place_and_refused_while_a_document_holds_it(desk, leaked):
    before, tree = traces(), desk.tree()
    found = purging.find(desk.bot, SECRET)
    assert sorted(found.documents) == [LOG, MEMORY]
    assert found.places["file versions"] == 14
    assert {found.places[place] for place in ("drafts", "suggestions", "recall tests", "findings", "jobs")} == {1}
    assert found.places["deliveries"] == found.places["served prompts"] == 1
    with pytest.raises(Refusal, match=r"Nothing was purged\. Remove the text from the files first\."):
        purging.purge(desk.bot, SECRET, ANA)
    assert (traces(), desk.tree()) == (before, tree)


def test_after_it_no_byte_of_it_is_left(desk, leaked):
    if connection.vendor == "sqlite":
        assert b"hunter-zorro" in bytes_on_disk()
    assert isinstance(purging.take_out(desk.bot, SECRET, ANA), Applied)
    assert b"- the password is [purged]\n" in desk.read(MEMORY)
    assert desk.read(LOG).startswith("## 10:00 — heard [purged]\n".encode())
    done = purging.purge(desk.bot, SECRET, ANA)
    assert done.places["added texts"] == 1
    assert traces() == []
    if connection.vendor == "sqlite":
        assert done.left == ""
        assert b"hunter-zorro" not in bytes_on_disk()
        assert b"\xc3\x91and\xc3\xba" not in bytes_on_disk()
    again = purging.find(desk.bot, SECRET)
    assert (again.places, list(again.documents)) == ({}, [])


def test_vectors_of_what_no_fact_says_any_more_go_with_it(desk, leaked):
    said = key(f"the password is {SECRET}")
    index.refresh(desk.bot)
    stays = Fact.objects.filter(bot=desk.bot).exclude(key=said).first().key
    for model in ("now", "before"):
        vectors.keep(desk.bot, model, [(said, b"\0\0\0\0"), (stays, b"\0\0\0\0")])
    purging.take_out(desk.bot, SECRET, ANA)
    purging.purge(desk.bot, SECRET, ANA)
    assert list(Vector.objects.values_list("key", flat=True)) == [stays, stays]


def test_life_of_a_fact_goes_on_without_the_text_and_without_the_hash_of_it(desk, leaked):
    told, name = f"the password is {SECRET}", key(f"the password is {SECRET}")
    assert Lineage.objects.filter(to_key=name).exists()
    assert lineage.lineage_of(desk.bot, MEMORY, name).text == told
    purging.take_out(desk.bot, SECRET, ANA)
    purging.purge(desk.bot, SECRET, ANA)
    assert not Lineage.objects.filter(Q(from_key=name) | Q(to_key=name)).exists()
    index.refresh(desk.bot)
    first, last = lineage.lineage_of(desk.bot, MEMORY, key("the password is [purged]")).steps
    assert (first.how, last.how, last.text) == (How.ADDED, How.REWORDED, "the password is [purged]")
    assert first.text.startswith("the password is ")
    assert SECRET not in first.text


def test_what_is_known_of_a_fact_goes_by_what_it_says_now(desk, leaked):
    bot, old, new = desk.bot, key(f"the password is {SECRET}"), key("the password is [purged]")
    for how in ("prompt", "search"):
        Use.objects.create(bot=bot, key=old, how=how, day="2026-01-02")
    Use.objects.create(bot=bot, key=new, how="search", day="2026-01-01")
    Searched.objects.create(bot=bot, at=timezone.now(), words="door", keys=f"{'1' * 32} {old}")
    for name in (old, new):
        Pinned.objects.create(bot=bot, key=name)
    RecallTest.objects.update(key=old)
    Finding.objects.update(key=old)
    one = ChangeSet.objects.filter(pk=ChangeSet.objects.filter(bot=bot).first().pk)
    one.update(details={"facts": [old, "0" * 32], "made": [[MEMORY, "", old]]})
    version, waits = leaked[0].revisions.get().after, Proposal.objects.get()
    Proposal.objects.update(
        sources=[{"key": old}], newer={"act": "forget", "facts": [[MEMORY, old, 0]], "base": version}
    )
    Fetched.objects.update(documents={MEMORY: version})
    Job.objects.update(params={"leave": [old], "move": ["0" * 32]}, outcome={"documents": {MEMORY: version}})
    purging.take_out(bot, SECRET, ANA)
    purging.purge(bot, SECRET, ANA)
    with connection.cursor() as cursor:
        assert not [cell for cell in _cells(cursor) if old.encode() in cell or version.encode() in cell]
    waits.refresh_from_db()
    assert (waits.sources, waits.newer["facts"]) == ([{"key": new}], [[MEMORY, new, 0]])
    assert versions.bytes_of(bot, waits.newer["base"]).decode().startswith(OTHERS + "- the password is [purged]")
    assert Job.objects.get().params == {"leave": [new], "move": ["0" * 32]}
    assert not Searched.objects.filter(words="door").exists()
    assert set(Use.objects.values_list("key", "how", "day")) == {
        (new, "prompt", "2026-01-02"),
        (new, "search", "2026-01-01"),
    }
    assert set(Pinned.objects.values_list("key", flat=True)) == {new}
    told = one.get().details
    assert (told["facts"][1:], told["made"][0][:2]) == (["0" * 32], [MEMORY, ""])


def test_everything_else_is_read_as_it_was_and_the_record_names_no_text(desk, leaked):
    before = {row.pk: versions.sides(row) for row in Revision.objects.filter(path=MEMORY)}
    purging.take_out(desk.bot, SECRET, ANA)
    purging.purge(desk.bot, SECRET, ANA)
    mask = (b"[purged]" * 9)[: len(SECRET.encode())]
    for pk, (old, new) in before.items():
        was = tuple(data and data.replace(SECRET.encode(), mask) for data in (old, new))
        assert versions.sides(Revision.objects.get(pk=pk)) == was
    assert Draft.objects.get().text == "typed " + mask.decode()
    kept = Purge.objects.get()
    assert (kept.by, kept.print) == ("Ana", purging.print_of(SECRET))
    assert kept.counts["drafts"] == 1
    assert isinstance(desk.commit(desk.put(MEMORY, b"- goes on\n")), Applied)


def test_undo_brings_back_what_was_not_purged_and_nothing_that_was(desk, leaked):
    taken = purging.take_out(desk.bot, SECRET, ANA).change_set
    purging.purge(desk.bot, SECRET, ANA)
    assert isinstance(desk.undo(leaked[5]), Applied)
    assert b"- 4 " in desk.read(MEMORY)
    outcome = desk.undo(taken)
    assert isinstance(outcome, Conflict)
    assert "a text was purged from this version" in outcome.reason
    with pytest.raises(versions.Forgotten, match="was purged"):
        journal.restore(desk.bot, list(leaked[3].revisions.all()), ANA)
    assert isinstance(desk.undo(leaked[-1]), Applied)
    assert b"[pur" not in desk.read(MEMORY).replace(b"[purged]", b"")


def test_another_bots_rows_stay(desk, leaked, tmp_path):
    other = make_desk(tmp_path, "other")
    other.write(MEMORY, f"- {SECRET}\n".encode())
    index.refresh(other.bot)
    purging.take_out(desk.bot, SECRET, ANA)
    purging.purge(desk.bot, SECRET, ANA)
    assert purging.find(other.bot, SECRET).places == {"file versions": 1}


def test_what_is_too_short_to_be_meant_is_refused(desk):
    with pytest.raises(Refusal):
        purging.find(desk.bot, " a b ")


@pytest.mark.parametrize("short", ["1234", "2026", "face", "true", '"message"', "pass\u3000word"])
def test_a_short_text_leaves_numbers_hashes_and_what_json_is_made_of(desk, short):
    bot, now = desk.bot, timezone.now()
    body = {"message": f"my pin is {short}", "at": "2026-01-02T03:04:05.001234+00:00", "user_id": "7"}
    sha = "1234face" * 8
    Delivery.objects.create(bot=bot, body_sha256=sha, session_id="s", body=body, answer={"n": 12345}, received=now)
    doing = say("%(count)s of %(what)s", count=12345, what=f"pin {short}")
    outcome = {"done": 12345, "ok": True, "documents": {"2026-01-01.md": sha}}
    Job.objects.create(bot=bot, kind="summary", by="x", created=now, run_after=now, outcome=outcome, doing=doing)
    RecallTest.objects.create(bot=bot, question="q", path=MEMORY, key=sha[:32], text=short)
    purging.purge(bot, short, ANA)
    mask = ("[purged]" * 3)[: len(short.encode())]
    kept = Delivery.objects.get()
    assert (kept.body, kept.answer) == ({**body, "message": f"my pin is {mask}"}, {"n": 12345})
    assert (kept.body_sha256, RecallTest.objects.get().key, RecallTest.objects.get().text) == (sha, sha[:32], mask)
    assert (Job.objects.get().outcome, Job.objects.get().doing) == (outcome, f"12345 of pin {mask}")
    assert purging.find(bot, short).places == {}


def test_the_plan_of_a_run_stays_one(desk):
    kept = json.dumps([["move", 12345, "pin 1234"]]).encode()
    run = desk.append(LOG, b"- one\n")
    run.details = {"plan": versions.remember(desk.bot, kept)}
    run.save()
    purging.purge(desk.bot, "1234", ANA)
    run.refresh_from_db()
    assert json.loads(versions.bytes_of(desk.bot, run.details["plan"])) == [["move", 12345, "pin [pur"]]


def test_the_plan_of_a_run_names_no_fact_by_what_it_said(desk, leaked):
    told, name = f"the password is {SECRET}", key(f"the password is {SECRET}")
    kept = json.dumps([["move", MEMORY, name, told], ["move", MEMORY, "0" * 32, "another"]]).encode()
    run = desk.append(LOG, b"- one\n")
    run.details = {"plan": versions.remember(desk.bot, kept)}
    run.save()
    purging.take_out(desk.bot, SECRET, ANA)
    purging.purge(desk.bot, SECRET, ANA)
    run.refresh_from_db()
    first, second = json.loads(versions.bytes_of(desk.bot, run.details["plan"]))
    assert name not in first
    assert Lineage.objects.filter(bot=desk.bot, to_key=first[2]).exists()
    assert second == ["move", MEMORY, "0" * 32, "another"]


def test_a_version_that_nobody_can_read_goes_too(desk, leaked):
    purging.take_out(desk.bot, SECRET, ANA)
    first = Blob.objects.filter(bot=desk.bot, parent="", size__gt=4000).order_by("pk").first()
    Blob.objects.filter(pk=first.pk).update(data=b"not what it was")
    held = Blob.objects.exclude(parent="").count()
    assert purging.find(desk.bot, SECRET).places["damaged versions"] > held / 2
    purging.purge(desk.bot, SECRET, ANA)
    assert purging.find(desk.bot, SECRET).places == {}
    for blob in Blob.objects.all():
        assert len(versions.bytes_of(desk.bot, blob.sha256)) == blob.size


def test_what_a_turn_brings_back_while_it_is_purged_is_seen(desk, monkeypatch):
    desk.append(LOG, b"- begun\n")
    real = journal.settle

    def settle(*args, **more):
        desk.append(LOG, f"- {SECRET}\n".encode())
        return real(*args, **more)

    monkeypatch.setattr(journal, "settle", settle)
    with pytest.raises(Refusal, match="contains the text"):
        purging.purge(desk.bot, SECRET, ANA)
    assert Purge.objects.count() == 0
