"""No visible text bypasses the translations: each page, as each kind of visitor, in a language that puts its texts in brackets."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from memory.access import encryption
from memory.models import Bot, ChangeSet, ChatName, Delivery, RefusedCalls, Root, WebhookSecret
from tests.support.amounts import LONG
from tests.support.browsers import HERE
from tests.support.days import day
from tests.web.base import pseudo

SLUG, CHAT, LONELY = "7", "1-2", "3-4"
ELSEWHERE = (
    "admin/",
    "api/v1/",
    "webhook",
    "health",
    "robots.txt",
    "favicon.ico",
)  # Django's own pages; what is for machines
NOTHING_TO_READ = {204, 302, 405}


@pytest.fixture(scope="module")
def locale(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locale")
    pseudo.write_language(folder)
    return folder


@pytest.fixture
def language(locale, settings, fresh_tally):
    settings.LANGUAGES = [(pseudo.LANGUAGE, "…"), ("es", "Español")]
    settings.LANGUAGE_CODE = pseudo.LANGUAGE
    settings.LOCALE_PATHS = [locale]


@pytest.fixture
def bot(db, language, tmp_path, kenoweb_home):
    """A bot that has a bit of everything, with no Latin letter in it."""
    bot = Bot.objects.create(slug=SLUG, name="控件", dialect="kenobot")
    for name in ("memory", "sessions", "identity"):
        (tmp_path / "机" / name).mkdir(parents=True)
        Root.objects.create(bot=bot, name=name, path=str(tmp_path / "机" / name))
    files = {
        "MEMORY.md": f"# 记忆\n\n## 偏好\n- 猫\n- 狗\n- {'长' * 3500}\n",
        f"{day(0)}.md": "## 10:30 — 今天\n\n",
        f"{day(1)}.md": "## 10:30 — 昨天\n\n" * 3,
        f"{day(40)}.md": "## 10:30 — 猫\n\n## 11:00 — 鸟\n\n字\n",
        f"{day(41)}.md": b"## 10:30 \xff\n",
        "2026-13-45.md": "## 10:30 — 错\n",
        f"chats/{CHAT}/MEMORY.md": "- 鱼\n",
        f"chats/{CHAT}/{day(0)}.md": "## 10:30 — 鱼\n\n",
        f"chats/{CHAT}/{day(50)}.md": "## 10:30 — 鱼\n\n",
        f"chats/{CHAT}/context.md": "鱼\n",
        f"working/{CHAT}.md": "今\n",
        f"working/{LONELY}.md": "旧\n",
        "procedural/patterns.json": "[]",
        "未知.txt": "?",
    }
    for name, text in files.items():
        path = tmp_path / "机" / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    long_ago = time.time() - 12 * 86_400
    os.utime(tmp_path / "机" / "memory" / f"working/{LONELY}.md", (long_ago, long_ago))
    line = json.dumps({"role": "user", "content": "喂", "timestamp": 1_790_000_000})
    (tmp_path / "机" / "sessions" / f"{CHAT}.jsonl").write_text(f"{line}\n?\n")
    (tmp_path / "机" / "identity" / "1.md").write_text("我\n")
    ChatName.objects.create(bot=bot, scope=CHAT, name="家")
    WebhookSecret.objects.create(bot=bot, name="一", sealed=encryption.seal(b"a-secret-for-the-tests"))
    RefusedCalls.objects.create(
        address="127.0.0.1", minute=datetime.now(UTC), status=401, reason="invalid signature", count=3
    )
    return bot


@pytest.fixture
def people(bot):
    return {
        "operator": User.objects.create_superuser("一", password="длинный пароль"),
        "person": User.objects.create_user("二", password="длинный пароль"),
    }


@pytest.fixture
def clients(people):
    clients = {"stranger": Client()}
    for kind, user in people.items():
        clients[kind] = Client()
        clients[kind].force_login(user)
    return clients


@pytest.fixture
def lived_in(bot, clients):
    """The same bot after a day's work: looked at, edited, compacted, undone, called."""
    client = clients["operator"]
    client.post(f"/{SLUG}/step")
    client.get(f"/{SLUG}/documents/MEMORY.md")
    for text in ("- 猫\n- 鼠\n", "- 猫\n"):
        save(client, text)
    compact(client)
    last = ChangeSet.objects.filter(bot=bot, kind=ChangeSet.Kind.EDIT).first()
    client.post(f"/{SLUG}/changes/{last.pk}/undo")
    call = {
        "channel": "1",
        "chat_id": "2",
        "session_id": CHAT,
        "message": "喂",
        "response": "<memory>鸟: 一</memory>好",
    }
    sign_and_send(call)
    sign_and_send({**call, "response": "好", "message_id": "2"})
    client.post(f"/{SLUG}/draft/MEMORY.md", {"text": "- 草\n", "base": ""})
    return bot


