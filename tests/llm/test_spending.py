"""What a bot may spend on its language model, and what it has spent: asked over a real server."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from memory import journal, llm
from memory.bots import open_bot
from memory.jobs import rows
from memory.jobs.pruning import Pruning
from memory.llm import Fault, ModelFailed, budget, usage as ledger
from memory.models import Bot, Job, ModelCall
from memory.text.message import Message
from tests.llm import server
from tests.llm.server import busy, good, halfway, not_json_text, slow, trickling
from tests.support.together import together
from tests.web.conftest import make_bot

QUESTION = [Message("system", "You are brief."), Message("user", "How are you?")]
SCHEMA = {"type": "object"}


@pytest.fixture
def bot(db, tmp_path):
    return make_bot(tmp_path)[0]


def ask(bot, **more):
    return budget.ask(bot, budget.ANSWER, QUESTION, **more)


def set_to(bot, **values):
    bot.settings = {**bot.settings, **values}
    bot.save()


def failed(bot, **more):
    with pytest.raises(ModelFailed) as caught:
        ask(bot, **more)
    return caught.value


def today(bot):
    return budget.of_today(bot)


def test_a_call_is_on_record_with_what_the_server_counted(bot, model):
    set_to(bot, token_price=2.5, answer_price=10)
    model.plays(good("Well.", usage={"prompt_tokens": 1000, "completion_tokens": 200}))
    assert ask(bot).text == "Well."
    call = ModelCall.objects.get()
    assert (call.purpose, call.model, call.day) == ("answer", server.MODEL, open_bot(bot).today())
    assert (call.tokens_in, call.tokens_out, call.counted, call.micros) == (1000, 200, True, 4500)
    assert (call.tries, call.fault, call.milliseconds > 0) == (1, "", True)
    assert today(bot) == budget.Spent(1, 0, 1000, 200, 4500)


def test_tokens_that_the_server_does_not_say_are_estimated_and_said_to_be(bot, model):
    model.plays(good("Some words of an answer.", usage=None))
    reply = ask(bot)
    call = ModelCall.objects.get()
    assert not reply.counted
    assert not call.counted
    assert (call.tokens_in, call.tokens_out) == (llm.question_tokens(QUESTION), reply.tokens_out)
    assert call.tokens_out > 3


@pytest.mark.parametrize(
    "usage",
    [
        {},
        [],
        {"prompt_tokens": -1, "completion_tokens": 5},
        {"prompt_tokens": True, "completion_tokens": "5"},
        {"prompt_tokens": 10**30, "completion_tokens": 1},
    ],
)
def test_numbers_that_cannot_be_are_not_believed(bot, model, usage):
    model.plays(good("Fine.", usage=usage))
    assert not ask(bot).counted
    assert 0 < ModelCall.objects.get().tokens_in < 100


def test_the_bound_in_tokens_stops_the_next_call(bot, model):
    set_to(bot, daily_tokens=1000)
    model.plays(good("Long.", usage={"prompt_tokens": 900, "completion_tokens": 200}))
    ask(bot)
    error = failed(bot)
    assert error.fault == Fault.CAP
    assert str(error) == "The daily limit of 1,000 tokens is reached. Requests resume tomorrow."
    assert not error.passes
    assert len(model.asked) == ModelCall.objects.count() == 1


def test_the_bound_in_dollars_stops_the_next_call(bot, model):
    set_to(bot, daily_dollars=0.01, token_price=10)
    model.plays(good("Long.", usage={"prompt_tokens": 1000, "completion_tokens": 1}))
    ask(bot)
    assert "The daily limit of $0.01 is reached." in str(failed(bot))
    assert len(model.asked) == 1


@pytest.mark.parametrize("bound", [{"daily_tokens": 10}, {"daily_dollars": 0.01, "token_price": 1_000}])
def test_a_question_that_would_pass_the_bound_is_not_sent(bot, model, bound):
    set_to(bot, **bound)
    error = failed(bot)
    assert error.fault == Fault.CAP
    assert "this request would exceed it." in str(error)
    assert model.asked == []
    assert not ModelCall.objects.exists()


def test_tomorrow_is_another_day_and_it_is_the_bots(bot, model):
    set_to(bot, daily_tokens=1000)
    model.plays(good("Long.", usage={"prompt_tokens": 1000, "completion_tokens": 1}))
    ask(bot)
    ModelCall.objects.update(day="2026-01-01")
    ask(bot)
    assert today(bot).calls == ModelCall.objects.filter(day="2026-01-01").count() == 1
    bot.time_zone = "Pacific/Kiritimati"
    there = datetime.now(UTC).astimezone(open_bot(bot).zone).date().isoformat()
    assert open_bot(bot).today() == there


def test_what_is_spent_stays_so_when_the_time_zone_moves_west_over_midnight(bot, model):
    set_to(bot, daily_tokens=1000)
    model.plays(good("Long.", usage={"prompt_tokens": 1000, "completion_tokens": 1}))
    bot.time_zone = "Pacific/Kiritimati"
    bot.save()
    ask(bot)
    day = open_bot(bot).today()
    bot.time_zone = "Pacific/Pago_Pago"
    bot.save()
    assert open_bot(bot).today() < day
    assert failed(bot).fault == Fault.CAP
    assert today(bot).calls == 1


def test_another_bots_spending_is_its_own(bot, model, tmp_path):
    other = make_bot(tmp_path, "other")[0]
    set_to(bot, daily_tokens=1000)
    model.plays(good("Long.", usage={"prompt_tokens": 5000, "completion_tokens": 1}))
    ask(other)
    ask(bot)
    assert today(other) == today(bot)


def test_faults_cost_nothing_where_nothing_came(bot, model):
    model.plays(busy())
    assert failed(bot).fault == Fault.BUSY
    call = ModelCall.objects.get()
    assert (call.fault, call.tokens_in, call.tokens_out, call.counted, call.tries) == ("busy", 0, 0, True, 4)
    assert today(bot) == budget.Spent(1, 1, 0, 0, 0)


@pytest.mark.parametrize("play", [slow(30), trickling()])
def test_what_did_not_come_in_time_may_have_cost_its_question(bot, model, play):
    model.plays(play)
    assert failed(bot, seconds=0.2).fault == Fault.TIMEOUT
    call = ModelCall.objects.get()
    assert (call.fault, call.tokens_in, call.counted) == ("timeout", llm.question_tokens(QUESTION), False)


def test_what_could_not_be_used_cost_all_the_same(bot, model):
    model.plays(good("", usage={"prompt_tokens": 70, "completion_tokens": 30}))
    assert failed(bot).fault == Fault.EMPTY
    assert today(bot) == budget.Spent(1, 1, 70, 30, 0)


def test_without_a_model_nothing_is_on_record(bot, settings):
    settings.LLM_MODEL = ""
    assert failed(bot).fault == Fault.NONE_SET
    assert not ModelCall.objects.exists()


def test_a_process_that_dies_leaves_its_call(bot, model, monkeypatch):
    def dies(*_args, **_more):
        raise SystemExit

    monkeypatch.setattr("memory.llm.question.ask", dies)
    with pytest.raises(SystemExit):
        ask(bot)
    call = ModelCall.objects.get()
    assert (call.fault, call.tokens_in, call.counted) == (Fault.UNFINISHED, llm.question_tokens(QUESTION), False)
    assert today(bot).tokens == call.tokens_in


def test_json_is_read_and_checked(bot, model):
    model.plays(server.prose({"facts": ["a", "b"]}))
    assert budget.ask_json(bot, "extraction", QUESTION, schema=SCHEMA, check=lambda it: it["facts"]) == ["a", "b"]
    assert ModelCall.objects.get().fault == ""


def of_another_shape(found):
    raise ValueError("no facts")


@pytest.mark.parametrize(
    ("play", "fault", "said"),
    [
        (not_json_text(), Fault.NO_JSON, "The model’s reply wasn’t valid JSON."),
        (halfway('{"facts": ["one", "two"]}'), Fault.CUT_OFF, "The model’s JSON was cut off."),
        (
            server.answers({"other": 1}),
            Fault.WRONG_SHAPE,
            "The language model’s answer didn’t have the requested form.",
        ),
    ],
)
def test_json_that_cannot_be_used_is_on_record_with_its_fault_and_tokens(bot, model, play, fault, said):
    model.plays(play)
    with pytest.raises(ModelFailed) as caught:
        budget.ask_json(bot, "extraction", QUESTION, schema=SCHEMA, check=of_another_shape)
    assert (caught.value.fault, str(caught.value)) == (fault, said)
    assert caught.value.reply.text
    call = ModelCall.objects.get()
    assert (call.fault, call.tokens_in, call.counted) == (fault, 6, True)
    assert call.tokens_out > 0


def test_a_job_has_its_sum_over_all_its_calls(bot, model):
    job = rows.queue(bot, Job.Kind.SUMMARY, {}, journal.By("Ana"))
    model.plays(good("a", usage={"prompt_tokens": 10, "completion_tokens": 5}), busy())
    ask(bot, job=job)
    failed(bot, job=job)
    ask_another = rows.queue(bot, Job.Kind.SUMMARY, {}, journal.By("Ana"))
    assert budget.of_job(job) == budget.Spent(2, 1, 10, 5, 0)
    assert budget.of_job(ask_another) == budget.Spent()


def test_the_last_days_by_purpose(bot, model):
    ask(bot)
    budget.ask(bot, "summary", QUESTION)
    now = open_bot(bot).now().date()
    for back in (29, 30):
        day = (now - timedelta(days=back)).isoformat()
        ledger.begin(bot, "answer", "m", 9, None, None)
        ModelCall.objects.filter(tokens_in=9, day=now.isoformat()).update(day=day)
    found = budget.days(bot, 30)
    assert list(found) == [now.isoformat(), (now - timedelta(days=29)).isoformat()]
    assert set(found[now.isoformat()]) == {"answer", "summary"}


def test_calls_go_after_a_year(bot, model):
    ask(bot)
    ModelCall.objects.update(day="2020-02-02")
    ask(bot)
    Pruning().look()
    assert [call.day for call in ModelCall.objects.all()] == [open_bot(bot).today()]


def test_sums_agree_with_the_calls(bot, model):
    model.plays(good("a"), busy(), busy(), busy(), busy(), good("", usage=None), good("b"))
    for _ in range(3):
        with suppress(ModelFailed):
            ask(bot)
    calls = ModelCall.objects.all()
    assert today(bot) == budget.Spent(
        len(calls),
        sum(bool(call.fault) for call in calls),
        sum(call.tokens_in for call in calls),
        sum(call.tokens_out for call in calls),
        sum(call.micros for call in calls),
    )


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_many_at_once_do_not_pass_the_bound_by_their_questions(model, settings, tmp_path):
    settings.LLM_TIMEOUT = 60  # they wait for each other
    bot = make_bot(tmp_path)[0]
    each = llm.question_tokens(QUESTION)
    set_to(bot, daily_tokens=each * 3)
    refused, all_are = [], Event()
    model.plays(lambda _messages: all_are.wait(50) and "Late.")  # what it has said may cost less than was set aside

    def one():
        try:
            return ask(Bot.objects.get(pk=bot.pk)).text
        except ModelFailed as error:
            refused.append(error.fault)
            if len(refused) == 5:
                all_are.set()
            return error.fault

    outcomes = together(8, one)
    assert sorted(outcomes) == sorted(["Late."] * 3 + [Fault.CAP] * 5)
    assert len(model.asked) == 3
    assert today(bot).calls == 3


def test_a_bot_that_is_gone_meanwhile_is_no_error(bot, model):
    call = ledger.begin(bot, "answer", "m", 40, None, None)
    ModelCall.objects.all().delete()
    ledger.end(call, llm.Reply("x", 1, 1, True, 1, 0.1), None, 0.1)
    assert not ModelCall.objects.exists()
