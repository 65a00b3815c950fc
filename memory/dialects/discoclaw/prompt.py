"""What a DiscoClaw reads of its memory before it answers: who writes, what they did lately, what the conversation was about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory.dialects.discoclaw import durable, entries, layout, rolling, shortterm
from memory.dialects.discoclaw.budget import BudgetLine, selected
from memory.dialects.discoclaw.durable import Malformed
from memory.dialects.discoclaw.settings import Settings
from memory.domain.memory import Memory
from memory.domain.places import Tier
from memory.domain.prompt import LeftOut, Prompt, PromptLine, Section
from memory.text.markdown.blocks import decode
from memory.text.sentences import say

FACTS, LATELY, SUMMARY = (
    "Durable memory (user-specific notes)",
    "Recent activity (cross-channel)",
    "Conversation memory",
)
FILES = "Context files (read with Read tool before responding, in order)"
OFF = say("This memory is turned off in the settings.")
TOO_LONG = say("No room left within the limit")
TOO_OLD = say("Too old to be read")
BROKEN = say("The file is malformed, so the bot reads nothing of it.")
ODD = say("One of these facts has no valid date or source, so the bot reads none of them.")
NOBODY = say("Which facts are read depends on who writes. Enter a sender to see theirs.")
NO_SERVER = say("Which server this channel is on is unknown, so short-term memory isn’t shown.")
PATHS = say("The bot gets the full paths of these files and reads them itself.")


@dataclass(frozen=True, slots=True)
class Layer:
    """One kind of memory in a prompt: what of it is read, what is not, and what is not known of it."""

    lines: Sequence[PromptLine] = ()
    left_out: Sequence[LeftOut] = ()
    unsure: str = ""


NOTHING = Layer()


def prompt(
    memory: Memory, chat: str | None, query: str, now: datetime, settings: Settings, sender: str, workspace: bool
) -> Prompt:
    """The memory of the bot's prompt, layer by layer; a layer with nothing in it leaves no trace."""
    user = layout.user_of(chat or "", sender)
    files = _files(memory, now) if workspace and chat and chat.startswith(layout.DIRECT) else NOTHING
    told = [(FACTS, facts(memory, user, query, now, settings) if user else Layer(unsure=NOBODY))]
    told.append((LATELY, lately(memory, chat or "", user, now, settings)))
    told.append((SUMMARY, summary(memory, chat, settings)))
    listed = [Section(FILES, Tier.GLOBAL, tuple(files.lines))] if files.lines else []
    sections = [Section(heading, Tier.CHAT, _framed(heading, layer)) for heading, layer in told if layer.lines]
    layers = [files, *(layer for _, layer in told)]
    left_out = tuple(one for layer in layers for one in layer.left_out)
    return Prompt((*listed, *sections), left_out, unsure=tuple(layer.unsure for layer in layers if layer.unsure))


def _framed(heading: str, layer: Layer) -> tuple[PromptLine, ...]:
    return PromptLine(f"\n\n---\n{heading}:\n"), *layer.lines, PromptLine("\n")


def context_files(memory: Memory, now: datetime) -> Iterator[str]:
    """The files that the bot reads in direct messages only: its notes, and those of today and yesterday, by the day in UTC."""
    day = now.astimezone(UTC).date()
    days = (layout.daily_path(one.isoformat()) for one in (day, day - timedelta(days=1)))
    yield from (path for path in (layout.LONG_TERM, *days) if memory.tail(path, 1) is not None)


def _files(memory: Memory, now: datetime) -> Layer:
    found = list(context_files(memory, now))
    if not found:
        return NOTHING
    lines = [PromptLine(f"\n- {path.removeprefix('@')}", path, 1) for path in found]
    return Layer([PromptLine(f"{FILES}:"), *lines], unsure=PATHS)


def facts(memory: Memory, user: str, query: str, now: datetime, settings: Settings) -> Layer:
    """What is known of who writes, as much as fits."""
    path = layout.durable_path(user) if user else None
    data = memory.read(path) if path else None
    if path is None or data is None:
        return NOTHING
    if not settings.durable:
        return Layer(left_out=[LeftOut(path, OFF)])
    try:
        store = durable.loaded(data, is_later=settings.is_later)
    except Malformed:
        return Layer(left_out=[LeftOut(path, BROKEN)])
    budget, at = settings.durable_chars, milliseconds(now)
    chosen = durable.chosen(store, budget, is_later=settings.is_later, query=query, now=at)
    if chosen is None:
        return Layer(left_out=[LeftOut(path, ODD)])
    return _chosen(path, data, len(list(durable.active(store))), chosen)


def _chosen(path: str, data: bytes, all_of_them: int, chosen: Sequence[BudgetLine]) -> Layer:
    known = entries.numbered(path, data)
    ends = [*["\n"] * (len(chosen) - 1), ""]
    read = []
    for line, end in zip(chosen, ends[: len(chosen)], strict=True):
        fact = known[line.at] if line.at < len(known) else None
        read.append(PromptLine(line.text + end, path, fact.line if fact else 1, fact))
    count = all_of_them - len(chosen)
    return Layer(read, [LeftOut(path, TOO_LONG, count=count)] if count else [])


