"""Webhooks at the desk: deliveries, secrets, refused calls, and a test sent from here."""

from __future__ import annotations

import json
import re
import time
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.access import encryption
from memory.models import ChangeSet, ChatName, Delivery, RefusedCalls, WebhookSecret
from memory.web.base import dates
from memory.web.webhooks import list as lists
from memory.webhook import code_samples, signatures, webhook_secrets
from tests.web.conftest import Visitor

pytestmark = pytest.mark.usefixtures("fresh_tally")

DOCS = Path(__file__).parents[3] / "docs" / "webhook.md"
SECRET = "a-secret-for-the-tests"
LAST = "This is the last active secret. All deliveries will be rejected until you create another."
MAKE = "Create one under Secrets and add it to whatever sends this bot’s deliveries."


@pytest.fixture
def operator(desk):
    """The desk with an operator at it, and a bot with one live secret."""
    WebhookSecret.objects.create(bot=desk.bot, name="Keno", sealed=encryption.seal(SECRET.encode()))
    user = User.objects.create_superuser("owner", password="a long enough one")
    return Visitor(desk.bot, desk.root, user)


def turn(response, secret=SECRET, **fields):
    """A turn as a bot posts it."""
    body = json.dumps({"chat_id": "7", "message": "hello", "response": response, **fields}).encode()
    headers = {"X-Webhook-Signature": signatures.sign_body(secret, body)}
    return Client().post("/webhook", body, content_type="application/json", headers=headers)


def rows(page):
    return [" ".join(row.get_text(" ").split()) for row in page.soup.select(".calls li")]


def secret_of(page):
    return page.soup.find(id="secret").get_text()


# Deliveries


def test_empty_list_says_what_will_be_here(desk):
    page = desk.get("webhooks/")
    assert "No deliveries yet" in page.text
    assert "A bot that shares its files doesn’t need to send anything." in page.text
    assert "No active secret: deliveries are rejected." in page.text


def test_the_last_hundred_deliveries_are_bars_that_lead_to_them_with_a_table_behind(desk):
    assert desk.get("webhooks/").soup.select_one("svg.bars") is None
    now = timezone.now()
    statuses = [0, 503, *[200] * 103]  # the two that were interrupted and rejected are the newest
    calls = [
        Delivery(
            bot=desk.bot,
            session_id="http-7",
            message_id=f"{n}",
            body_sha256="0" * 64,
            status=status,
            received=now - timedelta(hours=n),
        )
        for n, status in enumerate(statuses)
    ]
    made = Delivery.objects.bulk_create(calls)
    page = desk.get("webhooks/")
    chart = page.soup.select_one("svg.bars")
    assert chart["role"] == "group"  # its bars lead somewhere, and what is inside a picture cannot be reached
    assert page.soup.find(id=chart["aria-labelledby"]).get_text() == "Last 100 deliveries"
    told = page.soup.find(id=chart["aria-describedby"]).get_text()
    assert told == "98 nothing to store, 1 rejected, 1 interrupted · newest just now"
    assert [dot["class"][1:] for dot in page.soup.select("section .dot")] == [[], ["bad"], ["warn"]]
    assert (
        page.soup.select_one("section .small").get_text()
        == " 98 nothing to store ·  1 rejected ·  1 interrupted · newest just now"
    )
    bars = chart.select("a .bar")
    assert [bar["class"][1:] for bar in bars[-3:]] == [[], ["bad"], ["warn"]]
    heights = [float(bar["height"]) for bar in bars[-3:]]
    assert heights[0] < heights[2] < heights[1]
    assert chart.select("a")[-1]["href"] == f"/keno/webhooks/{made[0].pk}"
    cells = page.soup.select("details[data-key=last-table] td:has(a)")
    assert [cell.get_text() for cell in cells] == [dates.as_of(one.received, desk.bot) for one in made[:100]]
    assert cells[0]["title"] == dates.moment(now, desk.bot)
    links = [cell.a["href"] for cell in cells]
    assert links == [f"/keno/webhooks/{one.pk}" for one in made[:100]]
    for query in ({"outcome": "stored"}, {"before": made[40].pk}):
        assert desk.get("webhooks/", **query).soup.select_one("svg.bars") is None
    spanish = desk.client.get("/keno/webhooks/", headers={"Accept-Language": "es"}).content.decode()
    assert "rechazada: 1" in spanish  # before the number the word need not agree with it


