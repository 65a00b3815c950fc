"""What is done to facts that somebody selected: shown first, with a count, some of them and every difference, then done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import llm, search
from memory.bots import open_bot
from memory.curation import acts, facts, merge_and_split, moving, pins
from memory.curation.acts import Act, DocumentPreview, Done
from memory.curation.documents import sides_as_text
from memory.curation.facts import FoundFact
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.models import Bot, Document
from memory.text.markdown.stamps import stamp
from memory.text.storable import as_utf8, keepable
from memory.web.base.chat_names import names_of
from memory.web.base.differences import turned
from memory.web.base.fact_rows import excerpt, fact_name, fact_ref, rows
from memory.web.base.gauges import number_of
from memory.web.base.responses import back, by, ours, post_only
from memory.web.base.shown_secrets import asked_again, holds_hidden
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.documents.editor_state import joined_words, lines, title
from memory.web.documents.move_form import MoveForm

PAGE = "memory/documents/facts_act.html"
SAMPLE = 5  # facts that are named
AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Words:
    """What a page of an act says: its question, its button, and what to know before; `address` is where it is posted to,
    `place` where in the desk it is."""

    title: str
    verb: str
    about: str
    address: str
    place: str = "documents"
    suggests: bool = False  # the language model can be asked for a wording


class TextForm(forms.Form):
    """A text to be worded."""

    def __init__(self, label: str, text: str, name: str = "text") -> None:
        super().__init__(auto_id="act_%s", initial={name: as_utf8(text)})
        rows = min(max(text.count("\n") + 1 + len(text) // 80, 2), 16)
        self.fields[name] = forms.CharField(label=label, widget=forms.Textarea(attrs={"rows": rows}))


@post_only
@asked_again
def forget(request: HttpRequest, bot: Bot) -> HttpResponse:
    """One fact at once, many after a look."""
    meant = chosen(request, bot)
    if not meant:
        return nothing(request, bot)
    act = partial(facts.plan_forget, bot, meant)
    if len(meant) == 1:
        return done(request, bot, acts.do(bot, by(request), act), _("Forgotten"))
    words = Words(
        number_of("Forget %(count)s fact?", "Forget %(count)s facts?", len(meant)),
        number_of("Forget %(count)s fact", "Forget %(count)s facts", len(meant)),
        "",
        reverse("memory:fact_forget", args=[bot.slug]),
    )
    told = number_of("Forgot %(count)s fact", "Forgot %(count)s facts", len(meant))
    return shown_or_done(request, bot, meant, act, words, told)


@post_only
def promote(request: HttpRequest, bot: Bot) -> HttpResponse:
    meant = chosen(request, bot)
    if len(meant) != 1:
        return nothing(request, bot)
    return done(request, bot, moving.promote(bot, meant, by(request)), _("Moved to long-term"))


@post_only
@asked_again
def move(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Asks where to; shows what that would do before it does it."""
    meant = chosen(request, bot)
    found = facts.find(bot, meant)
    if isinstance(found, Refused):
        return refused(request, bot, found)
    if not found:
        return nothing(request, bot)
    form = MoveForm(request.POST, bot=bot, found=found)
    if not form.fields["to"].choices:  # type: ignore[attr-defined]
        return refused(request, bot, Refused(moving.NOWHERE))
    words = Words(
        number_of("Move %(count)s fact", "Move %(count)s facts", len(meant)),
        _("Move"),
        "",
        reverse("memory:fact_move", args=[bot.slug]),
    )
    act = form.act(meant)
    told = number_of("Moved %(count)s fact", "Moved %(count)s facts", len(meant))
    return shown_or_done(request, bot, meant, act, words, told, form)


