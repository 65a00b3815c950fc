"""What a chat reads and should not: the rule behind the findings that are called leaks.

A fact in a document that every chat reads is one if a single chat keeps the same for itself and did not get it later, or if it is
marked as a chat's. A fact of a chat is one if it names another chat, or says at length what one other chat says and nobody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memory.checks.subjects import ABOUT, KEYS_AT_ONCE, Subject, alike, by_key
from memory.domain.places import Kind, Tier
from memory.models import Bot, Chat, Document, Fact, quick
from memory.text.fidelity.pieces import is_telling, owner, pieces
from memory.text.markdown.normal import key
from memory.text.sentences import say

NAME = "leak"
KEPT = say("A private fact of one chat. Every chat reads it here.")
HOLDS = say("Repeats a private fact of one chat word for word, where every chat reads it.")
MARKED = say("Marked as one chat’s, but every chat reads it here.")
NAMES = say("Mentions another chat.")
SHARED = say("Only one other chat contains the same words.")

LONG_TERM = 2000  # facts of the bot's own long-term memory that new facts of chats are looked for in
FAR = 1.5  # times as long as usual has to be what two chats say alike

_ID = re.compile(r"[^\s\[\](){}<>\"'`“”«»,;:!?|]{6,255}")
# What is said ten thousand times is told by who says it, and not row by row for each that does. Without a column that no index
# has, such as the line, SQLite would take the longer index because it covers everything, and go through all facts for each key.
_SAYERS = """
WITH wanted(key) AS (VALUES {keys})
SELECT MIN(fact.id), '', fact.key, 0, MIN(fact.line), '', document.tier, document.kind, document.scope, MIN(document.day), '', ''
FROM wanted CROSS JOIN memory_fact fact JOIN memory_document document ON document.id = fact.document_id
WHERE fact.bot_id = %s AND fact.key = wanted.key
GROUP BY fact.key, document.tier, document.kind, document.scope, (document.day = '')
"""


def related(bot: Bot, fresh: Sequence[Subject]) -> list[Subject]:
    """The facts beside new ones about which a rule may say something else because of them."""
    private = {one.key for one in fresh if one.is_private and is_telling(one.text)}
    if not private:
        return []
    found = {one.pk: one for one in by_key(bot, private)}
    lasting = Document.objects.filter(bot=bot, tier=Tier.GLOBAL, scope="", kind=Kind.LONG_TERM).values_list(
        "pk", flat=True
    )
    own = Fact.objects.filter(document__in=list(lasting)).order_by().values_list(*ABOUT)
    for one in (Subject(*about) for about in own[:LONG_TERM]):
        if any(key(piece) in private for piece in pieces(one.text)):
            found[one.pk] = one
    return list(found.values())


def judge(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Which of these facts stand where they should not, and why, for people: pk -> sentence."""
    said = {one.pk: _says(one) for one in looked_at}
    copies = _copies(bot, {each for keys in said.values() for each in keys})
    ids = _ids(bot, looked_at)
    found = {}
    for one in looked_at:
        if one.is_in_the_global_scope:
            continue
        why = _of_shared(one, said[one.pk], copies, ids) if one.is_shared else _of_private(one, copies, ids)
        if why:
            found[one.pk] = why
    return found


def whose(bot: Bot, shown: Sequence[Subject], copies: Mapping[int, Subject]) -> dict[int, str]:
    """The chat whose each of these facts seems to be, though it stands where every chat reads: pk -> session id. `copies` are
    their `others`."""
    shared = [one for one in shown if one.is_shared]
    ids = _ids(bot, shared)
    found = {one.pk: copies[one.pk].scope for one in shared if one.pk in copies}
    return found | {one.pk: name for one in shared if (name := owner(one.text)) in ids}


def others(bot: Bot, shown: Sequence[Subject]) -> dict[int, Subject]:
    """Where the other copy of each of these facts is, in a chat's documents or another's: pk -> the first of them."""
    said = {one.pk: _says(one) for one in shown}
    copies: dict[str, list[Subject]] = {}
    for each in by_key(bot, {name for names in said.values() for name in names}):
        copies.setdefault(each.key, []).append(each)
    found = {}
    for one in shown:
        alike = (copy for name in said[one.pk] for copy in copies.get(name, ()))
        if (copy := next((copy for copy in alike if copy.is_private and copy.scope != one.scope), None)) is not None:
            found[one.pk] = copy
    return found


def _says(one: Subject) -> list[str]:
    """The keys of what a fact says that is long enough: of the whole first; of its parts where everybody reads it."""
    whole = [one.key] if is_telling(one.text) else []
    return whole + [key(piece) for piece in pieces(one.text)] if one.is_shared else whole


def _copies(bot: Bot, keys: Iterable[str]) -> Mapping[str, Sequence[Subject]]:
    """Who says these things: of each document's sort and scope one fact by what it says, the oldest, without its text."""
    found: dict[str, list[Subject]] = {}
    for one in alike(bot, keys, _SAYERS):
        found.setdefault(one.key, []).append(one)
    return found


def _ids(bot: Bot, looked_at: Sequence[Subject]) -> set[str]:
    """The session ids of chats that these facts name."""
    words = {word for one in looked_at for word in _words(one.text)}
    found: set[str] = set()
    for part in quick.batches(sorted(words), KEYS_AT_ONCE):
        some = Chat.objects.filter(bot=bot, scope__in=part)
        found.update(some.values_list("scope", flat=True))
    return found


def _words(text: str) -> Iterator[str]:
    """What may be a session id: a longer word with a dash and a digit."""
    for word in _ID.findall(text[:4000]):
        plain = word.rstrip(".")
        if "-" in plain and any(sign.isdigit() for sign in plain):
            yield plain


def _of_shared(one: Subject, said: Sequence[str], copies: Mapping[str, Sequence[Subject]], ids: set[str]) -> str:
    if owner(one.text) in ids:
        return MARKED
    for each in said:
        if _is_one_chats(one, copies.get(each, ())):
            return KEPT if each == one.key else HOLDS
    return ""


def _is_one_chats(one: Subject, copies: Sequence[Subject]) -> bool:
    """Whether one chat, and only one, has these words, and did not get them later than every chat."""
    own = [copy for copy in copies if copy.is_private]
    known = min([copy.day for copy in (one, *copies) if copy.is_shared and copy.day], default="")
    earlier = any(not copy.day or not known or copy.day <= known for copy in own)
    return earlier and len({copy.scope for copy in own}) == 1


def _of_private(one: Subject, copies: Mapping[str, Sequence[Subject]], ids: set[str]) -> str:
    if any(word in ids and word != one.scope for word in _words(one.text)):
        return NAMES
    alike = copies.get(one.key, ())
    scopes = {copy.scope if copy.is_private else "" for copy in alike}
    if len(scopes) != 2 or "" in scopes or not is_telling(one.text, FAR):
        return ""
    first = min(alike, key=lambda copy: (copy.day or "9", copy.pk))
    return SHARED if first.scope != one.scope else ""
