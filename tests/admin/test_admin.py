from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.apps import apps
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from memory import index, journal, registry
from memory.access import encryption
from memory.domain.changes import Append
from memory.models import (
    Alarm,
    Answering,
    ApiToken,
    ChangeSet,
    Chat,
    ChatName,
    ChecksRun,
    Claim,
    Day,
    Delivery,
    Dispatch,
    Document,
    Fact,
    FactAttributes,
    Fetched,
    Finding,
    Growth,
    Job,
    Lineage,
    LoginLink,
    ModelCall,
    Notice,
    Pinned,
    Proposal,
    Purge,
    RecallTest,
    RefusedCalls,
    Searched,
    Session,
    Subscription,
    Use,
    Vector,
    WebhookSecret,
)

pytestmark = pytest.mark.usefixtures("every_row")
READ_ONLY = (
    *("ChangeSet", "Revision", "Blob", "Head", "Delivery", "RefusedCalls", "Document", "Fact"),
    *("Chat", "Day", "FactAttributes", "Session"),
    *("ApiToken", "Fetched", "Finding", "Growth", "Lineage", "RecallTest", "Pinned", "Purge", "Vector", "ChecksRun"),
    *("Answering", "Job", "ModelCall", "Proposal"),
    *("Alarm", "Claim", "Dispatch", "Notice", "Searched", "Subscription", "Use"),
)


def address(model, page: str, *args) -> str:
    return reverse(f"admin:memory_{model._meta.model_name}_{page}", args=args)


@pytest.fixture
def rows(bot, owner):
    """Something in every table."""
    index.refresh(bot)
    Purge.objects.create(bot=bot, by="Ana", print="0" * 64, counts={"drafts": 1})
    made = journal.commit(bot, [Append("2026-03-11.md", b"## 10:00 - x\n\n")], by=journal.By("Ana"), kind="edit")
    Delivery.objects.create(
        bot=bot, body_sha256="0" * 64, session_id="http-7", received=timezone.now(), change_set=made.change_set
    )
    RefusedCalls.objects.create(address="203.0.113.9", minute=timezone.now(), status=401, reason="x", count=3)
    WebhookSecret.objects.create(bot=bot, name="old", sealed=encryption.seal(b"never to be seen"))
    LoginLink.objects.create(user=owner, token_hash="d" * 64, expires=timezone.now())
    ChatName.objects.create(bot=bot, scope="telegram-1", name="Family")
    Chat.objects.get_or_create(bot=bot, scope="telegram-1", defaults={"written_ns": 1})
    Day.objects.get_or_create(bot=bot, day="2026-03-11", defaults={"written_ns": 1})
    fact = Fact.objects.filter(bot=bot)[0]
    FactAttributes.objects.create(
        fact=fact, bot=bot, document=fact.document, kind="fact", whose="chat", source="manual"
    )
    now = timezone.now()
    token = ApiToken.objects.create(bot=bot, name="reader", token_hash="d" * 64, hint="abcd")
    Fetched.objects.create(
        bot=bot, token=token, at=now, query="who?", tokens=3, sha256="0" * 64, documents={"a.md": "1"}
    )
    Finding.objects.create(bot=bot, rule="leak", path="MEMORY.md", found=now)
    Lineage.objects.create(
        bot=bot, change_set=made.change_set, how=Lineage.How.FORGOTTEN, from_path="MEMORY.md", from_key="k"
    )
    Growth.objects.create(revision=made.change_set.revisions.get(), at=now, size=3)
    Pinned.objects.create(bot=bot, key="0" * 32)
    Searched.objects.create(bot=bot, at=now, words="tea", keys="0" * 32)
    RecallTest.objects.create(bot=bot, question="who?", path="MEMORY.md", key="k", text="Ana")
    Vector.objects.create(bot=bot, model="m", key="k", dimensions=1, data=b"0000")
    ChecksRun.objects.create(bot=bot, looked=now, indexed=1)
    job = Job.objects.create(bot=bot, kind=Job.Kind.SUMMARY, by="Ana", created=now, run_after=now)
    Proposal.objects.create(bot=bot, job=job, number=1, action=Proposal.Action.REPLACE)
    ModelCall.objects.create(bot=bot, job=job, purpose="summary", model="m", at=now, day="2026-03-11")
    Answering.objects.create(bot=bot, session_id="http-7", holder="h", until=now)
    Claim.objects.create(bot=bot, fact=fact, about="0" * 32)
    Use.objects.create(bot=bot, key="0" * 32, how=Use.How.PROMPT, day="2026-03-11")
    Subscription.objects.create(user=owner, service=encryption.seal(b"never to be seen"), feed_hash="d" * 64)
    notice = Notice.objects.create(user=owner, name="alarm", made=now)
    Alarm.objects.create(bot=bot, kind=Alarm.Kind.FILES, began=now)
    Dispatch.objects.create(notice=notice, way=Dispatch.Way.MAIL, due=now)


