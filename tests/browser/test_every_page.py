"""Every page that the urlconf has, found through it, in every look: readable, reachable, and quiet."""

from __future__ import annotations

import pytest
from django.urls import URLResolver, get_resolver

from memory.bots import families
from memory.dialects.kenobot.sample import FAMILY, INES
from tests.browser import lived
from tests.browser.site import PHONE, running, settled
from tests.support.amounts import some

pytestmark = pytest.mark.browser
NOT_OURS = ("admin/", "api/v1/bots")  # Django's pages; answers to programs
TO_MACHINES = {
    "health",
    "robots",
    "favicon",
    "raw",
    "webhook",
    "webhook_for",
    "openapi",
    "prompt_text",
    "feed",
    "numbers_csv",
}
ONWARD = {"home", "today"}  # they only lead to another page
PARTS = {"fact", "near", "foresee", "prompt_chats", "job_progress"}  # put into a page that is there
# Looked at in the tests of each family's own screens.
OF_A_FAMILY = {"entries", "entry_new", "entry_details", *(address.name for address in families.urlpatterns())}
# Answers to a form; what they look like is in test_looks and in the tests of their own pages.
ACTS = {
    *("logout", "language", "theme", "step", "end_session", "undo_last", "chat_name", "save", "overwrite", "draft"),
    *("people_add", "person_link", "person_change", "bot_restore", "day_add", "discard", "undo", "restore", "apply"),
    *(
        "fact_add",
        "fact_edit",
        "fact_forget",
        "fact_promote",
        "fact_move",
        "fact_merge",
        "fact_pin",
        "fact_split",
        "webhook_secret_make",
        "webhook_secret_replace",
    ),
    *("webhook_secret_revoke", "webhook_standard", "working_discard", "export_file", "upload", "decide"),
    *(
        "merge",
        "compare",
        "moved",
        "preview",
        "review",
        "finding_ignore",
        "finding_heed",
        "finding_move",
        "finding_date",
    ),
    *(
        "secrets_show",
        "secrets_hide",
        "finding_mend",
        "finding_redact",
        "finding_keep",
        "finding_keep_each",
        "tidy_check",
    ),
    *("job_cancel", "job_again", "job_accept", "job_refuse", "consolidate", "chat_summarise", "chat_pick"),
    *("recall_test_add", "recall_test_remove", "recall_test_follow", "api_make", "api_revoke", "bot_sample"),
    *("entries_prune", "close_fence"),
    *("notifications_test", "notifications_service_remove", "notifications_feed", "notifications_feed_end"),
    *("notifications_again", "trash_restore"),
}
FILLED = "[...document.querySelectorAll('main .filled')].filter((one) => one.checkVisibility()).length"
# Tabs that take more than one line.
STRIPS = """() => [...document.querySelectorAll(".tabs")].filter((one) => one.checkVisibility() && one.clientHeight > 60)
  .map((one) => one.textContent)"""
# Controls that the message lies over when the page is scrolled to its end; those at the side or in the dock stay where they are.
UNDER_IT = """() => {
  scrollTo({top: document.documentElement.scrollHeight, behavior: "instant"});
  const toast = document.querySelector(".toast"), {top, left, bottom: end} = toast.getBoundingClientRect();
  return [...document.querySelectorAll(":is(main, .side) :is(a, button, summary)")]
    .filter((one) => one.checkVisibility() && !toast.contains(one))
    .filter((one) => !(one.closest(".chosen")?.clientWidth <= 1))  // it waits, clipped away, for a selection
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.bottom > top && box.right >= left && (one.closest("main") || box.top < end);
    })
    .map((one) => one.outerHTML.slice(0, 120));
}"""
# What a thumb cannot well hit: each line of a link, and each control, that is lower than 32 px, as page, height and words.
LOW = """(controls) => [...document.querySelectorAll(`main :is(${controls})`)]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest("svg, .unseen, label:has(> input) > *"))
  .filter((one) => one.getBoundingClientRect().width > 1)  // else it is for those alone who do not see it
  .map((one) => [one, Math.min(...[...one.getClientRects()].map((line) => line.height))])
  .filter(([, height]) => height < 31.5)
  .map(([one, height]) => `${location.pathname}: ${height.toFixed(1)} px, ${one.outerHTML.slice(0, 90)}`)"""
