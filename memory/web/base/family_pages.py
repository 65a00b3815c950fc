"""The pages that only bots of one family have, in the places of every bot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.urls import reverse

from memory.bots import families
from memory.models import Bot
from memory.web.base.frame import Door, Link, Page


def with_its_own(doors: Iterable[Door], bot: Bot, current: str) -> list[Door]:
    """The places of a bot with what its family adds behind each."""
    places = families.get(bot.dialect).places
    return [
        replace(door, links=(*door.links, *(_link(bot, *page, current) for page in places.get(door.place.name, ()))))
        for door in doors
    ]


def _link(bot: Bot, name: str, words: str, current: str) -> Link:
    return Link(Page(name, words), reverse(f"memory:{name}", args=[bot.slug]), name == current)
