"""The prompt: what the bot reads before it answers in a chat, or read at an earlier moment, priced line by line; what is left out,
and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import families, open_bot
from memory.bots.costs import costs_of
from memory.bots.directories import Access
from memory.domain.errors import VaultError
from memory.domain.memory import Memory
from memory.models import Bot
from memory.prompts import as_of, build as prompts
from memory.prompts.as_of import Unknown
from memory.prompts.build import Priced
from memory.text.storable import keepable
from memory.web.base import chat_names
from memory.web.base.chat_frame import head_or_404
from memory.web.base.chat_names import OFFERED, Meant, chat_url, is_only, latest
from memory.web.base.translation import translate
from memory.web.prompts.as_of_form import NOW, When, choices, gaps, wanted
from memory.web.prompts.left_out import NOTHING, PromptDocuments, documents, left_out
from memory.web.prompts.rows import BY_COST, Unfolded, dearest, lines
from memory.web.prompts.sums import cuts, stops, total
from memory.web.search import suggestions

PAGE = "memory/prompts/prompt.html"
QUESTION = 2_000  # characters
TYPED = 255


@dataclass(frozen=True, slots=True)
class PromptQuery:
    """Which prompt is wanted: that of a chat (`scope` "" for none), answering `query` of `sender` ("": the chat itself), as of a
    moment. `problem` says why there is none."""

    scope: str = ""
    name: str = ""
    url: str = ""
    query: str = ""
    typed: str = ""
    problem: str = ""
    when: When = NOW
    sender: str = ""

    @property
    def parameters(self) -> str:
        """The same question as the end of an address."""
        return self._address({"at": self.when.sent} if self.when.at else {})

    @property
    def parameters_now(self) -> str:
        """The same question of now."""
        return self._address({})

    def _address(self, moment: Mapping[str, str]) -> str:
        sender = {"sender": self.sender} if self.sender else {}
        return urlencode({"chat": self.scope, "q": self.query, **sender, **moment}, errors="surrogateescape")


@dataclass(frozen=True, slots=True)
class Built:
    """A prompt, the documents that it may be made of, and what is not known of the moment it was asked for."""

    priced: Priced
    memory: Memory
    listed: PromptDocuments = NOTHING
    unknown: Sequence[Unknown] = ()


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    if bot.walked is None:
        index.refresh(bot)
        bot.refresh_from_db()
    offered = latest(bot)
    around = {"place": "prompt", "prompt_url": reverse("memory:prompt", args=[bot.slug]), "chats": offered}
    return _page(request, bot, asked_for(bot, request, dict(offered)), around)


@require_safe
def of_chat(request: HttpRequest, bot: Bot, scope: str) -> HttpResponse:
    """The prompt of one chat, among its other sides."""
    chat = head_or_404(bot, scope)
    asked = asked_for(bot, request, {scope: chat.given}, chat=scope)
    around = {"place": "chats", "prompt_url": f"{chat.url}/reads", "chat": chat, "chat_tab": "reads"}
    return _page(request, bot, replace(asked, url=""), around)


def _page(request: HttpRequest, bot: Bot, asked: PromptQuery, around: Mapping[str, object]) -> HttpResponse:
    """The page of a prompt; `around` says which place it belongs to and where it is asked for."""
    by = BY_COST if request.GET.get("by") == BY_COST else ""
    context = {**around, "bot": bot, "asked": asked, "by": by, "folded": "folded" in request.GET}
    context |= {
        "by_message": open_bot(bot).reads_by_message,
        "by_chat": open_bot(bot).reads_by_chat,
        "by_sender": open_bot(bot).reads_by_sender,
        "moments": choices(bot),
    }
    recalls = families.recalls(bot.dialect)
    context |= {"recalls": recalls, "recall_offered": recalls is not None and recalls.is_offered(bot)}
    if asked.problem:
        return render(request, PAGE, {**context, "refusal": asked.problem}, status=422)
    if open_bot(bot).access is Access.MISSING and not asked.when.at:
        why = _(
            "The directory is missing, so what the bot reads now isn’t known. Choose a time to see what it read then."
        )
        return render(request, PAGE, {**context, "refusal": why})
    try:
        reading = _reading(bot, asked, by, request.GET)
        reasons = recalls.reasons(bot, asked.scope, asked.query, asked.sender) if recalls and not asked.when.at else ()
    except (VaultError, prompts.PromptRefused) as error:
        return render(request, PAGE, {**context, "refusal": translate(str(error))})
    return render(request, PAGE, {**context, "reading": reading, "reasons": reasons})


@require_safe
def text(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The text alone, to be copied."""
    asked = asked_for(bot, request)
    problem = asked.problem
    try:
        read = "" if problem else build(bot, asked).priced.text
    except (VaultError, prompts.PromptRefused) as error:
        problem = translate(str(error))
    data = (problem or read).encode("utf-8", "replace")
    return HttpResponse(data, content_type="text/plain; charset=utf-8", status=422 if problem else 200)


