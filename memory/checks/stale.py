"""Facts that are old and that nobody has used for long: in no prompt and in no search that went through Kenoweb.

Nothing is stale before uses have been recorded for as long as that: what nobody watched, nobody knows. What every message loads
is used with every message, and needs no record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from memory import index
from memory.bots import open_bot
from memory.checks.subjects import ABOUT, KEYS_AT_ONCE, Subject
from memory.curation import pins
from memory.domain.errors import VaultError
from memory.domain.places import Kind
from memory.index.attributes import unusual
from memory.models import Bot, Document, Fact, FactAttributes, RecallTest, Use, quick
from memory.text.ages import instant
from memory.text.markdown.stamps import leading_day
from memory.text.sentences import say

NAME = "stale"
KINDS = (Kind.LONG_TERM, Kind.TOPIC)  # logs are compacted by their age, whoever uses them
DAYS = 180  # so old is old, and so long is long
SCOPES = 100  # chats whose prompts are looked at, those with the most old facts
NO_WORDS = "?"  # a message that brings nothing back by its words: what is loaded for it is loaded for every one


def unknown(bot: Bot) -> str:
    """Why nobody can say yet which facts are stale, for people; "" if it can be said."""
    since = Bot.objects.values_list("uses_since", flat=True).get(pk=bot.pk)
    before = _long_ago(bot)
    if not since or not Use.objects.filter(bot=bot, day__gte=before).exists():
        return say(
            "Stale facts aren’t known yet: no prompt or search has gone through Kenoweb in %(days)s days.", days=DAYS
        )
    if since > before:
        return say(
            "Stale facts aren’t known yet: use has been recorded since %(day)s, and it takes %(days)s days.",
            day=since,
            days=DAYS,
        )
    return ""


def candidates(bot: Bot) -> list[Subject]:
    """Every fact that may be stale by where it stands; none before that can be known."""
    if unknown(bot):
        return []
    there = Fact.objects.filter(bot=bot, document__kind__in=KINDS).order_by()
    return [Subject(*about) for about in there.values_list(*ABOUT).iterator()]


def judge(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """Facts that are old, and that nothing has used for long: pk -> why."""
    idle = _idle(bot, looked_at)
    loaded = _Loaded(bot, [one.scope for one, _since in idle])
    return {one.pk: _why(since) for one, since in idle if not loaded.holds(one)}


def judge_again(bot: Bot, looked_at: Sequence[Subject]) -> dict[int, str]:
    """The same of facts that were stale earlier on this day. What the bot loads is not read anew with each change."""
    return {one.pk: _why(since) for one, since in _idle(bot, looked_at)}


def _idle(bot: Bot, looked_at: Sequence[Subject]) -> list[tuple[Subject, str]]:
    """Old facts that no record says are used and nobody keeps, and since when."""
    old = _old(bot, [one for one in looked_at if one.kind in KINDS])
    if not old or unknown(bot):
        return []
    before, last = _long_ago(bot), _last(bot, {one.key for one in old})
    used = {key for key, day in last.items() if day >= before}
    pinned = set(RecallTest.objects.filter(bot=bot).values_list("path", "key"))
    kept = pins.keys(bot)
    unread = unusual(bot, [one.pk for one in old])
    old = [one for one in old if one.key not in used | kept and (one.path, one.key) not in pinned]
    since = Bot.objects.values_list("uses_since", flat=True).get(pk=bot.pk)
    return [(one, last.get(one.key, since)) for one in old if one.pk not in unread]


def _why(since: str) -> str:
    return say("Not in any prompt or search that Kenoweb saw since %(day)s.", day=since)


def _long_ago(bot: Bot) -> str:
    return (open_bot(bot).now().date() - timedelta(days=DAYS)).isoformat()


def _old(bot: Bot, facts: Sequence[Subject]) -> list[Subject]:
    """Those that were written down long ago, as far as they or their documents tell."""
    before, days = _long_ago(bot), dict[int, str]()
    for part in quick.batches(facts, KEYS_AT_ONCE):
        some = FactAttributes.objects.filter(pk__in=[one.pk for one in part])
        days.update({pk: updated or made for pk, updated, made in some.values_list("pk", "updated", "created")})
    written = _written(bot, {one.path for one in facts})
    return [
        one
        for one in facts
        if (days.get(one.pk, "")[:10] or leading_day(one.text) or one.day or written.get(one.path, before)) < before
    ]


def _written(bot: Bot, paths: Iterable[str]) -> dict[str, str]:
    """On which day some documents were last written: nothing in one is newer."""
    found = dict[str, str]()
    for part in quick.batches(sorted(paths), KEYS_AT_ONCE):
        some = Document.objects.filter(bot=bot, path__in=part)
        for path, when in some.values_list("path", "mtime_ns"):
            found[path] = instant(when).date().isoformat()
    return found


def _last(bot: Bot, keys: Iterable[str]) -> dict[str, str]:
    """On which day facts that say these things were last used; those that never were are left out."""
    found = dict[str, str]()
    for part in quick.batches(sorted(keys), KEYS_AT_ONCE):
        some = Use.objects.filter(bot=bot, key__in=part)
        found.update(some.order_by("day").values_list("key", "day"))
    return found


@dataclass
class _Loaded:
    """What the bot loads for every message, in each of some chats. What cannot be read counts as loaded, and so does all of a chat
    beyond those that are looked at."""

    bot: Bot
    scopes: Sequence[str]
    facts: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    documents: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        memory = index.BotMemory(self.bot)
        for scope, _number in Counter(self.scopes).most_common(SCOPES):
            self._read(memory, scope)

    def _read(self, memory: index.BotMemory, scope: str) -> None:
        opened = open_bot(self.bot)
        try:
            prompt = opened.dialect.prompt(memory, scope or None, NO_WORDS, opened.now(), opened.settings)
        except VaultError:
            return
        lines = [line for section in prompt.sections for line in section.lines if line.path]
        self.facts[scope] = {(line.path, line.fact.key) for line in lines if line.fact}
        self.documents[scope] = {line.path for line in lines if not line.fact}

    def holds(self, one: Subject) -> bool:
        if one.scope not in self.facts:
            return True
        return (one.path, one.key) in self.facts[one.scope] or one.path in self.documents[one.scope]
