"""Who wrote an entry, as far as the history knows: from what was appended to its document, and what was mended in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from django.db.models import Q
from django.utils.translation import gettext as _

from memory import index
from memory.bots import families
from memory.domain.errors import Unreadable
from memory.domain.fact_ref import FactRef
from memory.models import Bot, ChangeSet, Delivery, Document, Fact, Revision
from memory.web.base.authors import BY_YOU, author
from memory.web.base.chat_names import names_of

MOST = 400  # changes that are looked at for one page
SLACK = 4096  # bytes that an entry may have moved since it was appended
LARGE = 64 * 1024  # bytes; of a larger document only appends near the entries that a page shows are looked at
Said = Sequence[tuple[str, str]]  # (time, key) of entries
# (path, what it said, change set, its kind, by, of a person their key)
Append = tuple[str, Said, int, str, str, int | None]


def sources(
    bot: Bot, facts: Sequence[Fact], documents: Mapping[int, Document], reader: int | None
) -> dict[FactRef, str]:
    """Who wrote each of the facts on a page, in words such as "by Ana" or "from a webhook, Family"; nothing where it is not known.

    `documents` by their pk. Three statements however many there are; files are read only if they are large.
    """
    wanted: dict[tuple[str, str, str], list[FactRef]] = defaultdict(list)
    for fact in facts:
        path = documents[fact.document_id].path
        wanted[path, fact.time, fact.key].append(FactRef(path, fact.key, fact.nth))
    appends = _appends(bot, facts, documents)
    words = _words(bot, appends, documents, reader)
    found: dict[FactRef, str] = {}
    for append in appends:  # the newest first, as equal entries are taken from the last one up
        for time, key in reversed(append[1]):
            if meant := wanted.get((append[0], time, key)):
                found[meant.pop()] = words[append[0], append[2]]
    return found


def _appends(bot: Bot, facts: Sequence[Fact], documents: Mapping[int, Document]) -> list[Append]:
    """What was appended to these documents, or mended in them entry by entry, the newest first."""
    small = [document.path for document in documents.values() if document.size <= LARGE]
    near = Q(path__in=small) | Q(action=Revision.Action.PUT)
    for document in documents.values():
        if document.size > LARGE:
            near |= _near(bot, document, [fact for fact in facts if fact.document_id == document.pk])
    # All paths are named beside `near`, and not sorted by id alone: SQLite would else walk through all revisions of the bot.
    paths = [document.path for document in documents.values()]
    mended = Q(action=Revision.Action.PUT, change_set__kind=ChangeSet.Kind.EDIT)
    changes = Revision.objects.filter(
        near, Q(action=Revision.Action.APPEND) | mended, bot=bot, path__in=paths, done=True
    )
    rows = changes.order_by("-change_set_id", "-id")
    about = ("path", "added", "change_set__details__made", "change_set_id", "change_set__kind", "change_set__by")
    return [
        (path, _made(path, made) if added is None else _said(bot.dialect, path, bytes(added)), pk, kind, by, user)
        for path, added, made, pk, kind, by, user in rows.values_list(*about, "change_set__user_id")[:MOST]
    ]


def _made(path: str, made: Sequence[tuple[str, str, str]] | None) -> Said:
    """What a mending made in one document; nothing where the whole text was saved."""
    return [(time, key) for where, time, key in made or () if where == path]


def _near(bot: Bot, document: Document, facts: Sequence[Fact]) -> Q:
    """Which appends to a large document may be these facts of it."""
    try:
        data = index.BotMemory(bot).read(document.path) or b""
    except Unreadable:
        data = b""
    if not data or not facts:
        return Q(pk__in=[])
    first, last = min(fact.line for fact in facts), max(fact.end_line for fact in facts)
    ends = _ends(data)
    start, end = (ends[min(number, len(ends) - 1)] for number in (first - 1, last))
    return Q(path=document.path, offset__range=(start - SLACK, end + SLACK))


def _ends(data: bytes) -> list[int]:
    """Where the lines end, with the line end; before them where the first one begins."""
    return [0, *accumulate(len(line) + 1 for line in data.split(b"\n"))]


def _said(dialect: str, path: str, added: bytes) -> tuple[tuple[str, str], ...]:
    """(time, key) of the entries in appended bytes."""
    return tuple((fact.time, fact.key) for fact in families.dialect(dialect).facts(path, added))


def _words(
    bot: Bot, appends: Iterable[Append], documents: Mapping[int, Document], reader: int | None
) -> dict[tuple[str, int], str]:
    """Who made each change set, by path and its pk."""
    scopes = {document.path: document.scope for document in documents.values()}
    posted = [pk for _path, _said, pk, kind, _by, _user in appends if kind in ChangeSet.TURNS]
    delivered = Delivery.objects.filter(change_set__in=posted).values_list("change_set_id", "session_id")
    sessions = dict(delivered) if posted else {}
    names = names_of(bot, set(sessions.values()))
    found: dict[tuple[str, int], str] = {}
    for path, _said, pk, kind, by, user in appends:
        session = sessions.get(pk, "")
        elsewhere = names.get(session, session) if session != scopes[path] else ""
        found[path, pk] = _who(kind, by, elsewhere, user, reader)
    return found


def _who(kind: str, by: str, elsewhere: str, user: int | None, reader: int | None) -> str:
    """Who it was in words; `elsewhere` is the chat in which it was said, if that is another than the document's."""
    if kind in ChangeSet.TURNS and by == "delivery":
        return _("from a webhook, %(chat)s") % {"chat": elsewhere} if elsewhere else _("from a webhook")
    if by == "command line":
        return _("from the command line")
    name = author(by, user, reader, BY_YOU)
    return _("by %(name)s") % {"name": name} if user else name
