"""Every address that the site has, found through its urlconf, with odd arguments, fields and methods: whoever asks, and whatever
for, no page breaks, and strangers and plain users get no further than they may."""

from __future__ import annotations

import random
from itertools import product
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from memory import journal
from memory.domain.changes import Append
from memory.models import Bot, ChangeSet, Delivery, Root, WebhookSecret
from memory.webhook import webhook_secrets
from tests.support import amounts
from tests.support.amounts import first, times
from tests.web.conftest import make_bot
from tests.web.jobs.made_jobs import job, propose

pytestmark = pytest.mark.slow

LONG = "x" * 3000
ODD = [
    *("", "0", "-1", "1", "007", "9" * 30, "9" * 5000, "٣", "1e9", "NaN", "null", "[]", "{}", '{"a": 1}', "[" * 3000),
    *(
        "\0",
        "a\0b",
        "\r\n\r\n",
        "\u2028",
        "\u202e",
        "\ufffd",
        "\U0001f980",
        "<script>alert(1)</script>",
        "'\"`;--",
        "%",
        "_",
        "\\",
    ),
    *("..", "../../etc/passwd", "/etc/passwd", "~", "%2F..%2f", "%00", "%ff", "${x}", "{{ x }}", "%(name)s", "{0}"),
    *(
        "0000-00-00",
        "2026-02-30",
        "9999-12-31",
        "0001-01-01",
        "2026-13",
        "MEMORY.md",
        "daily/2026-11-20.md",
        "@sessions/x.jsonl",
    ),
    *(
        "//evil.test/x",
        "/\\evil.test",
        "/\t//evil.test",
        "javascript:alert(1)",
        "https://evil.test/",
        "on",
        "yes",
        "no",
        "all",
        "write",
    ),
    *(
        "chat:",
        "chat:x",
        "f" * 64,
        "f" * 32 + ":0:MEMORY.md",
        "f" * 32 + ":999999999:~00",
        "f" * 32 + ":0:~ff~0a",
        LONG,
    ),
]
FIELDS = (
    *(
        "q",
        "page",
        "before",
        "after",
        "month",
        "scope",
        "open",
        "only",
        "state",
        "kind",
        "fate",
        "day",
        "fact",
        "next",
        "path",
    ),
    *(
        "fresh",
        "stale",
        "seen",
        "whole",
        "outcome",
        "chat",
        "text",
        "base",
        "bases",
        "theirs",
        "act",
        "name",
        "time_zone",
    ),
    *(
        "username",
        "operator",
        "active",
        "session",
        "token",
        "secret",
        "message",
        "response",
        "retention_days",
        "keep_logs",
        "theme",
    ),
    *(
        "keys",
        "language",
        "slug",
        "dialect",
        "confirmed",
        "to",
        "heading",
        "matching",
        "print",
        "memory",
        "file",
        "vanished",
        "only",
        "memory_days",
        "side",
        "action",
        "number",
        "by",
        "all",
        "others",
    ),
)
SLUGS = ("keno", "Keno", "-", "_", "x" * 300)
PATHS = (
    *(
        "MEMORY.md",
        "2026-11-20.md",
        "chats/tg-1/2026-11-20.md",
        "none.md",
        "a%0Ab.md",
        "..%2F..%2Fetc%2Fpasswd",
        "%FF%FE.md",
    ),
    *(
        "%00",
        "MEMORY.md%00",
        "@sessions/x.jsonl",
        "@nowhere/x",
        "chats/%3Cscript%3E/MEMORY.md",
        "x" * 400 + ".md",
        "working/tg-1.md",
    ),
)
SCOPES = ("tg-1", ".", "..", "%00", "%0A", "%2F", "%22%3E%3Cscript%3E", "%FF", "x" * 300, "%E2%80%AE", "-", "~")
ARGUMENTS = {
    "slug": SLUGS,
    "path": PATHS,
    "scope": SCOPES,
    "day": ("2026-11-20", "0000-00-00", "2025-13-45", "9999-99-99", "9999-12-31", "0001-01-01"),
    "pk": ("1", "0", "9" * 30, "9" * 5000),
    "job": ("1", "0", "9" * 30, "9" * 5000, "x", "%00"),
    "change_set": ("1", "0", "9" * 30, "9" * 5000, "x", "%00"),
    "token": ("x", "x" * 24, "x" * 300, "..", "%00", "%0A"),
}
OPEN = ("login", "admin_login", "logout", "health", "robots", "favicon", "language", "webhook", "webhook_for", "feed")


def addresses(patterns=None, before="/"):
    """(name, address with its arguments still in it) of every pattern but the admin's, which is Django's own."""
    for entry in patterns if patterns is not None else get_resolver().url_patterns:
        where = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            if entry.app_name != "admin":
                yield from addresses(entry.url_patterns, where)
        else:
            yield entry.name, where, entry.pattern.converters


EVERY = {f"{name or 'bare'} {where}": (name, where, converters) for name, where, converters in addresses()}
KIND = {"stranger": None, "user": "ana", "operator": "owner"}