def save(client, text):
    base = re.search(rb'name="base" value="([0-9a-f]{64})"', client.get(f"/{SLUG}/documents/MEMORY.md").content)
    return client.post(f"/{SLUG}/save/MEMORY.md", {"text": text, "base": base[1].decode()})


def compact(client):
    page = client.get(f"/{SLUG}/compaction")
    fingerprint = re.search(rb'name="fingerprint" value="([0-9a-f]+)"', page.content)[1].decode()
    return client.post(f"/{SLUG}/compaction/apply", {"fingerprint": fingerprint})


def sign_and_send(call):
    body = json.dumps(call).encode()
    signature = hmac.new(b"a-secret-for-the-tests", body, hashlib.sha256).hexdigest()
    answer = Client().post(
        "/webhook", body, content_type="application/json", headers={"X-Webhook-Signature": f"sha256={signature}"}
    )
    assert answer.status_code == 200, answer.content


def imported(client):
    """The token of an import that was sent and waits to be decided."""
    zipped = client.post(f"/{SLUG}/export/file").getvalue()
    sent = client.post(f"/{SLUG}/import", {"file": SimpleUploadedFile("1.zip", zipped)})
    return sent["Location"].rstrip("/").rpartition("/")[2]


def arguments(bot, client):
    """What may stand in an address, by the name that its pattern gives it; for `pk` by the page's own name."""
    sets = ChangeSet.objects.filter(bot=bot)
    last = {kind: sets.filter(kind=kind).first().pk for kind in ("edit", "compaction", "found", "capture", "undo")}
    delivery = Delivery.objects.filter(bot=bot).latest("id").pk
    secret = WebhookSecret.objects.get(bot=bot).pk
    paths = [
        "MEMORY.md",
        f"{day(0)}.md",
        f"{day(41)}.md",
        "procedural/patterns.json",
        f"@sessions/{CHAT}.jsonl",
        f"{day(300)}.md",
        "未知.txt",
    ]
    by_name = {
        "slug": [SLUG],
        "path": paths,
        "day": [day(0), day(1), day(400)],
        "scope": [CHAT, LONELY, "没有"],
        "token": [imported(client), "0"],
    }
    pks = {"change_set": list(last.values()), "run": [last["compaction"]], "delivery": [delivery]}
    return by_name, {
        **pks,
        "webhook_secret_revoke": [secret],
        "person": list(User.objects.values_list("pk", flat=True)),
    }


def patterns(resolver, before=""):
    for one in resolver.url_patterns:
        where = before + str(one.pattern)
        if where.startswith(ELSEWHERE) and not where.startswith("webhooks"):
            continue
        if isinstance(one, URLResolver):
            yield from patterns(one, where)
        else:
            assert isinstance(one, URLPattern)
            yield where, one


