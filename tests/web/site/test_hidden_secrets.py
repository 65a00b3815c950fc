"""Secrets of a memory on its pages: hidden on each, whatever way they come there, until somebody asks; never replaced by what hides
them; and told to bots and found by search as ever."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import re
import zipfile
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from textwrap import indent
from urllib.parse import quote

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from memory import journal
from memory.access import api_tokens, encryption
from memory.access.permissions import may_operate
from memory.checks import findings
from memory.domain.changes import Append
from memory.models import (
    Alarm,
    Bot,
    ChangeSet,
    Delivery,
    Draft,
    Fact,
    Finding,
    Job,
    Notice,
    Root,
    Subscription,
    WebhookSecret,
)
from memory.text.secrets import DOTS
from memory.web import urls
from memory.web.base import shown_secrets
from memory.web.digests.contents import Numbers
from memory.web.digests.letter import written
from tests.support.days import day
from tests.web.jobs.made_jobs import job, propose, source

TOKEN = "sk-proj-" + "Ab12Cd34" * 4
OLD_TOKEN = "sk-proj-" + "Zy98Xw76" * 4
PASSWORD = "hunter2-Regen"
CODE = "73921846"
CARD = "4111 1111 1111 1111"
MAIL = "rosa.vidal@gmail.com"
KEY = "MIIBOwIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu\nKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ=="
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n-----END RSA PRIVATE KEY-----"
SECRETS = (
    *KEY.split("\n"),
    KEY[70:90],
    TOKEN,
    OLD_TOKEN,
    TOKEN[8:],
    PASSWORD,
    CODE,
    CARD,
    MAIL,
    MAIL.replace("@", "%40"),
)
CHAT = "telegram-7"
FACTS = (
    f"The key of the shop is {TOKEN}",
    f"**Password** of the wifi: {PASSWORD}",
    f"The alarm code is {CODE}",
    f"Pays with the card {CARD}",
    f"Rosa writes from {MAIL}",
)
LISTED = "".join(f"- {fact}\n" for fact in FACTS)
AT = 1_790_000_000
SENT = {"raw", "export_file"}  # files, for who asks for one


def log(*facts):
    return "".join(f"## 10:{at:02} — {fact}\n\n" for at, fact in enumerate(facts))


@pytest.fixture
def keeper(desk):
    """A bot whose memory holds secrets; who looks may do everything."""
    desk.user.is_superuser = desk.user.is_staff = True
    desk.user.save()
    desk.write("MEMORY.md", f"# Memory\n\n## Keys\n{LISTED}- Old key {OLD_TOKEN}\n")
    desk.write(f"{day(0)}.md", log(*FACTS))
    desk.indexed()
    return desk


@pytest.fixture
def lived_in(keeper, tmp_path, settings):
    """The same bot with secrets wherever it keeps anything, after a day's work."""
    settings.WEBHOOK_SECRET = ""
    for name in ("sessions", "identity"):
        (tmp_path / name).mkdir()
        Root.objects.create(bot=keeper.bot, name=name, path=str(tmp_path / name))
    said = [{"role": role, "content": text, "timestamp": AT} for role in ("user", "assistant") for text in FACTS]
    (tmp_path / "sessions" / f"{CHAT}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said))
    (tmp_path / "identity" / "SOUL.md").write_text("\n\n".join((*FACTS, PEM)))
    keeper.append("MEMORY.md", f"## {FACTS[2]}\n- {'Long. ' * 37}{TOKEN} and more\n\n```\n{PEM}\n```\n\n{PEM}\n")
    for path in (f"{day(1)}.md", f"{day(40)}.md", f"chats/{CHAT}/{day(0)}.md"):
        keeper.write(path, log(*FACTS, PEM))
    for path in (f"chats/{CHAT}/MEMORY.md", f"chats/{CHAT}/context.md", f"working/{CHAT}.md", "notes.txt"):
        keeper.write(path, f"{LISTED}- The key\n{indent(PEM, '    ')}\n")
    keeper.write("procedural/patterns.json", json.dumps([*FACTS, PEM]))
    keeper.indexed()
    keeper.save(keeper.read().replace(OLD_TOKEN, TOKEN.replace("Ab", "Ba")).replace(KEY[70:], f"Ab12{KEY[70:]}"))
    keeper.post("entry/forget", one=fact_named(keeper, PASSWORD))
    keeper.append("MEMORY.md", f"- Once more the password is {PASSWORD}\n")
    WebhookSecret.objects.create(bot=keeper.bot, name="one", sealed=encryption.seal(b"a-secret-for-the-tests"))
    post(f"The code: <memory>{FACTS[0]}</memory> {FACTS[2]}")
    keeper.indexed()
    findings.look(keeper.bot)
    keeper.post("recall/add", question=f"What is {FACTS[0]}?", fact=fact_named(keeper, TOKEN))
    facts = list(Fact.objects.filter(bot=keeper.bot, text__contains=CODE).select_related("document")[:2])
    propose(job(keeper.bot, "planned"), "merge", [source(one) for one in facts], text=f"{FACTS[2]}, at home")
    Job.objects.filter(bot=keeper.bot).update(name=FACTS[0], doing=FACTS[2], trouble=FACTS[4])
    job(keeper.bot, "failed", name=FACTS[1], trouble=FACTS[0])
    ChangeSet.objects.filter(bot=keeper.bot).update(why=FACTS[2], note=FACTS[0])
    Finding.objects.filter(pk=Finding.objects.filter(bot=keeper.bot).first().pk).update(ignored_why=FACTS[1])
    Bot.objects.filter(pk=keeper.bot.pk).update(name=f"Keno {TOKEN}")
    return keeper


def fact_named(desk, part, path="MEMORY.md"):
    fact = Fact.objects.filter(bot=desk.bot, document__path=path, text__contains=part).first()
    return f"{fact.key}:{fact.nth}:{path}"


def post(reply):
    body = json.dumps(
        {"channel": "telegram", "chat_id": "7", "session_id": CHAT, "message": FACTS[1], "response": reply}
    ).encode()
    signature = hmac.new(b"a-secret-for-the-tests", body, hashlib.sha256).hexdigest()
    headers = {"X-Webhook-Signature": f"sha256={signature}"}
    assert Client().post("/webhook", body, content_type="application/json", headers=headers).status_code == 200


def shown_secrets_of(desk, are_shown):
    return desk.post("secrets/show" if are_shown else "secrets/hide")


def addresses(desk):
    """Every page of a bot, with everything that may stand in its address, those of one pattern together."""
    sets = list(ChangeSet.objects.filter(bot=desk.bot).values_list("pk", flat=True))
    paths = ["MEMORY.md", f"{day(0)}.md", "notes.txt", f"@sessions/{CHAT}.jsonl", "procedural/patterns.json"]
    values = {"path": paths, "day": [day(0), day(40)], "scope": [CHAT], "token": ["0"]}
    pks = {"change_set": sets, "run": sets[:1], "delivery": Delivery.objects.values_list("pk", flat=True)}
    pks["job"] = pks["job_progress"] = Job.objects.values_list("pk", flat=True)
    for one in urls.urlpatterns:
        if not isinstance(one, URLPattern) or one.name in SENT:
            continue
        found = [str(one.pattern).replace("<slug:slug>/", "", 1)]
        for name in one.pattern.converters:
            if name != "slug":
                some = pks.get(one.name, [1]) if name == "pk" else values[name]
                hole = re.compile(rf"<\w+:{name}>")
                found = [hole.sub(quote(str(value)), address) for address in found for value in some]
        yield found


ASKED = (
    *(
        "search/?q=key",
        "search/?q=private+key",
        "search/?q=alarm+code",
        "search/?q=sk",
        "search/near?q=alarm",
        "go?q=alarm",
        "trash?q=key",
    ),
    *(
        "prompt/?by=cost",
        f"prompt/?chat={CHAT}",
        f"prompt/text?chat={CHAT}",
        f"prompt/compare?chat={CHAT}",
        "facts/MEMORY.md?q=key",
    ),
    *(
        f"days/{day(0)}?q=alarm",
        "history/?kind=edit",
        f"documents/@sessions/{CHAT}.jsonl?text=1",
        "documents/MEMORY.md?line=4",
    ),
)


TYPED_INTO = re.compile(r'<input (?![^>]*type="hidden")[^>]*>')


def leaks(text):
    return [secret for secret in SECRETS if secret in text]


def said(response):
    """All that an answer says, but what stands in its fields to be changed."""
    told = response.getvalue() if response.streaming else response.content
    heads = "".join(f"{name}: {value}\n" for name, value in response.items())
    return f"{heads}{response.cookies}{TYPED_INTO.sub('', told.decode())}"


def outside(desk):
    """Addresses of no bot, and of nothing; and every row that there is, as operators see them with DEBUG."""
    yield from (
        "/",
        "/bots/",
        "/bots/search?q=key",
        "/bots/search?q=rosa",
        "/bots/add",
        "/bots/keno/directory",
        "/account",
    )
    yield from ("/people/", "/keno/numbers.csv", f"/keno/days/{day(0)}x", "/keno/nowhere", "/health", "/admin/")
    for model in apps.get_app_config("memory").get_models():
        name = f"admin:memory_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        yield from (reverse(f"{name}_change", args=[pk]) for pk in model.objects.values_list("pk", flat=True)[:1])


def sent(desk):
    """Forms whose answers may say something of a memory: (address, fields)."""
    base, fact = desk.hash(), fact_named(desk, CODE)
    edited = {"text": "- Tea\n", "base": base}
    yield from ((f"{act}/MEMORY.md", edited) for act in ("compare", "review", "foresee"))
    yield "save/MEMORY.md", {"text": "- Tea\n", "base": "0" * 64}
    yield from ((f"entry/{act}", {"one": fact}) for act in ("forget", "move", "split", "edit"))
    yield "replace", {"find": "Rosa", "put": "Ana"}
    for change in ChangeSet.objects.filter(bot=desk.bot).order_by("pk").values_list("pk", flat=True)[:2]:
        yield f"changes/{change}/undo", {}
    for act in ("ignore", "redact"):
        yield f"findings/{Finding.objects.filter(bot=desk.bot, rule='secret').first().pk}/{act}", {"why": "x"}


@pytest.mark.slow
def test_no_page_shows_a_secret_to_who_did_not_ask(lived_in, settings):
    settings.ROOT_URLCONF = "tests.admin.debug_urls"
    found: dict[str, list[tuple[str, str]]] = {}
    pages = 0

    def look(address, response):
        text = said(response)
        if told := leaks(text):
            found[address] = [(one, text[max(text.find(one) - 120, 0) :][:200]) for one in told]
        return response.status_code

    facts = [
        f"entry?fact={fact_named(lived_in, part)}{whole}"
        for part in (TOKEN, CODE, CARD, MAIL)
        for whole in ("", "&whole=1")
    ]
    for some in (*addresses(lived_in), ASKED, facts):
        for address in some:
            status = look(address, lived_in.client.get(f"/keno/{address}"))
            if status == 405:
                break
            if status == 200:
                pages += 1
                look(f"part of {address}", lived_in.client.get(f"/keno/{address}", headers={"HX-Request": "true"}))
    for address in outside(lived_in):
        pages += look(address, lived_in.client.get(address)) == 200
    for address, fields in sent(lived_in):
        look(f"answer of {address}", lived_in.client.post(f"/keno/{address}", fields))
    look("what they all said", lived_in.client.get("/keno/history/"))
    assert found == {}
    assert pages > 150


@pytest.mark.slow
def test_the_same_pages_show_them_to_who_asked(keeper):
    shown_secrets_of(keeper, True)
    findings.look(keeper.bot)
    for address in ("", "memory", f"days/{day(0)}", "search/?q=alarm+code", "prompt/", "tidy/"):
        page = keeper.get(address)
        assert leaks(page.response.content.decode()), address
        assert page.soup.select_one(".secret") is None, address
    until = page.soup.select_one("#secrets time")
    assert until.parent.get_text() == f"Secrets are visible until {until.get_text()}."
    assert until["title"].endswith(f", {until.get_text()}")
    shown_secrets_of(keeper, False)
    assert not leaks(keeper.get("memory").response.content.decode())


def test_after_five_minutes_they_are_hidden_again(keeper, monkeypatch):
    shown_secrets_of(keeper, True)
    now = timezone.now()
    monkeypatch.setattr(shown_secrets.timezone, "now", lambda: now + timedelta(minutes=6))
    assert not leaks(keeper.get("memory").response.content.decode())


def test_they_are_shown_to_who_asked_alone(keeper):
    shown_secrets_of(keeper, True)
    other = Client()
    other.force_login(User.objects.create_user("luis"))
    assert not leaks(other.get("/keno/memory").content.decode())


def test_who_looked_is_logged(keeper, caplog):
    shown_secrets_of(keeper, True)
    assert f"{keeper.user.pk} looked at the secrets of the bot keno" in caplog.text


def test_a_hidden_secret_is_a_button_that_leads_back_to_its_page(keeper):
    page = keeper.get(f"days/{day(0)}")
    chip = page.soup.select_one("main button.secret")
    form = page.soup.find("form", id=chip["form"])
    assert "Show secret" in chip.get_text()
    assert form.find("input", {"name": "next"})["value"] == f"/keno/days/{day(0)}"
    assert page.soup.select_one("#hidden-secrets").get("hidden") is None
    back = keeper.client.post(form["action"], {"next": f"/keno/days/{day(0)}"})
    assert back["Location"] == f"/keno/days/{day(0)}"


def test_where_nothing_is_hidden_nothing_is_said(desk):
    assert desk.get("").soup.select_one("#hidden-secrets").get("hidden") is not None


def test_no_button_stands_in_a_link(keeper):
    page = keeper.get("")
    assert page.soup.select("a .secret")
    assert not page.soup.select("a button, button button, summary button.secret, label button.secret")


def test_what_is_secret_is_found_by_its_words(keeper):
    page = keeper.get("search/", q=CODE)
    hits = page.soup.select("[data-row]")
    assert any("alarm code" in hit.get_text() for hit in hits)
    told = [str(hit) for hit in page.soup.select("[data-row] .fact") if leaks(hit.get_text())]
    assert told == []


def test_a_text_with_a_secret_is_edited_by_who_sees_it(keeper):
    page = keeper.get("documents/MEMORY.md")
    assert page.soup.find("textarea") is None
    assert "This text holds a secret or personal data, which is hidden." in page.text
    name = fact_named(keeper, CODE)
    assert keeper.get("entry", fact=name).soup.find("textarea") is None
    shown_secrets_of(keeper, True)
    assert keeper.get("documents/MEMORY.md").field == keeper.read()
    assert CODE in keeper.get("entry", fact=name).field


def test_an_open_editor_is_not_handed_a_secret_that_the_bot_added(desk):
    shown = desk.get("documents/MEMORY.md")
    desk.append("MEMORY.md", f"- {FACTS[0]}\n")
    saved = desk.save(shown.field + "- Tea\n", shown.base, htmx=True)
    assert saved.response["HX-Redirect"] == "/keno/documents/MEMORY.md"
    assert not leaks(saved.response.content.decode())
    assert "- Tea" in desk.read()


def test_a_draft_with_a_secret_is_hidden_too(desk):
    desk.post("draft/MEMORY.md", text=f"- {FACTS[2]}\n", base=desk.hash())
    assert Draft.objects.filter(text__contains=CODE).exists()
    assert not leaks(desk.get("documents/MEMORY.md", draft="1").response.content.decode())


@pytest.mark.parametrize("mask", [DOTS, f"sk-a{DOTS}d34"])
def test_no_mask_is_ever_written(keeper, mask):
    before = keeper.read()
    name, text = fact_named(keeper, CODE), before.replace(CODE, mask)
    said = [keeper.save(text).text, keeper.post("entry/edit", one=name, text=f"The code is {mask}").text]
    said.append(keeper.post("entry/add", path="MEMORY.md", text=f"The code is {mask}").text)
    assert all("dots that stand for a hidden secret" in one for one in said)
    assert keeper.read() == before


def test_dots_that_a_file_holds_already_may_stay(desk):
    desk.write("MEMORY.md", f"- Likes {DOTS}\n- Tea\n")
    desk.indexed()
    assert "Saved" in desk.save(f"- Likes {DOTS}\n- Coffee\n").text
    assert "Coffee" in desk.read()


def test_a_bot_that_hides_nothing_shows_all(keeper):
    keeper.post("settings", name="KenoBot", time_zone="UTC", hide_secrets="false")
    assert leaks(keeper.get("memory").response.content.decode())
    assert keeper.get("memory").soup.select_one(".secret") is None


def test_programs_are_told_what_the_memory_says(keeper):
    made = api_tokens.make(keeper.bot, "test", "read", keeper.user)
    headers = {"Authorization": f"Bearer {made.text}"}
    answer = Client().get("/api/v1/bots/keno/document?path=MEMORY.md", headers=headers)
    assert answer.status_code == 200
    assert TOKEN in answer.content.decode()


def test_what_changed_is_told_apart_though_it_is_hidden(keeper):
    keeper.save(keeper.read().replace(OLD_TOKEN, TOKEN.replace("Ab", "Ba")))
    made = ChangeSet.objects.filter(bot=keeper.bot, kind=ChangeSet.Kind.EDIT).order_by("pk").first()
    page = keeper.get(f"changes/{made.pk}")
    assert len(page.soup.select(".diff .secret")) >= 2


def test_a_finding_says_where_and_not_what(keeper):
    findings.look(keeper.bot)
    row = Finding.objects.filter(bot=keeper.bot, rule="secret").first()
    page = keeper.get("tidy/")
    assert row.path in page.text
    assert page.soup.select(".findings .secret")


def test_operators_are_asked_like_everybody(keeper):
    assert may_operate(keeper.user)
    assert not leaks(keeper.get("memory").response.content.decode())


def test_an_export_is_a_backup_unless_it_is_asked_without(keeper, tmp_path):
    def sent(**fields):
        return keeper.client.post("/keno/export/file", fields).getvalue()

    whole, given_away = (zipfile.ZipFile(io.BytesIO(data)) for data in (sent(), sent(secrets="no")))
    assert whole.read("memory/MEMORY.md").decode() == keeper.read()
    assert not leaks(given_away.read("memory/MEMORY.md").decode())
    assert json.loads(given_away.read("manifest.json"))["secrets_hidden_in"] == [f"{day(0)}.md", "MEMORY.md"]


def test_an_export_without_secrets_is_never_written_over_them(keeper):
    before = keeper.read()
    data = keeper.client.post("/keno/export/file", {"secrets": "no"}).getvalue()
    page = keeper.post("import", file=SimpleUploadedFile("x.zip", data))
    assert "This export was made without secrets" in page.text
    assert keeper.read() == before


@pytest.fixture
def called(desk):
    """Mail addresses: of somebody's login, of a person's digests, and of somebody whom only the memory knows."""
    luis = User.objects.create_user("luis@desk.org", "luis@home.org")
    Subscription.objects.create(user=luis, mail="Luis.Digests@home.org")
    desk.write("MEMORY.md", f"- Luis is luis@desk.org, luis@home.org and luis.digests@home.org\n- Rosa is {MAIL}\n")
    desk.indexed()
    return desk


@pytest.mark.parametrize("address", ["", "memory", "facts/MEMORY.md", "documents/MEMORY.md", "prompt/", "search/?q=is"])
def test_people_of_the_desk_keep_their_names(called, address):
    text = called.get(address).response.content.decode()
    assert MAIL not in text
    if "Luis is" in text:
        assert all(name in text for name in ("luis@desk.org", "luis@home.org", "luis.digests@home.org"))


def test_a_fact_about_somebody_of_the_desk_is_edited_unasked(called):
    assert "luis@desk.org" in called.get("entry", fact=fact_named(called, "Luis")).field
    assert called.get("entry", fact=fact_named(called, "Rosa")).soup.find("textarea") is None


def test_pages_of_no_memory_hide_no_mail_address(desk):
    desk.user.is_superuser = desk.user.is_staff = True
    desk.user.save()
    luis = User.objects.create_user("luis@desk.org")
    assert "luis@desk.org" in desk.client.get("/people/").content.decode()
    assert "luis@desk.org" in desk.client.get(f"/people/{luis.pk}").content.decode()
    refused = desk.client.post("/people/add", {"username": "luis@desk.org"}).content.decode()
    assert 'value="luis@desk.org"' in refused
    assert DOTS not in refused


def test_a_field_holds_an_address_that_is_not_saved(desk):
    page = desk.post("notifications", often="never", mail=f"{MAIL}, {MAIL}")
    assert page.soup.find("input", {"name": "mail"})["value"] == f"{MAIL}, {MAIL}"


def test_the_admin_hides_the_mail_addresses_of_a_memory(called):
    called.user.is_superuser = called.user.is_staff = True
    called.user.save()
    Bot.objects.filter(pk=called.bot.pk).update(name=f"For {MAIL} and luis@desk.org")
    text = called.client.get("/admin/memory/bot/").content.decode()
    assert MAIL not in text
    assert "and luis@desk.org" in text


def test_no_digest_tells_a_secret(keeper):
    today = datetime.now(UTC).date()
    subscription = Subscription(user=keeper.user, facts=True, language="en")
    numbers = asdict(
        Numbers("keno", f"Bot of {MAIL}", learned=4, review=0, doomed=0, doomed_facts=0, tokens=0, micros=0)
    )
    notice = Notice(user=keeper.user, since=today, until=today + timedelta(days=1), counts=[numbers])
    subject, lines = written(subscription, notice)
    assert any("alarm code" in line for line in lines)
    assert not leaks("\n".join((subject, *lines)))
    Bot.objects.filter(pk=keeper.bot.pk).update(name=f"Bot of {MAIL}", trouble="x")
    alarm = Alarm(bot=Bot.objects.get(pk=keeper.bot.pk), kind=Alarm.Kind.FILES)
    assert not leaks(str(written(subscription, Notice(user=keeper.user, alarm=alarm))))


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("bot 12345678:AAtowRsW3PJAyuv__p4q3rQOrcTwCE-elrX of the desk", "p4q3rQOrc"),
        ("key AIzaqG5TaN4o1MYy3DiLvQ1cZBOUj82i7-_nmWx", "ZBOUj82i7"),
        ("**key** glpat-ipfgojtrANxs__GcJIcW_", "GcJIc"),
        ("**The Wi-Fi password:** swordfish\n\nfor guests only", "swordfish"),
        ("| user | password: a|b|c17 |", "c17"),
    ],
)
def test_no_row_headline_or_button_says_a_secret_without_its_markdown(desk, text, hidden):
    added = Append(f"{day(0)}.md", f"## 10:00 — {text}\n\n".encode())
    change = journal.commit(desk.bot, [added], by=journal.By("Ana"), kind=ChangeSet.Kind.EDIT).change_set
    desk.indexed()
    for address in ("", "history", f"changes/{change.pk}", f"days/{day(0)}", "days"):
        assert hidden not in desk.get(address).response.content.decode()
    desk.post(f"changes/{change.pk}/undo")
    undo = ChangeSet.objects.get(undoes=change)
    for address in ("", "history", f"changes/{undo.pk}"):
        assert hidden not in desk.get(address).response.content.decode()
    assert hidden not in desk.post(f"changes/{undo.pk}/undo").response.content.decode()
