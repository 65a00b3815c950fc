"""Which addresses the pages bench asks: every one that the site answers to, each round with other arguments.

The list of pages is the urlconf's; here stand only arguments. A page whose arguments nobody wrote down is named by the bench.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.parts import history, tree

STEP = 37  # from round to round another chat and day, far from the last one


@dataclass(frozen=True, slots=True)
class Made:
    """What there is to ask for."""

    slug: str
    sizes: tree.Sizes
    names: Mapping[str, int | str]  # what only the database knows: keys, tokens

    def chat(self, number: int) -> str:
        return tree.chat(2 + number * STEP % max(1, self.sizes.chats - 2)) if self.sizes.chats > 2 else tree.chat(0)

    def day(self, number: int) -> str:
        return tree.day(number * STEP % self.sizes.days)


@dataclass(frozen=True, slots=True)
class Ask:
    """One way to ask a page: what stands in its address, and its query. Both get what was made and the number of the round."""

    label: str = ""
    words: Callable[[Made, int], dict[str, Any]] = lambda made, number: {}
    query: Callable[[Made, int], str] = lambda made, number: ""


def at(path: str) -> Callable[[Made, int], dict[str, Any]]:
    return lambda made, number: {"path": path}


def by(name: str) -> Callable[[Made, int], dict[str, Any]]:
    return lambda made, number: {"pk": made.names[name]}


def said(query: str) -> Callable[[Made, int], str]:
    return lambda made, number: query


def of_the_autobot(**more: str) -> Callable[[Made, int], dict[str, Any]]:
    """What stands in the address of a page of the Autobot beside the KenoBot."""
    return lambda made, number: {"slug": made.names["autobot"], **more}


def by_days(query: str) -> Callable[[Made, int], str]:
    """Also from one day of its history until another, some months later."""
    return lambda made, number: f"?q={query}&from={history.day(STEP * number)}&until={history.day(STEP * number + 800)}"


HISTORY = Ask("of 1.5 MB", of_the_autobot(path=history.HISTORY))
DOCUMENTS = (
    Ask("MEMORY.md", at("MEMORY.md")),
    Ask("a log", lambda made, number: {"path": f"{made.day(number)}.md"}),
    # Its text can be edited as a whole, so the page is as large as the file; the tab of facts has the same in pages.
    Ask("a log of 342 KB", lambda made, number: {"path": f"{tree.busy_day()}.md"}),
    Ask("a chat's notes", at(f"chats/{tree.BUSY_CHAT}/MEMORY.md")),
)
OF_A_BUSY_CHAT = Ask("busy", lambda made, number: {"scope": tree.BUSY_CHAT})
ASKS: dict[str, tuple[Ask, ...]] = {
    "memory:document": (
        *DOCUMENTS,
        Ask("a scratchpad", at(f"working/{tree.BUSY_CHAT}.md")),
        Ask("not there", at("chats/telegram-0/context.md")),
        HISTORY,
        Ask("of 1.5 MB, the last part", HISTORY.words, said("?part=99")),
    ),
    "memory:facts": (
        *DOCUMENTS,
        Ask("page 20", DOCUMENTS[2].words, said("?page=20")),
        HISTORY,
        Ask("of 1.5 MB, page 20", HISTORY.words, said("?page=20")),
    ),
    "memory:entries": (
        HISTORY,
        Ask("of 1.5 MB, page 20", HISTORY.words, said("?page=20")),
        Ask("of 1.5 MB, a word", HISTORY.words, said("?q=no.+77")),
    ),
    "memory:history_log": (
        HISTORY,
        Ask("of 1.5 MB, a word and days", HISTORY.words, by_days("garden")),
        Ask("of 1.5 MB, a word with lines around", HISTORY.words, said("?q=garden&around=20")),
        Ask("of 1.5 MB, nothing found", HISTORY.words, said("?q=zzqzz")),
    ),
    "memory:consolidation": (Ask(words=of_the_autobot()),),
    "memory:permissions": (Ask(words=of_the_autobot()),),
    "memory:document_history": DOCUMENTS,
    "memory:documents": (Ask(), Ask("search", query=said("?q=MEMORY"))),
    "memory:days": (
        Ask(),
        Ask("page 30", query=said("?page=30")),
        Ask("a month", query=lambda made, number: f"?month={made.day(number)[:7]}"),
    ),
    "memory:day": (
        Ask("any"),
        Ask("of 2,500 entries", lambda made, number: {"day": tree.busy_day()}),
        Ask("of 2,500 entries, page 20", lambda made, number: {"day": tree.busy_day()}, said("?page=20")),
        Ask("search", lambda made, number: {"day": tree.busy_day()}, said("?q=garden")),
    ),
    "memory:chats": (
        Ask(),
        Ask("last page", query=lambda made, number: f"?page={max(1, made.sizes.chats // 50)}"),
        Ask("search", query=said("?q=gram-1")),
        Ask("search by name", query=said("?q=family")),
    ),
    "memory:chat": (Ask(), OF_A_BUSY_CHAT),
    "memory:transcript": (OF_A_BUSY_CHAT, Ask("none"), Ask("of an Autobot", of_the_autobot(scope=history.CHAT))),
    "memory:reads": (OF_A_BUSY_CHAT,),
    "memory:prompt": (
        Ask(),
        Ask("of a chat", query=said(f"?chat={tree.BUSY_CHAT}")),
        Ask("of a chat, page 2", query=said(f"?chat={tree.BUSY_CHAT}&page=2")),
        Ask("of a chat, by cost", query=said(f"?chat={tree.BUSY_CHAT}&by=cost")),
    ),
    "memory:prompt_chats": (Ask("typed", query=said("?chat=telegram")),),
    "memory:go": (
        Ask(),
        Ask("chats", query=said("?q=telegram")),
        Ask("a day", query=lambda made, number: f"?q={made.day(number)}"),
        Ask("one letter", query=said("?q=m")),
        Ask("nothing", query=said("?q=zzqzz")),
    ),
    "memory:search": (
        Ask("nothing typed"),
        Ask("a word", query=said("?q=garden")),
        Ask("three words", query=said("?q=garden+on+friday")),
        Ask("page 10", query=said("?q=garden&page=10")),
        Ask("of a chat", query=said(f"?q=garden+chat%3A{tree.BUSY_CHAT}")),
        Ask("nothing found", query=said("?q=zzqzz")),
    ),
    "memory:near": (Ask("a word", query=said("?q=gard")), Ask("nothing typed")),
    "memory:numbers": (Ask(), Ask("a year", query=said("?span=year")), Ask("ten years", query=said("?span=all"))),
    "memory:history": (Ask(), Ask("page 2", query=said("?page=2"))),
    "memory:change_set": (Ask("an edit", by("edit")), Ask("the first look", by("found"))),
    "memory:compaction": (
        Ask(),
        Ask("the plan itself", query=said("?plan=1")),
        Ask("of a chat", query=said(f"?scope=chat:{tree.BUSY_CHAT}")),
        Ask("of a chat, the plan itself", query=said(f"?scope=chat:{tree.BUSY_CHAT}&plan=1")),
    ),
    "memory:run": (Ask("a compaction", by("run")),),
    "memory:jobs": (Ask(), Ask("to decide", query=said("?state=planned"))),
    "memory:job": (Ask("2,000 proposals", by("job")), Ask("2,000 proposals, page 20", by("job"), said("?page=20"))),
    "memory:job_progress": (Ask("over", by("job")),),
    "memory:fact": (Ask("a fact", query=lambda made, number: f"?fact={made.names['fact']}"),),
    "memory:import": (Ask("dry run", lambda made, number: {"token": made.names["token"]}),),
    "memory:delivery": (Ask("one", by("delivery")),),
    "person": (Ask("one", by("person")),),
    "feed": (Ask("one's own", lambda made, number: {"token": made.names["feed"]}),),
}
# Django's own pages, and those that a KenoBot has not, beside those of the other families.
NOT_ASKED = ("admin:", "memory:entries_prune", "memory:entry_new", "memory:entry_details")


def addresses(made: Made, rounds: int) -> list[dict[str, Any]]:
    """`name`, `label` and `urls`, one for each round, of every page. `known` is False where arguments stand nowhere: then the
    address only tells whether it is a page at all."""
    from django.urls import NoReverseMatch, get_resolver

    from memory.bots import families

    theirs = {f"memory:{pattern.name}" for pattern in families.urlpatterns()} - ASKS.keys()
    pages: list[dict[str, Any]] = []
    for name, words in patterns(get_resolver("kenoweb.urls")):
        if name.startswith(NOT_ASKED) or name in theirs:
            continue
        for ask in ASKS.get(name, (Ask(),)):
            page = {"name": name, "label": ask.label, "known": True}
            try:
                urls = [address(name, words, ask, made, number) for number in range(rounds)]
            except (KeyError, NoReverseMatch):
                page["known"], urls = False, [guessed(name, words, made)]
            pages.append({**page, "urls": urls})
    return pages


def patterns(resolver: Any, spaces: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """(name, names of its arguments) of every address; one without a name is another's twin."""
    from django.urls import URLResolver

    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from patterns(one, f"{spaces}{one.namespace}:" if one.namespace else spaces)
        elif one.name:
            yield f"{spaces}{one.name}", tuple(one.pattern.converters)


def address(name: str, words: tuple[str, ...], ask: Ask, made: Made, number: int) -> str:
    """Raises KeyError for an argument that nobody wrote down."""
    from django.urls import reverse

    usual = {"slug": made.slug, "path": "MEMORY.md", "scope": made.chat(number), "day": made.day(number)}
    given = {**usual, **ask.words(made, number)}
    return reverse(name, kwargs={word: given[word] for word in words}) + ask.query(made, number)


def guessed(name: str, words: tuple[str, ...], made: Made) -> str:
    """An address with 1 for every argument that nobody wrote down."""
    from django.urls import reverse

    usual = {"slug": made.slug, "path": "MEMORY.md", "scope": made.chat(0), "day": made.day(0)}
    return reverse(name, kwargs={word: usual.get(word, "1") for word in words})