@pytest.mark.slow
def test_every_list_and_page_shows(operator, rows):
    for model in apps.get_app_config("memory").get_models():
        assert operator.get(address(model, "changelist")).status_code == 200, model
        assert operator.get(address(model, "changelist"), {"q": "x"}).status_code == 200, model
        for row in model.objects.all()[:3]:
            answer = operator.get(address(model, "change", row.pk))
            assert answer.status_code == 200, model
            assert "never to be seen" not in answer.content.decode(), model
            assert "d" * 64 not in answer.content.decode(), model


def test_a_row_is_called_in_the_readers_language(operator, rows):
    for model, name in ((ChangeSet, "Cambio"), (Delivery, "Entrega"), (Job, "Tarea")):
        row = model.objects.first()
        page = operator.get(address(model, "change", row.pk), headers={"accept-language": "es"}).content.decode()
        assert f"<h2>{name} {row.pk}</h2>" in page


def test_what_kenoweb_writes_can_only_be_read(operator, rows):
    for model in map(apps.get_app_config("memory").get_model, READ_ONLY):
        row = model.objects.first()
        before = model.objects.filter(pk=row.pk).values().get()
        assert operator.get(address(model, "add")).status_code == 403, model
        assert operator.post(address(model, "change", row.pk), {"bot": 1, "_save": "1"}).status_code == 403, model
        assert operator.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model
        chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        operator.post(address(model, "changelist"), chosen)
        assert model.objects.filter(pk=row.pk).values().get() == before, model


@pytest.mark.parametrize("staff", [True, False])
def test_only_superusers_are_let_in(client, rows, staff):
    from django.contrib.auth.models import Permission

    user = User.objects.create_user("ben", password="x", is_staff=staff)
    user.user_permissions.set(Permission.objects.all())
    client.force_login(user)
    for url in (reverse("admin:index"), address(Delivery, "changelist"), address(WebhookSecret, "add")):
        answer = client.get(url)
        assert answer.status_code == 302
        assert reverse("admin:login") in answer["Location"]


def test_strangers_are_sent_to_log_in(client, bot):
    assert client.get(address(Document, "changelist")).status_code == 302


def test_sessions_are_listed_without_what_would_let_somebody_in(operator, owner):
    listed = operator.get(address(Session, "changelist")).content.decode()
    key = Session.objects.get(user=owner).session_key
    assert "owner" in listed
    assert key not in listed
    page = operator.get(address(Session, "change", key)).content.decode()
    assert Session.objects.get(user=owner).session_data not in page


def test_pages_have_no_inline_script(operator, rows):
    urls = [reverse("admin:index"), address(type(ChangeSet()), "changelist"), address(WebhookSecret, "add")]
    for url in urls:
        page = BeautifulSoup(operator.get(url).content, "lxml")
        inline = [
            one for one in page.find_all("script") if not one.get("src") and one.get("type") != "application/json"
        ]
        assert inline == []
        assert not [tag for tag in page.find_all(True) if any(name.startswith("on") for name in tag.attrs)]