def test_deliveries_are_listed_with_what_they_stored(operator, desk):
    ChatName.objects.create(bot=desk.bot, scope="http-7", name="Family")
    turn("Noted. <memory>Likes tea</memory><memory>Likes rain</memory><chat-memory>Plans a trip</chat-memory>")
    turn("Hello.", chat_id="8")
    first, second = rows(desk.get("webhooks/"))
    assert "http-8" in first
    assert "nothing to store" in first
    assert "Undo" not in first
    assert "Family 2 facts, 1 fact of the chat stored" in second
    turn("<chat-memory>Plans a **trip**</chat-memory>", chat_id="8")
    assert "http-8 Plans a trip stored" in rows(desk.get("webhooks/"))[0]
    assert re.search(r"200 · [\d.]+ m?s Undo$", second)
    assert "No active secret: deliveries are rejected." not in desk.get("webhooks/").text


def test_what_a_delivery_stored_is_undone_from_the_list(operator, desk):
    turn("<memory>Likes tea</memory>")
    path = next((desk.root / "memory").rglob("*.md")) if (desk.root / "memory").exists() else None
    made = ChangeSet.objects.get(kind="capture")
    button = desk.get("webhooks/").soup.select_one(".calls button")
    assert button["formaction"] == f"/{desk.bot.slug}/changes/{made.pk}/undo"
    page = desk.post(f"changes/{made.pk}/undo", next=f"/{desk.bot.slug}/webhooks/")
    assert "undone" in rows(page)[0]
    assert page.soup.select_one(".calls button") is None
    assert path is None or "tea" not in path.read_text()


@pytest.fixture
def outcomes(operator, desk):
    """One delivery of each outcome, by what was said."""
    turn("<memory>Likes tea</memory>", chat_id="stored")
    turn("Hello.", chat_id="nothing")
    body = json.dumps({"chat_id": "failed", "message": "hello"}).encode()
    headers = {"X-Webhook-Signature": signatures.sign_body(SECRET, body)}
    assert Client().post("/webhook", body, content_type="application/json", headers=headers).status_code == 503
    Delivery.objects.create(bot=desk.bot, body_sha256="0" * 64, session_id="http-cut", received=timezone.now())
    turn("<memory>Likes rain</memory>", chat_id="begun")
    ChangeSet.objects.filter(deliveries__session_id="http-begun").update(state="writing")
    return desk


@pytest.mark.database
@pytest.mark.parametrize(
    ("outcome", "chats"),
    [
        ("", ["begun", "cut", "failed", "nothing", "stored"]),
        ("stored", ["begun", "stored"]),
        ("nothing", ["nothing"]),
        ("failed", ["failed"]),
        ("cut", ["begun", "cut"]),
        ("no such outcome", ["begun", "cut", "failed", "nothing", "stored"]),
    ],
)
def test_deliveries_are_filtered_by_outcome(outcomes, outcome, chats):
    found = rows(outcomes.get("webhooks/", outcome=outcome))
    assert [re.search(r"http-(\w+)", row)[1] for row in found] == chats


def test_failed_and_cut_off_calls_say_so(outcomes):
    begun, cut, failed, *_ = rows(outcomes.get("webhooks/"))
    assert "interrupted" in begun
    assert "Undo" not in begun
    assert "interrupted" in cut
    assert "No language model set up to answer rejected 503" in failed


@pytest.mark.database
def test_a_delivery_that_is_held_says_so_until_it_is_reviewed(operator, desk):
    turn("a", chat_id="7")
    desk.bot.settings = {"deliveries": "ask"}
    desk.bot.save()
    turn("<memory>Likes tea</memory>", chat_id="8")
    (held,) = rows(desk.get("webhooks/", outcome="held"))
    assert "1 part held for review held for review" in held
    call = Delivery.objects.get(session_id="http-8")
    page = desk.get(f"webhooks/{call.pk}")
    assert "Likes tea" in page.text
    row = call.proposals.get()
    answer = desk.post(f"jobs/{row.job_id}/refuse", number="1")
    assert "1 rejected. No file was changed." in answer.text
    assert "reviewed" in rows(desk.get("webhooks/", outcome="held"))[0]
    assert "rejected by" in desk.get(f"webhooks/{call.pk}").text