def made(where, converters, values):
    """A pattern with its arguments filled in."""
    for name in converters:
        start = where.index("<")
        where = where[:start] + values[name] + where[where.index(">") + 1 :]
    return where


def answers(client, slug, values):
    """(name, address, what it shows, what it says to an empty form) of every address of a bot, with all that may stand in it. A
    form is sent to the first of a kind, in a long run to each: that others are wrong is told before what was sent is read."""
    for name, where, converters in addresses():
        if where.startswith("/<slug:slug>"):
            chosen = [(slug,) if one == "slug" else values[one] for one in converters]
            for number, found in enumerate(product(*chosen)):
                address = made(where, converters, dict(zip(converters, found, strict=True)))
                looked = client.get(address)
                sent = client.post(address) if amounts.LONG or not number else looked
                b"".join(
                    [*looked, *(sent if sent is not looked else ())]
                )  # a file that is sent is closed behind its last byte
                yield name, address, looked, sent


def variants(where, converters):
    """The address as it is meant, then with each argument once of every odd sort; the same lines look them up for most addresses,
    so these take turns, but in a long run."""
    best = {name: ARGUMENTS[name][0] for name in converters}
    yield made(where, converters, best)
    for name in converters:
        odd = ARGUMENTS[name][1:]
        for value in random.Random(where).sample(odd, times(1 if name == "slug" else min(3, len(odd)), len(odd))):
            yield made(where, converters, {**best, name: value})


def fields(luck):
    """Every field that any page knows, some left out, some twice."""
    return {name: luck.choices(ODD, k=luck.choice((1, 1, 1, 2))) for name in FIELDS if luck.random() < 0.8}


@pytest.fixture
def site(db, tmp_path, settings, kenoweb_home):
    """A bot with a little of everything, somebody who uses it, and an operator."""
    settings.WEBHOOK_SECRET = "s" * 40
    bot, root = make_bot(tmp_path)
    for path, text in {
        "MEMORY.md": "# Memory\n\n- Likes tea\n",
        "2026-11-20.md": "# 2026-11-20\n\n## 10:00 \u2014 Tea\n",
        "chats/tg-1/2026-11-20.md": "## 11:00 \u2014 Coffee\n",
        "working/tg-1.md": "- [ ] buy tea\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    webhook_secrets.make(bot, "phone")
    change = journal.commit(
        bot, [Append("MEMORY.md", b"- Likes rain\n")], by=journal.By("ana"), kind=ChangeSet.Kind.EDIT
    )
    Delivery.objects.create(
        bot=bot, received=timezone.now(), session_id="tg-1", status=200, answer={}, change_set=change.change_set
    )
    waiting = job(bot, "planned")
    propose(waiting, "merge", [{"path": "<b>", "line": "x"}, {}], text="%", flags=["<script>"])
    User.objects.create_user("ana")
    User.objects.create_superuser("owner")
    return bot


def standing():
    """What only operators may change."""
    return (
        list(
            User.objects.order_by("pk").values_list(
                "pk", "username", "is_superuser", "is_staff", "is_active", "password"
            )
        ),
        list(Bot.objects.order_by("pk").values_list("pk", "slug", "removed", "standard_webhooks_only")),
        list(Root.objects.order_by("pk").values_list("path", flat=True)),
        list(WebhookSecret.objects.order_by("pk").values_list("pk", "name", "revoked", "sealed")),
    )


def visit(who):
    client = Client()
    if KIND[who]:
        client.force_login(User.objects.get(username=KIND[who]))
    return client


def calls(address, who):
    """(method, url, fields) of what is asked: everything odd by operators, whom nothing holds back, some of it by others."""
    luck = random.Random(address + who)
    urls = list(variants(*EVERY[address][1:]))
    all_of = list if who == "operator" else first
    yield from (("get", url, None) for url in all_of(urls))
    yield from ((method, urls[0], fields(luck)) for method in all_of(["post", "get"]) * times(1, 2))
    yield from ((method, urls[0], None) for method in all_of(["post", "put"]))


@pytest.mark.parametrize("address", EVERY)
def test_no_address_breaks_or_lets_anybody_further_than_they_may(site, address):
    before = standing()
    for who in KIND:  # operators, who may change everything, come last
        assert who == "operator" or standing() == before
        client = visit(who)
        for number, (method, url, sent) in enumerate(calls(address, who)):
            answer = getattr(client, method)(url, sent, headers={"HX-Request": "true"} if number % 3 == 1 else {})
            b"".join(answer)  # a file that is sent is closed behind its last byte
            location = answer.get("Location", "")
            assert answer.status_code < 500, (who, method, url, sent)
            assert urlsplit(location).netloc == "", (who, method, url, sent)
            if who == "stranger" and EVERY[address][0] not in OPEN:
                assert answer.status_code in (302, 400, 401, 404), (method, url, sent)
                assert answer.status_code != 302 or location.startswith("/login?")
            elif location.startswith("/login"):
                client = visit(who)  # it let itself out