@post_only
@asked_again
def merge(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Two facts or more become one; its wording is the newest of them until somebody, or the language model, says another."""
    meant = chosen(request, bot)
    found = facts.find(bot, meant)
    if isinstance(found, Refused):
        return refused(request, bot, found)
    if len(found) < 2:
        return refused(request, bot, Refused(merge_and_split.FEW))
    texts = [one.fact.text for one in found]
    if holds_hidden(request, bot, *texts):
        title = number_of("Merge %(count)s fact", "Merge %(count)s facts", len(meant))
        return _shown_first(request, bot, title, found)
    text, problem = lines(request.POST.get("text", "")) or max(found, key=partial(_said_on, bot)).fact.text, ""
    if "suggest" in request.POST:
        outcome = merge_and_split.suggest_wording(bot, texts)
        text, problem = (text, translate(outcome.reason)) if isinstance(outcome, Refused) else (outcome, "")
    lost = merge_and_split.left_out_words(texts, text)
    words = Words(
        number_of("Merge %(count)s fact", "Merge %(count)s facts", len(meant)),
        _("Merge"),
        _("This wording leaves out: %(words)s") % {"words": ", ".join(lost)} if lost else "",
        reverse("memory:fact_merge", args=[bot.slug]),
        suggests=llm.server() is not None,
    )
    act = partial(merge_and_split.plan_merge, bot, meant, text)
    told = number_of("Merged %(count)s fact", "Merged %(count)s facts", len(meant))
    form = TextForm(_("Text of the fact"), text)
    return shown_or_done(request, bot, meant, act, words, told, form, problem)


def _said_on(bot: Bot, one: FoundFact) -> tuple[str, str, int]:
    """When a fact was said, as far as that is known; of those said at the same time the longest counts as the newest."""
    place = open_bot(bot).dialect.describe(one.path)
    said_on = stamp(one.fact.text) or (place.day if place else "")
    return said_on, one.fact.time, len(one.fact.text)


@post_only
@asked_again
def split(request: HttpRequest, bot: Bot) -> HttpResponse:
    """One fact becomes several, a line each."""
    meant = chosen(request, bot)[:1]
    found = facts.find(bot, meant)
    if isinstance(found, Refused):
        return refused(request, bot, found)
    if not found:
        return nothing(request, bot)
    if holds_hidden(request, bot, found[0].fact.text):
        return _shown_first(request, bot, _("Split this fact"), found)
    text = lines(request.POST.get("parts", "")) or "\n".join(merge_and_split.parts_of(found[0].fact.text))
    parts = [part for part in text.split("\n") if part.strip()]
    lost = merge_and_split.left_out_words([found[0].fact.text], text)
    words = Words(
        _("Split this fact"),
        _("Split"),
        _("The parts leave out: %(words)s") % {"words": ", ".join(lost)} if lost else "",
        reverse("memory:fact_split", args=[bot.slug]),
    )
    # before that nothing is wrong with one that has no parts of itself
    asked = "parts" in request.POST or len(parts) > 1
    act = partial(merge_and_split.plan_split, bot, meant[0], parts) if asked else None
    told = number_of("Split into %(count)s fact", "Split into %(count)s facts", len(parts))
    form = TextForm(_("One fact per line"), text, "parts")
    return shown_or_done(request, bot, meant, act, words, told, form)


@post_only
def pin(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Pin facts; if all of them are, unpin them: one at once, many after a look."""
    meant = chosen(request, bot)
    found = facts.find(bot, meant)
    if isinstance(found, Refused):
        return refused(request, bot, found)
    if not found:
        return nothing(request, bot)
    pinned = not {one.fact.key for one in found} <= pins.keys(bot)
    foreseen = pins.foresee(bot, found, pinned=pinned)
    if len(found) == 1 or request.POST.get("print") == foreseen.print:
        return _pinned(request, bot, foreseen)
    if pinned:
        title = number_of("Pin %(count)s fact", "Pin %(count)s facts", len(found))
    else:
        title = number_of("Unpin %(count)s fact", "Unpin %(count)s facts", len(found))
    words = Words(title, title, translate(pins.describe(bot, foreseen)), reverse("memory:fact_pin", args=[bot.slug]))
    moved = translate(acts.MOVED) if "print" in request.POST else ""
    return render(request, PAGE, _page(request, bot, words, meant, found, foreseen=foreseen, problem=moved))


def _pinned(request: HttpRequest, bot: Bot, foreseen: pins.PinPreview) -> HttpResponse:
    """Mark them, and say how many others say the same and what a pin does not keep."""
    change = pins.do(bot, foreseen, by(request))
    if foreseen.pinned:
        words = number_of("Pinned %(count)s fact", "Pinned %(count)s facts", foreseen.count)
    else:
        words = number_of("Unpinned %(count)s fact", "Unpinned %(count)s facts", foreseen.count)
    if foreseen.alike:
        words = number_of(
            "%(words)s and %(count)s that says the same",
            "%(words)s and %(count)s that say the same",
            foreseen.alike,
            words=words,
        )
    if passing := translate(pins.passing_warning(bot, foreseen)):
        words = f"{words}. {passing}"
    say_done(request, words, change)
    return back(request, otherwise(bot))


@require_safe
def pinned(request: HttpRequest, bot: Bot) -> HttpResponse:
    """The facts that are pinned."""
    there = pins.facts(bot).order_by("document__path", "ordinal")
    page = Paginator(there, AT_ONCE).get_page(request.GET.get("page"))
    documents = Document.objects.in_bulk({fact.document_id for fact in page})
    names = names_of(bot, {one.scope for one in documents.values() if one.scope})
    files = {pk: title(bot, one.path) for pk, one in documents.items()}
    made = rows(bot, page, documents, whose=names, files=files, pinned=pins.keys(bot))
    untimed = [replace(row, time="") for row in made]  # few have a clock, and the day says enough
    context = {"bot": bot, "place": "documents", "page": page, "rows": untimed}
    return render(request, "memory/documents/pinned.html", context)


def chosen(request: HttpRequest, bot: Bot) -> list[FactRef]:
    """The facts that a form names: the one whose button was pressed, else all that a search finds, else those that are ticked."""
    if "one" in request.POST:
        names = [request.POST["one"]]
    elif query := keepable(request.POST.get("matching", "")).strip():
        return matching(bot, query)
    else:
        names = [name for some in request.POST.getlist("fact") for name in some.split()]
    return [meant for name in dict.fromkeys(names) if (meant := fact_ref(name))]


def matching(bot: Bot, query: str) -> list[FactRef]:
    """The facts that say the words of a search, not those that only stand near one."""
    found = search.search(bot, query, now=open_bot(bot).now(), limit=search.MOST)
    return [FactRef.of(hit) for hit in found.hits if hit.id in found.ids]


def nothing(request: HttpRequest, bot: Bot) -> HttpResponse:
    messages.info(request, _("Nothing selected. Nothing was changed."))
    return back(request, otherwise(bot))


def refused(request: HttpRequest, bot: Bot, why: Refused) -> HttpResponse:
    messages.error(request, translate(why.reason))
    return back(request, otherwise(bot))


def _shown_first(request: HttpRequest, bot: Bot, title: str, found: Sequence[FoundFact]) -> HttpResponse:
    """A text is worded by nobody who does not see all of it."""
    return render(request, PAGE, _page(request, bot, Words(title, "", "", ""), [], found, hides=True))


def done(request: HttpRequest, bot: Bot, outcome: Done | Refused, words: str) -> HttpResponse:
    """Back to where it was asked for, with a word about it and a way to undo it."""
    if isinstance(outcome, Refused):
        return refused(request, bot, outcome)
    if outcome.change_set is None:
        messages.info(request, _("It already says this. Nothing was saved."))
    else:
        say_done(request, joined_words(outcome.joined) if outcome.joined else words, outcome.change_set)
    return back(request, otherwise(bot))


def otherwise(bot: Bot) -> str:
    """Where one is led who came from nowhere."""
    return reverse("memory:overview", args=[bot.slug])


def shown_or_done(
    request: HttpRequest,
    bot: Bot,
    meant: Sequence[FactRef],
    act: Act | None,
    words: Words,
    told: str,
    form: forms.Form | None = None,
    problem: str = "",
) -> HttpResponse:
    """The act is done if it is still what somebody was shown; else it is shown. `act` None: the form says why there is none."""
    if act and (print_of := request.POST.get("print", "")):
        outcome = acts.do(bot, by(request), act, print_of)
        if not isinstance(outcome, Refused):
            return done(request, bot, outcome, told)
        problem = translate(outcome.reason)
    found = facts.find(bot, meant)
    if isinstance(found, Refused):
        return refused(request, bot, found)
    foreseen = acts.foresee(bot, act) if act else None
    if isinstance(foreseen, Refused):
        problem, foreseen = problem or translate(foreseen.reason), None
    context = _page(request, bot, words, meant, found, form=form, problem=problem, foreseen=foreseen)
    if foreseen:
        context |= _outcome(bot, foreseen, request.POST)
    return render(request, PAGE, context)


def _page(
    request: HttpRequest, bot: Bot, words: Words, meant: Sequence[FactRef], found: Sequence[FoundFact], **more: object
) -> dict[str, object]:
    """What every page of an act shows: its question, how many facts it is about and some of them."""
    return {
        "bot": bot,
        "place": words.place,
        "words": words,
        "names": " ".join(fact_name(*one) for one in meant),
        "sample": [(one.fact.time, excerpt(one.fact.text)[0], title(bot, one.path)) for one in found[:SAMPLE]],
        "more": len(found) - SAMPLE,
        "next": ours(request.POST.get("next", "")) or otherwise(bot),
        **more,
    }


def _outcome(bot: Bot, foreseen: acts.ActPreview, asked: Mapping[str, str]) -> dict[str, object]:
    """What an act would do to documents."""
    return {
        "told": number_of("Changes %(count)s file", "Changes %(count)s files", len(foreseen.documents)),
        "reach": translate(foreseen.reach),
        "left_behind": [translate(one) for one in foreseen.left_behind[:SAMPLE]],
        "more_left_behind": len(foreseen.left_behind) - SAMPLE,
        **turned({one.path: partial(_sides, bot, one) for one in foreseen.documents}, asked, "act"),
    }


def _sides(bot: Bot, one: DocumentPreview) -> tuple[str, str]:
    return sides_as_text(open_bot(bot).dialect, one.path, one.before, one.after)