@pytest.mark.database
def test_deliveries_are_filtered_by_chat_and_name(operator, desk):
    ChatName.objects.create(bot=desk.bot, scope="http-7", name="Family")
    turn("a", chat_id="7")
    turn("b", chat_id="8")
    assert len(rows(desk.get("webhooks/"))) == 2
    assert "Family" in rows(desk.get("webhooks/", chat="family"))[0]
    assert ["http-8" in row for row in rows(desk.get("webhooks/", chat="http-8"))] == [True]
    assert "No matching deliveries" in desk.get("webhooks/", chat="nobody").text
    assert desk.get("webhooks/", chat="family").soup.select_one(".sieve form")
    assert desk.get("webhooks/").soup.select_one(".sieve form") is None, "two are found at a glance"


@pytest.mark.database
def test_a_day_is_the_bots_day(operator, desk):
    desk.bot.time_zone = "America/Mexico_City"
    desk.bot.save()
    turn("a")
    Delivery.objects.update(received="2026-03-05T03:00:00Z")
    assert len(rows(desk.get("webhooks/", day="2026-03-04"))) == 1
    assert rows(desk.get("webhooks/", day="2026-03-05")) == []


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "2026-02-28"])
def test_any_day_can_be_asked_for(operator, desk, day):
    assert desk.get("webhooks/", day=day).status == 200


@pytest.mark.database
@pytest.mark.parametrize(
    "query", [{"day": "2026-02-30"}, {"before": "x"}, {"before": "9" * 30}, {"chat": "x" * 300}, {"chat": "a\0b"}]
)
def test_bad_filter_is_told_and_breaks_nothing(operator, desk, query):
    turn("a")
    page = desk.get("webhooks/", **query)
    assert page.status == 422
    assert len(rows(page)) == 1


def many(bot, number):
    now = timezone.now()
    Delivery.objects.bulk_create(
        Delivery(
            bot=bot,
            body_sha256="0" * 64,
            session_id=f"http-{n}",
            status=200,
            answer={"stored": {"memories": 1}},
            received=now - timedelta(seconds=n // 3),
        )
        for n in range(number)
    )


def walk(desk, page, words):
    seen = []
    while page:
        seen.append([link["href"].rpartition("/")[2] for link in page.soup.select(".calls .clock")])
        link = next((a for a in page.soup.select("nav.pages a") if a.get_text() == words), None)
        page = link and desk.get("webhooks/" + link["href"])
    return seen


@pytest.mark.database
def test_every_delivery_is_on_one_page_both_ways(desk):
    many(desk.bot, 130)
    older = walk(desk, desk.get("webhooks/"), "Older")
    assert [len(page) for page in older] == [50, 50, 30]
    assert len({pk for page in older for pk in page}) == 130
    last = desk.get("webhooks/", before=older[1][-1])
    assert walk(desk, last, "Newer") == [older[2], older[1], older[0]]


@pytest.mark.usefixtures("same_minute")
def test_list_costs_the_same_however_long_it_is(desk):
    many(desk.bot, 10)
    desk.get("webhooks/")  # what is kept from one request to the next is kept now
    with CaptureQueriesContext(connection) as few:
        desk.get("webhooks/")
    many(desk.bot, 400)
    with CaptureQueriesContext(connection) as more:
        page = desk.get("webhooks/")
    assert len(more) == len(few)
    assert len(page.response.content) < 200_000


def test_each_result_says_how_many_there_are(outcomes, monkeypatch):
    def chips(**wanted):
        chosen = outcomes.get("webhooks/", **wanted).soup.select(".filters a")
        return dict(one.get_text(" ", strip=True).rsplit(" ", 1) for one in chosen)

    counts = chips()
    assert int(counts.pop("All")) == Delivery.objects.filter(bot=outcomes.bot).count()
    assert {name for name, count in counts.items() if count == "0"} == set()
    for value, label in lists.OUTCOMES.items():
        assert int(counts.get(label, 0)) == len(rows(outcomes.get("webhooks/", outcome=value))), label
    assert chips(chat="nobody") == {}
    assert chips(chat="nobody", outcome="stored") == {"All": "0", "Stored": "0"}  # or nobody saw what is asked for
    monkeypatch.setattr(lists, "MOST", 1)
    assert chips()["All"] == "1+"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by how many rows there are")
@pytest.mark.parametrize(
    ("outcome", "index"),
    [
        ("", "by_time"),
        ("stored", "that_stored"),
        ("nothing", "without_change"),
        ("failed", "rejected"),
        ("cut", "begun"),
    ],
)
def test_no_filter_reads_all_deliveries(desk, outcome, index):
    many(desk.bot, 10)
    with CaptureQueriesContext(connection) as caught:
        desk.get("webhooks/", outcome=outcome)
    listing = next(one["sql"] for one in caught if "$.stored" in one["sql"] or '"stored"' in one["sql"])
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + listing.replace("%", "%%"))
        plan = " ".join(row[3] for row in cursor.fetchall())
    assert f"USING INDEX deliveries_{index}" in plan
    assert "TEMP B-TREE" not in plan