def lately(memory: Memory, chat: str, user: str, now: datetime, settings: Settings) -> Layer:
    """What who writes did lately on the server of the channel, as much as fits."""
    if not user or not layout.channel_of(chat):
        return NOTHING
    server = _server_of(memory, chat, user, by_others=settings.short_term)
    path = layout.short_term_path(server, user)
    data = memory.read(path) if path else None
    if path is None or data is None:
        return Layer(unsure=NO_SERVER) if settings.short_term and not server else NOTHING
    if not settings.short_term:
        return Layer(left_out=[LeftOut(path, OFF)])
    try:
        store = shortterm.loaded(data, is_later=settings.is_later)
    except Malformed:
        return Layer(left_out=[LeftOut(path, BROKEN)])
    lines = shortterm.lines(store, milliseconds(now), settings.short_term_age)
    layer = _chosen(path, data, len(lines), selected(lines, settings.short_term_chars, skips=settings.is_later))
    old = len(shortterm.entries(store)) - len(lines)
    return Layer(layer.lines, [*layer.left_out, *([LeftOut(path, TOO_OLD, count=old)] if old else [])])


def summary(memory: Memory, chat: str | None, settings: Settings) -> Layer:
    """What the conversation was about."""
    path = layout.rolling_path(chat) if chat else None
    data = memory.read(path) if path else None
    if path is None or data is None:
        return NOTHING
    if not settings.summaries:
        return Layer(left_out=[LeftOut(path, OFF)])
    try:
        said = rolling.shown(rolling.loaded(data, is_later=settings.is_later), settings)
    except Malformed:
        return Layer(left_out=[LeftOut(path, BROKEN)])
    fact = next(iter(entries.facts(path, data)), None)
    return Layer([PromptLine(said, path, fact.line if fact else 1, fact)]) if said else NOTHING


def milliseconds(at: datetime) -> int:
    """A moment as the bot writes it."""
    return int(at.timestamp() * 1000)


def instructions(memory: Memory, prompt: Prompt, workspace: bool) -> str:
    """The system message where Kenoweb answers: who the bot is, the notes in full, since nobody there can open them, and the memory
    section. Raises Unreadable."""
    paths = [f"@{layout.WORKSPACE}/{name}" for name in layout.IDENTITY] if workspace else []
    listed = [line.path for one in prompt.sections if one.heading == FILES for line in one.lines if line.path]
    texts = ((path, decode(memory.read(path) or b"").strip()) for path in (*paths, *listed))
    documents = [f"## {path.rpartition('/')[2]}\n\n{text}" for path, text in texts if text]
    remembered = "".join(section.text for section in prompt.sections if section.heading != FILES).strip()
    return "\n\n".join([*documents, *([remembered] if remembered else [])])


def _server_of(memory: Memory, chat: str, user: str, *, by_others: bool) -> str:
    """The server of a conversation as its files tell: by what this user did or said there, else (`by_others`) by what others did
    or said; "" if none of them tells."""
    paths = [path for path in memory.paths() if layout.server_of(path)]
    own = [path for path in paths if path == layout.short_term_path(layout.server_of(path), user)]
    found = _by_what_was_done(memory, chat, own) or _by_what_was_said(memory, chat, [layout.durable_path(user) or ""])
    if found or not by_others:
        return found
    said = (path for path in memory.paths() if path.startswith(f"{layout.DURABLE}/"))
    return _by_what_was_done(memory, chat, paths) or _by_what_was_said(memory, chat, said)


def _by_what_was_done(memory: Memory, chat: str, paths: list[str]) -> str:
    return next((layout.server_of(path) for path in paths if chat in _chats(memory, chat, path)), "")


def _chats(memory: Memory, chat: str, path: str) -> Iterator[object]:
    try:
        store = shortterm.read(_naming(memory, chat, path))
    except Malformed:
        return iter(())
    return (entry.get("sessionKey") for _, entry in shortterm.entries(store))


def _by_what_was_said(memory: Memory, chat: str, paths: Iterable[str]) -> str:
    return next((server for path in paths if (server := _said(memory, chat, path))), "")


def _said(memory: Memory, chat: str, path: str) -> str:
    channel = layout.channel_of(chat)
    try:
        store = durable.read(_naming(memory, chat, path))
    except Malformed:
        return ""
    sources = [item.get("source") for _, item in durable.items(store)]
    named = (one for one in sources if isinstance(one, dict) and one.get("channelId") == channel)
    return next((str(one["guildId"]) for one in named if one.get("guildId")), "")


def _naming(memory: Memory, chat: str, path: str) -> bytes:
    """A document that holds the id of this channel; nothing of any other, which need not be parsed."""
    data = memory.read(path) or b""
    return data if layout.channel_of(chat).encode() in data else b""