CONTROLS = "a[href], button, summary, select, textarea, input:not([type=hidden]), label:has(> input)"
# Words in a field's place that are wider than the field.
CUT = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("input[placeholder]")].filter((one) => one.checkVisibility()).filter((one) => {
    const style = getComputedStyle(one);
    pen.font = style.font;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return pen.measureText(one.placeholder).width > room;
  }).map((one) => one.placeholder);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own: other tests' bots and people are on none of its pages."""
    model = {"LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "playing-1"}  # it offers itself, and is not asked
    with running(tmp_path_factory.mktemp("lived"), **model) as site:
        yield site


@pytest.fixture(scope="module")
def cookies(site, browser):
    return site.let_in(browser)


@pytest.fixture(scope="module")
def life(site, browser, cookies, tmp_path_factory):
    return lived.live(site, browser, cookies, tmp_path_factory.mktemp("carried"))


def pages(life):
    """The addresses of every page, by the name of its route."""
    return {
        "login": ["/login"],
        "password": ["/password"],
        "account": ["/account"],
        "bots": ["/bots/"],
        "search_all": ["/bots/search?q=workshop"],
        "bot_add": ["/bots/add"],
        "bot_directory": ["/bots/kenobot/directory"],
        "bot_remove": ["/bots/kenobot/remove", f"/bots/{life.removed}/remove"],
        "people": ["/people/"],
        "person": [f"/people/{life.person}"],
        "keys": ["/keys"],
        "api_docs": ["/api/v1/docs"],
        **{name: [f"/kenobot/{place}" for place in places] for name, places in pages_of_a_bot(life).items()},
    }


def pages_of_a_bot(life):
    return {
        "overview": [""],
        "go": ["go?q=ines", "go?q=nobody"],
        "search": ["search/", "search/?q=workshop", "search/?q=nobody"],
        "memory": ["memory"],
        "days": ["days/", "days/?month=2001-02"],
        "day": [f"days/{life.today}", f"days/{life.old}", f"days/{life.old}?q=thursday", "days/2001-02-03"],
        "documents": ["documents/", "documents/?q=memory"],
        "replace": ["replace"],
        "pinned": ["pinned"],
        "document": [f"documents/chats/{FAMILY}/MEMORY.md", f"documents/{life.old}.md", "documents/nothing.md"],
        "facts": ["facts/MEMORY.md", "facts/MEMORY.md?q=nobody"],
        "chats": ["chats/", "chats/?q=nobody"],
        "chat": [f"chats/{INES}", "chats/nobody"],
        "chat_working": [f"chats/{INES}/working"],
        "reads": [f"chats/{INES}/reads?q=thursday"],
        "transcript": [f"chats/{INES}/transcript", "chats/nobody/transcript"],
        "prompt": [f"prompt/?chat={INES}&q=thursday", "prompt/?chat=nobody"],
        "prompt_compare": [f"prompt/compare?chat={INES}&with={FAMILY}"],
        "tidy": ["tidy/", "tidy/?show=jobs", "tidy/?show=jobs&state=applied"],
        "recall_tests": ["recall/"],
        "api": ["api"],
        "working": ["working/"],
        "history": ["history/", "history/?kind=capture"],
        "purge": ["purge"],
        "trash": ["trash", "trash?q=nobody"],
        "numbers": ["numbers", "numbers?span=all"],
        "document_history": ["history/MEMORY.md"],
        "change_set": [f"changes/{life.edit}", f"changes/{life.undo}"],
        "compaction": ["compaction", f"compaction?scope=chat:{FAMILY}", "compaction?by=meaning"],
        "run": [f"compaction/{life.run}"],
        "job": [f"jobs/{one}" for one in (life.planned, life.blocked, life.running)],
        "webhooks": ["webhooks/"],
        "delivery": [f"webhooks/{life.delivery}"],
        "webhook_secrets": ["webhooks/secrets"],
        "webhook_refused": ["webhooks/refused"],
        "webhook_try": ["webhooks/try"],
        "model": ["model"],
        "settings": ["settings"],
        "settings_reads": ["settings/reads"],
        "settings_find": ["settings/find?q=days"],
        "settings_compaction": ["settings/compaction"],
        "settings_costs": ["settings/costs"],
        "webhook_settings": ["webhooks/settings"],
        "notifications": ["notifications"],
        "export": ["export"],
        "import": [f"import/{life.token}"],
    }


# What a bot that has written nothing yet has pages for; those at the end are as they are for one that wrote.
EMPTY = (
    *("", "memory", "days/", "days/today", "facts/MEMORY.md", "history/MEMORY.md", "documents/", "chats/", "working/"),
    *(
        "prompt/",
        "tidy/",
        "history/",
        "compaction",
        "webhooks/",
        "webhooks/secrets",
        "tidy/?show=jobs",
        "webhooks/refused",
    ),
    *some(("search/", "recall/", "api", "webhooks/try", "model", "settings"), 6),
)


def routes(resolver, before=""):
    """The name of every address but those that are not ours."""
    for one in resolver.url_patterns:
        where = before + str(one.pattern)
        if where.startswith(NOT_OURS):
            continue
        if isinstance(one, URLResolver):
            yield from routes(one, where)
        elif one.name:
            yield one.name


def test_every_route_is_looked_at_or_is_no_page():
    known = [set(pages(lived.NOTHING)), TO_MACHINES, ONWARD, PARTS, OF_A_FAMILY, ACTS]
    assert set(routes(get_resolver())) == set.union(*known)
    assert sum(map(len, known)) == len(set.union(*known))


def look_at(window, address):
    page = window.page
    page.goto(address)
    window.inspect_in_every_look()
    assert page.evaluate(CUT) == [], page.url
    assert page.evaluate(FILLED) <= 1, page.url
    assert page.evaluate(STRIPS) == [], page.url


def a_thumb_can_hit_what_is_on_it(window):
    window.look("light", PHONE)
    low = window.page.evaluate(LOW, CONTROLS)
    assert low == [], "\n".join(low)


@pytest.mark.parametrize("name", pages(lived.NOTHING))
def test_page(looking, life, name):
    looking.expect_status(404, 422)  # a document, day or chat that is not there yet
    for address in pages(life)[name]:
        look_at(looking, address)
        a_thumb_can_hit_what_is_on_it(looking)


@pytest.mark.parametrize("places", [EMPTY[:9], EMPTY[9:]], ids=["memory", "what is done with it"])
def test_pages_of_a_bot_that_wrote_nothing(looking, empty, places):
    for place in places:
        look_at(looking, empty.at(place))


@pytest.fixture(scope="module")
def empty(site):
    return site.new_bot("empty", with_sample=False, name="Ticket desk")


@pytest.mark.parametrize("width", [1280, PHONE])
def test_message_covers_nothing_that_is_last(window, life, width):
    """What is last on a page can be pulled up from under it."""
    page = window.page
    page.set_viewport_size({"width": width, "height": 700})
    page.goto("/kenobot/days/today")
    if (switch := page.locator(".list-head > label", has_text="Add a fact")).is_visible():  # on a phone
        switch.click()
    page.get_by_label("Add a fact to today").fill("Something to take back")
    page.get_by_role("button", name="Add", exact=True).click()
    toast = page.locator(".toast")
    toast.wait_for()
    settled(page)
    assert page.evaluate(UNDER_IT) == []
    toast.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone: ").wait_for()