def test_list_that_is_polled_is_sent_only_when_it_differs(operator, desk):
    turn("a")
    poll = desk.get("webhooks/").soup.find(id="calls")["hx-get"]
    again = desk.client.get(f"/{desk.bot.slug}/webhooks/{poll}", headers={"HX-Request": "true"})
    assert (again.status_code, again.content) == (204, b"")
    turn("b")
    fresh = desk.client.get(f"/{desk.bot.slug}/webhooks/{poll}", headers={"HX-Request": "true"})
    assert fresh.content.count(b"<li ") == 2
    assert b"<html" not in fresh.content


# One delivery


def test_delivery_shows_the_call_the_answer_and_where_it_stands(operator, desk):
    turn("Noted. <memory>Likes tea</memory>", user_id="ana", message_id="m-1")
    page = desk.get(f"webhooks/{Delivery.objects.get().pk}")
    for words in ("Delivery from http-7", "hello", "Noted. <memory>Likes tea</memory>", "ana", "m-1", '"memories": 1'):
        assert words in page.text
    assert "signed with “Keno”" in page.text
    facts = desk.client.get(page.link("line ").partition("#")[0])
    assert b"Likes tea" in facts.content


def test_fact_that_is_gone_is_said_to_be_gone(operator, desk):
    turn("<memory>Likes tea</memory>")
    call = Delivery.objects.get()
    undo = f"main form[action='/{desk.bot.slug}/changes/{call.change_set_id}/undo']"
    assert desk.get(f"webhooks/{call.pk}").soup.select_one(undo)
    page = desk.post(f"changes/{call.change_set_id}/undo", next=f"/{desk.bot.slug}/webhooks/{call.pk}")
    assert "no longer there" in page.text
    assert "undone" in page.text
    assert page.soup.select_one(undo) is None


def test_replaced_note_shows_what_changed(operator, desk):
    turn("<working-memory>Packing for Oaxaca</working-memory>")
    page = desk.get(f"webhooks/{Delivery.objects.get().pk}")
    assert "working/http-7.md" in page.text
    assert page.soup.select_one(".diff .added") is not None


def test_hostile_values_are_only_text(operator, desk):
    nasty = '"><script>alert(1)</script>\u202e\n# x'
    turn(f"<memory>{nasty}</memory>", message=nasty, chat_id=nasty.replace("/", ""), user_id=nasty, message_id=nasty)
    call = Delivery.objects.get()
    for place in ("webhooks/", f"webhooks/{call.pk}"):
        page = desk.get(place)
        assert page.status == 200
        assert [one for one in page.soup.find_all("script") if "alert" in one.get_text()] == []
    assert nasty.splitlines()[0] in unescape(page.response.content.decode())


def test_delivery_of_another_bot_is_not_found(operator, desk, tmp_path):
    from tests.web.conftest import make_bot

    turn("a")
    make_bot(tmp_path, "other")
    assert desk.client.get(f"/other/webhooks/{Delivery.objects.get().pk}").status_code == 404


# Secrets


