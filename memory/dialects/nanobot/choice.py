"""Which entries are meant: the words of nanobot's own command line, read so that a missing one never means everything."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.dialects.nanobot import lines, scopes
from memory.dialects.nanobot.entries import Entry
from memory.text.sentences import say

EVERY = "all"
SCOPES = (EVERY, scopes.CHAT, scopes.USER, scopes.GLOBAL)

NO_CHAT = say(
    "--scope chat needs --channel and --chat-id, since without them it would mean every chat. Nothing was changed."
)
NO_USER = say(
    "--scope user needs --channel and --sender-id or --chat-id, since without them that is "
    "everybody. Nothing was changed."
)
HALF = say("--chat-id and --sender-id need --channel, and --channel needs one of them. Nothing was changed.")
NO_FILTER = say(
    "Say which entries: --older-than-days, --expired, --kind, or a scope with whom it belongs to. Nothing was changed."
)


@dataclass(frozen=True, slots=True)
class Whose:
    """A scope as it is named on a command line; "" for what is not given."""

    scope: str = EVERY
    channel: str = ""
    chat_id: str = ""
    sender_id: str = ""

    def names(self) -> tuple[str, ...]:
        """The names of the scopes that are meant; none for all of them. Raises ValueError with a sentence."""
        channel, chat_id, sender_id = self.channel.strip(), self.chat_id.strip(), self.sender_id.strip()
        if bool(channel) != bool(chat_id or sender_id):
            raise ValueError(HALF)
        if self.scope == scopes.GLOBAL:
            return (scopes.GLOBAL,)
        if self.scope == scopes.CHAT and not chat_id:
            raise ValueError(NO_CHAT)
        if self.scope == scopes.USER and not channel:
            raise ValueError(NO_USER)
        if not channel:
            return ()
        chat = (scopes.name_of(scopes.chat_key(channel, chat_id), ""),) if chat_id else ()
        user = (scopes.name_of(scopes.user_key(channel, sender_id, chat_id), ""),)
        return {scopes.CHAT: chat, scopes.USER: user}.get(self.scope, (*chat, *user))


@dataclass(frozen=True, slots=True)
class Choice:
    """Entries of some scopes (none named: of all), of some kinds (none: of any), not said again for some days (None: ever).
    `expired`: only those past their time."""

    scopes: tuple[str, ...] = ()
    kinds: Collection[str] = ()
    older_than_days: int | None = None
    expired: bool = False

    def check(self) -> None:
        """Raises ValueError if it would mean everything there is."""
        if not self.scopes and not self.kinds and self.older_than_days is None and not self.expired:
            raise ValueError(NO_FILTER)

    def of(self, entries: Iterable[Entry], now: datetime) -> list[Entry]:
        """Those of some entries that are meant."""
        days = max(self.older_than_days or 0, 0)
        before = lines.instant(now - timedelta(days=days)) if self.older_than_days is not None else ""
        instant = lines.instant(now)
        return [
            entry
            for entry in entries
            if (not self.kinds or entry.kind in self.kinds)
            and (not before or entry.updated < before)
            and (not self.expired or entry.is_expired(instant))
        ]
