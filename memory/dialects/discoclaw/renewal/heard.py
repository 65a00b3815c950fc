"""The turns of a conversation as deliveries tell them, since the bot keeps no transcripts; whether a summary is due."""

from __future__ import annotations

from django.db.models import QuerySet

from memory import index, jobs, journal, llm
from memory.bots import open_bot
from memory.dialects.discoclaw import commands, layout, rolling
from memory.dialects.discoclaw.exchange import Exchange
from memory.dialects.discoclaw.settings import Settings
from memory.models import Bot, ChatName, Delivery, Job

BY = journal.By("delivery")
NO_TURNS = ("observed", "command")  # what was stored of a delivery that the bot counts as no turn, or counted itself
SOMEBODY = "User"
_ANSWERED = 200


def deliveries(bot: Bot, chat: str) -> QuerySet[Delivery]:
    """What was taken in of a conversation, the newest first."""
    found = Delivery.objects.filter(bot=bot, session_id=chat, status=_ANSWERED, trial=False)
    return found.order_by("-received", "-id")


def newest(bot: Bot, chat: str, most: int) -> list[Delivery]:
    """The newest turns of a conversation, oldest first; a command is none."""
    is_later = open_bot(bot).settings.is_later
    some = deliveries(bot, chat)[: 2 * most]
    found = [one for one in some if commands.parse(message_of(one), is_later=is_later) is None]
    return found[:most][::-1]


def said(bot: Bot, turns: list[Delivery]) -> list[Exchange]:
    """These turns with who wrote by name, as far as somebody gave them one."""
    own = {user: layout.USER + user for one in turns if (user := user_of(one))}
    names = dict(ChatName.objects.filter(bot=bot, scope__in=own.values()).values_list("scope", "name"))
    called = {user: names.get(scope, user) for user, scope in own.items()}
    return [Exchange(called.get(user_of(one), SOMEBODY), message_of(one), reply_of(one)) for one in turns]


def message_of(delivery: Delivery) -> str:
    return str(delivery.body.get("message", ""))


def reply_of(delivery: Delivery) -> str:
    return str(delivery.answer.get("response", ""))


def user_of(delivery: Delivery) -> str:
    """Who wrote, by their id; "" if nobody says."""
    scope = layout.user_of(delivery.session_id, str(delivery.body.get("user_id") or ""))
    return scope.removeprefix(layout.USER)


def after_turn(bot: Bot, delivery: Delivery) -> None:
    """Have the summary renewed where one is due and nobody but Kenoweb counts this turn. Raises Unreadable."""
    settings: Settings = open_bot(bot).settings
    if not settings.summaries or delivery.trial or llm.server() is None or not _counts(delivery):
        return
    if is_due(bot, delivery.session_id, settings):
        params = {"chat": delivery.session_id}
        jobs.queue(bot, Job.Kind.SUMMARY, params, BY, name=f"chat {delivery.session_id}")


def is_due(bot: Bot, chat: str, settings: Settings) -> bool:
    """Whether there were as many turns as the bot counts between summaries, by its own counter where there is a summary; and as
    many since one was asked for in vain. While a suggestion waits, none is."""
    asked = Job.objects.filter(bot=bot, kind=Job.Kind.SUMMARY, params__chat=chat).order_by("-pk").first()
    if asked and (asked.is_open or asked.state == Job.State.PLANNED):
        return False
    since = _turns_since(bot, chat, asked, settings.summary_turns)
    data = index.BotMemory(bot).read(layout.rolling_path(chat))
    found = rolling.read_or_none(data, is_later=settings.is_later)
    turns = rolling.turns(found) if found and found["summary"] else since
    came_to_nothing = asked is not None and asked.state != Job.State.APPLIED
    return turns >= settings.summary_turns and (since >= settings.summary_turns or not came_to_nothing)


def _turns_since(bot: Bot, chat: str, asked: Job | None, most: int) -> int:
    """How many turns Kenoweb counted since then, at most so many."""
    found = deliveries(bot, chat).exclude(answer__stored__has_any_keys=NO_TURNS)
    return found.filter(**({"received__gt": asked.created} if asked else {}))[:most].count()


def _counts(delivery: Delivery) -> bool:
    return not set(NO_TURNS) & set(delivery.answer.get("stored", {}))
