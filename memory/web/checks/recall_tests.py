"""The page of recall tests: questions that must find their facts, and how a new one is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db.models import Count, F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe

from memory import search
from memory.bots import open_bot
from memory.checks import recall_tests
from memory.domain.outcomes import Refused
from memory.models import Bot, RecallTest
from memory.text.storable import keepable
from memory.web.base.chat_names import scope_meant
from memory.web.base.fact_rows import fact_ref
from memory.web.base.forms import RecallTestForm
from memory.web.base.gauges import grouped, number_of
from memory.web.base.responses import back, post_only
from memory.web.base.translation import translate
from memory.web.checks.recall_test_rows import lines
from memory.web.search.results import HitRow, shown_hits

AT_ONCE = 50
OFFERED = 10  # facts to choose from for a new test


@dataclass(frozen=True, slots=True)
class New:
    """A test that is being made: its question, who asks it, and the facts to choose from. `problem` says why there are none."""

    question: str
    chat: str  # as typed
    scope: str
    words: str  # other words to find the fact by, "" for the question's
    hits: Sequence[HitRow]
    problem: str = ""


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    tests = (
        RecallTest.objects.filter(bot=bot).select_related("since").order_by(F("broken").desc(nulls_last=True), "-id")
    )
    numbers = RecallTest.objects.filter(bot=bot).aggregate(all=Count("id"), broken=Count("broken"))
    shown: Page[RecallTest] = Paginator(tests, AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "place": "recall_tests",
        "page": shown,
        "lines": lines(bot, list(shown.object_list)),
        "told": _told(numbers["all"], numbers["broken"]),
        "new": _new(request, bot),
        "form": RecallTestForm(),
    }
    return render(request, "memory/checks/recall_tests.html", context)


@post_only
def add(request: HttpRequest, bot: Bot) -> HttpResponse:
    form = RecallTestForm(request.POST)
    meant = fact_ref(request.POST.get("one") or request.POST.get("fact", ""))
    if meant is None or not form.is_valid():
        messages.error(request, _("Choose a question and a fact. No test was added."))
        return back(request, _here(bot))
    user = request.user if isinstance(request.user, User) else None
    rules = form.rules()
    made = recall_tests.add(bot, form.cleaned_data["question"], meant, user, chat=form.cleaned_data["chat"], **rules)
    if isinstance(made, Refused):
        messages.error(request, translate(made.reason))
    elif made.broken:
        messages.warning(request, _("Test added. It fails now: the fact isn’t found well enough."))
    else:
        messages.success(request, _("Test added: “%(question)s” must find this fact.") % {"question": made.question})
    return back(request, _here(bot))


@post_only
def remove(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    one = get_object_or_404(RecallTest, bot=bot, pk=pk)
    recall_tests.remove(bot, [one.pk])
    messages.info(request, _("“%(question)s” is no longer a recall test.") % {"question": one.question})
    return back(request, _here(bot))


@post_only
def follow(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    if recall_tests.follow(bot, get_object_or_404(RecallTest, bot=bot, pk=pk)):
        messages.success(request, _("The test now follows its fact."))
    else:
        messages.info(request, _("The fact no longer exists or already has this test. Nothing was changed."))
    return back(request, _here(bot))


def _here(bot: Bot) -> str:
    return reverse("memory:recall_tests", args=[bot.slug])


def _told(number: int, broken: int) -> str:
    if not number:
        return _("Check that questions still find the right fact")
    if not broken:
        return number_of("%(count)s recall test, passing", "%(count)s recall tests, all passing", number)
    if number == 1:
        return _("The question doesn’t find its fact.")
    words = ngettext(
        "%(broken)s of %(count)s recall test fails",
        "%(broken)s of %(count)s recall tests fail",
        broken,
    )
    return words % {"broken": grouped(broken), "count": grouped(number)}


def _new(request: HttpRequest, bot: Bot) -> New:
    question, chat, words = (_typed(request, name) for name in ("question", "chat", "words"))
    scope, problem = scope_meant(bot, chat)
    if problem or not question:
        return New(question, chat, "", words, (), problem)
    results = search.search(bot, words or question, now=open_bot(bot).now(), chat=scope or None, limit=OFFERED)
    found, _names = shown_hits(bot, results.hits)
    nothing = "" if found else _("No results. Try other words for the fact.")
    return New(question, chat, scope, words, found, nothing)


def _typed(request: HttpRequest, name: str) -> str:
    return keepable(request.GET.get(name, ""))[: recall_tests.LONGEST].strip()
