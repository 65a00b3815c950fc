"""The catalogs hold every text there is, and a reader of Spanish gets Spanish: words, numbers, dates, what the lower floors say."""

from __future__ import annotations

import gettext
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone, translation

from memory.models import Bot
from memory.text.sentences import dumps, join_sentences, loads, say, say_number
from memory.web.base import calendar, dates, gauges
from memory.web.base.translation import translate
from tests.support import messages

PLACEHOLDER = re.compile(r"%\(\w+\)s|%%|<[^>]+>")

# One thing, one name: what the glossary of docs/design/web.md keeps out, and turns of phrase that are no plain English.
FORBIDDEN = re.compile(
    r"\b(stands|lies|of its own|is no(?! longer)|there is|cannot|scratchpad|documents?|fate|taken back|at the door|whoever)\b"
    r"|successfully|please|!|'",
    re.IGNORECASE,
)
FORBIDDEN_IN = {"es": re.compile(r"\b(ficheros?|por favor|bloc|exitosamente)\b|[¡!]", re.IGNORECASE)}


def strings(message):
    return message.string if isinstance(message.string, tuple) else (message.string,)


def ids(message):
    return message.id if isinstance(message.id, tuple) else (message.id,)


@pytest.fixture(params=messages.LANGUAGES)
def catalog(request):
    return messages.read(request.param)


@pytest.mark.slow
def test_catalog_holds_exactly_the_texts_of_the_code(catalog):
    there = {(one.context or "", *(one.id if one.pluralizable else (one.id, ""))) for one in catalog if one.id}
    wanted = set(messages.collected())
    assert sorted(wanted - there) == [], "make messages, then translate"
    assert sorted(there - wanted) == []


def test_every_text_is_translated(catalog):
    assert [one.id for one in catalog if one.id and (one.fuzzy or not all(strings(one)))] == []


def test_words_are_those_of_the_glossary(catalog):
    texts = {text for _, *both in messages.collected() for text in both}
    assert sorted(text for text in texts if FORBIDDEN.search(re.sub(r"%\(\w+\)s|<[^>]*>", "", text))) == []
    wrong = FORBIDDEN_IN[str(catalog.locale)]
    assert [form for one in catalog if one.id for form in strings(one) if wrong.search(form)] == []


def test_words_that_were_agreed_on_are_messages():
    """Each line of words.txt, where # is a placeholder: no page loses one or words it otherwise by the way."""
    texts = {re.sub(r"%\(\w+\)s", "#", text) for _, *both in messages.collected() for text in both}
    agreed = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").splitlines()
    assert len(agreed) > 300
    assert [line for line in agreed if line not in texts] == []


def test_translations_keep_placeholders_and_markup(catalog):
    """In a plural each form may do without the number, where it says it in words."""
    wrong = []
    for one in catalog:
        for form in strings(one) if one.id else ():
            wanted = {frozenset(PLACEHOLDER.findall(text)) for text in ids(one)}
            found = frozenset(PLACEHOLDER.findall(form))
            most = frozenset().union(*wanted)
            if found not in wanted and not (one.pluralizable and found <= most and len(most - found) == 1):
                wrong.append((one.id, form))
    assert wrong == []


def test_compiled_catalog_is_what_the_readable_one_says(catalog):
    with messages.po_path(str(catalog.locale)).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for one in catalog:
        if one.pluralizable:
            for number, told in enumerate(one.string, 1):
                asked = (*one.id, number)
                assert (compiled.npgettext(one.context, *asked) if one.context else compiled.ngettext(*asked)) == told
        elif one.id and one.context:
            assert compiled.pgettext(one.context, one.id) == one.string
        elif one.id:
            assert compiled.gettext(one.id) == one.string


def test_nothing_that_varies_is_handed_to_the_catalogs():
    """Such a text could not be collected. Only `translate` and `number_of` look up what they are given."""
    varying = [files for key, files in messages.marked().items() if messages.VARIES in key]
    assert set().union(*varying) == {"memory/web/base/translation.py", "memory/web/base/gauges.py"}


# ---- what the lower floors say ----------------------------------------------------------------------------------------------

FULL = say(
    "%(path)s couldn’t be written: %(reason)s. Nothing was changed.",
    path="a to b.md",
    reason=say("the disk quota is used up"),
)


@pytest.mark.parametrize(
    ("sentence", "in_spanish"),
    [
        (say("You have no unsaved changes."), "No tienes cambios sin guardar."),
        (
            say(
                "%(count)s files disappeared at once. They are still listed; confirm if that was intended.",
                count=41,
            ),
            "41 archivos han desaparecido a la vez. Siguen en la lista; confirma si era lo que querías.",
        ),
        (
            say_number("It doesn’t touch your change.", "They don’t touch your change.", count=1),
            "No afecta a tu cambio.",
        ),
        (
            join_sentences(
                say_number(
                    "%(count)s line added, %(removed)s removed.",
                    "%(count)s lines added, %(removed)s removed.",
                    count=3,
                    removed=1,
                ),
                say_number("It doesn’t touch your change.", "They don’t touch your change.", count=4),
            ),
            "3 líneas más, 1 menos. No afectan a tu cambio.",
        ),
        (FULL, "a to b.md no se ha podido escribir: la cuota de disco está agotada. No se ha cambiado nada."),
        (
            join_sentences("MEMORY.md", say("This file was removed in the meantime."), by=": "),
            "MEMORY.md: Este archivo se ha quitado entretanto.",
        ),
        (
            join_sentences("100 % (sure)", "", say("You have no unsaved changes.")),
            "100 % (sure) No tienes cambios sin guardar.",
        ),
        (join_sentences("", ""), ""),
    ],
)
def test_what_the_lower_floors_say_is_said_in_spanish(sentence, in_spanish):
    with translation.override("es"):
        assert translate(sentence) == translate(loads(dumps(sentence))) == in_spanish
    with translation.override("en"):
        assert translate(sentence) == sentence == str(ValueError(sentence))


