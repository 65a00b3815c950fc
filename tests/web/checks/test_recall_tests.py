"""The page of recall tests, as somebody at the desk uses it."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest

from memory import index, journal
from memory.checks import recall_tests
from memory.models import Bot, Fact, RecallTest
from memory.web.base.fact_rows import fact_name
from tests.web.conftest import Visitor, make_bot

MEMORY = "# Memory\n\n- Ana's boat is called Albatros\n- The dentist is Dr. Lind\n"
QUESTION = "what is the boat called"


@pytest.fixture
def keeper(desk):
    desk.write("MEMORY.md", MEMORY)
    desk.step()
    desk.bot.refresh_from_db()
    return desk


def name_of(desk, text):
    fact = Fact.objects.select_related("document").get(bot=desk.bot, text__contains=text)
    return fact_name(fact.document.path, fact.key, fact.nth)


def pin(desk, question=QUESTION, text="Albatros", **more):
    return desk.post("recall/add", question=question, fact=name_of(desk, text), **more)


def forget_boat(desk):
    desk.post("entry/forget", one=name_of(desk, "Albatros"))
    desk.step()


def test_empty_page_says_what_a_test_is(keeper):
    page = keeper.get("recall/")
    assert "No recall tests yet" in page.text
    assert "Tests run whenever the memory changes." in page.text


def test_question_shows_what_it_finds_to_choose_from(keeper):
    page = keeper.get("recall/", question=QUESTION)
    button = page.soup.find("button", string="Select")
    assert button["value"] == name_of(keeper, "Albatros")
    assert "Albatros" in button.find_parent("li").get_text()


def test_fact_can_be_looked_for_by_other_words(keeper):
    page = keeper.get("recall/", question="who looks after my teeth", words="dentist")
    assert page.soup.find("button", string="Select")["value"] == name_of(keeper, "dentist")


def test_question_that_finds_nothing_says_so(keeper):
    assert "No results. Try other words for the fact." in keeper.get("recall/", question="zebra").text


def test_pinned_question_stands_in_the_list_with_where_it_finds_its_fact(keeper):
    page = pin(keeper)
    assert f"Test added: “{QUESTION}” must find this fact." in page.text
    row = page.soup.find(id=f"t-{RecallTest.objects.get().pk}")
    assert "found" in row.find(class_="good").get_text()
    assert "Found first" in row.get_text()
    assert "1 recall test, passing" in page.text
    assert page.link("Open search") == f"/keno/search/?{urlencode({'q': QUESTION})}"


def test_search_page_has_a_button_for_each_hit(keeper):
    page = keeper.get("search/", q=QUESTION)
    button = page.soup.find("button", formaction="/keno/recall/add", value=name_of(keeper, "Albatros"))
    form = button.find_parent("form")
    fields = {one["name"]: one["value"] for one in form.find_all("input", type="hidden")}
    keeper.post("recall/add", question=fields["question"], chat=fields["chat"], one=button["value"])
    assert RecallTest.objects.get().question == QUESTION


def test_button_of_a_search_hit_pins_as_well_and_goes_back_there(keeper):
    page = keeper.post("recall/add", question=QUESTION, one=name_of(keeper, "Albatros"), next="/keno/memory")
    assert page.response.redirect_chain == [("/keno/memory", 302)]
    assert RecallTest.objects.get().question == QUESTION


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"question": QUESTION},
        {"question": QUESTION, "fact": "nonsense"},
        {"question": "", "fact": "NAME"},
        {"question": QUESTION, "fact": "NAME", "within": "7"},
        {"question": "x" * 501, "fact": "NAME"},
    ],
)
def test_form_that_names_nothing_is_said(keeper, form):
    if form.get("fact") == "NAME":
        form = {**form, "fact": name_of(keeper, "Albatros")}
    page = keeper.post("recall/add", **form)
    assert page.status == 200
    assert "No test was added." in page.text
    assert not RecallTest.objects.exists()


@pytest.mark.parametrize("chat", ["../x", "a/b", "x" * 256, "telegram-2"])
def test_chat_that_cannot_see_the_fact_is_refused(keeper, chat):
    keeper.write("chats/telegram-1/MEMORY.md", "- The garden is in Bonn\n")
    keeper.step()
    page = pin(keeper, "garden", "garden", chat=chat)
    assert "No test was added." in page.text
    assert not RecallTest.objects.exists()


def test_broken_test_stands_red_on_the_overview_and_in_the_list(keeper):
    pin(keeper)
    assert "recall" not in keeper.get().text
    forget_boat(keeper)
    overview = keeper.get()
    need = overview.soup.find("strong", string="Recall test fails").find_parent("li")
    assert QUESTION in need.get_text()
    assert ", since: Forgot “Ana's boat is called Albatros”" in need.get_text()
    assert need.find("a", class_="button")["href"] == "/keno/recall/"
    assert "bad" in need.find(class_="severity")["class"]
    row = keeper.get("recall/").soup.find(class_="tests").li
    assert row.find(class_="chip").get_text() == "gone"
    assert "The fact no longer exists." in row.get_text()
    assert "Forgot" in row.find("a", href=lambda href: "/changes/" in href).get_text()
    RecallTest.objects.update(since=None, broken=datetime(2026, 3, 2, 12, tzinfo=UTC))
    assert f"“{QUESTION}” since 2 Mar" in keeper.get().text


def test_side_says_how_many_are_broken(keeper):
    pin(keeper)
    forget_boat(keeper)
    place = keeper.get("memory").soup.select_one(".places > ul a[href='/keno/tidy/']")
    assert place.find(class_="bad").get_text() == "1 to review"
    page = keeper.get("tidy/").soup.select_one(".tree a[href='/keno/recall/']")
    assert page.find(class_="bad").get_text() == "1 failing"


def test_whole_again_it_is_green_and_gone_from_the_overview(keeper):
    pin(keeper)
    forget_boat(keeper)
    keeper.post("undo")
    keeper.step()
    assert "recall test fails" not in keeper.get().text
    assert "good" in keeper.get("recall/").soup.find(class_="tests").find(class_="chip")["class"]


def test_mark_tells_open_pages_of_a_test_that_broke(keeper):
    pin(keeper)
    keeper.bot.refresh_from_db()
    RecallTest.objects.update(path="elsewhere.md", key="0" * 32, indexed=-1)
    response = keeper.post("step", htmx=True, seen=str(keeper.bot.indexed)).response
    assert response["HX-Trigger"]
    keeper.bot.refresh_from_db()
    assert "HX-Trigger" not in keeper.post("step", htmx=True, seen=str(keeper.bot.indexed)).response


def test_outranked_fact_says_what_stands_first(keeper):
    pin(keeper, "boat", within="1")
    keeper.write("2026-11-01.md", "# Log\n\n## 10:00 — boat boat boat\n")
    keeper.step()
    row = keeper.get("recall/").soup.find(class_="tests").li
    assert "Found at 2, expected within the first 1" in row.get_text()
    assert row.find(class_="chip").get_text() == "rank 2, was 1"
    assert row.find("a", string="boat boat boat")["href"].startswith("/keno/entry?fact=")


def test_moved_fact_is_followed_on_a_click(keeper):
    keeper.write("2026-11-01.md", "# Log\n\n## 10:00 — The cat is called Minka\n\n## 11:00 — Lunch\n")
    keeper.step()
    pin(keeper, "cat called", "Minka")
    keeper.post("entry/promote", one=name_of(keeper, "Minka"))
    keeper.step()
    row = keeper.get("recall/").soup.find(class_="tests").li
    assert "It moved to Long-term memory." in row.get_text()
    keeper.post(f"recall/{RecallTest.objects.get().pk}/follow")
    assert RecallTest.objects.get().path == "MEMORY.md"


def test_test_can_be_removed(keeper):
    pin(keeper)
    page = keeper.post(f"recall/{RecallTest.objects.get().pk}/remove")
    assert f"“{QUESTION}” is no longer a recall test." in page.text
    assert not RecallTest.objects.exists()


@pytest.mark.parametrize("deed", ["remove", "follow"])
def test_tests_of_another_bot_are_not_found(keeper, tmp_path, deed):
    pin(keeper)
    other, root = make_bot(tmp_path, "other")
    page = Visitor(other, root, keeper.user).post(f"recall/{RecallTest.objects.get().pk}/{deed}")
    assert page.status == 404
    assert RecallTest.objects.exists()


def test_hostile_words_stay_words(keeper):
    keeper.write("MEMORY.md", '- <script>alert("boat")</script> & “boat” 🎉\n')
    keeper.step()
    question = '<img src=x onerror=alert(1)> boat "'
    pin(keeper, question, "alert")
    page = keeper.get("recall/", question=question, chat="<b>", words="\0<i>")
    assert page.status == 200
    assert not page.soup.find("img")
    assert not page.soup.find("b")


def test_page_of_many_tests_asks_the_same_number_of_questions(keeper, django_assert_max_num_queries):
    for number in range(60):
        RecallTest.objects.create(
            bot=keeper.bot,
            question=f"boat {number}",
            path="MEMORY.md",
            key="0" * 31 + "1",
            text="x" * 400,
            broken="2026-11-01T00:00Z",
            checked="2026-11-01T00:00Z",
        )
    keeper.get("settings")  # what stands beside every page is counted, and kept
    with django_assert_max_num_queries(12):
        page = keeper.get("recall/")
    assert len(page.soup.find_all("li", {"data-row": True})) == 50
    assert len(page.response.content) < 100_000
    assert "51–60 of 60" in keeper.get("recall/", page="2").text


def test_tests_are_looked_at_by_the_walk_alone_and_not_by_the_page(keeper):
    pin(keeper)
    keeper.write("MEMORY.md", "- Nothing\n")
    index.refresh(keeper.bot)
    keeper.get("recall/")
    assert RecallTest.objects.get().broken is None
    keeper.step()
    assert RecallTest.objects.get().broken


def test_removed_bot_takes_its_tests_along(keeper):
    pin(keeper)
    journal.settle(keeper.bot, patience=1)
    Bot.objects.get(pk=keeper.bot.pk).delete()
    assert not RecallTest.objects.exists()


def test_only_so_many_are_looked_at_in_one_request(keeper):
    for number in range(recall_tests.AT_ONCE + 5):
        RecallTest.objects.create(bot=keeper.bot, question=f"boat {number}", path="MEMORY.md", key="0" * 32, text="x")
    keeper.step()
    assert RecallTest.objects.filter(checked=None).count() >= 5
