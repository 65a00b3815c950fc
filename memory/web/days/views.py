"""The days of a bot: a calendar and a list, one day with all its entries, an entry more for it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dates import MONTHS_3
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory import index
from memory.bots import open_bot
from memory.curation import documents, facts as fact_edits
from memory.curation.acts import Done
from memory.domain.places import Kind, Tier
from memory.models import Bot, Day, Document
from memory.prompts.still_read import still_read
from memory.text.sentences import say
from memory.text.storable import keepable
from memory.text.words.days import date_of
from memory.web.base.calendar import TOLD, fact_count, known_days, level, list_days, month_name, month_of, name_of
from memory.web.base.chat_names import latest
from memory.web.base.counts import has_days
from memory.web.base.dates import day as day_words
from memory.web.base.fact_rows import asked_for, asked_whole, cost, has_folded
from memory.web.base.forms import FactForm
from memory.web.base.gauges import grouped, number_of
from memory.web.base.markdown import Laid
from memory.web.base.responses import back, by, closed_by, post_only
from memory.web.base.shown_secrets import asked_again
from memory.web.base.toasts import say_done
from memory.web.base.translation import translate
from memory.web.days.day_rows import HOURS, DayFilters, DayPage, day_page
from memory.web.days.weeks import drawn
from memory.web.documents.editor_state import preview

DAYS_AT_ONCE = 50
CHIPS = 20  # of those who have a log of the day; the others are chosen from a list
FILES = 20
TEXTS = 5  # that are shown of a day without facts
LONGEST_QUERY = 200
NO_DAYS = say("This bot doesn’t keep daily logs, so there are no days to show.")
_ROW = re.compile("[0-9]{1,18}")


def _no_days(bot: Bot) -> str:
    if bot.walked is None:
        index.refresh(bot)
    return "" if has_days(bot) else NO_DAYS


with_days = closed_by(_no_days)


@require_safe
@with_days
def days(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _days(request, bot)


@require_safe
@with_days
def today(request: HttpRequest, bot: Bot) -> HttpResponse:
    return redirect("memory:day", bot.slug, open_bot(bot).today())


@require_safe
@with_days
def day(request: HttpRequest, bot: Bot, day: str) -> HttpResponse:
    return _day(request, bot, day)


def _day(request: HttpRequest, bot: Bot, day: str, refused: FactForm | None = None) -> HttpResponse:
    asked = _asked(request)
    shown = _open(bot, day, asked, request.user.pk)
    context = {"bot": bot, "place": "days", "when": day, "open": shown, "read": _is_read(bot, day)}
    form = refused or FactForm(bot=bot, day=day, initial={"chat": asked.scope or ""})
    if form.day:
        context |= _adding(bot, form)
    return render(request, "memory/days/day.html", context, status=422 if refused else 200)


def _is_read(bot: Bot, day: str) -> str:
    """Whether the bot still loads its own log of a day, for people; "" where it has none, or that cannot be told."""
    logs = Document.objects.filter(bot=bot, kind=Kind.DAILY, tier=Tier.GLOBAL, day=day)
    paths = set(logs.values_list("path", flat=True)[:FILES])
    read = still_read(bot) if paths else None
    if read is None:
        return ""
    words = _("%(bot)s still reads this day.") if paths & read else _("%(bot)s no longer reads this day.")
    return words % {"bot": bot.name}


@post_only
@with_days
@asked_again
def add(request: HttpRequest, bot: Bot) -> HttpResponse:
    form = FactForm(request.POST, bot=bot, day=keepable(request.POST.get("day", "")))
    if form.is_valid():
        now = form.moment
        path = open_bot(bot).dialect.path(Kind.DAILY, form.cleaned_data.get("chat", ""), now.date().isoformat())
        outcome = fact_edits.add(bot, path or "", form.cleaned_data["text"], by(request), now)
        if isinstance(outcome, Done):
            earlier = day_words(form.day) if form.day and form.is_earlier else ""
            words = _("Added to %(day)s") % {"day": earlier} if earlier else _("Added to today")
            say_done(request, words, outcome.change_set)
            return back(request, reverse("memory:day", args=[bot.slug, now.date().isoformat()]))
        form.add_error(None, translate(outcome.reason))
    return _day(request, bot, form.day.isoformat(), form) if form.day else _days(request, bot, form)


def _days(request: HttpRequest, bot: Bot, refused: FactForm | None = None) -> HttpResponse:
    there = known_days(bot)
    apart = there.impossible
    every = Day.objects.filter(bot=bot).order_by("-day")
    real = every.exclude(day__in=apart) if apart else every
    page = Paginator(real.values_list(*TOLD), DAYS_AT_ONCE).get_page(request.GET.get("page"))
    today = open_bot(bot).today()
    charts = drawn(there, today)
    full = real if there.lacks_facts else real.filter(facts__gt=0)
    month = month_of(real, full, request.GET.get("month", ""), today)
    context = {
        "bot": bot,
        "place": "days",
        "when": month["value"],
        "month": month,
        "charts": charts,
        "years": _years_of(there.months, [one.name for one in charts]),
        "facts": "" if there.lacks_facts else fact_count(sum(there.months.values())),
        "page": page,
        "listed": list_days(page),
        "apart": list_days(every.filter(day__in=apart).values_list(*TOLD)) if apart else (),
        **_adding(bot, refused or FactForm(bot=bot)),
    }
    return render(request, "memory/days/days.html", context, status=422 if refused else 200)


def _adding(bot: Bot, form: FactForm) -> dict[str, object]:
    """What the form for an entry needs: itself and the latest chats; nothing for a family that keeps no logs."""
    if open_bot(bot).dialect.path(Kind.DAILY, "", open_bot(bot).today()) is None:
        return {}
    return {"form": form, "chats": latest(bot)}


def _asked(request: HttpRequest) -> DayFilters:
    """What the address asks for; what it says wrongly is left out."""
    values = {name: keepable(str(value)) for name, value in request.GET.items()}
    run = values.get("run", "")
    return DayFilters(
        query=values.get("q", "").strip()[:LONGEST_QUERY],
        scope=values.get("scope"),
        hour=next((hour for hour in HOURS if values.get("hour", "") in (hour, str(int(hour)))), ""),
        run=int(run) if _ROW.fullmatch(run) else 0,
        whole=asked_whole(request),
        page=values.get("page", "1"),
        at=asked_for(request),
    )


def _open(bot: Bot, day: str, asked: DayFilters, reader: int | None) -> dict[str, object]:
    """The page of one day. `whose` are the first as chips, `others` the rest to choose from, `left` how many more there are;
    `month` is its name, "" for a day that no calendar has; `texts`, by path, is what its logs say where that is no facts, and
    `lacks_facts`: all days of the bot do. `listed`: how many facts the rows of all pages stand for, where some are folded, else 0.
    Addresses ask for the entries of `everyone`, of `all_hours`, for those that hold whatever (`unsearched`), for repeats and hours
    as one row again (`folded`) and for every entry in a row of its own, open (`unfolded`), "" where they are so already."""
    today, there = open_bot(bot).today(), date_of(day)
    shown = day_page(bot, day, asked, reader)
    whose = _whose(shown, asked)
    lacks_facts = known_days(bot).lacks_facts
    full = Day.objects.filter(bot=bot) if lacks_facts else Day.objects.filter(bot=bot, facts__gt=0)
    others = full.values_list("day", flat=True)
    hour, histories = int(asked.hour or 0), shown.histories if shown.happened else ()
    return {
        "day": day,
        "name": name_of(day),
        "shown": shown,
        "asked": asked,
        "told": _told(shown, asked),
        "before": _beside(others.filter(day__lt=day).order_by("-day").first()),
        "after": _beside(others.filter(day__gt=day).order_by("day").first()),
        "whose": whose[:CHIPS],
        "others": whose[CHIPS:],
        "left": len({log.scope for log in shown.all_logs}) - len(whose),
        "is_today": day == today,
        "is_to_come": there is not None and day > today,
        "month": month_name(day[:7]) if there else "",
        "stretch": _("%(from)s to %(until)s") % {"from": f"{hour:02}:00", "until": f"{hour + 1:02}:00"},
        "texts": () if asked.query or shown.entries else _texts(bot, shown.logs[:TEXTS]),
        "lacks_facts": lacks_facts,
        "listed": 0 if asked.query or asked.hour else shown.entries,
        "everyone": asked.address(scope=None, open=None),
        "all_hours": asked.address(hour=None),
        "unsearched": asked.address(q=None),
        "folded": asked.address(open=None, page=shown.page.number) if asked.whole or asked.run else "",
        "unfolded": asked.address(open=1) if has_folded(shown.rows) and not asked.whole else "",
        "number_of_files": len(shown.logs) + len(histories),
        "files": [*shown.logs[:FILES], *histories],  # not too many logs, and the histories that tell of this day
    }


def _told(shown: DayPage, asked: DayFilters) -> str:
    """What there is of a day, in a sentence: 18 entries in the bot's own log and 4 chats, 1,240 tokens; "" without any."""
    if shown.hits is not None:
        found = {"hits": grouped(shown.hits), "entries": fact_count(shown.entries), "query": asked.query}
        return _("%(hits)s of %(entries)s contain “%(query)s”") % found
    if not shown.entries:
        return ""
    where = _where([*shown.logs, *(shown.histories if shown.happened else ())])
    words = {"entries": fact_count(shown.entries), "where": where, "tokens": cost(shown.tokens)}
    return (_("%(entries)s %(where)s, %(tokens)s") if where else _("%(entries)s, %(tokens)s")) % words