@pytest.mark.parametrize(
    "text", ["You have no unsaved changes.", "Forgot “tea” to coffee", "\x1e[]", "%(path)s", "100 %", ""]
)
def test_what_somebody_wrote_stays_as_it_is(text):
    """Also where it says word for word what we say, and inside of what we say."""
    added = say("Added %(text)s", text=text)
    with translation.override("es"):
        assert translate(text) == translate(loads(dumps(text))) == text
        assert translate(added) == translate(loads(dumps(added))) == f"Añadido {text}"


# ---- numbers and dates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "count", "size", "days"),
    [("en", "1,284", "8.4 KB", ["21 Nov", "21 Nov 2025"]), ("es", "1\xa0284", "8,4 KB", ["21 nov", "21 nov 2025"])],
)
def test_numbers_and_days_are_written_as_the_language_does(monkeypatch, language, count, size, days):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 22, 12, tzinfo=UTC))
    with translation.override(language):
        assert gauges.grouped(1284) == count
        assert gauges.kilobytes(8602) == size
        assert [dates.day("2026-11-21"), dates.day("2025-11-21")] == days


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_no_day_stays_as_it_is(language):
    with translation.override(language):
        assert dates.day("2025-13-45") == "2025-13-45"


@pytest.mark.parametrize(
    ("seconds", "english", "spanish"),
    [
        (-86_400, "22 Nov", "22 nov"),
        (-5, "just now", "ahora mismo"),
        (59, "just now", "ahora mismo"),
        (60, "1 min ago", "hace 1 min"),
        (3599, "59 min ago", "hace 59 min"),
        (3600, "11:00", "11:00"),
        (12 * 3600, "00:00", "00:00"),
        (12 * 3600 + 1, "yesterday", "ayer"),
        (36 * 3600 + 1, "Thu", "el jueves"),
        (6 * 86_400, "Sun", "el domingo"),
        (7 * 86_400, "14 Nov", "14 nov"),
        (1500 * 86_400, "13 Oct 2022", "13 oct 2022"),
    ],
)
def test_a_moment_is_an_age_then_a_clock_then_a_day(monkeypatch, seconds, english, spanish):
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    then = now - timedelta(seconds=seconds)
    for language, words in (("en", english), ("es", spanish)):
        with translation.override(language):
            assert dates.ago(then) == words


def test_a_day_or_month_by_itself_begins_with_a_capital():
    with translation.override("es"):
        assert dates.near_day("2026-11-17", "2026-11-21") == "Martes 17 de noviembre"
        assert calendar.name_of("2026-11-17") == "Martes, 17 de noviembre de 2026"
        assert calendar.month_name("2026-11") == "Noviembre de 2026"


@pytest.mark.parametrize(
    ("text", "words", "full"),
    [
        ("2026-11-21", "today", "21 November 2026"),
        ("2026-11-21 08:05", "08:05", "21 November 2026, 08:05"),
        ("2026-11-20 08:05", "08:05, yesterday", "20 November 2026, 08:05"),
        ("2026-11-19", "Thu", "19 November 2026"),
        ("2026-10-08 08:05", "08:05, 8 Oct", "8 October 2026, 08:05"),
        ("2025-10-08", "8 Oct 2025", "8 October 2025"),
    ],
)
def test_a_day_in_a_text_is_said_as_short(text, words, full):
    when, told = dates.day_in(text, "2026-11-21")
    assert (told, dates.in_full(when), when.isoformat()[: len(text)].replace("T", " ")) == (words, full, text)


NO_DAYS = ("2026-13-45", "2026-11-21 25:00", "2026-W48-4", "20261126", "")


def test_what_is_no_day_is_left_as_it_stands():
    assert [dates.day_in(text, "2026-11-21") for text in NO_DAYS] == [None] * len(NO_DAYS)


def test_today_is_by_the_clock_of_the_bot(monkeypatch):
    """Nine in the evening in UTC is the next day in Auckland, where the bot is."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 21, 21, tzinfo=UTC))
    then, bot = datetime(2026, 11, 21, 9, tzinfo=UTC), Bot(time_zone="Pacific/Auckland")
    assert (dates.ago(then), dates.ago(then, bot)) == ("09:00", "yesterday")
    assert dates.moment(then, bot).endswith("22:00")


# ---- which language a reader gets -------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("headers", "cookie", "language"),
    [
        ({}, "", "en"),
        ({"Accept-Language": "es-MX,es;q=0.9"}, "", "es"),
        ({"Accept-Language": "de"}, "", "en"),
        ({"Accept-Language": "en"}, "es", "es"),
    ],
)
def test_language_is_the_readers(settings, headers, cookie, language):
    client = Client(headers=headers)
    if cookie:
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    answer = client.get("/login")
    assert answer["Content-Language"] == language
    assert "Accept-Language" in answer["Vary"]
    assert f'<html lang="{language}"' in answer.text
    assert ("Contraseña" in answer.text) == (language == "es")
