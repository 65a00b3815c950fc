"""Where the words of a finding stand, as a row says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from memory.models import Bot
from memory.text.storable import keepable
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import chat_urls, names_of, own_name


@dataclass(frozen=True, slots=True)
class Spot:
    """Where words stand: whose document it is ("" where there are no chats), where that is, and what the line is called.
    `whose_url` leads to the chat."""

    tier: str
    whose: str
    whose_url: str
    place: str
    url: str


class Spots:
    """Says where lines stand; what all of them need is asked for once."""

    def __init__(self, bot: Bot, scopes: Iterable[str]) -> None:
        wanted = set(scopes)
        self.names = names_of(bot, wanted)
        self.own = own_name(bot, wanted)
        self.chats = chat_urls(bot, wanted)
        self.url_of = addresses("document", bot)

    def called(self, scope: str) -> str:
        """What people call a chat; "" for none."""
        return self.names.get(scope, scope)

    def spot(self, scope: str, path: str, line: int) -> Spot:
        """Where a line stands, in words; without a path only whose it is."""
        name = path.rpartition("/")[2] if scope else path
        place = _("%(document)s, line %(line)s") % {"document": name, "line": line} if line else name
        whose = self.called(scope) or self.own
        url = self.url_of(path) if path else ""
        return Spot("chat" if scope else "global", whose, self.chats.get(scope, ""), keepable(place), url)