def _texts(bot: Bot, logs: Sequence[Document]) -> list[tuple[str, Laid]]:
    """What these logs say, as it reads."""
    texts = [(log.path, documents.open_document(bot, log.path).text) for log in logs]
    return [(path, preview(bot, path, text)) for path, text in texts if text.strip()]


def _beside(day: str | None) -> dict[str, object] | None:
    """A day before or after another one, its name as short as can be."""
    return None if day is None else {"day": day, "name": day_words(day)}


def _where(logs: Sequence[Document]) -> str:
    """Where the facts of a day are, "" for the shared log alone."""
    chats = len({log.scope for log in logs if log.scope})
    if all(log.kind == Kind.HISTORY for log in logs):
        return _("in its history")
    if not chats and len(logs) > 1:
        return number_of("in %(count)s file", "in %(count)s files", len(logs))
    if not chats:
        return ""
    if chats == len(logs):
        return number_of("in %(count)s chat", "in %(count)s chats", chats)
    return number_of("in the shared log and %(count)s chat", "in the shared log and %(count)s chats", chats)


def _whose(shown: DayPage, asked: DayFilters) -> list[dict[str, object]]:
    """Whose entries may be asked for alone: a scope, what people call it, how many there are, and of a chip the address that
    asks."""
    own = _("shared")
    return [
        {
            "scope": scope,
            "name": shown.names.get(scope, scope) or own,
            "facts": facts,
            "url": asked.address(scope=scope, open=None) if number < CHIPS else "",
        }
        for number, (scope, facts) in enumerate(shown.scopes.items())
    ]


def _years_of(months: Mapping[str, int], drawn: Collection[str] = ()) -> dict[str, object] | None:
    """The years with facts, of the facts in each month (YYYY-MM), but those that are drawn by weeks; None where there are none."""
    names = sorted({month[:4] for month, facts in months.items() if facts}.difference(drawn), reverse=True)
    if not names:
        return None
    short = [str(MONTHS_3[number]) for number in range(1, 13)]
    rows = [_year(name, months, max(months.values())) for name in names]
    return {"rows": rows, "letters": [(name[0].upper(), name) for name in short]}


def _year(name: str, months: Mapping[str, int], most: int) -> dict[str, object]:
    """A year with its twelve months, each None without facts."""
    facts = {f"{name}-{number:02}": months.get(f"{name}-{number:02}", 0) for number in range(1, 13)}
    return {
        "name": name,
        "entries": fact_count(sum(facts.values())),
        "months": [_cell(value, some, most) for value, some in facts.items()],
    }


def _cell(value: str, facts: int, most: int) -> dict[str, object] | None:
    """A month; `level` 0 to 4 says how full it is beside the fullest one of all years."""
    if not facts:
        return None
    return {"value": value, "about": f"{month_name(value)}: {fact_count(facts)}", "level": level(facts, most)}
