"""What a message recalls: by the bot itself, and with more care where Kenoweb answers in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from memory.dialects.nanobot import layout, lines, scopes, words
from memory.dialects.nanobot.database import searched
from memory.dialects.nanobot.database.searched import PLAIN, WIDE, Among, Match, Searchable
from memory.dialects.nanobot.entries import Entry, entries
from memory.dialects.nanobot.picking import is_unsafe
from memory.dialects.nanobot.recall import ABOUT_THE_USER, Layer, Recalled, Room, recall
from memory.dialects.nanobot.settings import Settings
from memory.domain.memory import Memory
from memory.text.attributes import instant
from memory.text.sentences import say

EXPIRED = say("It has expired, so it is no longer recalled.")
UNSAFE = say("It may contain instructions to a model, so it isn’t recalled.")
OTHERS = say(
    "The bot weighs words by their rarity across its whole database. Here they could be counted only in what this "
    "chat reads, so scores and order may differ."
)
LATER = say(
    "This database is from a newer nanobot, which recalls and words entries differently. This is what the older one would recall."
)


def chosen(
    layers: Sequence[Layer], memory: Memory, query: str, now: datetime, settings: Settings, *, cares: bool
) -> Recalled:
    """What a message brings back of these: with care, or as the bot does."""
    return with_care(layers, query, now, settings) if cares else by_the_bot(layers, memory, query, now, settings)


def by_the_bot(layers: Sequence[Layer], memory: Memory, query: str, now: datetime, settings: Settings) -> Recalled:
    """What the bot brings back, to the letter. It may ask its database again with LIKE if a search fails. What it searches for
    never fails, so that is not done here."""
    asked = words.bots(lines.collapsed(query))
    room = Room(max(settings.max_results, 1), settings.max_prompt_chars)
    found = memory.ask(layout.DATABASE, partial(searched.in_database, asked=asked, some=_among(layers)))
    if found is not None:
        return recall(layers, found, now, room)
    why = LATER if memory.ask(layout.DATABASE, searched.is_newer) else OTHERS
    return replace(recall(layers, in_layers(layers, asked), now, room), unsure=(why,) if asked else ())


def in_layers(layers: Sequence[Layer], asked: str) -> list[list[Match]]:
    """What the bot would find if these entries were all that it has."""
    return searched.in_entries(_searchable(layers, lines.normal), asked, _among(layers), PLAIN)


def with_care(layers: Sequence[Layer], query: str, now: datetime, settings: Settings) -> Recalled:
    """What Kenoweb brings back where it answers itself: by words of any script, weighed among what this chat reads, nothing that
    has expired or could lead a model astray."""
    among = [Among((layer.scope,), layer.kinds, len(layer.entries)) for layer in layers]
    found = searched.in_entries(_searchable(layers, words.spread), words.ours(lines.collapsed(query)), among, WIDE)
    met = {match.id for matches in found for match in matches}
    every = (entry for layer in layers for entry in layer.entries if entry.id in met)
    barred = {entry.id: (entry, why) for entry in every if (why := _why_barred(entry, instant(now)))}
    free = [[match for match in matches if match.id not in barred] for matches in found]
    kept = recall(layers, free, now, Room(settings.max_results, settings.max_prompt_chars, ends=False))
    return replace(kept, left_out=(*barred.values(), *kept.left_out))


def layers(memory: Memory, chat: str, settings: Settings, user: str, *, wide: bool = False) -> list[Layer]:
    """What is looked through for a message of `user` ("" for nobody known) in a chat; `wide`: the workspace's entries too."""
    found = [_layer(memory, "chat", chat, (), max(settings.max_results, 1))]
    if user:
        found.append(_layer(memory, "user", user, ABOUT_THE_USER, settings.user_results))
    if wide and settings.global_results:
        found.append(_layer(memory, "global", scopes.GLOBAL, (), settings.global_results))
    return found


def _layer(memory: Memory, name: str, scope: str, kinds: Sequence[str], limit: int) -> Layer:
    path = layout.entries_path(scope)
    every = entries(path, memory.read(path) or b"")
    some = [entry for entry in every if entry.kind in kinds] if kinds else every
    return Layer(name, scope, kinds, limit, some, len(every) - len(some))


def _among(layers: Sequence[Layer]) -> list[Among]:
    return [Among((layer.scope,), layer.kinds, layer.limit) for layer in layers]


def _searchable(layers: Sequence[Layer], said: Callable[[str], str]) -> list[Searchable]:
    """The entries of some layers in the order in which they were made, as the bot's own index has them."""
    every = sorted(
        ((entry, layer.scope) for layer in layers for entry in layer.entries), key=lambda one: one[0].about.created
    )
    return [Searchable(entry.id, scope, entry.kind, entry.updated, said(entry.text)) for entry, scope in every]


def _why_barred(entry: Entry, now: str) -> str:
    if entry.about.is_expired(now):
        return EXPIRED
    return UNSAFE if is_unsafe(entry.text) else ""
