"""Who did something, as it is said to one of the people: you, somebody's name, or the bot's."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.models import Bot

AUTHORS = {
    "outside": gettext_lazy("edited outside Kenoweb"),
    "looks like the bot": gettext_lazy("probably the bot"),
    "delivery": gettext_lazy("the bot, by webhook"),
    "schedule": gettext_lazy("schedule"),
    "command line": gettext_lazy("the command line"),
}
BY_THE_BOT = {"delivery", "looks like the bot"}
YOU = gettext_lazy("you")
BY_YOU = pgettext_lazy("after “by”", "you")


def person(user: AbstractUser) -> str:
    """What one of the people is called."""
    return user.get_full_name() or user.get_username()


def by_person(user: AbstractUser | None, reader: int | None, otherwise: str) -> str:
    """The same behind the word "by"; `otherwise` for somebody who is not there any more."""
    if user is None:
        return otherwise
    return str(BY_YOU) if user.pk == reader else person(user)


def author(name: str, user: int | None, reader: int | None, you: str | Promise = YOU) -> str:
    """Who did what rows note as done by `name`, and of a person by their key, without naming the bot; `you` is the reader."""
    return str(you) if user and user == reader else str(AUTHORS.get(name, name))


def who_did(bot: Bot, name: str, user: int | None, reader: int | None, you: str | Promise = YOU) -> str:
    """The same, of the bot by its name."""
    return bot.name if name in BY_THE_BOT else author(name, user, reader, you)
