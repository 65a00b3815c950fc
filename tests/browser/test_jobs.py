"""Jobs in a browser: a real server, a real worker, and a model that is played. Nothing is reloaded by hand."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from playwright.sync_api import expect

from tests.browser.site import LOOKS, Browsing, settled
from tests.compaction.consolidation.conftest import clever, op
from tests.llm.server import denied
from tests.support.days import day
from tests.support.together import until

pytestmark = pytest.mark.browser
FACTS = ("Ana likes green tea", "Ana likes her coffee black", "The router is at 192.168.0.1", "It rained all day")
WAIT = 30_000  # ms for a worker that shares its machine


@pytest.fixture
def window(at_home):
    return at_home


@pytest.fixture
def bot(home, request):
    """A bot of this test's own, with one old log."""
    bot = home.new_bot(re.sub(r"\W+", "-", request.node.name.removeprefix("test_"))[:40].strip("-"), with_sample=False)
    bot.write("MEMORY.md", "# Memory\n\n- The garden is green\n")
    bot.write(f"{day(60)}.md", "".join(f"## 0{n}:00 — {fact}\n\n" for n, fact in enumerate(FACTS, 1)))
    return bot


def tidy(facts):
    """Both likes as one line with a name that nobody said, the rain away, the rest as it is."""
    number = {text: n for n, text in facts.items()}
    tea, coffee, router, rain = (number[text] for text in FACTS)
    merged = op("merge", tea, coffee, text="Ana likes green tea and her coffee black")
    return [merged, op("keep", router, *(set(facts) - {tea, coffee, router, rain})), op("archive", rain)]


def losing(facts):
    """One line that forgets how the coffee is."""
    number = {text: n for n, text in facts.items()}
    tea, coffee = number[FACTS[0]], number[FACTS[1]]
    return [op("merge", tea, coffee, text="Ana likes tea"), op("keep", *(set(facts) - {tea, coffee}))]


class Gate:
    """Answers once it is opened, so that a test can look at a job under way."""

    def __init__(self, answer):
        self.opened, self.answer = Event(), answer

    def __call__(self, messages):
        assert self.opened.wait(500)  # what asks gives up after six hundred
        return self.answer(messages)


def ask(page, bot):
    """From the page of compaction to the page of the job."""
    page.goto(bot.at())  # the first look at a new bot's files
    page.goto(bot.at("compaction?by=meaning"))
    page.get_by_role("button", name="Ask the language model").click()
    page.wait_for_url("**/jobs/*")


def almost_a_minute_ago(home, page):
    """The job of this page was asked for so long ago that its age will say so in some seconds."""
    number = int(page.url.rpartition("/")[2])
    home.run("shell", "--verbosity", "0", "-c", f"from tests.browser.test_jobs import age; age({number})")


def age(number):
    """In a process of the site's own: a job as if it had been asked for 55 seconds ago."""
    from memory.models import Job

    assert Job.objects.filter(pk=number).update(created=datetime.now(UTC) - timedelta(seconds=55)) == 1


def row(page, text):
    return page.locator(".plan tr[data-row]", has_text=text)


def test_compaction_by_meaning_is_watched_decided_line_by_line_and_taken_back(window, home, bot, model):
    gate = Gate(clever(tidy))
    model.plays(gate)
    page = window.page
    ask(page, bot)
    page.evaluate("window.same = true")  # gone if the page is ever loaded anew
    asked = page.locator(".head p", has_text="requested by")
    expect(asked).to_contain_text("just now")
    expect(page.locator("#progress")).to_contain_text("Asking about part 1 of 1", timeout=WAIT)
    expect(page.locator("progress")).to_be_visible()
    window.inspect_in_every_look()
    expect(page.locator(".took")).to_contain_text("1 question", timeout=WAIT)
    page.locator(".head").get_by_role("link").first.focus()
    almost_a_minute_ago(home, page)
    expect(asked).to_contain_text("min ago", timeout=WAIT)  # it counts on while nothing else happens
    expect(page.locator(".head").get_by_role("link").first).to_be_focused()
    before = bot.files()
    gate.opened.set()
    expect(page.get_by_text("3 suggestions to review.")).to_be_visible(timeout=WAIT)
    expect(page.locator("#progress")).to_have_count(0)
    assert bot.files() == before
    assert page.evaluate("window.same")
    window.inspect_in_every_look()

    merged = row(page, "Ana likes green tea and her coffee black")
    expect(merged.locator("mark")).to_have_text([FACTS[0], FACTS[1]])
    expect(merged.locator(".place a").first).to_have_attribute("href", re.compile(rf"{day(60)}\.md\?line=1$"))
    expect(page.get_by_role("button", name="Move 3 facts, archive 1 fact, remove 1 log")).to_be_visible()
    row(page, "192.168.0.1").get_by_role("checkbox").press("Space")
    expect(page.get_by_role("button", name="Move 2 facts, archive 1 fact")).to_be_visible()
    expect(row(page, "192.168.0.1").get_by_role("checkbox")).to_be_focused()
    row(page, "It rained").get_by_role("checkbox").uncheck()
    page.get_by_role("button", name="Move 2 facts", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("2 facts moved")
    assert "- Ana likes green tea and her coffee black" in bot.read()
    assert "192.168.0.1" not in bot.read()
    expect(row(page, "green tea and her").locator(".fate")).to_contain_text("accepted")
    expect(page.get_by_text("2 suggestions to review.")).to_be_visible()

    row(page, "192.168.0.1").get_by_role("checkbox").uncheck()
    expect(page.get_by_role("button", name="Archive 1 fact", exact=True)).to_be_visible()
    page.get_by_role("button", name="Skip selected").click()
    expect(page.locator(".toast").last).to_contain_text("1 skipped. No file was changed.")
    page.get_by_role("button", name="Move 1 fact", exact=True).click()
    expect(page.get_by_text("All reviewed")).to_be_visible()
    assert "192.168.0.1" in bot.read()
    window.inspect_in_every_look()

    changed = page.get_by_role("region", name="Changes")
    expect(changed.locator(".rows > li")).to_have_count(2)
    for _ in range(2):
        with page.expect_response(re.compile("/undo")):  # both say the same of themselves
            changed.get_by_role("button", name="Undo").first.click()
        expect(page.get_by_text("Compaction undone").first).to_be_visible()
    assert {path: data for path, data in bot.files().items() if path in before} == before


def test_a_page_that_leads_on_asks_no_more_while_the_next_one_comes(window, home, bot, model):
    gate = Gate(clever(tidy))
    model.plays(gate)
    page, asked, before = window.page, [], len(model.asked)

    def over(route):
        asked.append(route.request.url)
        route.fulfill(headers={"HX-Redirect": bot.at("history/")})

    ask(page, bot)
    page.route("**/history/", lambda route: (page.wait_for_timeout(3500), route.continue_()))
    page.route(re.compile(r"/progress\?seen="), over)
    page.wait_for_url("**/history/", timeout=WAIT)
    assert len(asked) == 1
    gate.opened.set()
    until(lambda: len(model.asked) > before)  # or the job meets what the next test has the model play


def test_keys_walk_through_what_is_proposed_and_select_it(window, bot, model):
    model.plays(clever(tidy))
    page = window.page
    ask(page, bot)
    expect(page.get_by_text("3 suggestions to review.")).to_be_visible(timeout=WAIT)
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name=re.compile("^Move 1 fact,"))).to_be_visible()
    for key in ("j", "j", "x"):
        page.keyboard.press(key)
    boxes = page.locator(".plan .select")
    expect(boxes.nth(2)).not_to_be_checked()
    assert boxes.evaluate_all("(all) => all.map((one) => one.checked)") == [False, True, False]
    expect(page.get_by_role("button", name="Move 1 fact", exact=True)).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("j")
    page.wait_for_url(f"**{bot.at('tidy/?show=jobs')}")
    expect(page.locator(".jobs > li")).to_contain_text("needs review")


