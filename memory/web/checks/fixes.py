"""What ends a finding, by a button: the difference is shown first, and only that is done."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from memory.checks import facts_alone, findings, leaks, mending
from memory.curation import facts as fact_edits, moving
from memory.domain.fact_ref import FactRef
from memory.domain.outcomes import Refused
from memory.models import Bot, Finding
from memory.text.claims.due import resolve_day
from memory.text.personal import remove_personal_data
from memory.text.secrets import REMOVED, remove_secrets
from memory.text.sentences import say
from memory.text.storable import keepable
from memory.web.base.differences import turned
from memory.web.base.gauges import number_of
from memory.web.base.responses import back, by, ours, post_only
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.checks.answers import NO_COPIES, copies
from memory.web.checks.finding_rows import facts_of, mends
from memory.web.checks.tidy import here
from memory.web.documents.many import PAGE, Words, shown_or_done


@post_only
def redact(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """The secret of a finding goes from its file; what the fact says around it stays."""
    finding = get_object_or_404(bot.findings, pk=pk)
    fact = facts_of(bot, [finding]).get(FactRef.of(finding))
    is_personal = finding.rule == facts_alone.PERSONAL
    without = (
        remove_personal_data(fact.text, REMOVED) if fact and is_personal else remove_secrets(fact.text) if fact else ""
    )
    path = keepable(finding.path)
    why = (
        say("Replaced personal data in %(path)s", path=path)
        if is_personal
        else say("Replaced an exposed secret in %(path)s", path=path)
    )
    act = partial(fact_edits.plan_edit, bot, FactRef.of(finding), without, why)
    words = Words(
        _("Replace with [removed]"),
        _("Replace with [removed]"),
        _("History still holds it; an operator can purge it there."),
        reverse("memory:finding_redact", args=[bot.slug, pk]),
        "tidy",
    )
    return shown_or_done(request, bot, [FactRef.of(finding)], act, words, _("Replaced with [removed]"))


@post_only
def move(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """The fact of a finding goes to the chat whose it is."""
    finding = get_object_or_404(bot.findings, pk=pk)
    scope = _whose(bot, finding)
    if not scope:
        messages.error(request, _("It isn’t clear any more whose this is. Nothing was changed."))
        return back(request, here(bot))
    act = partial(moving.plan_move, bot, [FactRef.of(finding)], moving.target(bot, moving.To.CHAT, scope))
    words = Words(
        _("Move to the chat’s own memory"), _("Move"), "", reverse("memory:finding_move", args=[bot.slug, pk]), "tidy"
    )
    return shown_or_done(request, bot, [FactRef.of(finding)], act, words, _("Moved to the chat’s own memory"))


@post_only
def date(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """The day itself is written where a fact says `tomorrow`."""
    wanted = FactRef.of(finding := get_object_or_404(bot.findings, pk=pk))
    fact = facts_of(bot, [finding]).get(wanted)
    text, _day = resolve_day(fact.text) if fact else ("", "")
    if not text:
        messages.error(request, translate(mending.CHANGED))
        return back(request, here(bot))
    act = partial(fact_edits.plan_edit, bot, wanted, text)
    words = Words(
        _("Write the date"), _("Write the date"), "", reverse("memory:finding_date", args=[bot.slug, pk]), "tidy"
    )
    return shown_or_done(request, bot, [wanted], act, words, _("Wrote the date"))


@post_only
def mend(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    """What is wrong with a document is ended, as one change."""
    finding = get_object_or_404(bot.findings, pk=pk)
    if not mending.can_mend(finding):
        raise Http404("This finding has no change that ends it.")
    problem = ""
    if print_of := request.POST.get("print", ""):
        done = mending.mend(bot, finding, by(request), print_of)
        if not isinstance(done, Refused):
            say_done(request, translate(done.why), done)
            findings.ended(bot, finding)
            return back(request, here(bot))
        problem = translate(done.reason)
    foreseen = mending.foresee(bot, finding)
    if isinstance(foreseen, Refused):
        messages.error(request, translate(foreseen.reason))
        return back(request, here(bot))
    verb = mends(finding)
    context = {
        "bot": bot,
        "place": "tidy",
        "words": Words(verb, verb, translate(foreseen.told), reverse("memory:finding_mend", args=[bot.slug, pk])),
        "sample": [("", finding.path, "")],
        "problem": problem,
        "foreseen": foreseen,
        **turned({path: partial(_pair, old, new) for path, old, new in foreseen.documents}, request.POST, "act"),
        "next": ours(request.POST.get("next", "")) or here(bot),
    }
    return render(request, PAGE, context)


@post_only
def keep_each(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Of all that is said twice or nearly so, one stays, and its copies are forgotten, as one change."""
    goes = copies(bot)
    if not goes:
        messages.error(request, translate(NO_COPIES))
        return back(request, here(bot))
    words = Words(
        _("Keep one of each"),
        number_of("Forget %(count)s fact", "Forget %(count)s facts", len(goes)),
        "",
        reverse("memory:finding_keep_each", args=[bot.slug]),
        "tidy",
    )
    told = number_of("Kept one of each, forgot %(count)s fact", "Kept one of each, forgot %(count)s facts", len(goes))
    return shown_or_done(request, bot, goes, partial(fact_edits.plan_forget, bot, goes), words, told)


def _pair(old: str, new: str) -> tuple[str, str]:
    return old, new


def _whose(bot: Bot, finding: Finding) -> str:
    """The chat whose fact this is."""
    subject = facts_of(bot, [finding]).get(FactRef.of(finding))
    if subject is None:
        return ""
    return leaks.whose(bot, [subject], leaks.others(bot, [subject])).get(subject.pk, "")
