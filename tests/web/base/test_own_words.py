"""What users wrote is shown as they wrote it, in every language: also where it reads like a sentence of ours."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.utils import translation

from memory import index
from memory.checks import findings
from memory.models import ChangeSet, Finding, Job, Proposal
from memory.text.sentences import say, say_number
from memory.web.base.translation import translate
from tests.web.compaction.test_compaction import send
from tests.web.documents.test_facts import press

NOW = datetime(2026, 11, 22, tzinfo=UTC)
WORDS = (
    "Moved from Rome to Oslo",  # once rewritten, since ours has a “to” there
    "Forgot “milk” into MEMORY.md",
    "Nothing was changed. You have no unsaved changes.",
    "MEMORY.md: This file was removed in the meantime.",
    "Undid change 12",
    "100 % of %(text)s and %s, {text}",
)
LANGUAGES = {"en": ("added", "Changed", "to", "removed"), "es": ("añadido", "Cambiado", "por", "quitado")}


@pytest.fixture(params=LANGUAGES)
def reader(desk, request):
    """The desk as somebody of that language sees it, and how it calls what is done."""
    desk.client.cookies[settings.LANGUAGE_COOKIE_NAME] = request.param
    desk.language, desk.deeds = request.param, LANGUAGES[request.param]
    return desk


def text_of(page):
    return " ".join(page.soup.get_text(" ").split())


@pytest.mark.slow
def test_history_and_messages_leave_a_users_words_alone(reader):
    added, changed, to, forgot = reader.deeds
    with translation.override(reader.language):
        forget = translation.gettext("Forget")
    shown, why = {}, {}
    for words in WORDS:
        reader.post("entry/add", path="MEMORY.md", text=words)
        shown[words] = text_of(press(reader, reader.get("facts/MEMORY.md"), forget, words))
        forgotten = ChangeSet.objects.latest("pk").pk
        shown[words] += text_of(reader.post(f"changes/{forgotten}/undo"))
        why[words] = say("Changed %(before)s to %(after)s", before=words, after=f"{words} to tea")
        ChangeSet.objects.filter(pk=ChangeSet.objects.filter(kind="undo").latest("pk").pk).update(
            why=why[words], kind="restore"
        )
    history = text_of(reader.get("history/"))
    for words in WORDS:
        assert words in shown[words]
        assert f"{words} {added}" in history
        assert f"{words} {forgot}" in history
        assert f"{changed} {words} {to} {words} to tea" in history


def test_plan_and_run_leave_them_alone(reader):
    reader.write("2026-01-01.md", "".join(f"## 10:30 — {words}\n\n" for words in WORDS))
    page = reader.get("compaction")
    planned, ran = text_of(page), text_of(reader.post("compaction/apply", **send(page)))
    assert [words for words in WORDS if words not in planned or words not in ran] == []


def test_findings_leave_them_alone_and_say_why_in_the_readers_language(reader):
    secrets = [f"{words} with Marta who expects a child in May" for words in WORDS]
    entries = "".join(f"## 10:00 — {secret}\n\n" for secret in secrets)
    reader.write("chats/telegram-1/2026-03-01.md", entries)
    reader.write("MEMORY.md", "".join(f"- {secret}\n" for secret in secrets))
    index.refresh(reader.bot, accept_vanished=True)
    findings.look(reader.bot)
    page = text_of(reader.get("findings/"))
    assert [secret for secret in secrets if secret not in page] == []
    why = {
        "en": "A private fact of one chat. Every chat reads it here.",
        "es": "Un hecho privado de un chat. Aquí lo leen todos los chats.",
    }[reader.language]
    assert page.count(why) >= len(WORDS)
    for finding, words in zip(Finding.objects.order_by("pk"), WORDS, strict=False):
        Finding.objects.filter(pk=finding.pk).update(note=words)
    noted = text_of(reader.get("findings/"))
    assert [words for words in WORDS if words not in noted] == []


@pytest.mark.parametrize("words", [*WORDS, "\x1e[]", ""])
def test_rows_keep_a_sentence_as_one_and_a_users_words_as_they_are(desk, words):
    """In a column and in a list, written by themselves, in bulk and by an update."""
    sentence = say("Added %(text)s", text=words)
    job = Job.objects.create(
        bot=desk.bot, kind=Job.Kind.SUMMARY, created=NOW, run_after=NOW, trouble=words, doing=sentence
    )
    flags = [words, sentence]
    Proposal.objects.bulk_create([Proposal(bot=desk.bot, job=job, number=1, action=Proposal.Action.KEEP, flags=flags)])
    Job.objects.filter(trouble=words, doing=sentence).update(outcome={"found": 1})
    job, found = Job.objects.get(), Proposal.objects.values_list("flags", flat=True).get()
    assert job.outcome == {"found": 1}
    with translation.override("es"):
        assert (
            [translate(job.trouble), translate(job.doing)]
            == [translate(one) for one in found]
            == [words, f"Añadido {words}"]
        )


def test_a_count_of_thousands_has_its_commas():
    assert translate(say_number("%(count)s item", "%(count)s items", count=14_063)) == "14,063 items"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("notes.md", "notes.md"),
        ("Zürich 笔记.md", "Zürich 笔记.md"),
        ("a\u202egnp.md", "\u2068a\u202egnp.md\u2069"),
        ("\u05d0.md", "\u2068\u05d0.md\u2069"),
        ("a\u2069b\u2067c.md", "\u2068ab\u2067c.md\u2069\u2069"),
    ],
)
def test_a_name_turns_no_word_of_the_sentence_around_it(name, shown):
    assert (
        translate(say("%(path)s isn’t valid. %(again)s", path=name, again=say("Try again")))
        == f"{shown} isn’t valid. Try again"
    )