def test_plan_that_would_lose_something_is_shown_and_cannot_be_accepted(window, bot, model):
    model.plays(clever(losing))
    page = window.page
    ask(page, bot)
    expect(page.locator(".notice.bad")).to_contain_text("would lose", timeout=WAIT)
    expect(row(page, "Ana likes tea")).to_contain_text("would lose facts")
    expect(row(page, "Ana likes tea").locator(".losses")).to_contain_text("coffee")
    expect(page.get_by_role("checkbox")).to_have_count(0)
    assert "Ana likes tea" not in bot.read()
    window.inspect_in_every_look()
    model.plays(clever(tidy))
    page.get_by_role("button", name="Ask again").click()
    expect(page.get_by_text("3 suggestions to review.")).to_be_visible(timeout=WAIT)


def test_job_under_way_is_cancelled(window, bot, model):
    gate = Gate(clever(tidy))
    model.plays(gate)
    page = window.page
    ask(page, bot)
    expect(page.locator("#progress")).to_contain_text("Asking about part 1 of 1", timeout=WAIT)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".toast")).to_contain_text("It stops as soon as it can.")
    expect(page.locator("#progress .chip")).to_have_text("stopping")
    gate.opened.set()
    expect(page.locator(".head .chip")).to_have_text("cancelled", timeout=WAIT)
    expect(page.get_by_role("button", name="Retry")).to_be_visible()
    assert set(bot.files()) == {"MEMORY.md", f"{day(60)}.md"}


def test_model_that_fails_changes_nothing_and_is_told(window, bot, model):
    model.plays(denied())
    page = window.page
    before = bot.files()
    ask(page, bot)
    expect(page.locator(".notice.bad")).to_contain_text("No file was changed.", timeout=WAIT)
    assert bot.files() == before
    window.inspect_in_every_look()
    page.goto(bot.at())
    expect(
        page.get_by_role("link", name=re.compile("^Open: Compaction with the language model failed: "))
    ).to_be_visible()


def test_list_follows_its_jobs(window, bot, model):
    gate = Gate(clever(tidy))
    model.plays(gate)
    page = window.page
    ask(page, bot)
    page.goto(bot.at("tidy/?show=jobs"))
    page.evaluate("window.same = true")
    expect(page.locator(".jobs .chip")).to_have_text("running", timeout=WAIT)
    gate.opened.set()
    expect(page.locator(".jobs .chip")).to_have_text("needs review", timeout=WAIT)
    assert page.evaluate("window.same")
    window.inspect_in_every_look()


def test_all_of_it_without_javascript(home, browser, kept, bot, model):
    model.plays(clever(tidy))
    window = Browsing.open(browser, home.url, storage_state=kept, java_script_enabled=False)
    page = window.page
    ask(page, bot)
    expect(page.get_by_text("3 suggestions to review.")).to_be_visible(timeout=WAIT)  # the page asks for itself
    settled(page)
    for scheme, width in LOOKS:
        window.look(scheme, width)
        window.fits()
    for other in ("green tea", "It rained"):
        row(page, other).get_by_role("checkbox").uncheck()
    page.get_by_role("button", name="Update", exact=True).click()
    page.get_by_role("button", name="Move 1 fact", exact=True).click()
    expect(page.locator(".toast").get_by_text("1 fact moved")).to_be_visible()
    assert "192.168.0.1" in bot.read()
    assert "green tea" not in bot.read()
    window.close()
