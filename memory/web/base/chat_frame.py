"""What stands above every page of one chat: its name, its sides as tabs, and a menu of what else it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from django.http import Http404
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from memory import index, llm
from memory.bots import open_bot
from memory.domain.places import Kind
from memory.models import Bot, Chat
from memory.web.base.addresses import address
from memory.web.base.chat_names import chat_url, given_name, guess
from memory.web.base.files import files_beside

LOOKED_FOR = (
    Kind.LONG_TERM,
    Kind.WORKING,
    Kind.CONTEXT,
    Kind.TRANSCRIPT,
)  # what a chat may consist of, beside its logs


@dataclass(frozen=True, slots=True)
class Tab:
    """One side of a chat. `note` is a word beside it, such as "stale", `count` how much is there (0: not said)."""

    name: str
    label: str
    url: str
    note: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above all pages of one chat. `given` is the name that people gave, "" for none."""

    scope: str
    given: str
    hint: str
    url: str
    row: Chat
    stale: bool  # it has working memory, and the bot does not read it any more
    can_ask: bool  # a language model is set up, and there is a transcript that it could read
    sums_up: str  # how the bot's family itself sums it up, for the button; "" where it does not, or no language model is set up
    tabs: Sequence[Tab]
    menu: Sequence[Tab]

    @property
    def name(self) -> str:
        return self.given or self.scope


def head(bot: Bot, scope: str) -> Head | None:
    """The head of a chat; None if the index knows no document of it, or no address can name it."""
    row, url = Chat.objects.filter(bot=bot, scope=scope).first(), chat_url(bot, scope)
    if row is None or not url:
        return None
    stale = row.working_ns is not None and row.working_ns < open_bot(bot).stale_before()
    has_model = llm.server() is not None
    can_ask = has_model and row.transcript_size is not None
    sums_up = str(open_bot(bot).family.sums_up(bot, scope)) if has_model else ""
    given = given_name(bot, scope)
    tabs, menu = _tabs(bot, row, url, stale), _menu(bot, row)
    return Head(scope, given, guess(scope), url, row, stale, can_ask, sums_up, tabs, menu)


def head_or_404(bot: Bot, scope: str) -> Head:
    """The head of a chat. One that the walk has not met yet is looked for. Raises Http404 if it has no document."""
    found = head(bot, scope)
    if found is None and open_bot(bot).dialect.session_id_problem(scope) is None:
        index.look_all(bot, _places(bot, scope))
        found = head(bot, scope)
    if found is None:
        raise Http404("This bot has no such chat.")
    return found


def _places(bot: Bot, scope: str) -> list[str]:
    """Where a chat's documents may lie, today's log among them."""
    family = open_bot(bot).dialect
    paths = [family.path(kind, scope) for kind in LOOKED_FOR] + [family.path(Kind.DAILY, scope, open_bot(bot).today())]
    return [path for path in paths if path]


def _tabs(bot: Bot, row: Chat, url: str, stale: bool) -> list[Tab]:
    family, scope = open_bot(bot).dialect, row.scope
    has_facts = family.path(Kind.DAILY, scope, open_bot(bot).today()) or family.path(Kind.LONG_TERM, scope)
    working = f"{url}/working" if family.path(Kind.WORKING, scope) else ""
    tabs = [
        Tab("notes", _("Facts"), url if has_facts else "", count=row.notes),
        Tab("working", _("Working memory"), working, _("stale") if stale else ""),
        Tab("transcript", _("Transcript"), f"{url}/transcript" if row.transcript_size is not None else ""),
        Tab("reads", _("Prompt"), f"{url}/reads"),
    ]
    return [tab for tab in tabs if tab.url]


def _menu(bot: Bot, row: Chat) -> list[Tab]:
    family, scope = open_bot(bot).dialect, row.scope
    about = family.path(Kind.CONTEXT, scope) if bot.has_chat_context else None
    compaction = f"{reverse('memory:compaction', args=[bot.slug])}?{urlencode({'scope': f'chat:{scope}'})}"
    found = [
        _document_tab(bot, "memory", _("Long-term memory"), family.path(Kind.LONG_TERM, scope)),
        _document_tab(bot, "about", _("About this chat"), about),
        Tab("compaction", _("Compaction"), compaction if row.logs else ""),
    ]
    return [one for one in found if one.url]


def _document_tab(bot: Bot, name: str, label: str, path: str | None) -> Tab:
    return Tab(name, label, address("document", bot, path) if path else "")


TAB_OF = {
    Kind.LONG_TERM: "notes",
    Kind.DAILY: "notes",
    Kind.WORKING: "working",
    Kind.CONTEXT: "notes",
    Kind.TRANSCRIPT: "transcript",
}


def around(bot: Bot, path: str, chat: Head | None = None) -> dict[str, object]:
    """What a page of one document shows around it: which place it belongs to, and if it is a chat's, the chat's head and tab.
    `chat` is that head, where it is known already."""
    place = open_bot(bot).dialect.describe(path)
    chat = chat or (head(bot, place.scope) if place and place.scope else None)
    if place and chat:
        return {
            "place": "chats",
            "chat": chat,
            "chat_tab": TAB_OF.get(place.kind, ""),
            "day": place.day,
            "working_days": open_bot(bot).working_days,
        }
    files = SimpleLazyObject(partial(files_beside, bot, path))  # a part of the page needs none
    return {"place": "memory" if path == open_bot(bot).long_term else "documents", "files": files}


def transcript_url(bot: Bot, path: str) -> str:
    """Where a transcript is read page by page; "" for other documents."""
    place = open_bot(bot).dialect.describe(path)
    url = chat_url(bot, place.scope) if place and place.kind is Kind.TRANSCRIPT else ""
    return f"{url}/transcript" if url else ""
