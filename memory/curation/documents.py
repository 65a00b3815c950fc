"""A person edits a document: what may be edited, saving it, and what to do when somebody else wrote to it meanwhile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from memory import index, journal
from memory.bots import open_bot
from memory.curation.joined import Joined, find_joined, is_the_bots
from memory.curation.writing import mask_problem
from memory.domain.abilities import Talking
from memory.domain.changes import Delete, Put, digest
from memory.domain.dialect import Dialect
from memory.domain.outcomes import Refused
from memory.domain.places import Kind, Place
from memory.journal import versions
from memory.journal.outside_changes import LOOKS_LIKE_THE_BOT, writer
from memory.models import Bot, ChangeSet, Document, Revision
from memory.storage.walk import is_hidden
from memory.text.merge.diff import Difference, end_last_line
from memory.text.merge.overlay import lay_over
from memory.text.merge.three_way import Clashed, Merged, merge
from memory.text.sentences import join_sentences, say, say_number

MOST_EDITABLE = 4 * 1024 * 1024  # bytes; a larger text is shown, not edited


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document as the desk has it. `sha256` "" and `data` None: there is none yet. `read_only` says why it cannot be edited,
    `caution` what to know before one does."""

    path: str
    document: Document | None
    data: bytes | None
    sha256: str
    text: str
    read_only: str = ""
    caution: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The file has the text. `change_set` None: it had it already. `joined`: what others had added meanwhile stands there too.

    `sha256` is the version that the text makes by itself, so that a next text made from it takes nothing of theirs away."""

    change_set: ChangeSet | None
    sha256: str
    joined: Joined | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody else wrote to the document since `base`. `merged` is both texts in one, None if a person has to decide.

    `who` and `what` say for people who wrote and what it means; `theirs` is the version that stands there now ("": none)."""

    theirs: str
    who: str
    what: str
    merged: bytes | None


@dataclass(frozen=True, slots=True)
class Removed:
    """Documents that were removed in one change set (None: none was there any more), and those that stayed: path -> why."""

    change_set: ChangeSet | None
    paths: tuple[str, ...]
    kept: Mapping[str, str]


class Missing(LookupError):
    """The bot knows no document of this name."""


def open_document(bot: Bot, path: str) -> OpenDocument:
    """A document, fresh from its file. Raises Missing for a path that is no document of this bot's."""
    place = open_bot(bot).dialect.describe(path)
    if place is None:
        raise Missing(path)
    looked, caution = index.look(bot, path), open_bot(bot).dialect.caution(path)
    data = looked.data
    if data is None:
        return OpenDocument(path, looked.document, None, "", "", looked.error, caution)
    text = as_text(data) if place.is_text else ""
    return OpenDocument(path, looked.document, data, looked.sha256 or "", text, _read_only(data, place), caution)


def as_text(data: bytes) -> str:
    """Bytes as an editor shows them: without a byte order mark, with one kind of line end, what is no UTF-8 marked."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def sides_as_text(dialect: Dialect, path: str, before: bytes | None, after: bytes | None) -> tuple[str, str]:
    """Two versions as people compare them: a transcript that is one record by its messages, any other document by its text."""
    place, talking = dialect.describe(path), dialect.talking
    if place and talking and place.kind is Kind.TRANSCRIPT and not talking.in_lines:
        told = _messages(talking, path, before), _messages(talking, path, after)
        if told[0] != told[1] or not place.is_text:
            return told
    return as_text(before or b""), as_text(after or b"")


def version_as_text(dialect: Dialect, path: str, data: bytes | None) -> str | None:
    """One version as a program is told it; None for no document."""
    return None if data is None else sides_as_text(dialect, path, None, data)[1]


def _messages(talking: Talking, path: str, data: bytes | None) -> str:
    try:
        told = talking.messages(path, data) if data else ()
    except ValueError as error:
        return f"{error}\n"
    lines = ((f"{one.role}, {one.at}", one.content, *one.tools) for one in told)
    return "".join(f"{line}\n" for message in lines for line in message)


def _read_only(data: bytes, place: Place) -> str:
    if place.editable and place.is_text and len(data) > MOST_EDITABLE:
        return say("This file is over 4 MB, too large to edit in a browser.")
    return why_read_only(data, place)


def why_read_only(data: bytes, place: Place) -> str:
    """Why nobody but the bot may change a document, in whole or in part; "" if people may."""
    if not place.editable:
        return say("Only the bot writes this file. It can be read, not edited.")
    if not place.is_text:
        return say("This file isn’t text, so it can’t be edited here.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return say(
            "Line %(line)s isn’t valid UTF-8. The file can be read but not edited, so that no byte is lost.", line=line
        )
    return ""


def version(bot: Bot, now: OpenDocument, base: str) -> bytes | None:
    """The bytes of the version a text was made from ("": of no document); None if the history does not hold it."""
    if base == now.sha256:
        return now.data or b""
    return versions.bytes_or_none(bot, base)


def save(bot: Bot, path: str, text: str, base: str, by: journal.By, why: str = "") -> Saved | Conflict | Refused:
    """Write a text that was made from the version `base`. Raises Missing and what the journal's commit raises."""
    now = open_document(bot, path)
    data = apply_edit(bot, now, text, base)
    if not isinstance(data, bytes):
        return data
    if now.data is None and not data:
        return Saved(None, "")
    return _write(bot, now, data, base, by, text, why)