@require_safe
def offer(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The chats that may be meant by what is typed, as the options of an input."""
    found = suggestions.chats(bot, " ".join(keepable(request.GET.get("chat", ""))[:TYPED].split()))
    offered = [(hit.names[0], hit.label if hit.label != hit.names[0] else "") for hit in found[:OFFERED]]
    return render(request, f"{PAGE}#options", {"chats": offered})


def asked_for(
    bot: Bot, request: HttpRequest, offered: Mapping[str, str] | None = None, chat: str | None = None
) -> PromptQuery:
    """What an address asks for, of this `chat` or of the one that it names. Without a word about the chat it is the one that was
    last written in; `offered` are the latest with their names, if the page knows them already."""
    offered = dict(latest(bot)) if offered is None else offered
    query = keepable(request.GET.get("q", ""))[:QUESTION]
    typed = request.GET.get("chat", next(iter(offered), "")) if chat is None else chat
    sender = keepable(request.GET.get("sender", "")).strip()[:TYPED] if open_bot(bot).reads_by_sender else ""
    return replace(chat_meant(bot, typed, query, wanted(bot, request.GET), offered), sender=sender)


def chat_meant(bot: Bot, typed: str, query: str, when: When, offered: Mapping[str, str]) -> PromptQuery:
    """The prompt of the chat that somebody typed, at a moment; of a bot that reads the same in all of them, of none, and for a
    message only where that tells."""
    if not open_bot(bot).reads_by_chat:
        return PromptQuery(query=query if open_bot(bot).reads_by_message else "", problem=when.problem, when=when)
    typed = keepable(typed)
    found = Meant(typed, offered[typed]) if typed in offered else chat_names.chat_meant(bot, typed[: TYPED + 1])
    if found.problem or when.problem or not found.scope:
        return PromptQuery(query=query, typed=typed[:TYPED], problem=found.problem or when.problem, when=when)
    shown = found.name if found.name and is_only(bot, found.name) else found.scope
    return PromptQuery(found.scope, found.name or found.scope, chat_url(bot, found.scope), query, shown, when=when)


def build(bot: Bot, asked: PromptQuery) -> Built:
    """The prompt that is asked for, in step with the files. Raises VaultError and PromptRefused."""
    if moment := asked.when.at:
        then = as_of.memory_at(bot, asked.scope or None, moment, asked.sender)
        return Built(
            prompts.build(bot, asked.scope, asked.query, moment, then, asked.sender), then, unknown=then.unknown
        )
    listed = documents(bot, asked.scope)
    memory = index.BotMemory(bot, listed.paths)
    return Built(prompts.build(bot, asked.scope, asked.query, memory=memory, sender=asked.sender), memory, listed)


def _reading(bot: Bot, asked: PromptQuery, by: str, sent: Mapping[str, str]) -> dict[str, object]:
    """What the page says of a prompt: sums, rows, the lines of budgets, what is left out, what is not known of an earlier moment,
    and what of it all the running bot may read otherwise."""
    built = build(bot, asked)
    priced, costs = built.priced, costs_of(bot)
    ends = [*stops(bot, priced, built.memory), *cuts(bot, priced, costs.token_budget)]
    ends.sort(key=attrgetter("at"))
    editable = asked.when.at is None
    if by == BY_COST:
        rows = dearest(bot, asked.scope, priced, sent.get("page"), editable)
    else:
        rows = lines(bot, asked.scope, priced, ends, editable, Unfolded.named(sent.get("open", "")))
    return {
        "total": total(bot, asked.scope, priced, costs, ends),
        "lines": rows,
        "cuts": ends,
        "left_out": left_out(bot, priced.left_out, built.listed),
        "unknown": gaps(bot, built.unknown),
        "unsure": priced.unsure,
    }
