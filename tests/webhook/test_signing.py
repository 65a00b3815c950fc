"""Secrets made, replaced and revoked, seen from the bot's end of the line."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from memory.access import credentials, encryption
from memory.models import Delivery, WebhookSecret
from memory.webhook import webhook_secrets
from tests.webhook.conftest import SECRET


def test_new_secret_is_taken_in_both_forms(sender):
    made = webhook_secrets.make(sender.bot, "Keno")
    key = base64.b64decode(made.text.removeprefix("whsec_"))
    assert len(key) == 32
    assert replace(sender, secret=made.text).turn("one").status_code == 200
    assert sender.standard(b'{"message": "two", "response": "ok"}', key=key).status_code == 200
    assert set(Delivery.objects.values_list("secret", flat=True)) == {made.row.pk}


def test_secrets_are_sealed_and_never_the_same(sender):
    one, two = webhook_secrets.make(sender.bot, "One"), webhook_secrets.make(sender.bot, "Two")
    assert one.text != two.text
    assert one.text.encode() not in bytes(one.row.sealed)


def test_live_name_is_not_given_twice(sender):
    first = webhook_secrets.make(sender.bot, "Keno")
    assert webhook_secrets.make(sender.bot, "Keno") == credentials.Taken("Keno")
    credentials.revoke(first.row)
    assert isinstance(webhook_secrets.make(sender.bot, "Keno"), credentials.Made)


def test_both_are_live_until_the_old_one_is_revoked(sender):
    old = WebhookSecret.objects.get()
    made = webhook_secrets.replace(sender.bot, old)
    fresh = replace(sender, secret=made.text)
    assert [sender.turn("a").status_code, fresh.turn("b").status_code] == [200, 200]
    credentials.revoke(old)
    assert [sender.turn("c").status_code, fresh.turn("d").status_code] == [401, 200]


def test_secret_is_replaced_once(sender):
    old = WebhookSecret.objects.get()
    made = webhook_secrets.replace(sender.bot, old)
    assert webhook_secrets.replace(sender.bot, old) == credentials.Taken(made.row.name)


@pytest.mark.parametrize(
    ("name", "then"),
    [
        ("Keno", "Keno 2"),
        ("Keno 2", "Keno 3"),
        ("Keno 99", "Keno 100"),
        ("", "2"),
        ("7", "7 2"),
        ("x" * 80, "x" * 78 + " 2"),
    ],
)
def test_successor_is_numbered(name, then):
    assert webhook_secrets.successor(name) == then


@pytest.fixture
def environment(sender, settings):
    """A bot that has only the environment's secret."""
    WebhookSecret.objects.all().delete()
    settings.WEBHOOK_SECRET = SECRET
    sender.bot.from_environment = True
    sender.bot.save()
    return sender


def test_environment_secret_ends_with_the_first_one_made(environment):
    assert environment.turn("a").status_code == 200
    webhook_secrets.make(environment.bot, "Keno")
    assert environment.turn("b").status_code == 401


def test_replaced_environment_secret_stays_live(environment):
    made = webhook_secrets.replace(environment.bot, None)
    fresh = replace(environment, secret=made.text)
    assert [environment.turn("a").status_code, fresh.turn("b").status_code] == [200, 200]
    assert webhook_secrets.replace(environment.bot, None) == credentials.Taken("WEBHOOK_SECRET 2")
    credentials.revoke(WebhookSecret.objects.get(name="WEBHOOK_SECRET"))
    assert [environment.turn("c").status_code, fresh.turn("d").status_code] == [401, 200]


def test_last_use_is_of_that_secret(sender):
    old = WebhookSecret.objects.get()
    other = webhook_secrets.make(sender.bot, "Other").row
    sender.turn("a")
    assert webhook_secrets.last_used(sender.bot, old) == Delivery.objects.get().received
    assert webhook_secrets.last_used(sender.bot, other) is None
    Delivery.objects.update(trial=True)
    assert webhook_secrets.last_used(sender.bot, old) is None


def test_secret_that_no_key_opens_is_told_from_a_readable_one(sender, kenoweb_home):
    secret = WebhookSecret.objects.get()
    assert webhook_secrets.is_readable(secret)
    encryption.seal(b"x")
    (kenoweb_home / "seal_key").rename(kenoweb_home / "another")
    encryption.seal(b"x")
    assert not webhook_secrets.is_readable(secret)