def test_secret_is_shown_once_and_works(operator):
    made = operator.post("webhooks/secrets/make", name="Laptop")
    text = secret_of(made)
    assert made.response["Cache-Control"] == "no-store"
    assert text.startswith("whsec_")
    assert text not in operator.get("webhooks/secrets").response.content.decode()
    assert turn("<memory>Likes tea</memory>", secret=text).status_code == 200
    assert text not in str(operator.client.session.items())
    assert not any(text in morsel.value for morsel in operator.client.cookies.values())


def test_secret_needs_a_name_of_its_own(operator):
    for name in ("", "Keno", "x" * 81):
        page = operator.post("webhooks/secrets/make", name=name)
        assert page.status == 422
        assert page.soup.select(".errorlist")
    assert WebhookSecret.objects.count() == 1


def test_replacing_leaves_both_live_and_says_when_the_old_one_was_used(operator):
    turn("a")
    old = WebhookSecret.objects.get()
    text = secret_of(operator.post("webhooks/secrets/replace", secret=old.pk))
    assert [turn("b").status_code, turn("c", secret=text).status_code] == [200, 200]
    page = operator.get("webhooks/secrets")
    assert [chip.get_text() for chip in page.soup.select("main .chip.good")] == ["active", "active"]
    assert page.text.count("Last used") == 2
    again = operator.post("webhooks/secrets/replace", secret=old.pk)
    said = "“Keno 2” already replaces it and was shown when it was created. Revoke it to create another."
    assert said in again.text


def test_revoking_asks_when_it_is_the_last_or_in_use(operator):
    secret = WebhookSecret.objects.get()
    asked = operator.post(f"webhooks/secrets/{secret.pk}/revoke")
    assert LAST in asked.text
    assert turn("a").status_code == 200
    webhook_secrets.make(operator.bot, "Other")
    asked = operator.post(f"webhooks/secrets/{secret.pk}/revoke")
    assert re.search(r"Last used just now \. Deliveries signed with it will be rejected\.", asked.text)
    assert LAST not in asked.text
    done = operator.post(f"webhooks/secrets/{secret.pk}/revoke", confirmed="yes")
    assert "“Keno” was revoked. Deliveries signed with it are rejected." in done.text
    assert turn("b").status_code == 401


def test_secret_that_nobody_uses_is_revoked_at_once(operator):
    other = webhook_secrets.make(operator.bot, "Other").row
    operator.post(f"webhooks/secrets/{other.pk}/revoke")
    other.refresh_from_db()
    assert other.revoked


def test_environments_secret_is_listed_and_can_be_replaced(operator, settings):
    WebhookSecret.objects.all().delete()
    settings.WEBHOOK_SECRET = SECRET
    page = operator.get("webhooks/secrets")
    assert "WEBHOOK_SECRET active From the environment. It applies until you create the first secret here." in page.text
    text = secret_of(operator.post("webhooks/secrets/replace", secret=""))
    assert [turn("b").status_code, turn("c", secret=text).status_code] == [200, 200]
    assert SECRET not in operator.get("webhooks/secrets").response.content.decode()


def test_secret_sealed_with_another_key_says_so(operator, settings):
    (settings.KENOWEB_HOME / "seal_key").rename(settings.KENOWEB_HOME / "old_key")
    page = operator.get("webhooks/secrets")
    assert "Keno can’t be decrypted" in page.text
    assert "No active secret: deliveries are rejected." in page.text


def test_bot_is_held_to_the_standard_and_let_go(operator):
    page = operator.post("webhooks/standard", only="yes")
    assert "Only Standard Webhooks signatures are accepted now." in page.text
    assert turn("a").status_code == 401
    operator.post("webhooks/standard")
    assert turn("b").status_code == 200


def test_before_the_standard_is_required_it_is_told_who_signs_otherwise(operator):
    assert "would have rejected" not in operator.get("webhooks/secrets").text
    turn("a")
    turn("b")
    try_it(operator)  # signed by the desk
    body = json.dumps({"chat_id": "7", "message": "hello", "response": "c"}).encode()
    stamp = str(int(time.time()))
    signed = {"webhook-signature": signatures.sign_standard(SECRET, "msg_1", stamp, body)}
    headers = {"webhook-id": "msg_1", "webhook-timestamp": stamp, **signed}
    assert Client().post("/webhook", body, content_type="application/json", headers=headers).status_code == 200
    told = "Requiring Standard Webhooks would have rejected 2 of the last 3 deliveries."
    assert told in operator.get("webhooks/secrets").text
    assert told not in operator.post("webhooks/standard", only="yes").text


