"""What a prompt costs as sums: the parts of a bar, the documents, money; and where a budget ends in its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from django.utils.translation import gettext as _

from memory.bots import open_bot
from memory.bots.costs import Costs
from memory.domain.dialect import Dialect
from memory.domain.memory import Memory
from memory.domain.places import Kind
from memory.domain.prompt import NEARLY_FULL
from memory.models import Bot
from memory.prompts.build import Priced, PricedLine, PricedSection
from memory.prompts.unloaded import Unloaded, unloaded
from memory.text.storable import as_utf8, keepable
from memory.text.tokens.counters import Counter
from memory.web.base.addresses import addresses
from memory.web.base.fact_rows import cost
from memory.web.base.gauges import dollars, grouped, kilobytes, number_of
from memory.web.base.shown_text import isolated

NAMED = 20  # facts beyond a budget that are told by name
NAME = 120  # characters of one
BAR = 1000  # how long the bar is
GAP = 2
LOST = "lost"


@dataclass(frozen=True, slots=True)
class Cut:
    """A budget ends before line `at` of a prompt; what it is about goes on until line `until`. `named` are the first facts beyond
    it, `more` counts the others. `below`: the bot itself stops there, and line `at` is no longer of its document; `url` leads to
    where that can be shortened, and `lost` are the tokens that it never loads."""

    shape: ClassVar = "cut"
    at: int
    until: int
    words: str
    told: str
    named: Sequence[str] = ()
    more: int = 0
    below: bool = False
    path: str = ""
    url: str = ""
    lost: int = 0
    loaded: str = ""  # which lines it does load, where those are all up to one

    def hides(self, at: int) -> bool:
        """Whether a line is beyond it."""
        return self.at <= at < self.until


@dataclass(frozen=True, slots=True)
class DocumentShare:
    """What a document has in the prompt: tokens, and facts among its lines. `percent` is of the whole."""

    called: str
    url: str
    tokens: int
    percent: int
    facts: int


def total(bot: Bot, scope: str, priced: Priced, costs: Costs, ends: Iterable[Cut] = ()) -> dict[str, object]:
    """What a prompt costs; `ends` are the cuts through it. `words` is the sum against the budget, `level` how full that is ("",
    `amber`, `red`), `counted` by whom it was counted, `money` what it comes to, "" if nobody said what a token costs. `end` is
    where in the bar the budget ends, 0 if it suffices or there is none. `lost` are tokens of documents in it that the bot does not
    load."""
    words, level = _against(priced.tokens, costs.token_budget)
    lost = sum(end.lost for end in ends)
    whole = max(priced.tokens + lost, costs.token_budget) or 1
    return {
        "tokens": priced.tokens,
        "words": words,
        "level": level,
        "counted": counted(priced.counter),
        "money": _money(priced.tokens, costs),
        "end": costs.token_budget * BAR // whole if 0 < costs.token_budget < priced.tokens else 0,
        "lost": lost,
        "shares": _shares(open_bot(bot).dialect, priced, lost, whole),
        "documents": _documents(bot, scope, priced),
    }


def counted(counter: Counter) -> str:
    """Who counted, and how well: an estimate names its mean error."""
    if counter.exact:
        return _("exact count for %(models)s") % {"models": counter.family.called}
    known = {"models": counter.family.called, "percent": counter.family.error}
    return _("estimate for %(models)s, ±%(percent)s%%") % known


def stops(bot: Bot, priced: Priced, memory: Memory) -> list[Cut]:
    """Where the bot stops reading a document of this memory."""
    return [_unloaded(bot, priced, one) for one in unloaded(priced, memory)]


def cuts(bot: Bot, priced: Priced, budget: int) -> list[Cut]:
    """Where the budget of tokens ends, and where long-term memory is longer than the bot reads well; in order."""
    lines = list(priced.lines)
    limit = open_bot(bot).limit
    found = [None if limit is None or limit.cuts else _long_term(lines, open_bot(bot).long_term, limit.size)]
    if budget and priced.tokens > budget:
        found.append(_tokens(lines, budget, as_utf8(bot.name)))
    return sorted((cut for cut in found if cut is not None), key=lambda cut: cut.at)


def _tokens(lines: Sequence[PricedLine], budget: int, bot: str) -> Cut:
    at = next(at for at, end in enumerate(accumulate(line.tokens for line in lines)) if end > budget)
    words = number_of(
        "Your budget of %(count)s token ends here. %(bot)s still reads on.",
        "Your budget of %(count)s tokens ends here. %(bot)s still reads on.",
        budget,
        bot=bot,
    )
    return _cut(lines, at, len(lines), words)


def _long_term(lines: Sequence[PricedLine], path: str, most: int) -> Cut | None:
    mine = [at for at, line in enumerate(lines) if line.path == path]
    ends = accumulate(len(lines[at].text.encode("utf-8", "replace")) for at in mine)
    at = next((at for at, end in zip(mine, ends, strict=True) if end > most), None)
    return None if at is None else _cut(lines, at, mine[-1] + 1, _("The recommended 10 KB end here."))


def _cut(lines: Sequence[PricedLine], at: int, until: int, words: str) -> Cut:
    beyond = lines[at:until]
    facts = [line.fact.text for line in beyond if line.fact]
    tokens = sum(line.tokens for line in beyond)
    said = number_of(
        "%(count)s fact is over budget, %(tokens)s. The bot still reads it.",
        "%(count)s facts are over budget, %(tokens)s. The bot still reads them.",
        len(facts),
        tokens=cost(tokens),
    )
    names = [_name(text) for text in facts[:NAMED]]
    return Cut(at, until, words, said, names, max(0, len(facts) - NAMED))


def _unloaded(bot: Bot, priced: Priced, one: Unloaded) -> Cut:
    name = {"bot": as_utf8(bot.name)}
    words = _("%(bot)s stops reading here") if one.is_end else _("%(bot)s skips some lines here")
    lines = [line for line in one.text.splitlines() if line.strip()]
    count = one.last - one.line + 1
    lost = priced.counter.count(one.text)
    return Cut(
        at=one.at,
        until=one.at,
        words=words % name,
        told=_never(bot, one, count, lost),
        named=[_name(line) for line in lines[:NAMED]],
        more=max(0, count - NAMED),
        below=True,
        path=keepable(one.path),
        url=addresses("document", bot)(one.path),
        lost=lost,
        loaded=_loaded(one),
    )


def _never(bot: Bot, one: Unloaded, count: int, lost: int) -> str:
    """How many lines it never loads, and why not, where that is known."""
    file = isolated(keepable(one.path))
    limit = open_bot(bot).limit if one.is_end and one.path == open_bot(bot).long_term else None
    if limit is None or not limit.cuts:
        return number_of(
            "%(count)s line of %(file)s is not loaded, %(tokens)s.",
            "%(count)s lines of %(file)s are not loaded, %(tokens)s.",
            count,
            file=file,
            tokens=cost(lost),
        )
    return number_of(
        "%(limit)s is the most it loads of this file. %(count)s line below never reaches it: %(tokens)s tokens.",
        "%(limit)s is the most it loads of this file. %(count)s lines below never reach it: %(tokens)s tokens.",
        count,
        limit=kilobytes(limit.size),
        tokens=grouped(lost),
    )


def _loaded(one: Unloaded) -> str:
    """Which lines of a document it loads, where those are all up to one."""
    if not one.is_end or one.line < 2:
        return ""
    return _("Lines %(first)s to %(last)s of %(all)s") % {
        "first": "1",
        "last": grouped(one.line - 1),
        "all": grouped(one.last),
    }


def _name(text: str) -> str:
    flat = " ".join(keepable(text).split())
    return flat if len(flat) <= NAME else flat[: NAME - 1] + "…"


def _against(tokens: int, budget: int) -> tuple[str, str]:
    if not budget:
        return cost(tokens), ""
    words = number_of("%(tokens)s of %(count)s token", "%(tokens)s of %(count)s tokens", budget, tokens=grouped(tokens))
    level = "red" if tokens > budget else "amber" if tokens * 100 >= budget * NEARLY_FULL else ""
    return words, level


def _money(tokens: int, costs: Costs) -> str:
    if not costs.token_price:
        return ""
    return _("about $%(cost)s a message") % {"cost": dollars(costs.dollars(tokens))}


def tone(dialect: Dialect, section: PricedSection) -> str:
    """How a part is drawn: as its tier, or "" for instructions, be they the bot's own words or a file that says what it is."""
    path = next((line.path for line in section.lines if line.path), "")
    place = dialect.describe(path) if path else None
    return "" if place and place.kind is Kind.IDENTITY else section.tier or ""