def apply_edit(bot: Bot, now: OpenDocument, text: str, base: str) -> bytes | Conflict | Refused:
    """What a text that was made from the version `base` makes of a document by itself, or why it is not saved."""
    if problem := now.read_only or _never_written(bot, now.path):
        return Refused(problem)
    made_from = version(bot, now, base)
    if made_from is None or not only_grew(bot, now, base):
        return conflict(bot, now, text, base)
    data = lay_over(made_from, text)
    problem = _problem(bot, now, text, data)
    return Refused(problem) if problem else data


def _problem(bot: Bot, now: OpenDocument, text: str, data: bytes) -> str:
    """Why a text is not saved as these bytes; "" if it is, or nothing is to be."""
    if now.data is None and not data:
        return ""
    wrong = mask_problem(text, now.text) or json_problem(now.path, data)
    return wrong or open_bot(bot).dialect.refused(now.path, now.data or b"", data)


def _never_written(bot: Bot, path: str) -> str:
    """Why no document of this name is made, whether or not there is one."""
    place = open_bot(bot).dialect.describe(path)
    if is_hidden(path):
        return say("This name is reserved for Kenoweb’s hidden files. Use another name.")
    return "" if place is None else why_read_only(b"", place)


def only_grew(bot: Bot, now: OpenDocument, base: str) -> bool:
    """Whether a document is the version `base` still, or that with more at its end: then a save goes through without a question."""
    if base == now.sha256:
        return True
    before = version(bot, now, base) if base else None
    return before is not None and now.data is not None and now.data.startswith(before)


def overwrite(bot: Bot, path: str, text: str, base: str, theirs: str, by: journal.By) -> Saved | Conflict | Refused:
    """Write a text over the version `theirs` that somebody else wrote, if that still stands there; what came behind it stays."""
    now = open_document(bot, path)
    if now.read_only:
        return Refused(now.read_only)
    if not only_grew(bot, now, theirs):
        return conflict(bot, now, text, base)
    made_from = version(bot, now, base)
    data = lay_over(made_from if made_from is not None else now.data or b"", text)
    if problem := _problem(bot, now, text, data):
        return Refused(problem)
    return _write(bot, now, data, theirs, by, text, why=say("Saved over someone else’s change"))


def _write(
    bot: Bot, now: OpenDocument, data: bytes, base: str, by: journal.By, text: str, why: str
) -> Saved | Conflict | Refused:
    change = Put(now.path, data, base or None)
    gate = partial(_gate, now.path)
    outcome = journal.commit(bot, [change], by=by, kind=ChangeSet.Kind.EDIT, why=why, moved="join", gate=gate)
    if isinstance(outcome, journal.Conflict):
        if not outcome.clashes or outcome.clashes[0].ours is None:  # refused, and not because somebody was faster
            return Refused(outcome.reason)
        return conflict(bot, open_document(bot, now.path), text, base)
    index.look(bot, now.path)
    joined = find_joined(bot, outcome, change)
    if joined:
        versions.remember(bot, data, like=base)
    return Saved(outcome.change_set, digest(data), joined)


def _gate(path: str, before: Mapping[str, bytes | None], after: Mapping[str, bytes | None]) -> str:
    return json_problem(path, after[path] or b"") if path in after else ""


