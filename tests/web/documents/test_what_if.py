"""While somebody types, the desk says what the prompt would cost and which facts would enter or fall out."""

from __future__ import annotations

from memory.models import ChatName


def foresee(desk, text, path="MEMORY.md", htmx=True, base=None):
    base = desk.hash(path) if base is None else base
    return desk.post(f"foresee/{path}", htmx=htmx, text=text, base=base)


def test_cost_and_facts_are_told_for_a_chat_that_reads_it(desk):
    desk.write("chats/telegram-1/MEMORY.md", "- In this chat\n")
    ChatName.objects.create(bot=desk.bot, scope="telegram-1", name="Family")
    desk.indexed()
    page = foresee(desk, "# KenoBot Memory\n\n- Likes Google Docs\n- <b>New</b>\n")
    assert "Prompt for Family, like every chat :" in page.text
    assert "→" in page.text
    assert "1 fact added <b>New</b>" in page.text
    assert "1 fact removed Prefers concise responses" in page.text
    assert "the prompt Prefers" not in page.text  # it is told of once
    assert page.soup.find("textarea") is None


def test_a_chats_document_is_told_for_that_chat_alone(desk):
    desk.write("chats/telegram-1/MEMORY.md", "- In this chat\n")
    page = foresee(desk, "- In this chat\n- And more\n", "chats/telegram-1/MEMORY.md")
    assert "Prompt for telegram-1 :" in page.text
    assert page.soup.a["href"] == "/keno/prompt/?chat=telegram-1"


def test_without_change_there_is_nothing_to_tell(desk):
    assert foresee(desk, desk.read()).text == ""


def test_an_edit_of_one_fact_is_one_rewording(desk):
    page = foresee(desk, desk.read().replace("Prefers concise responses", "Speaks Portuguese at home"))
    assert "1 fact reworded Speaks Portuguese at home" in page.text
    for word in ("added", "removed", "dropped"):
        assert word not in page.text


def test_facts_of_a_file_that_nobody_reads_are_told_of_too(desk):
    for number in range(1, 6):
        desk.write(f"2026-03-0{number}.md", "## 10:00 — An entry\n\n")
    desk.indexed()
    page = foresee(desk, "## 10:00 — An entry\n\n## 11:00 — One more\n\n", "2026-03-01.md")
    assert "1 fact added One more" in page.text


def test_what_falls_out_beside_the_edit_is_told_of_the_prompt(desk):
    for number in range(1, 4):
        desk.write(f"2026-03-0{number}.md", f"## 10:00 — Entry {number}\n\n")
    desk.indexed()
    page = foresee(desk, "## 10:00 — Entry 4\n\n", "2026-03-04.md", base="")
    assert "1 fact added Entry 4" in page.text
    assert "1 fact dropped from the prompt Entry 1" in page.text


def test_a_limit_that_would_be_passed_is_told(desk):
    page = foresee(desk, desk.read() + "".join(f"- Fact number {number} of very many\n" for number in range(400)))
    assert "The recommended 10 KB end here." in page.text


def test_what_nobody_reads_is_said(desk):
    for number in range(1, 6):
        desk.write(f"2026-03-0{number}.md", "## 10:00 — An entry\n\n")
    desk.indexed()
    page = foresee(desk, "## 10:00 — Another entry\n\n", "2026-03-01.md")
    assert "The bot doesn’t read this file, before or after." in page.text


def test_without_script_the_whole_desk_comes_with_the_text_in_it(desk):
    page = foresee(desk, "- Typed\n", htmx=False)
    assert page.field == "- Typed\n"
    assert "1 fact added" in page.text
    assert desk.read() != "- Typed\n"


def test_a_damaged_form_is_refused(desk):
    assert foresee(desk, "x", base="no hash").status == 400
    assert desk.client.get("/keno/foresee/MEMORY.md").status_code == 405