@pytest.mark.parametrize("where", ["secrets/make", "secrets/replace", "secrets/{pk}/revoke", "standard", "try"])
def test_only_operators_touch_secrets_and_send_tests(operator, desk, where):
    secret = WebhookSecret.objects.get()
    before = (WebhookSecret.objects.count(), desk.bot.standard_webhooks_only)
    fields = {"name": "x", "only": "yes", "confirmed": "yes", "secret": secret.pk, "chat": "x", "message": "x"}
    assert desk.post("webhooks/" + where.format(pk=secret.pk), **fields).status == 403
    secret.refresh_from_db()
    desk.bot.refresh_from_db()
    assert secret.revoked is None
    assert (WebhookSecret.objects.count(), desk.bot.standard_webhooks_only) == before
    for place in ("secrets", "try"):
        assert desk.get(f"webhooks/{place}").soup.select("main form") == []


# Refused calls


@pytest.mark.database
def test_refused_calls_are_grouped_and_addresses_are_the_operators(operator, desk):
    turn("a", secret="wrong")
    turn("b", secret="wrong")
    RefusedCalls.objects.create(
        address="203.0.113.9", minute=timezone.now() - timedelta(days=3), status=400, reason="invalid at", count=1200
    )
    seen = operator.get("webhooks/refused")
    assert "invalid signature" in seen.text
    assert "No active secret matches: the bot uses another one, or a proxy changed the body." in seen.text
    assert "2 deliveries" in seen.text
    assert "1,200 deliveries" in seen.text
    assert "203.0.113.9" in seen.text
    others = desk.get("webhooks/refused")
    assert "2 deliveries" in others.text
    assert "127.0.0.1" not in others.text
    assert "203.0.113.9" not in others.text


def test_nothing_refused_says_what_would_be_here(desk):
    assert "Nothing rejected" in desk.get("webhooks/refused").text


# Sending a test


def try_it(operator, **fields):
    form = operator.get("webhooks/try").soup.find("select", {"name": "secret"})
    chosen = form.find("option")["value"]
    return operator.post(
        "webhooks/try", **{"chat": "http-try", "message": "hello", "response": "ok", "secret": chosen, **fields}
    )


def test_prefilled_test_stores_nothing(operator):
    page = operator.get("webhooks/try")
    fields = {
        one["name"]: one.get("value", one.get_text()).strip("\n") for one in page.soup.select("main .field [name]")
    }
    before = sorted(operator.root.rglob("*"))
    sent = try_it(operator, chat=fields["chat"], message=fields["message"], response=fields["response"])
    assert '"status": "ok"' in sent.text
    assert "Nothing was stored." in sent.text
    call = Delivery.objects.get()
    assert (call.trial, call.status, call.secret.name) == (True, 200, "Keno")
    assert "KenoBot hasn’t used it yet. Test deliveries don’t count." in operator.get("webhooks/secrets").text
    assert sorted(operator.root.rglob("*")) == before
    assert "nothing to store test 200" in rows(operator.get("webhooks/"))[0]


def test_test_with_a_memory_is_stored_by_the_person_and_undone(operator):
    example = operator.get("webhooks/try", memory="1").soup.find("textarea", {"name": "response"}).get_text()
    sent = try_it(operator, response=example)
    assert "Response 200 1 fact Open delivery" in sent.text
    made = ChangeSet.objects.get(kind="capture")
    assert (made.by, made.user) == ("owner", operator.user)
    assert "you ·" in operator.get("history/").soup.select_one("main .rows .when").get_text()
    undo = sent.soup.find("button", string="Undo what it stored").find_parent("form")
    assert undo["action"].endswith(f"/changes/{made.pk}/undo")