def test_secret_is_sealed_and_never_shown_again(operator, bot):
    secret = "a secret of sixteen letters or more"
    answer = operator.post(address(WebhookSecret, "add"), {"bot": bot.pk, "name": "first", "secret": secret})
    assert answer.status_code == 302
    row = WebhookSecret.objects.get()
    assert secret.encode() not in bytes(row.sealed)
    assert encryption.unseal(row.sealed) == secret.encode()
    page = operator.get(address(WebhookSecret, "change", row.pk)).content.decode()
    assert secret not in page
    assert bytes(row.sealed).decode() not in page


def test_short_secret_is_refused(operator, bot):
    answer = operator.post(address(WebhookSecret, "add"), {"bot": bot.pk, "name": "", "secret": "short"})
    assert answer.status_code == 200
    assert not WebhookSecret.objects.exists()


def test_secret_can_be_revoked(operator, rows):
    row = WebhookSecret.objects.get()
    before = bytes(row.sealed)
    now = {"revoked_0": "2026-01-01", "revoked_1": "10:00:00"}
    assert operator.post(address(WebhookSecret, "change", row.pk), {"name": "old", **now}).status_code == 302
    row.refresh_from_db()
    assert row.revoked is not None
    assert bytes(row.sealed) == before


def bot_fields(bot, **more) -> dict:
    root = bot.roots.get()
    return {
        "name": bot.name,
        "slug": bot.slug,
        "time_zone": "UTC",
        "roots-TOTAL_FORMS": 1,
        "roots-INITIAL_FORMS": 1,
        "roots-0-id": root.pk,
        "roots-0-bot": bot.pk,
        "roots-0-name": root.name,
        "roots-0-path": root.path,
        **more,
    }


def test_a_bots_directories_are_called_that(operator, bot):
    page = BeautifulSoup(operator.get(address(type(bot), "change", bot.pk)).content, "lxml")
    group = page.select_one("#roots-group")
    assert group.h2.get_text(strip=True) == "Directories"
    assert "Add another Directory" in group["data-inline-formset"]


def test_bot_can_be_changed(operator, bot):
    type(bot).objects.update(settings={"memory_days": 5})
    page = BeautifulSoup(operator.get(address(type(bot), "change", bot.pk)).content, "lxml")
    assert page.select_one(".field-desk_settings a")["href"] == "/keno/settings"
    fields = bot_fields(bot, time_zone="America/Mexico_City", settings="{}", standard_webhooks_only="on")
    assert operator.post(address(type(bot), "change", bot.pk), fields).status_code == 302
    bot.refresh_from_db()
    assert (bot.time_zone, bot.settings, bot.standard_webhooks_only) == (
        "America/Mexico_City",
        {"memory_days": 5},
        True,
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_zone": "Mars/Base"},
        {"roots-0-path": "/"},
        {"roots-0-path": "/nowhere/at/all"},
    ],
)
def test_bot_cannot_be_changed_to_what_does_not_work(operator, bot, wrong):
    before = type(bot).objects.values().get()
    assert operator.post(address(type(bot), "change", bot.pk), bot_fields(bot, **wrong)).status_code == 200
    assert type(bot).objects.values().get() == before


def act(operator, bot, action: str, **more):
    fields = {"action": action, "_selected_action": [bot.pk], **more}
    return operator.post(address(type(bot), "changelist"), fields, follow=True)


def test_plan_is_the_desks_and_nothing_is_written(operator, bot, root):
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    answer = act(operator, bot, "plan_compaction")
    assert answer.redirect_chain == [("/keno/compaction", 302)]
    assert "Plays chess" in answer.content.decode()
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    assert not ChangeSet.objects.filter(kind="compaction").exists()


def test_plan_of_the_chats_too(operator, bot):
    answer = act(operator, bot, "plan_compaction", all_chats="yes")
    assert answer.redirect_chain == [("/keno/compaction?scope=all", 302)]
    assert "The trip is in May" in answer.content.decode()


def test_plans_of_several_bots_are_links(operator, bot, tmp_path):
    (tmp_path / "other").mkdir()
    other = registry.add(tmp_path / "other", "kenobot", "Other <b>bot</b>")
    page = BeautifulSoup(act(operator, bot, "plan_compaction", _selected_action=[bot.pk, other.pk]).content, "lxml")
    assert page.find("a", href="/keno/compaction")
    assert "Other <b>bot</b>" in page.find("a", href=f"/{other.slug}/compaction").get_text()


