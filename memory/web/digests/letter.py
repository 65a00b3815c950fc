"""A notice in the words of its reader: plain text, counts alone unless they want facts too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.urls import reverse
from django.utils import translation
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from memory.digests.outcomes import Letter
from memory.models import Alarm, Bot, Notice, Proposal, RecallTest, Revision, Subscription
from memory.text.secrets import mask
from memory.text.storable import as_utf8
from memory.web.base.dates import day as day_words
from memory.web.base.doomed_words import only_here, will_delete
from memory.web.base.gauges import dollars, number_of
from memory.web.base.translation import translate
from memory.web.digests import contents
from memory.web.digests.contents import Numbers
from memory.web.overview.learned import lines_between

QUOTED = 160  # characters of a fact
BLANK = ""


class Words:
    """What the post asks for words: numbers of bots, and notices in the language of their readers."""

    counts = staticmethod(contents.counts)

    @staticmethod
    def letter(subscription: Subscription, notice: Notice) -> Letter:
        """A notice as a message."""
        with translation.override(subscription.language):
            subject, lines = written(subscription, notice)
            lines += [BLANK, _("You chose this under Notifications in Kenoweb.")]
            return Letter(subject, "\n".join(lines))

    @staticmethod
    def trial(subscription: Subscription) -> Letter:
        """A message that only says that it arrives."""
        with translation.override(subscription.language):
            text = _("This is a test message from Kenoweb. Notifications arrive here.")
            return Letter(_("Kenoweb: test message"), text)


def written(subscription: Subscription, notice: Notice) -> tuple[str, list[str]]:
    """The headline of a notice and its lines, in the active language, without secrets."""
    subject, lines = _of_digest(subscription, notice) if notice.alarm is None else _of_alarm(subscription, notice.alarm)
    return mask(subject), [*map(mask, lines)]


def _of_digest(subscription: Subscription, notice: Notice) -> tuple[str, list[str]]:
    numbers = [Numbers(**one) for one in notice.counts]
    lines = [period(notice)]
    for one in numbers:
        lines += [BLANK, *_of_bot(subscription, notice, one)]
    return _subject(", ".join(_headline(numbers)) or _("nothing new")), lines


def period(notice: Notice) -> str:
    """The days of a digest."""
    if notice.since is None or notice.until is None:
        return ""
    last = notice.until - timedelta(days=1)
    if last == notice.since:
        return day_words(last)
    return _("%(first)s to %(last)s") % {"first": day_words(notice.since), "last": day_words(last)}


def _subject(what: str) -> str:
    return " ".join((_("Kenoweb: %(what)s") % {"what": what}).split())


def _headline(numbers: Iterable[Numbers]) -> Iterator[str]:
    found = list(numbers)
    if learned := sum(one.learned for one in found):
        yield _learned(learned)
    if held := sum(one.held for one in found):
        yield _held(held)
    if review := sum(one.review for one in found):
        yield _review(review)
    if doomed := sum(one.doomed for one in found):
        yield number_of("%(count)s log about to be deleted", "%(count)s logs about to be deleted", doomed)


def _learned(number: int) -> str:
    return number_of("%(count)s fact learned", "%(count)s facts learned", number)


def _held(number: int) -> str:
    return number_of("%(count)s fact waits for your yes", "%(count)s facts wait for your yes", number)


def _review(number: int) -> str:
    return number_of("%(count)s thing to review", "%(count)s things to review", number)


def _of_bot(subscription: Subscription, notice: Notice, one: Numbers) -> Iterator[str]:
    yield as_utf8(one.name)
    if one.learned:
        yield f"- {_learned(one.learned)}"
        yield from _facts(subscription, notice, one)
    if one.held:
        yield f"- {_held(one.held)}"
    if one.review:
        yield f"- {_review(one.review)}"
    if one.doomed:
        words = will_delete(as_utf8(one.name), one.doomed)
        yield f"- {words}: {only_here(one.doomed, one.doomed_facts)}"
    if one.tokens:
        yield f"- {_cost(one)}"
    yield from _link(subscription, reverse("memory:overview", args=[one.slug]))


def _cost(one: Numbers) -> str:
    if one.micros:
        return _("Language model: $%(cost)s") % {"cost": dollars(one.micros / 1_000_000)}
    return number_of("Language model: %(count)s token", "Language model: %(count)s tokens", one.tokens)


def _facts(subscription: Subscription, notice: Notice, one: Numbers) -> Iterator[str]:
    """The newest facts of a digest, as they read now: one that was forgotten or purged since is not in it."""
    bot = Bot.present.filter(slug=one.slug).first() if subscription.facts else None
    if bot is None or notice.since is None or notice.until is None:
        return
    for _day, lines in lines_between(bot, notice.since, notice.until):
        for line in lines:
            text = f"{line.title}: {line.text}" if line.title and line.text else line.title or line.text
            yield f"  · {as_utf8(Truncator(mask(text)).chars(QUOTED))}"


def _link(subscription: Subscription, path: str) -> Iterator[str]:
    if subscription.desk:
        yield subscription.desk.rstrip("/") + path


def _of_alarm(subscription: Subscription, alarm: Alarm) -> tuple[str, list[str]]:
    bot = alarm.bot
    words, more, page = _what(bot, alarm)
    lines = [words % {"bot": as_utf8(bot.name)}]
    if more and subscription.facts:
        lines.append(as_utf8(more))
    return _subject(lines[0]), [*lines, *_link(subscription, reverse(f"memory:{page}", args=[bot.slug]))]


def _what(bot: Bot, alarm: Alarm) -> tuple[str, str, str]:
    """What an alarm says to anybody, what it says besides where texts may be in it, and the page that it leads to."""
    if alarm.kind == Alarm.Kind.FILES:
        return _("%(bot)s: the files are missing or can’t be read"), translate(bot.trouble), "overview"
    if alarm.kind == Alarm.Kind.RECALL:
        test = RecallTest.objects.filter(bot=bot, pk=alarm.about).first()
        return _("%(bot)s: a recall test fails"), test.question if test else "", "recall_tests"
    if alarm.kind == Alarm.Kind.HELD:
        row = Proposal.objects.filter(bot=bot, pk=int(alarm.about)).first()
        words = _("%(bot)s wants to remove much of a file; it is held for review")
        if row and row.newer.get("by"):
            words = _("%(bot)s: a program wants to remove much of a file; it is held for review")
        return words, row.path if row else "", "tidy"
    edited = Revision.objects.filter(bot=bot, change_set=int(alarm.about)).values_list("path", flat=True)
    words = _("%(bot)s: much of a file was removed outside Kenoweb")
    return words, ", ".join(edited[:3]), "history"