def json_problem(path: str, data: bytes) -> str:
    """Where the text of a JSON document is none, for people; "" if it is, or need not be."""
    if not path.endswith(".json"):
        return ""
    try:
        json.loads(data.decode("utf-8").removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return say(
            "Line %(line)s, column %(column)s isn’t valid JSON: %(problem)s. Nothing was saved.",
            line=error.lineno,
            column=error.colno,
            problem=error.msg,
        )
    except (ValueError, RecursionError):
        return say("This isn’t valid JSON for the bot. Nothing was saved.")
    return ""


def remove(bot: Bot, bases: Mapping[str, str], by: journal.By, why: str = "") -> Removed:
    """Delete the documents that still are the versions stated (path -> sha256), in one change set; they stay in the history.
    What somebody wrote to meanwhile stays. Raises what the journal's commit raises, with nothing changed."""
    wanted, kept = dict(bases), dict[str, str]()
    while wanted:
        changes = [Delete(path, base) for path, base in wanted.items()]
        outcome = journal.commit(bot, changes, by=by, kind=ChangeSet.Kind.EDIT, why=why, moved="refuse")
        if isinstance(outcome, journal.Applied):
            return Removed(outcome.change_set, tuple(wanted), kept)
        for clash in outcome.clashes:
            kept[clash.path] = clash.reason
            del wanted[clash.path]
    return Removed(None, (), kept)


def conflict(bot: Bot, now: OpenDocument, text: str, base: str) -> Conflict:
    """What it means that a document is no longer the version a text was made from."""
    if now.data is None:
        return Conflict("", say("This file was removed while you were editing."), say("Your text is safe."), None)
    made_from = version(bot, now, base)
    who_wrote = _writer(bot, now, made_from)
    if made_from is None:
        return Conflict(
            now.sha256, _wrote(who_wrote), say("The version you started from is no longer in History."), None
        )
    ours, (added, removed) = lay_over(made_from, text), _lines(made_from, now.data)
    outcome = merge(made_from, ours, now.data)
    who, news = (_added(who_wrote, added), "") if added and not removed else (_wrote(who_wrote), _news(added, removed))
    beside = _beside(outcome, added + removed, is_changed=ours != made_from)
    return Conflict(
        now.sha256, who, join_sentences(news, beside), None if isinstance(outcome, Clashed) else outcome.data
    )


def _writer(bot: Bot, now: OpenDocument, made_from: bytes | None) -> str:
    """Who wrote to a document last: a person or the bot by name; "" if nobody knows. What the journal has not seen yet is the bot's
    if it has its form."""
    last = Revision.objects.filter(bot=bot, path=now.path).select_related("change_set").order_by("-id").first()
    if last is not None and (last.after == now.sha256 or last.action == Revision.Action.APPEND):
        if last.change_set.user_id:
            return last.change_set.by
        if is_the_bots(last.change_set):
            return bot.name
    if made_from is None or writer(bot, now.path, made_from, now.data or b"") != LOOKS_LIKE_THE_BOT:
        return ""
    return bot.name


def _wrote(name: str) -> str:
    if name:
        return say("%(name)s wrote to this file while you were editing.", name=name)
    return say("Something else wrote to this file while you were editing.")


def _added(name: str, count: int) -> str:
    if name:
        return say_number(
            "%(name)s added %(count)s line while you were editing.",
            "%(name)s added %(count)s lines while you were editing.",
            name=name,
            count=count,
        )
    return say_number(
        "Something else added %(count)s line while you were editing.",
        "Something else added %(count)s lines while you were editing.",
        count=count,
    )


def _lines(before: bytes, after: bytes) -> tuple[int, int]:
    """How many lines somebody else added and removed; of those at the end, how many are not blank."""
    if after.startswith(before):
        return sum(1 for line in after[len(before) :].splitlines() if line.strip()), 0
    removed, added = Difference(end_last_line(as_text(before)), end_last_line(as_text(after))).counts
    return added, removed


def _news(added: int, removed: int) -> str:
    """What somebody else did, in a sentence."""
    if not added and not removed:
        return say("Only blank lines, line endings or invisible bytes changed.")
    return say_number(
        "%(count)s line added, %(removed)s removed.",
        "%(count)s lines added, %(removed)s removed.",
        count=added,
        removed=removed,
    )


def _beside(outcome: Merged | Clashed, lines: int, *, is_changed: bool) -> str:
    """What the lines of somebody else mean for those that were typed."""
    if isinstance(outcome, Clashed) and outcome.kind == "edits":
        return say_number("It changes the same lines as you.", "They change the same lines as you.", count=lines)
    if isinstance(outcome, Clashed):
        return outcome.reason
    if not is_changed:
        return say("You have no unsaved changes.")
    return say_number("It doesn’t touch your change.", "They don’t touch your change.", count=lines)