def addresses(bot, client, few=False):
    """Every address of the site, with everything that may stand in it; `few`: with one of each."""
    by_name, pks = arguments(bot, client)
    for where, one in patterns(get_resolver()):
        found = [where]
        for name, converter in one.pattern.converters.items():
            values = pks.get(one.name, [1]) if name == "pk" else by_name[name]
            values = values[:1] if few else values
            token = re.search(rf"<(?:\w+:)?{name}>", where)[0]
            found = [each.replace(token, converter.to_url(value)) for each in found for value in values]
        yield from (f"/{each}" for each in found)


def reads_well(answer, seen):
    """Note what an answer says outside of the catalogs; whether it was a page at all."""
    if answer.status_code in NOTHING_TO_READ or not answer["Content-Type"].startswith("text/html"):
        answer.getvalue()  # a file that is sent is closed at its end
        return False
    if found := pseudo.bypassing(answer.content):
        seen[answer.wsgi_request.get_full_path()] = found
    return True


@pytest.mark.parametrize("kind", ["operator", "person"])
@pytest.mark.slow
def test_every_page_says_everything_through_the_catalogs(lived_in, clients, kind):
    """A person reads what operators read, without what is theirs alone: of pages for many paths or days one, but in a long run."""
    bare = {}
    few = kind == "person" and not LONG
    pages = sum(reads_well(clients[kind].get(address), bare) for address in addresses(lived_in, clients[kind], few))
    assert bare == {}
    assert pages > 30


@pytest.mark.slow
def test_every_answer_to_an_empty_form_does_too(lived_in, clients):
    """Refusals and messages; from the end of the table, where less is lost for what comes after."""
    client, bare = clients["operator"], {}
    for address in reversed(list(addresses(lived_in, client, few=True))):
        reads_well(client.post(address, follow=True), bare)
    assert bare == {}


@pytest.mark.slow
def test_refusals_do_too(lived_in, clients):
    stale = hashlib.sha256(b"- old\n").hexdigest()
    text = {"text": "- 新\n", "base": stale}
    operator, person, stranger = clients["operator"], clients["person"], clients["stranger"]
    first = ChangeSet.objects.filter(bot=lived_in, kind=ChangeSet.Kind.EDIT).last()
    Path(lived_in.roots.get(name="memory").path, "MEMORY.md").write_text("- 别\n")
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(User.objects.get(username="一"))
    answers = {
        403: [person.get("/bots/add"), person.get("/people/"), careful.post(f"/{SLUG}/step")],
        404: [operator.get("/8/"), operator.get("/8/history/")],
        409: [
            operator.post(f"/{SLUG}/save/MEMORY.md", text),
            operator.post(f"/{SLUG}/save/MEMORY.md", text, headers={"HX-Request": "true"}),
            operator.post(f"/{SLUG}/overwrite/MEMORY.md", text),
            operator.post(f"/{SLUG}/changes/{first.pk}/undo"),
        ],
        422: [operator.get(f"/{SLUG}/compaction?retention_days=9999")],
        200: [
            stranger.get("/login"),
            stranger.post("/login", {"username": "一", "password": "?"}, headers={"Origin": HERE}),
        ],
        400: [operator.post(f"/{SLUG}/save/MEMORY.md", {"text": "", "base": "?"})],
    }
    for _ in range(9):
        refused = stranger.post("/login", {"username": "一", "password": "?"}, headers={"Origin": HERE})
    answers[429] = [refused]
    assert {status: {one.status_code for one in some} for status, some in answers.items()} == {
        status: {status} for status in answers
    }
    bare = {}
    for some in answers.values():
        for answer in some:
            reads_well(answer, bare)
    assert bare == {}


def test_a_page_that_nobody_marked_is_noticed():
    html = (
        b"<title>x</title><p>Hello <b>\xe2\x9f\xa6there\xe2\x9f\xa7</b></p><code>cat</code><a aria-label='Go on'>1</a>"
    )
    assert pseudo.bypassing(html) == ["Go on", "Hello"]