def test_test_says_before_it_is_sent_whether_anything_is_stored(operator):
    page = operator.get("webhooks/try").text
    assert "Facts from its reply are stored, and can be undone." in page
    assert page.count("Noted. <memory>Likes tea</memory>") == 6
    operator.bot.settings = {**operator.bot.settings, "capture": "observe"}
    operator.bot.save()
    page = operator.get("webhooks/try").text
    assert "It is only logged: KenoBot writes its own files." in page
    assert (page.count("Noted."), page.count("Likes tea")) == (6, 0)


def test_test_goes_through_signature_rate_and_fields(operator, settings):
    settings.WEBHOOK_RATE = 1
    assert "invalid session_id" in try_it(operator, chat="a/b").text
    assert "too many calls" in try_it(operator).text
    assert set(RefusedCalls.objects.values_list("reason", flat=True)) == {"invalid session_id", "too many calls"}


def test_test_is_taken_by_a_bot_held_to_the_standard(operator):
    operator.post("webhooks/standard", only="yes")
    assert '"status": "ok"' in try_it(operator).text


@pytest.mark.parametrize("fields", [{"secret": "environment"}, {"message": ""}, {"chat": ""}, {"chat": "x" * 256}])
def test_test_that_cannot_be_sent_says_why(operator, fields):
    page = try_it(operator, **fields)
    assert page.status == 422
    assert page.soup.select(".errorlist")
    assert not Delivery.objects.exists()


def test_without_a_live_secret_no_test_can_be_sent(operator):
    WebhookSecret.objects.all().delete()
    page = operator.get("webhooks/try")
    assert f"No active secret: deliveries are rejected. {MAKE}" in page.text
    assert page.soup.select("main form") == []
    assert operator.post("webhooks/try", chat="x", message="x", secret="x").status == 422


def test_samples_carry_this_servers_address(operator):
    found = operator.get("webhooks/try").soup.select("[data-sample] code")
    assert len(found) == 6
    assert all(f"http://testserver/webhook/{operator.bot.slug}" in one.get_text() for one in found)


def test_documentation_has_the_same_samples():
    text = DOCS.read_text(encoding="utf-8")
    for sample in code_samples.samples():
        assert f"```{sample.fence}\n{sample.text}\n```" in text


def test_who_can_make_a_secret_is_told_to_do_it(desk):
    assert "An operator can create one under Secrets." in desk.get("webhooks/").text
    desk.client.force_login(User.objects.create_superuser("root"))
    assert MAKE in desk.get("webhooks/").text


@pytest.mark.database
def test_a_large_difference_is_cut_and_leads_to_the_pages_of_its_change(operator, desk):
    turn(
        "<working-memory>" + "".join(f"- {number}: {'Packing. ' * 9}\n" for number in range(900)) + "</working-memory>"
    )
    call = Delivery.objects.get()
    page = desk.get(f"webhooks/{call.pk}")
    assert len(page.response.content) < 200_000
    whole = page.soup.find("a", string="Show all")["href"]
    assert whole.startswith(f"/{desk.bot.slug}/changes/{call.change_set_id}?file=")
    assert "1–" in desk.client.get(whole).content.decode()


def test_a_long_message_is_cut_and_no_half_of_a_secret_is_shown(operator, desk):
    turn("a", message=f"{'tea ' * 2497}sk-proj-Ab12Cd34Ab12Cd34 {'tea ' * 40_000}")
    page = desk.get(f"webhooks/{Delivery.objects.get().pk}")
    assert len(page.response.content) < 200_000
    assert "sk-p" not in page.text
    assert "more characters" in page.text
    whole = desk.get(f"webhooks/{Delivery.objects.get().pk}", whole=1)
    assert page.soup.find("a", string="Show all")["href"] == "?whole=1"
    assert "sk-p••••••••••••••••d34" in whole.text
    assert "more characters" not in whole.text


def test_many_facts_of_a_delivery_are_listed_in_part_each_by_its_beginning(operator, desk):
    turn("".join(f"<memory>Fact {n}: {'tea ' * 800}</memory>" for n in range(203)))
    page = desk.get(f"webhooks/{Delivery.objects.get().pk}")
    assert len(page.response.content) < 250_000
    assert len(page.soup.select(".part li")) == 200
    assert "and 3 more facts Show all" in " ".join(page.soup.select_one(".part").get_text(" ").split())
