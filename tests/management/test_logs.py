from __future__ import annotations

import io
import logging
import sys

import pytest
from django.conf import settings
from django.test import Client

from kenoweb import logs


@pytest.fixture
def lines():
    """What a logger with the site's filter writes, at a time of one's own."""
    logger, written = logging.Logger("refusals"), io.StringIO()
    handler = logging.StreamHandler(written)
    handler.addFilter(logs.Bounded())
    logger.addHandler(handler)

    def write(text, minute, exc_info=None, **extra):
        record = logger.makeRecord("x", logging.WARNING, "", 0, text, (), exc_info, extra=extra)
        record.created = minute * 60.0
        logger.handle(record)
        return written.getvalue().splitlines()

    return write


def test_refusals_are_bounded_in_a_minute_and_the_next_says_how_many_more(lines):
    for number in range(logs.LINES_A_MINUTE + 40):
        found = lines(f"Unauthorized: /webhook {number}", 7)
    assert len(found) == logs.LINES_A_MINUTE
    found = lines("Unauthorized: /webhook", 8)
    assert found[-1] == "Unauthorized: /webhook (and 40 lines of an earlier minute were left out)"
    assert lines("one more", 9)[-1] == "one more"


def test_what_broke_is_never_left_out(lines):
    for number in range(logs.LINES_A_MINUTE):
        lines(str(number), 7)
    try:
        raise ValueError("broken")
    except ValueError:
        assert "ValueError: broken" in lines("Internal Server Error", 7, sys.exc_info())


def test_what_strangers_send_wrong_brings_no_traceback_and_is_bounded(lines):
    for number in range(logs.LINES_A_MINUTE + 5):
        try:
            raise ValueError("too many fields")
        except ValueError:
            found = lines(f"Bad Request {number}", 7, sys.exc_info(), status_code=400)
    assert len(found) == logs.LINES_A_MINUTE
    assert not any("Traceback" in line for line in found)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["django.request", "django.security", "axes", "memory.webhook.view"])
def test_loggers_that_strangers_write_to_are_bounded(name, caplog):
    told = settings.LOGGING["loggers"][name]
    assert (told["handlers"], told["propagate"]) == (["refusals"], False)
    assert settings.LOGGING["handlers"]["refusals"]["filters"] == ["bounded"]
    bounded = [
        one for one in logging.getLogger(name).handlers for each in one.filters if isinstance(each, logs.Bounded)
    ]
    assert len(bounded) == 1
    assert Client().post("/webhook", b"{}", content_type="application/json").status_code == 401


def test_a_line_tells_no_secret():
    secret = "sk-proj-" + "Ab12Cd34" * 4
    formatters = {handler["formatter"] for handler in settings.LOGGING["handlers"].values()}
    for name in formatters:
        made = dict(settings.LOGGING["formatters"][name])
        formatter = getattr(logs, made.pop("()").rpartition(".")[2])(made["format"])
        record = logging.makeLogRecord({"msg": "Not Found: /keno/documents/%s.md", "args": (secret,)})
        assert "sk-p" in formatter.format(record)
        assert secret not in formatter.format(record)
