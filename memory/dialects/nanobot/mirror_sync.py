"""A nanobot's mirrors: lines that no entry says any more are found and mended, and a line follows the entry it was made for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256

from django.db.models import Q
from django.utils.translation import gettext_lazy

from memory import index, journal
from memory.bots import open_bot
from memory.bots.family import FamilyFinding
from memory.curation.writing import write
from memory.dialects.nanobot import entries as rows_of, layout, mirrors
from memory.dialects.nanobot.entries import Entry
from memory.dialects.nanobot.mirrors import MirroredEntry, MirrorLine, Says, Unmatched
from memory.dialects.nanobot.settings import FOLLOW
from memory.domain.changes import Made, Put, digest
from memory.domain.errors import Refusal
from memory.domain.outcomes import Refused
from memory.index import cached
from memory.models import Bot, ChangeSet, Document, Fact, FactAttributes, quick
from memory.text.attributes import instant
from memory.text.markdown.entries import FactAt
from memory.text.sentences import say

NAME = "mirror"  # of what is found
PLACE = f"memory/{layout.SEMANTIC}"  # where a finding about all of them stands
KEYS_AT_ONCE = 400
ALREADY = say("These lines are up to date or gone. Nothing was changed.")
NO_DATABASE = say("This bot has no database of entries.")


def unmatched(bot: Bot) -> tuple[Unmatched, ...]:
    """The lines that no live entry says any more, by the index and by the files; the same as long as the index and the day stay."""
    if not has_mirrors(bot):
        return ()

    def found() -> tuple[Unmatched, ...]:
        told = [line for path, data in _files(bot, _paths(bot)) for line in mirrors.read(path, data)]
        rows = list(_rows(bot)) if told else []
        return tuple(mirrors.unmatched(told, rows, instant(open_bot(bot).now())))

    return cached.while_indexed(bot, f"mirrors-{open_bot(bot).today()}", found)


class Mirrors:
    """The check: however many lines match no entry, they are one finding, which leads to a page of their own."""

    name = NAME
    page = "mirrors"
    title = gettext_lazy("Mirrors out of date")
    why = gettext_lazy("Forgotten facts are still visible to every chat there and may be re-imported.")
    act = gettext_lazy("Show and fix")

    def look(self, bot: Bot) -> FamilyFinding | None:
        found = unmatched(bot)
        return FamilyFinding(PLACE, found[0].line.text, note(len(found))) if found else None


MIRRORS = Mirrors()


def files(bot: Bot) -> int:
    """How many files are mirrors, as the index knows them."""
    return len(_paths(bot))


def has_mirrors(bot: Bot) -> bool:
    """Whether a bot of this kind may have any."""
    return layout.DATABASE in bot.directories


def note(count: int) -> str:
    """What is said of so many lines in one finding."""
    if count == 1:
        return say("A mirror line is out of date.")
    return say("%(count)s mirror lines are out of date.", count=count)


def name_of(one: MirrorLine) -> str:
    """What means a line in a form; it stays the same while lines above it come and go."""
    return sha256(f"{one.path}\n{one.at}\n{one.text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]


def mend(bot: Bot, wanted: Collection[str] | None, by: journal.By) -> ChangeSet | Refused | None:
    """Take lines out, or let them say what their entries say now, as one change set: those of these names, or all that match no
    entry. Looks at database and files anew. None: they read so already."""
    done = write(bot, partial(_mending, bot, wanted), by)
    return done if isinstance(done, Refused) else done.change_set


def _mending(bot: Bot, wanted: Collection[str] | None) -> journal.CommitPlan[None]:
    """Raises Refusal where no line is meant."""
    files = dict(_files(bot, _paths(bot)))
    told = [line for path, data in files.items() for line in mirrors.read(path, data)]
    found = mirrors.unmatched(told, list(_live(bot)), instant(open_bot(bot).now()))
    meant = [one for one in found if wanted is None or name_of(one.line) in wanted]
    if not meant:
        raise Refusal(ALREADY)
    changes = _changes(files, meant)
    many = say("Fixed %(count)s mirror lines", count=len(meant))
    why = many if len(meant) > 1 else say("Fixed a mirror line")
    return journal.CommitPlan(changes, None, [files[change.path] for change in changes], why=why)


def without(bot: Bot, going: Iterable[tuple[str, bytes, Sequence[FactAt]]]) -> list[Made]:
    """The mirrors without the lines of entries that are about to go, (path, bytes, facts); a line stays while any other entry says
    the same. Nothing for other bots, or where lines are left as the bot leaves them. Raises Unreadable."""
    if not _follows(bot):
        return []
    some = [(path, entry) for path, data, facts in going for entry in _meant(path, data, facts)]
    said = {mirrors.says(entry.kind, entry.text) for _, entry in some}
    said -= _of_others(bot, some)
    instead: dict[str, dict[int, str]] = {}
    files = dict(
        _files(bot, {path for _, entry in some if (path := mirrors.mirror_of(entry.kind, entry.about.created))})
    )
    for path, data in files.items():
        if numbers := {line.number: "" for line in mirrors.read(path, data) if line.says in said}:
            instead[path] = numbers
    return _made(files, instead)


def reworded(bot: Bot, path: str, data: bytes, fact: FactAt, text: str) -> list[Made]:
    """The mirror in which the line of an entry that is about to change says its new text. Raises Unreadable."""
    entry = next(iter(_meant(path, data, [fact])), None) if _follows(bot) else None
    where = mirrors.mirror_of(entry.kind, entry.about.created) if entry else ""
    if entry is None or not where:
        return []
    files = dict(_files(bot, {where}))
    said = mirrors.says(entry.kind, entry.text)
    alike = [one for one in mirrors.read(where, files.get(where, b"")) if one.says == said]
    own = [one for one in alike if one.at == mirrors.second(entry.about.created)]
    shared = bool(_of_others(bot, [(path, entry)]))
    line = next(iter(own or ([] if shared else alike[-1:])), None)
    return _made(files, {where: {line.number: text}}) if line else []


def _follows(bot: Bot) -> bool:
    return has_mirrors(bot) and open_bot(bot).settings.mirror_lines == FOLLOW


def _meant(path: str, data: bytes, facts: Iterable[FactAt]) -> list[Entry]:
    if not path.startswith(f"@{layout.DATABASE}/"):
        return []
    numbers = {fact.line for fact in facts}
    return [entry for entry in rows_of.entries(path, data) if entry.fact.line in numbers]


def _of_others(bot: Bot, some: Sequence[tuple[str, Entry]]) -> set[Says]:
    """What entries beside these say too, by the index."""
    own = {(path, entry.fact.key, entry.fact.nth) for path, entry in some}
    keys = sorted({entry.fact.key for _, entry in some})
    found: set[Says] = set()
    for part in quick.batches(keys, KEYS_AT_ONCE):
        alike = Fact.objects.filter(bot=bot, key__in=part)
        rows = alike.filter(document__path__startswith=f"@{layout.DATABASE}/")
        for path, key, nth, kind, text in rows.values_list("document__path", "key", "nth", "heading", "text"):
            if (path, key, nth) not in own:
                found.add(mirrors.says(kind, text))
    return found


def _paths(bot: Bot) -> list[str]:
    below = Q(path__startswith=f"memory/{layout.SEMANTIC}/") | Q(path__startswith=f"memory/{layout.EPISODIC}/")
    known = Document.objects.filter(below, bot=bot, error="").order_by("path").values_list("path", flat=True)
    return [path for path in known if mirrors.kind_of(path)]


def _files(bot: Bot, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    memory = index.BotMemory(bot, paths)
    return ((path, data) for path in memory.paths() if (data := memory.read(path)) is not None)


def _rows(bot: Bot) -> Iterator[MirroredEntry]:
    """The entries as the index has them."""
    found = FactAttributes.objects.filter(bot=bot).values_list("kind", "fact__text", "created", "expires")
    return (MirroredEntry(kind, text, created, expires) for kind, text, created, expires in found.iterator(2000))


def _live(bot: Bot) -> Iterator[MirroredEntry]:
    """The entries as the database has them now."""
    if layout.DATABASE not in bot.directories:
        raise ValueError(NO_DATABASE)
    memory = index.BotMemory(bot)
    for path in memory.paths():
        if path.startswith(f"@{layout.DATABASE}/"):
            for entry in rows_of.entries(path, memory.read(path) or b""):
                yield MirroredEntry(entry.kind, entry.text, entry.about.created, entry.expires)


def _changes(files: Mapping[str, bytes], meant: Iterable[Unmatched]) -> list[Put]:
    instead: dict[str, dict[int, str]] = {}
    for one in meant:
        instead.setdefault(one.line.path, {})[one.line.number] = one.instead
    return _puts(files, instead)


def _made(files: Mapping[str, bytes], instead: Mapping[str, Mapping[int, str]]) -> list[Made]:
    return [(put, files[put.path]) for put in _puts(files, instead)]


def _puts(files: Mapping[str, bytes], instead: Mapping[str, Mapping[int, str]]) -> list[Put]:
    return [Put(path, mirrors.mended(files[path], some), digest(files[path])) for path, some in instead.items()]
