"""What a chat may know already: its own facts and those that are nobody's, never another chat's."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db.models import Q

from memory import index
from memory.bots import open_bot
from memory.compaction.chats.shapes import TOLD
from memory.domain.places import Kind
from memory.models import Bot, Fact, Job, Proposal
from memory.search.find import search
from memory.text.fidelity.retention import content_words
from memory.text.markdown.normal import key
from memory.text.sentences import say
from memory.text.storable import quote

REMINDED = 30  # facts that the model is told so that it does not pick them again
PASSING = (Kind.WORKING, Kind.ARCHIVE)  # what stands there alone is not known for long, or not to the bot
LOOKED_AT = 50  # documents of a scope
PROPOSED = 500  # proposals that are looked at, the newest
SIMILAR = 0.75  # of a fact's content words that another one has, for it to be much the same
_WORDS = re.compile(r"\w+")


def bring_in_step(bot: Bot, chat: str) -> None:
    """Have the index know what the newest documents of the chat and of the bot itself say now. Raises Unreadable."""
    for scope in ("", chat):
        stats = index.notes(bot, [scope])
        index.look_all(bot, sorted(stats, key=lambda path: stats[path].mtime_ns)[-LOOKED_AT:])


def find_known(bot: Bot, chat: str, texts: Iterable[str]) -> dict[str, str]:
    """Key -> where it stands, of these texts that the chat's memory or the bot's own says already. The long-term memories and
    today's logs are read fresh, all else is as the index has it. Raises Unreadable."""
    wanted = {key(text) for text in texts}
    facts = Fact.objects.filter(bot=bot, key__in=wanted, document__scope__in=("", chat))
    facts = facts.exclude(document__kind__in=PASSING)
    found = dict(facts.values_list("key", "document__path"))
    memory, dialect = index.BotMemory(bot), open_bot(bot).dialect
    for path in _freshly(bot, chat):
        found |= {fact.key: path for fact in dialect.facts(path, memory.read(path) or b"") if fact.key in wanted}
    return found


def proposed_keys(bot: Bot, chat: str) -> set[str]:
    """The keys of what was lately proposed for a chat and is decided, or can be: what somebody refused is not proposed again."""
    undecided = Q(state=Proposal.State.OPEN) & ~Q(job__state__in=(Job.State.PLANNED, Job.State.RUNNING))
    rows = Proposal.objects.filter(
        bot=bot, action=Proposal.Action.REMEMBER, job__kind=Job.Kind.EXTRACTION, job__params__chat=chat
    ).exclude(undecided)
    return {key(text) for text in rows.order_by("-pk").values_list("text", flat=True)[:PROPOSED]}


def reminders(bot: Bot, chat: str) -> list[str]:
    """The newest facts of a chat, for the model."""
    facts = Fact.objects.filter(bot=bot, document__scope=chat, document__kind__in=(Kind.DAILY, Kind.LONG_TERM))
    newest = facts.order_by("-document__day", "-ordinal").values_list("text", flat=True)[:REMINDED]
    return [quote(text, TOLD)[1:-1] for text in newest]


def flag_similar(bot: Bot, chat: str, text: str) -> list[str]:
    """A flag for a text that says much the same as a fact the chat knows, in other words."""
    words = {word.casefold() for word in content_words(text)}
    hits = (
        search(bot, " ".join(_WORDS.findall(text)), now=open_bot(bot).now(), chat=chat, limit=3).hits if words else ()
    )
    for hit in hits:
        said = {word.casefold() for word in content_words(hit.text)}
        if (
            hit.kind not in PASSING
            and said
            and len(words & said) >= SIMILAR * min(len(words), len(said))
            and hit.key != key(text)
        ):
            return [
                say(
                    "Similar to line %(line)s of %(path)s: %(text)s.",
                    path=hit.path,
                    line=hit.line,
                    text=quote(hit.text, TOLD),
                )
            ]
    return []


def _freshly(bot: Bot, chat: str) -> list[str]:
    dialect, today = open_bot(bot).dialect, open_bot(bot).today()
    paths = (dialect.path(kind, scope, today) for kind in (Kind.LONG_TERM, Kind.DAILY) for scope in ("", chat))
    return [path for path in paths if path is not None]
