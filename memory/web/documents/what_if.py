"""While somebody types: which facts are reworded, added or removed, what the prompt would cost, which facts would enter it or fall
out beside these, which limits would be passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from memory import index
from memory.bots import open_bot
from memory.bots.costs import costs_of
from memory.curation import documents as document_edits
from memory.curation.documents import OpenDocument
from memory.domain.errors import VaultError
from memory.models import Bot, Chat
from memory.prompts import build, what_if
from memory.prompts.what_if import Edited, Effect
from memory.text.merge.overlay import lay_over
from memory.text.storable import keepable
from memory.web.base.chat_names import name_of
from memory.web.base.gauges import grouped, number_of
from memory.web.base.translation import translate
from memory.web.documents.editor_state import lines
from memory.web.prompts.left_out import documents
from memory.web.prompts.sums import Cut, cuts

NAMED = 5  # facts that are told by name
NAME = 100  # characters of one


@dataclass(frozen=True, slots=True)
class EditPreview:
    """What an edit would do. `whose` says for whose prompt, with its address `url`; `told` is everything that needs no list.
    `passed` are limits that would be passed and are not now. `refusal` says why nothing can be told."""

    whose: str = ""
    url: str = ""
    told: str = ""
    facts: Sequence[dict[str, object]] = ()
    passed: Sequence[Cut] = ()
    refusal: str = ""


def foreseen(bot: Bot, opened: OpenDocument, text: str, base: str) -> EditPreview | None:
    """What saving this text, made from the version `base`, would do to the facts of the document and to the prompt of a chat that
    reads it; None if nothing was changed."""
    place = open_bot(bot).dialect.describe(opened.path)
    scope = place.scope if place and place.scope else _latest(bot)
    made_from = document_edits.version(bot, opened, base) or b""
    data = lay_over(made_from, lines(text))
    if data == made_from:
        return None
    edit = _edited(bot, opened.path, made_from, data)
    missing = opened.data is None and not data
    paths = documents(bot, scope).paths
    memory = index.BotMemory(bot, {*paths, opened.path} if opened.data is not None else paths)
    try:
        effect = what_if.effect(bot, scope or None, memory, opened.path, None if missing else data)
    except (VaultError, build.PromptRefused) as error:
        return EditPreview(refusal=translate(str(error)))
    if not effect.reads(opened.path):
        return EditPreview(told=_("The bot doesn’t read this file, before or after."), facts=_of_the_document(edit))
    return _said(bot, scope, bool(place and place.scope), effect, opened.path, edit)


def _edited(bot: Bot, path: str, before: bytes, after: bytes) -> Edited:
    read = open_bot(bot).dialect.facts
    return what_if.edited(read(path, before), read(path, after))


def _latest(bot: Bot) -> str:
    """The chat that stands for all where a document is everybody's: the one that was written in last."""
    return Chat.objects.filter(bot=bot).order_by("-written_ns", "scope").values_list("scope", flat=True).first() or ""


def _said(bot: Bot, scope: str, only: bool, effect: Effect, path: str, edit: Edited) -> EditPreview:
    name = keepable(name_of(bot, scope)) if scope else ""
    if only:
        whose = _("Prompt for %(chat)s") % {"chat": name}
    else:
        whose = _("Prompt for %(chat)s, like every chat") % {"chat": name} if name else _("Prompt")
    budget = costs_of(bot).token_budget
    now = {cut.words for cut in cuts(bot, effect.before, budget)}
    passed = [cut for cut in cuts(bot, effect.after, budget) if cut.words not in now]
    return EditPreview(
        whose=whose,
        url=f"{reverse('memory:prompt', args=[bot.slug])}?{urlencode({'chat': scope})}",
        told=_cost(effect.before.tokens, effect.after.tokens),
        facts=[*_of_the_document(edit), *_of_the_prompt(effect, path, edit)],
        passed=passed,
    )


def _cost(before: int, after: int) -> str:
    if before == after:
        return number_of("%(count)s token, unchanged", "%(count)s tokens, unchanged", after)
    change = f"{'+' if after > before else '−'}{grouped(abs(after - before))}"
    return number_of(
        "%(before)s → %(count)s token (%(change)s)",
        "%(before)s → %(count)s tokens (%(change)s)",
        after,
        before=grouped(before),
        change=change,
    )


def _of_the_document(edit: Edited) -> list[dict[str, object]]:
    reworded, added, removed = len(edit.reworded), len(edit.added), len(edit.removed)
    told = (
        (number_of("%(count)s fact reworded", "%(count)s facts reworded", reworded), edit.reworded),
        (number_of("%(count)s fact added", "%(count)s facts added", added), edit.added),
        (number_of("%(count)s fact removed", "%(count)s facts removed", removed), edit.removed),
    )
    return [_facts(words, [fact.text for fact in found]) for words, found in told if found]


def _of_the_prompt(effect: Effect, path: str, edit: Edited) -> list[dict[str, object]]:
    """The facts that enter the prompt or fall out, but those that were edited: they are told of already."""
    entering, leaving = (
        [line for line in found if line.path != path or line.fact is None or line.fact.key not in edit.keys]
        for found in (effect.entering, effect.leaving)
    )
    enter, leave = len(entering), len(leaving)
    told = (
        (number_of("%(count)s fact added to the prompt", "%(count)s facts added to the prompt", enter), entering),
        (
            number_of("%(count)s fact dropped from the prompt", "%(count)s facts dropped from the prompt", leave),
            leaving,
        ),
    )
    return [
        _facts(words, [line.fact.text if line.fact else line.text for line in found]) for words, found in told if found
    ]


def _facts(words: str, found: Sequence[str]) -> dict[str, object]:
    """Facts with which the same would happen: a sentence, some by name, and how many more there are."""
    named = [_name(text) for text in found[:NAMED]]
    return {"words": words, "named": named, "more": len(found) - len(named)}


def _name(text: str) -> str:
    text = " ".join(keepable(text).split())
    return text if len(text) <= NAME else f"{text[: NAME - 1]}…"
