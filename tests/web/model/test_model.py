"""The page of the language model, as somebody who uses the desk and as somebody who runs it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from memory.bots import open_bot
from memory.llm import Fault, Reply, budget, usage
from memory.models import Delivery, Job, ModelCall
from memory.web.base.gauges import money
from tests.llm.server import MODEL, busy, denied, good


@pytest.fixture
def operator(desk):
    desk.user.is_superuser = True
    desk.user.save()
    return desk


def asked(bot, purpose="answer", read=1000, written=200, fault="", **more):
    call = usage.begin(bot, purpose, MODEL, read, more.get("job"), more.get("delivery"))
    usage.end(call, Reply("x", read, written, more.get("counted", True), more.get("tries", 1), 0.4), None, 1.4)
    ModelCall.objects.filter(pk=call.pk).update(fault=fault, day=more.get("day", call.day))
    return call


def test_without_a_model_the_page_says_how_to_have_one(operator):
    page = operator.get("model")
    assert "No language model set up" in page.text
    assert "LLM_BASE_URL=http://127.0.0.1:11434/v1 LLM_MODEL=qwen3:8b" in page.text
    assert page.soup.select("main form:not(.settings)") == []


def test_how_to_have_one_is_for_those_who_can(desk):
    page = desk.get("model")
    assert "An operator can set one up." in page.text
    assert "LLM_BASE_URL" not in page.soup.main.text


def test_address_and_key_are_for_those_who_run_it(desk, model, settings):
    settings.LLM_BASE_URL = f"http://ana:unsaid@{model.url[7:]}?k=unsaid"
    settings.LLM_API_KEY = "sk-unsaid"
    page = desk.get("model")
    assert MODEL in page.text
    assert "127.0.0.1" not in page.soup.main.text
    assert page.soup.select("main form:not(.settings)") == []
    desk.user.is_superuser = True
    desk.user.save()
    page = desk.get("model")
    assert f"{model.url} · with an API key · Answers time out after 10 seconds." in page.text
    assert "unsaid" not in page.soup.main.text


def test_trying_it_says_how_long_it_took(operator, model):
    model.plays(good("ready"))
    page = operator.post("model", test="")
    assert "working Connected. It answered “ready” after" in page.text
    assert ModelCall.objects.get().purpose == budget.TRIAL
    assert "1 request · 7 tokens" in page.text


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (denied(), "The language model’s server rejected the key in LLM_API_KEY (status 401)."),
        (busy(), "The language model is over its rate limit (status 429)."),
    ],
)
def test_trying_it_says_what_went_wrong(operator, model, play, said):
    model.plays(play)
    page = operator.post("model", test="")
    assert page.status == 200
    assert f"not working {said}" in page.text


def test_trying_is_within_the_bound(operator, model):
    operator.bot.settings = {"daily_tokens": 5}
    operator.bot.save()
    said = "not working The daily limit is 5 tokens, and this request would exceed it. Requests resume tomorrow."
    assert said in operator.post("model", test="").text
    assert model.asked == []


def test_only_those_who_run_it_try_it(desk, model):
    assert desk.post("model", test="").status == 403
    assert model.asked == []


def test_what_it_answers_is_only_a_text(operator, model):
    model.plays(good("<script>alert(1)</script>" * 9))
    page = operator.post("model", test="")
    assert "<script>alert" in page.text
    assert len(page.soup.select("main script")) == 0


def test_today_against_its_bounds(desk, model):
    desk.bot.settings = {"daily_tokens": 2000, "daily_dollars": 0.01, "token_price": 2, "answer_price": 10}
    desk.bot.save()
    asked(desk.bot)
    page = desk.get("model")
    assert "1 request · 1,200 tokens · $0.0040" in page.text
    refused = "Requests that need more than the {} left wait until tomorrow."
    assert f"60% of the daily limit of 2,000 tokens · {refused.format('800')}" in page.text
    assert f"40% of the daily limit of $0.01 · {refused.format('$0.0060')}" in page.text
    asked(desk.bot)
    page = desk.get("model")
    assert "120% of the daily limit of 2,000 tokens · Requests resume tomorrow." in page.text
    assert page.soup.select("svg.gauge.red")


def test_no_bound_and_no_price_are_said(desk, model):
    text = desk.get("model").text
    assert "Not used yet." in text
    assert "No daily limit is set." in text
    assert "No price set, so only tokens are counted." in text


def test_the_last_days_by_purpose(desk, model):
    desk.bot.settings = {"token_price": 2}
    desk.bot.save()
    asked(desk.bot)
    asked(desk.bot, "summary", fault="busy")
    asked(desk.bot, day="2020-01-01")
    desk.bot.settings = {}
    asked(desk.bot, "gone", 3, 0)
    asked(desk.bot, "gone", 0, 0)
    rows = [" ".join(row.get_text(" ").split()) for row in desk.get("model").soup.select(".spent ul li")]
    assert rows == [
        "Answers 1 request 1,000 tokens in, 200 out $0.0020",
        "gone 2 requests 3 tokens in, 0 out",
        "Chat summary 1 request 1 failed 1,000 tokens in, 200 out $0.0020",
    ]


def test_a_week_is_open_and_the_rest_of_the_month_folded(desk, model):
    today = open_bot(desk.bot).now().date()
    for back in range(29):
        day = (today - timedelta(days=back)).isoformat()
        asked(desk.bot, read=5, written=0, day=day)
        asked(desk.bot, read=0, written=0, fault="busy", day=day)
    ModelCall.objects.filter(fault="").update(micros=7)
    page = desk.get("model")
    assert "58 requests · 29 failed · 145 tokens · $0.0002" in page.text
    assert [len(days.select(":scope > li")) for days in page.soup.select(".spent")] == [7, 22]
    assert page.soup.select_one(".spent .num").text == "under $0.0001"


@pytest.mark.parametrize(
    ("settings_of", "limit"),
    [({"daily_dollars": 3}, "daily limit $3.00"), ({"daily_dollars": 300}, None), ({}, None)],
    ids=["limit", "limit far above", "no limit"],
)
def test_cost_of_thirty_days_is_drawn_against_the_limit(desk, settings_of, limit):
    assert desk.get("model").soup.select_one("svg.bars") is None
    today = open_bot(desk.bot).now().date()
    for back, micros in ((0, 1_200_000), (0, 800_000), (3, 500_000), (40, 9_000_000)):
        call = asked(desk.bot, f"p{micros}", day=(today - timedelta(days=back)).isoformat())
        ModelCall.objects.filter(pk=call.pk).update(micros=micros)
    desk.bot.settings = settings_of
    desk.bot.save()
    chart = desk.get("model").soup.select_one("svg.bars")
    bars = chart.select(".bar")
    assert len(bars) == 30
    assert [n for n, bar in enumerate(bars) if float(bar["height"])] == [26, 29]
    assert float(bars[29]["height"]) == pytest.approx(4 * float(bars[26]["height"]), abs=0.3)
    assert {"0", "$2.00"} <= {text.get_text() for text in chart.select("text")}
    line = chart.select_one(".limit")
    assert bool(line) == bool(limit)
    if line:
        assert float(line["y1"]) < float(bars[29]["y"])
        assert limit in chart.get_text()
    rows = [row.get_text(" ", strip=True) for row in desk.get("model").soup.select("[data-key=days-table] tbody tr")]
    assert [row.split()[-1] for row in rows] == ["$2.00", "$0.50"]


def test_tokens_are_drawn_where_no_price_was_set(desk):
    asked(desk.bot, read=900, written=100)
    chart = desk.get("model").soup.select_one("svg.bars")
    assert chart.title.get_text() == "Tokens by day"
    assert "1,000 tokens" in [text.get_text() for text in chart.select("text")]


def test_calls_lead_to_what_they_were_for(desk, model):
    now = timezone.now()
    job = Job.objects.create(bot=desk.bot, kind=Job.Kind.SUMMARY, by="ana", created=now, run_after=now)
    delivery = Delivery.objects.create(bot=desk.bot, received=now, session_id="tg-1", status=200, answer={})
    asked(desk.bot, "summary", job=job, counted=False, tries=3)
    asked(desk.bot, delivery=delivery, fault=Fault.CUT_OFF)
    rows = desk.get("model").soup.select(".asked > li")
    assert [row.a["href"] for row in rows] == [f"/keno/webhooks/{delivery.pk}", f"/keno/jobs/{job.pk}"]
    assert [re.sub("just now", "… ago", " ".join(row.get_text(" ").split())) for row in rows] == [
        f"Answers {MODEL} · 1,000 tokens in, 200 out · 1.4 s … ago cut off",
        f"Chat summary {MODEL} · 1,000 tokens in, 200 out (estimate) · 1.4 s · 3 attempts … ago answered",
    ]


def test_a_call_that_never_ended_is_told_from_one_that_is_under_way(desk, model):
    usage.begin(desk.bot, "answer", MODEL, 40, None, None)
    old = usage.begin(desk.bot, "answer", MODEL, 40, None, None)
    ModelCall.objects.filter(pk=old.pk).update(at=timezone.now() - timedelta(hours=1))
    rows = desk.get("model").soup.select(".asked > li .chip")
    assert [row.text for row in rows] == ["unfinished", "running"]


def test_calls_are_paged_in_a_constant_number_of_statements(desk, model, django_assert_max_num_queries):
    for _ in range(60):
        asked(desk.bot)
    with django_assert_max_num_queries(22):
        page = desk.get("model")
    assert len(page.soup.select(".asked > li")) == 50
    older = page.soup.find("a", rel="next")["href"]
    assert len(desk.get(f"model{older}").soup.select(".asked > li")) == 10
    assert len(page.response.content) < 60_000


def test_another_bots_calls_are_on_its_own_page(desk, model, tmp_path):
    from tests.web.conftest import make_bot

    asked(make_bot(tmp_path, "other")[0])
    assert desk.get("model").soup.select(".asked > li") == []


@pytest.mark.parametrize("before", ["", "0", "-1", "x", "9" * 30, "٣"])
def test_an_odd_page_is_a_page(desk, model, before):
    asked(desk.bot)
    assert desk.get("model", before=before).status == 200


def test_a_models_name_is_only_a_text(desk, model, settings):
    settings.LLM_MODEL = "<b>x</b>\u202e"
    assert desk.get("model").soup.select("main b") == []


@pytest.mark.parametrize(
    ("micros", "said"),
    [(0, ""), (3, "under $0.0001"), (1_260, "$0.0013"), (1_200_000, "$1.20"), (2_345_678_900, "$2,345.68")],
)
def test_money_is_said_in_as_many_places_as_tell_something(micros, said):
    assert money(micros) == said
