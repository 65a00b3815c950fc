"""The palette: everything that one can go to or do, found by a few letters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_safe

from memory import llm
from memory.access.permissions import Visitor, may_operate, visible_bots
from memory.bots import open_bot
from memory.domain.places import Kind
from memory.models import Bot
from memory.text.storable import keepable
from memory.text.words.fuzzy import best_matches
from memory.web.base.counts import has_days
from memory.web.base.frame import PLACES, closed_pages, dialect_label, pages
from memory.web.base.gauges import grouped, number_of
from memory.web.base.responses import answer
from memory.web.overview.attention import last_to_review
from memory.web.search import suggestions
from memory.web.search.filters import asked
from memory.web.search.suggestions import Suggestion

LONGEST = 200  # characters that are looked for
SHOWN = 20
BOTS = 6  # other bots among them


@dataclass(frozen=True, slots=True)
class Act:
    """Something to do: the address it leads or (`posts`) is sent to, of this bot or (`of_site`) of none. `also` are words that
    people may look for it by."""

    label: str | Promise
    name: str
    keys: str = ""
    fragment: str = ""
    posts: bool = False
    field: str = ""
    value: str = ""
    of_site: bool = False
    for_operators: bool = False
    for_model: bool = False  # only where a language model is set up
    also: str | Promise = ""
    keeps: Kind | None = None  # only for a family that keeps documents of this kind
    of_page: str = ""  # only for a bot that has this page, where that is not the one of its address

    def url(self, bot: Bot) -> str:
        """Where it goes."""
        return reverse(self.name, args=[] if self.of_site else [bot.slug]) + self.fragment


ACTS = (
    Act(later("Add a fact to today"), "memory:days", fragment="#id_text", keeps=Kind.DAILY),
    Act(later("Edit memory"), "memory:memory", "g m"),
    Act(later("Find and replace"), "memory:replace", also=later("rename, change everywhere")),
    Act(later("Plan compaction"), "memory:compaction", "g k"),
    Act(
        later("Compact with the language model"),
        "memory:compaction",
        fragment="?by=meaning",
        for_model=True,
        also=later("merge, consolidate"),
    ),
    Act(
        later("Review suggestions"),
        "memory:tidy",
        fragment="?show=jobs&state=planned",
        of_page="jobs",
        also=later("accept, skip"),
    ),
    Act(later("Undo your last change"), "memory:undo_last", "u", posts=True),
    Act(later("Discard stale working memory"), "memory:working_discard", posts=True, keeps=Kind.WORKING),
    Act(later("Check the files again"), "memory:step", posts=True),
    Act(later("Send a test delivery"), "memory:webhook_try", for_operators=True),
    Act(later("Webhook secrets"), "memory:webhook_secrets", also=later("secret, signature")),
    Act(later("Export or import this memory"), "memory:export"),
    Act(later("Add a bot"), "bot_add", of_site=True, for_operators=True),
    Act(later("People"), "people", of_site=True, for_operators=True, also=later("invite, users, login link")),
    Act(later("Account"), "account", of_site=True, also=later("language, theme, sessions, your name")),
    Act(later("Password"), "password", of_site=True),
    Act(later("Keyboard shortcuts"), "memory:keys", "?", of_site=True),
    Act(later("Light theme"), "memory:theme", posts=True, field="theme", value="light", of_site=True),
    Act(later("Dark theme"), "memory:theme", posts=True, field="theme", value="dark", of_site=True),
    Act(later("System theme"), "memory:theme", posts=True, field="theme", value="system", of_site=True),
)
_PLACES = {page.name: place.label for place in PLACES for page in place.pages}
ALSO_CALLED = {
    "api": later("key, token, program"),
    "jobs": later("tasks, worker"),
    "settings": later("time zone, limits"),
    "settings_costs": later("price, budget, limit"),
    "history": later("versions, undo"),
}


@require_safe
def go(request: HttpRequest, bot: Bot) -> HttpResponse:
    typed = " ".join(keepable(request.GET.get("q", ""))[:LONGEST].split())
    hits = _grouped(found(bot, request.user, typed, visible_bots(request)))
    told = number_of("%(count)s result", "%(count)s results", len(hits))
    facts_url = reverse("memory:search", args=[bot.slug]) + asked(typed) if typed else ""
    context = {"bot": bot, "typed": typed, "hits": hits, "told": told, "facts_url": facts_url}
    return answer(request, "memory/search/palette.html", "options", context)


def found(bot: Bot, user: Visitor, typed: str, bots: Sequence[Bot]) -> list[Suggestion]:
    """What was meant, best first; with nothing typed, what one would choose from. Other bots come before what this one has. Few
    statements, however large the memory."""
    closed = closed_pages(bot.dialect, has_chats=True, has_days=has_days(bot))
    rooms, acts = list(_rooms(bot, user, closed)), list(_acts(bot, user, closed))
    days, chats, documents = (
        suggestions.days(bot, typed),
        suggestions.chats(bot, typed),
        suggestions.documents(bot, typed),
    )
    others = [_of_bot(other) for other in bots if other.pk != bot.pk]
    if not typed:
        return [*others[:BOTS], *rooms, *acts, *chats, *days]
    named = best_matches(typed, others, _called, BOTS)
    own = best_matches(typed, [*rooms, *acts, *documents, *chats], _called, SHOWN)
    return [*named, *days, *own][:SHOWN]


def _grouped(hits: Sequence[Suggestion]) -> list[Suggestion]:
    """What is alike behind each other, the group of the best one first."""
    order = list(dict.fromkeys(hit.group for hit in hits))
    return sorted(hits, key=lambda hit: order.index(hit.group))


def _called(hit: Suggestion) -> tuple[str, ...]:
    return (hit.label, *hit.names)


def _of_bot(bot: Bot) -> Suggestion:
    label, review = dialect_label(bot), last_to_review(bot).number
    notes = [label if label != bot.name else "", f"{grouped(review)} {_('to review')}" if review else ""]
    url = reverse("memory:overview", args=[bot.slug])
    return Suggestion(bot.name, " · ".join(filter(None, notes)), url, names=(bot.slug,), group=_("Bots"))


def _rooms(bot: Bot, user: Visitor, closed: Collection[str]) -> Iterator[Suggestion]:
    for shown, url in pages(bot.slug, operates=may_operate(user)):
        if shown.name in closed:
            continue
        names, place = (str(ALSO_CALLED.get(shown.name, "")),), str(_PLACES.get(shown.name, shown.label))
        note = place if place != str(shown.label) else ""
        keys = f"g {shown.letter}" if shown.letter else ""
        yield Suggestion(str(shown.label), note, url, keys, names=names, group=_("Places"))


def _acts(bot: Bot, user: Visitor, closed: Collection[str]) -> Iterator[Suggestion]:
    has_model = llm.server() is not None
    for act in ACTS:
        if (act.of_page or act.name.removeprefix("memory:")) in closed or (
            act.keeps and not open_bot(bot).keeps(act.keeps)
        ):
            continue
        if (may_operate(user) or not act.for_operators) and (has_model or not act.for_model):
            made = Suggestion(str(act.label), "", act.url(bot), act.keys, act.posts, act.field, act.value)
            yield replace(made, names=(str(act.also),), group=_("Actions"))
