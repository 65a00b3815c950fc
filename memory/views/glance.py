"""A bot at a glance: its tiers, its days, what needs a look, what happened lately."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from statistics import median

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone

from memory import bots
from memory.bots import stale_before as stale_before
from memory.dialects.base import Kind, Tier
from memory.models import Bot, ChangeSet, Document, RefusedCalls
from memory.templatetags.desk import address
from memory.text.ages import age
from memory.views.measure import Gauge, count, kilobytes, long_term_gauge
from memory.views.record import Entry, entries

WEEKS = 26
CELL, GAP, LEFT, TOP = 20, 4, 30, 16
LATELY = 6


@dataclass(frozen=True, slots=True)
class Card:
    """One tier: its name, a figure in large, a gauge and a sentence."""

    tier: str
    name: str
    aside: str
    figure: str
    gauge: Gauge
    url: str


@dataclass(frozen=True, slots=True)
class Day:
    """One square of the calendar. `level` 0 to 4; `url` "" where there is nothing to open."""

    day: str
    facts: int
    level: int
    x: int
    y: int
    url: str
    today: bool

    @property
    def words(self) -> str:
        return f"{self.day}: {count(self.facts, 'entry', 'entries')}"


@dataclass(frozen=True, slots=True)
class Days:
    """The calendar, as drawn and as told."""

    cells: Sequence[Day]
    months: Sequence[tuple[int, str]]
    width: int
    height: int
    span: str
    sentence: str

    @property
    def filled(self) -> list[Day]:
        return [cell for cell in reversed(self.cells) if cell.facts]


@dataclass(frozen=True, slots=True)
class Need:
    """Something that wants looking at: a sentence, a word for its kind, where to go ("": nowhere)."""

    words: str
    chip: str
    level: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Glance:
    """Everything on the overview."""

    lead: str
    cards: Sequence[Card]
    days: Days
    needs: Sequence[Need]
    lately: Sequence[Entry]
    has_memory: bool


def glance(bot: Bot) -> Glance:
    """The overview of a bot, from its rows."""
    documents = Document.objects.filter(bot=bot)
    facts, number, last = documents.aggregate(f=Sum("facts_count"), n=Count("id"), m=Max("mtime_ns")).values()
    written = f" Last written {ago(last)}." if last else ""
    lead = f"{count(facts or 0, 'fact')} in {count(number, 'document')}.{written}"
    sets = ChangeSet.objects.filter(bot=bot).exclude(kind=ChangeSet.Kind.FOUND)[:LATELY]
    cards = [_global(bot, documents), _chats(bot, documents), _working(bot, documents)]
    return Glance(lead, cards, _days(bot, documents), _needs(bot, documents), entries(list(sets), bot), bool(number))


def ago(mtime_ns: int) -> str:
    """How long ago a file was written, in words."""
    return age(timezone.now(), datetime.fromtimestamp(mtime_ns / 1e9, UTC))


def _global(bot: Bot, documents: QuerySet[Document]) -> Card:
    url = reverse("memory:memory", args=[bot.slug])
    row = documents.filter(kind=Kind.LONG_TERM, tier=Tier.GLOBAL).first()
    if row is None:
        return Card("global", "Global", "MEMORY.md", "Empty", Gauge(0, "There is no MEMORY.md yet."), url)
    gauge = long_term_gauge(row.size)
    cost = f" {count(row.tokens, 'token')} by estimate; changed {ago(row.mtime_ns)}."
    return Card("global", "Global", row.path, kilobytes(row.size), replace(gauge, words=gauge.words + cost), url)


def _chats(bot: Bot, documents: QuerySet[Document]) -> Card:
    url = reverse("memory:documents", args=[bot.slug]) + "#chats"
    rows = documents.filter(tier=Tier.CHAT).exclude(kind=Kind.TRANSCRIPT)
    scopes = rows.order_by().values("scope").distinct().count()
    notes = rows.aggregate(n=Sum("facts_count"))["n"] or 0
    last = rows.order_by("-mtime_ns").first()
    if last is None:
        words = "No chat has notes of its own yet. The bot makes them when a reply says so."
        return Card("chat", "Chats", "no chats", "No notes", Gauge(0, words), url)
    old = rows.filter(kind=Kind.DAILY, day__lt=_cutoff(bot)).order_by().values("scope").distinct().count()
    days = bots.settings(bot).memory_retention_days
    words = f"Last: {last.scope}, {ago(last.mtime_ns)}. {count(old, 'chat')} with notes older than {days} days."
    total = rows.filter(kind=Kind.DAILY).count()
    recent = rows.filter(kind=Kind.DAILY, day__gte=_cutoff(bot)).count()
    return Card("chat", "Chats", count(scopes, "chat"), count(notes, "note"), Gauge(_share(recent, total), words), url)


def _working(bot: Bot, documents: QuerySet[Document]) -> Card:
    url = reverse("memory:documents", args=[bot.slug]) + "#working"
    rows = documents.filter(tier=Tier.WORKING)
    number, stale = rows.count(), rows.filter(mtime_ns__lt=stale_before(bot)).count()
    days = bots.settings(bot).working_memory_stale_days
    if not number:
        words = "No session keeps a scratchpad now. The bot makes one when a reply says so."
        return Card("working", "Working", "no sessions", "None", Gauge(0, words), url)
    fate = "The bot ignores them; nothing deletes them." if stale else "The bot reads all of them."
    words = f"Stale means older than {days} days. {fate}"
    figure = f"{number - stale} fresh, {stale} stale"
    return Card(
        "working", "Working", count(number, "session"), figure, Gauge(_share(number - stale, number), words), url
    )


def _share(part: int, whole: int) -> int:
    return round(part * 100 / whole) if whole else 0


def _cutoff(bot: Bot) -> str:
    """Daily logs of days before this one are old."""
    today = date.fromisoformat(bots.today(bot))
    return (today - timedelta(days=bots.settings(bot).memory_retention_days)).isoformat()


def _days(bot: Bot, documents: QuerySet[Document]) -> Days:
    today = date.fromisoformat(bots.today(bot))
    start = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    rows = documents.filter(kind=Kind.DAILY, day__gte=start.isoformat(), day__lte=today.isoformat())
    found = rows.order_by().values("day").annotate(n=Sum("facts_count"))
    facts: dict[str, int] = dict(found.values_list("day", "n"))
    own = dict(rows.filter(tier=Tier.GLOBAL).values_list("day", "path"))
    most = max(facts.values(), default=0)
    cells, months = [], []
    for offset in range((today - start).days + 1):
        day = start + timedelta(days=offset)
        week, number = divmod(offset, 7)
        name = day.isoformat()
        here = facts.get(name, 0)
        url = address("facts", bot, own[name]) if name in own else _day_url(bot, name) if here else ""
        level = -(-here * 4 // most) if here else 0
        x, y = LEFT + week * CELL, TOP + number * CELL
        cells.append(Day(name, here, level, x, y, url, day == today))
        if day.day == 1 and week < WEEKS - 1:
            months.append((x, day.strftime("%b")))
    span = f"{start.strftime('%B')} to {today.strftime('%B')}"
    width, height = LEFT + WEEKS * CELL, TOP + 7 * CELL
    return Days(cells, months, width, height, span, _told(facts, today))


def _day_url(bot: Bot, day: str) -> str:
    return f"{reverse('memory:documents', args=[bot.slug])}?day={day}"


def _told(facts: dict[str, int], today: date) -> str:
    busy = [number for number in facts.values() if number]
    if not busy:
        return "No entries in the last half year. The bot writes one when a reply says something is worth remembering."
    yesterday = facts.get((today - timedelta(days=1)).isoformat(), 0)
    return f"{count(len(busy), 'day')} with entries, {median(busy):g} a day at the median. Yesterday: {yesterday}."


def _needs(bot: Bot, documents: QuerySet[Document]) -> list[Need]:
    needs: list[Need] = []
    listing = reverse("memory:documents", args=[bot.slug])
    settings = bots.settings(bot)
    if bot.trouble:
        needs.append(Need(bot.trouble, "files", "bad"))
    broken = documents.exclude(error="").count()
    if broken:
        needs.append(Need(f"{count(broken, 'file')} cannot be read", "unreadable", "bad", f"{listing}#unreadable"))
    size = documents.filter(kind=Kind.LONG_TERM, tier=Tier.GLOBAL).values_list("size", flat=True).first() or 0
    if (gauge := long_term_gauge(size)).level:
        words = f"MEMORY.md is at {gauge.percent} % of 10 KB"
        needs.append(
            Need(words, "size", "bad" if gauge.level == "red" else "warn", reverse("memory:memory", args=[bot.slug]))
        )
    old = documents.filter(kind=Kind.DAILY, tier=Tier.GLOBAL, day__lt=_cutoff(bot)).count()
    if old:
        words = (
            f"{count(old, 'daily log')} {'is' if old == 1 else 'are'} older than {settings.memory_retention_days} days"
        )
        needs.append(Need(words, "compaction due", "warn", reverse("memory:compaction", args=[bot.slug])))
    stale = documents.filter(tier=Tier.WORKING, mtime_ns__lt=stale_before(bot)).count()
    if stale:
        words = f"Working memory of {count(stale, 'session')} is stale"
        needs.append(Need(words, "working", "", f"{listing}#working"))
    odd = documents.filter(kind=Kind.DAILY).filter(_no_day()).count()
    if odd:
        needs.append(Need(f"{count(odd, 'log')} named after a day that does not exist", "files", "", listing))
    if bots.stray_memory(bot) is not None:
        words = "An older data/memory still lies beside the memory in use. The bot does not read it, and it is not shown here."
        needs.append(Need(words, "left behind", "warn"))
    if rules := bots.dialect(bot).warnings(settings):
        words = f"This bot's version has {count(len(rules), 'rule')} of its own that you should know"
        needs.append(Need(words, "its own rules", "warn", reverse("memory:settings", args=[bot.slug])))
    return needs + _refusals()


def _no_day() -> Q:
    """Days that no calendar has; the months and days that a name can say but a year cannot hold."""
    return ~Q(day__regex=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")


def _refusals() -> list[Need]:
    since = timezone.now() - timedelta(days=1)
    refused = RefusedCalls.objects.filter(minute__gte=since).values("reason").annotate(n=Sum("count")).order_by("-n")
    return [
        Need(f"{count(row['n'], 'delivery', 'deliveries')} refused since yesterday: {row['reason']}", "webhook", "")
        for row in refused[:3]
    ]