def _shares(dialect: Dialect, priced: Priced, lost: int, whole: int) -> list[dict[str, object]]:
    """The parts of a bar: the bot's fixed words as one, then every headed part, within the budget if there is one; last what is
    not loaded."""
    sections = list(zip(priced.sections, starts(priced), strict=False))
    own = [(each.tokens, start) for each, start in sections if each.tier is None]
    fixed = sum(tokens for tokens, _start in own)
    parts = [(_("Instructions"), "", fixed, f"part-{own[0][1]}")] if fixed else []
    for each, start in sections:
        if each.tier is not None:
            parts.append((each.heading, tone(dialect, each), each.tokens, f"part-{start}" if each.lines[1:] else ""))
    parts += [(_("Not loaded"), LOST, lost, "cut")] if lost else []
    return list(_laid(parts, whole))


def starts(priced: Priced) -> Iterator[int]:
    """At which of a prompt's lines each of its parts begins."""
    return accumulate((len(section.lines) for section in priced.sections), initial=0)


def _laid(parts: Iterable[tuple[str, str, int, str]], whole: int) -> Iterable[dict[str, object]]:
    """The parts of the whole as pieces of a bar, which is BAR long; each with the id of where it stands on the page, if it does."""
    at = 0
    for name, tier, tokens, stands in parts:
        x, at = at * BAR // whole, at + tokens
        end = at * BAR // whole
        yield {
            "name": name,
            "tier": tier,
            "tokens": tokens,
            "stands": stands,
            "x": x,
            "width": max(end - x - (GAP if end < BAR else 0), 1),
        }


def own_directory(bot: Bot, scope: str) -> str:
    """What the paths of a chat's notes begin with, which a page about that chat leaves out; "" for the bot's own."""
    directory = open_bot(bot).dialect.directory(scope) if scope else ""
    return f"{directory}/" if directory else ""


def _documents(bot: Bot, scope: str, priced: Priced) -> list[DocumentShare]:
    """The documents, those that cost most first, and last the bot's own words."""
    own, url_of = own_directory(bot, scope), addresses("document", bot)
    facts: dict[str, int] = {}
    for line in priced.lines:
        facts[line.path] = facts.get(line.path, 0) + (line.fact is not None)
    whole = priced.tokens or 1
    found = sorted(priced.documents.items(), key=lambda each: -each[1])
    documents = [
        DocumentShare(keepable(path.removeprefix(own)), url_of(path), tokens, round(tokens * 100 / whole), facts[path])
        for path, tokens in found
    ]
    return [*documents, DocumentShare("", "", priced.own_words, round(priced.own_words * 100 / whole), 0)]
