"""While somebody types, the desk says what the prompt would cost and which facts would enter or fall out."""

from __future__ import annotations

from memory.models import ChatName


def foresee(desk, text, path="MEMORY.md", htmx=True, base=None):
    base = desk.hash(path) if base is None else base
    return desk.post(f"foresee/{path}", htmx=htmx, text=text, base=base)


def test_cost_and_facts_are_told_for_a_chat_that_reads_it(desk):
    desk.write("chats/telegram-1/MEMORY.md", "- In this chat\n")
    ChatName.objects.create(bot=desk.bot, scope="telegram-1", name="Family")
    desk.post("step")
    page = foresee(desk, "# KenoBot Memory\n\n- Likes Google Docs\n- <b>New</b>\n")
    assert "Prompt for Family, like every chat :" in page.text
    assert "→" in page.text
    assert "1 fact added to the prompt" in page.text
    assert "<b>New</b>" in page.text
    assert "1 fact dropped from the prompt Prefers concise responses" in page.text
    assert page.soup.find("textarea") is None


def test_a_chats_document_is_told_for_that_chat_alone(desk):
    desk.write("chats/telegram-1/MEMORY.md", "- In this chat\n")
    page = foresee(desk, "- In this chat\n- And more\n", "chats/telegram-1/MEMORY.md")
    assert "Prompt for telegram-1 :" in page.text
    assert page.soup.a["href"] == "/keno/prompt/?chat=telegram-1"


def test_without_change_nothing_changes(desk):
    page = foresee(desk, desk.read())
    assert "tokens, unchanged" in page.text
    assert "added to the prompt" not in page.text
    assert "dropped from the prompt" not in page.text


def test_a_limit_that_would_be_passed_is_told(desk):
    page = foresee(desk, desk.read() + "".join(f"- Fact number {number} of very many\n" for number in range(400)))
    assert "The recommended 10 KB end here." in page.text


def test_what_nobody_reads_is_said(desk):
    for number in range(1, 6):
        desk.write(f"2026-03-0{number}.md", "## 10:00 — An entry\n\n")
    desk.post("step")
    page = foresee(desk, "## 10:00 — Another entry\n\n", "2026-03-01.md")
    assert "The bot doesn’t read this file, before or after." in page.text


def test_without_script_the_whole_desk_comes_with_the_text_in_it(desk):
    page = foresee(desk, "- Typed\n", htmx=False)
    assert page.field == "- Typed\n"
    assert "facts dropped from the prompt" in page.text
    assert desk.read() != "- Typed\n"


def test_a_damaged_form_is_refused(desk):
    assert foresee(desk, "x", base="no hash").status == 400
    assert desk.client.get("/keno/foresee/MEMORY.md").status_code == 405
