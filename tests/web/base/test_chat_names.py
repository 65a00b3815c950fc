"""What chats are called, and how those of one name are told apart."""

from __future__ import annotations

import pytest

from memory.models import ChatName
from memory.web.base.chat_names import given_name, names_of


@pytest.fixture
def called(desk):
    def call(**names):
        ChatName.objects.bulk_create(
            ChatName(bot=desk.bot, scope=scope.replace("_", "-"), name=name) for scope, name in names.items()
        )
        return names_of(desk.bot, [scope.replace("_", "-") for scope in names])

    return call


@pytest.mark.parametrize(
    ("scopes", "shown"),
    [
        (["telegram-7"], ["Family"]),
        (["telegram-7", "telegram-8"], ["Family (7)", "Family (8)"]),
        (["telegram--1001234567890", "telegram--1001234567891"], ["Family (…7890)", "Family (…7891)"]),
        (["telegram--1001234567890", "telegram--2001234567890"], ["Family (1001234567890)", "Family (2001234567890)"]),
        (["telegram-7", "discord-7"], ["Family (telegram-7)", "Family (discord-7)"]),
        (["telegram-17", "telegram-7"], ["Family (17)", "Family (telegram-7)"]),
        (["x-", "y-"], ["Family (x-)", "Family (y-)"]),
    ],
)
def test_chats_called_alike_are_told_apart_by_the_shortest_end_of_their_id(called, scopes, shown):
    assert called(**dict.fromkeys(scopes, "Family"), other="Work") == {
        **dict(zip(scopes, shown, strict=True)),
        "other": "Work",
    }


def test_one_chat_is_told_apart_from_those_that_are_not_asked_for(called, desk, django_assert_num_queries):
    called(**dict.fromkeys(["telegram-7", "telegram-8"], "Family"))
    with django_assert_num_queries(1):
        assert names_of(desk.bot, ["telegram-7"]) == {"telegram-7": "Family (7)"}
    assert given_name(desk.bot, "telegram-7") == "Family"
    assert names_of(desk.bot, []) == {}