def test_compact_now_compacts_and_undo_brings_it_back(operator, bot, root):
    before = (root / "MEMORY.md").read_bytes()
    page = act(operator, bot, "compact_now").content.decode()
    made = ChangeSet.objects.get(kind="compaction")
    assert f". Change {made.pk}." in page
    assert f'href="/keno/compaction/{made.pk}"' in page
    assert (made.by, made.user) == ("owner", User.objects.get(username="owner"))
    assert b"Plays chess" in (root / "MEMORY.md").read_bytes()
    journal.undo(bot, made, journal.By("owner"))
    assert (root / "MEMORY.md").read_bytes() == before


def test_compact_now_that_cannot_be_says_why(operator, bot, root):
    before = b"- caf\xe9\n"
    (root / "MEMORY.md").write_bytes(before)
    page = BeautifulSoup(act(operator, bot, "compact_now").content, "lxml")
    assert page.select(".messagelist .error")
    assert (root / "MEMORY.md").read_bytes() == before


def test_compact_now_with_nothing_old_says_so(operator, bot, root):
    for path in root.glob("2026-*.md"):
        path.unlink()
    assert ": no logs are old enough to compact." in act(operator, bot, "compact_now").content.decode()


def test_facts_list_costs_few_queries(operator, rows, django_assert_max_num_queries):
    assert Fact.objects.count() > 3
    with django_assert_max_num_queries(14):
        operator.get(address(Fact, "changelist"))


def test_compact_by_meaning_queues_a_job_and_leads_to_it(operator, bot, settings):
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "playing-1"
    page = BeautifulSoup(act(operator, bot, "compact_by_meaning").content, "lxml")
    job = Job.objects.get()
    assert (job.kind, job.state, job.params["scopes"], job.by) == ("consolidation", "queued", [""], "owner")
    assert page.find("a", href=f"/keno/jobs/{job.pk}")


def test_compact_by_meaning_without_a_model_says_what_is_missing(operator, bot):
    page = BeautifulSoup(act(operator, bot, "compact_by_meaning").content, "lxml")
    assert "LLM_BASE_URL" in page.select_one(".messagelist .error").get_text()
    assert not Job.objects.exists()


def test_columns_of_bots_are_in_the_words_of_the_desk(operator, bot):
    page = BeautifulSoup(operator.get(reverse("admin:memory_bot_changelist")).content, "lxml")
    heads = [head.get_text(strip=True) for head in page.select("#result_list th .text")]
    assert {"Bot type", "Last read", "Problem"} < set(heads)
    filters = page.select_one("#changelist-filter").get_text()
    assert "By bot type" in filters
    assert "By sample" in filters
    assert page.select_one("#result_list .field-bot_type").get_text(strip=True) == "KenoBot"
    assert page.select_one("#changelist-filter a[href='?dialect=kenobot']").get_text(strip=True) == "KenoBot"


def test_bots_of_another_type_are_left_out_by_the_filter(operator, bot):
    for family, there in (("kenobot", 1), ("nanobot", 0)):
        page = BeautifulSoup(operator.get(reverse("admin:memory_bot_changelist"), {"dialect": family}).content, "lxml")
        assert len(page.select("#result_list tbody tr")) == there


def test_filter_says_which_bots_were_removed(operator, bot):
    listed = reverse("admin:memory_bot_changelist")
    page = BeautifulSoup(operator.get(listed).content, "lxml")
    links = {
        link.get_text(strip=True): link["href"] for link in page.select("#changelist-filter details:last-of-type a")
    }
    assert links == {"All": "?", "Yes": "?removed=yes", "No": "?removed=no"}
    for wanted, there in (("yes", 0), ("no", 1), ("maybe", 1)):
        page = BeautifulSoup(operator.get(listed, {"removed": wanted}).content, "lxml")
        assert len(page.select("#result_list tbody tr")) == there
