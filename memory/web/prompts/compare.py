"""Two prompts side by side: of two chats, or of one chat at two moments; what is common folded, what differs marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.bots import open_bot
from memory.curation.documents import as_text
from memory.domain.errors import VaultError
from memory.models import Bot
from memory.prompts import build as prompts
from memory.prompts.build import Priced
from memory.text.merge.diff import Difference
from memory.web.base.chat_names import latest
from memory.web.base.differences import ROOM, paged
from memory.web.base.translation import translate
from memory.web.prompts.as_of_form import choices, gaps, wanted
from memory.web.prompts.views import Built, PromptQuery, asked_for, build, chat_meant


@require_safe
def compare(request: HttpRequest, bot: Bot) -> HttpResponse:
    offered = latest(bot)
    left = asked_for(bot, request, dict(offered))
    right = _other(bot, request, left, dict(offered))
    context = {"bot": bot, "place": "prompt", "left": left, "right": right, "chats": offered, "moments": choices(bot)}
    context["by_chat"] = open_bot(bot).reads_by_chat
    if refusal := left.problem or right.problem:
        return render(request, "memory/prompts/compare.html", {**context, "refusal": refusal}, status=422)
    try:
        found = _comparison(bot, left, right, request.GET.get("rows", "1"))
    except (VaultError, prompts.PromptRefused) as error:
        return render(request, "memory/prompts/compare.html", {**context, "refusal": translate(str(error))})
    return render(request, "memory/prompts/compare.html", {**context, "comparison": found})


def _other(bot: Bot, request: HttpRequest, left: PromptQuery, offered: dict[str, str]) -> PromptQuery:
    """What the left is compared with: what is asked for, else the same chat now, else the chat that was last written in."""
    when = wanted(bot, request.GET, "with_at", "with_before")
    if "with" in request.GET:
        return replace(chat_meant(bot, request.GET["with"], left.query, when, offered), sender=left.sender)
    if left.when.at or when.at:
        return replace(left, problem=when.problem, when=when)
    scope = next((scope for scope in offered if scope != left.scope), "")
    return replace(chat_meant(bot, scope, left.query, when, offered), sender=left.sender)


def _comparison(bot: Bot, left: PromptQuery, right: PromptQuery, number: str) -> dict[str, object]:
    """Two sides, their sums, and the difference of their texts, with the page of its rows."""
    built = [build(bot, asked) for asked in (left, right)]
    first, second = (one.priced for one in built)
    whole = Difference(as_text(first.text.encode()), as_text(second.text.encode()))
    found, page = paged(whole, ROOM, number)
    sides = [_side(bot, asked, one) for asked, one in zip((left, right), built, strict=True)]
    return {"sides": sides, "sums": list(_sums(first, second)), "blocks": found, "page": page}


def _side(bot: Bot, asked: PromptQuery, built: Built) -> dict[str, object]:
    """One of the two: whose prompt, of when, what it costs, and what is not known of that moment."""
    name = asked.name if asked.scope else _("without a chat")
    return {"asked": asked, "name": name, "tokens": built.priced.tokens, "unknown": gaps(bot, built.unknown)}


def _sums(left: Priced, right: Priced) -> Iterator[dict[str, object]]:
    """Facts of the left only, of both, and of the right only: how many, and their tokens. Facts are the same if they say the same,
    wherever they stand."""
    one, two = _facts(left), _facts(right)
    for words, keys, costs in (
        (_("only on the left"), one.keys() - two.keys(), one),
        (_("on both sides"), one.keys() & two.keys(), one),
        (_("only on the right"), two.keys() - one.keys(), two),
    ):
        yield {"words": words, "facts": len(keys), "tokens": sum(costs[key] for key in keys)}


def _facts(priced: Priced) -> Counter[str]:
    costs: Counter[str] = Counter()
    for line in priced.lines:
        if line.fact:
            costs[line.fact.key] += line.tokens
    return costs
