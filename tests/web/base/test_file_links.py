"""Links from one file of a memory to another one lead to its page here, and nowhere else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import index, registry
from memory.models import ChatName
from memory.web.base.file_links import target_of
from tests.support.workspaces import OPENCLAW, write
from tests.web.conftest import Visitor

DAY = "memory/2026-02-01.md"
ANA, RUI = "memory/people/ana.md", "memory/people/rui.md"
ODD = {
    "memory/two words.md": "- a\n",
    "memory/what?.md": "- a\n",
    "memory/50%25.md": "- a\n",
    "memory/a(1).md": "- a\n",
}


@pytest.fixture
def nursery(db, tmp_path, kenoweb_home):
    root = write(tmp_path / "workspace", OPENCLAW | ODD)
    return Visitor(
        registry.add(root, name="Nursery"), root, User.objects.create_superuser("ana", password="a long enough one")
    )


def leads(page, words="see"):
    """Where the links with these words lead."""
    return [link.get("href") for link in page.soup.select("main a") if link.get_text() == words]


def preview(nursery, text, path=DAY):
    nursery.write(path, text)
    nursery.indexed()
    return nursery.get(f"documents/{path}")


LINKS = {
    "people/ana.md": ANA,
    "./people/../people/ana.md": ANA,
    "../MEMORY.md": "MEMORY.md",
    "people%2Fana.md": ANA,
    "two%20words.md": "memory/two%20words.md",
    "<two words.md>": "memory/two%20words.md",
    "what%3F.md": "memory/what%3F.md",
    "50%2525.md": "memory/50%2525.md",
    "a(1).md": "memory/a(1).md",
    "people/ana.md#the-garden": f"{ANA}#text-the-garden",
    "people/ana.md#The-Garden": f"{ANA}#text-the-garden",
    "people/ana.md#la-contrase%C3%B1a": f"{ANA}#text-la-contraseña",
    "people/ana.md#x:~:text=y": ANA,
    'a(1).md "hers"': "memory/a(1).md",
    "people/ana.md#<b>": ANA,
}
NOWHERE = (
    *("../../etc/passwd", "../../../workspace/MEMORY.md", "%2e%2e/%2e%2e/secrets.md", "/memory/people/ana.md"),
    *("//elsewhere/people/ana.md", "///people/ana.md", "\\\\elsewhere\\ana.md", "people\\ana.md", "%2Fpeople/ana.md"),
    *(
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java%0ascript:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,x",
    ),
    *("http:/nursery/settings", "HTTPS:people/ana.md", "http:people/ana.md", "https:", "http:\\\\x"),
    *("file:people/ana.md", "people/ana.md?raw=1", "people%252Fana.md", "people/ana.md/", "people/nobody.md", "."),
    *("people/ana.md%00", "people/%0aana.md", "logout", "../logout", "@sessions/x.jsonl", "50%25.md"),
)


def test_a_link_to_a_file_of_the_memory_leads_to_its_page(nursery):
    page = preview(nursery, "".join(f"Sold; [see]({link}).\n\n" for link in LINKS))
    assert leads(page) == [f"/{nursery.bot.slug}/documents/{path}" for path in LINKS.values()]
    assert all(nursery.client.get(url).status_code == 200 for url in leads(page))


def test_every_other_link_is_plain_text(nursery):
    page = preview(nursery, "".join(f"Sold; [see]({link}).\n\n" for link in NOWHERE))
    assert [told.get_text() for told in page.soup.select("#preview p")] == ["Sold; see."] * len(NOWHERE)
    assert not page.soup.select("#preview a")


def test_links_elsewhere_stay_as_they_are(nursery):
    page = preview(nursery, "[see](https://a.example/x.md) [see](mailto:%61na) [see][x]\n\n[x]: people/ana.md\n")
    assert leads(page) == ["https://a.example/x.md", "mailto:%61na", f"/{nursery.bot.slug}/documents/{ANA}"]
    assert all(link["rel"] == ["noopener", "noreferrer", "nofollow"] for link in page.soup.select("#preview a"))


def test_an_image_of_the_memory_leads_to_its_file(nursery):
    nursery.write("memory/chart.md", "- a\n")
    page = preview(nursery, "![the chart](chart.md)\n")
    assert leads(page, "[image: the chart]") == [f"/{nursery.bot.slug}/documents/memory/chart.md"]


@pytest.mark.usefixtures("same_minute")
def test_rows_of_a_day_lead_to_files_with_one_statement_for_all(nursery):
    nursery.write(DAY, "- sold to [see](people/ana.md)\n- x\n")
    nursery.indexed()
    nursery.get("days/2026-02-01")
    with CaptureQueriesContext(connection) as one:
        assert len(leads(nursery.get("days/2026-02-01"))) == 1
    nursery.write(
        DAY, "".join(f"- {number} sold to [see](people/{name}.md)\n" for number in range(9) for name in ("ana", "rui"))
    )
    nursery.indexed()
    nursery.get("days/2026-02-01")
    with CaptureQueriesContext(connection) as many:
        assert set(leads(nursery.get("days/2026-02-01"))) == {
            f"/{nursery.bot.slug}/documents/{path}" for path in (ANA, RUI)
        }
    assert len(many) == len(one)


@pytest.mark.parametrize("query", ["sold", "sold to", "ana"])
def test_hits_and_filtered_rows_lead_to_files(nursery, query):
    nursery.write(DAY, "- sold to [see](people/ana.md)\n")
    nursery.indexed()
    assert leads(nursery.get("search/", q="sold")) == [f"/{nursery.bot.slug}/documents/{ANA}"]
    page = nursery.get("days/2026-02-01", q=query)
    assert [link["href"] for link in page.soup.select(".fact a") if "see" in link.get_text()] == [
        f"/{nursery.bot.slug}/documents/{ANA}"
    ]


def test_an_entry_that_is_unfolded_leads_to_files(nursery):
    nursery.write(DAY, "## Market\n\nSold two.\n\nTo [see](people/ana.md).\n")
    nursery.indexed()
    whole = next(link["href"] for link in nursery.get("days/2026-02-01").soup.select("[data-whole]"))
    answer = nursery.client.get(f"{whole}&whole=1", headers={"HX-Request": "true"})
    assert f'href="/{nursery.bot.slug}/documents/{ANA}"' in answer.content.decode()


def test_what_stands_beside_a_chat_leads_to_files(desk):
    desk.write("chats/tg--1/MEMORY.md", "# Ana\n\n- [see](../../MEMORY.md)\n- [see](../../../x.md)\n")
    ChatName.objects.create(bot=desk.bot, scope="tg--1", name="Family")
    desk.write("chats/tg--1/2026-03-15.md", "## 09:00 — the boat trip\n\n")
    desk.indexed()
    assert set(leads(desk.get("chats/tg--1"))) == {"/keno/documents/MEMORY.md"}


@pytest.mark.parametrize(
    ("path", "link", "found"),
    [
        ("MEMORY.md", "a.md", "a.md"),
        ("a/b.md", "../c.md", "c.md"),
        ("a/b.md", "../../c.md", ""),
        ("@identity/SOUL.md", "USER.md", "@identity/USER.md"),
        ("@identity/SOUL.md", "../MEMORY.md", ""),
        ("@identity/SOUL.md", "../@sessions/x.jsonl", ""),
        ("MEMORY.md", "@sessions/../a.md", "a.md"),
        ("MEMORY.md", "", ""),
        ("MEMORY.md", "..", ""),
    ],
)
def test_a_link_is_read_from_its_files_directory_and_stays_in_its_root(path, link, found):
    assert target_of(path, link) == found


@pytest.mark.usefixtures("same_minute")
def test_no_number_of_links_makes_a_page_ask_more(nursery):
    preview(nursery, "[see](people/ana.md)\n")
    with CaptureQueriesContext(connection) as few:
        nursery.get(f"documents/{DAY}")
    page = preview(nursery, "[see](people/ana.md)\n" + "".join(f"[see](x{number}.md) " for number in range(3000)))
    index.refresh(nursery.bot)
    with CaptureQueriesContext(connection) as many:
        page = nursery.get(f"documents/{DAY}")
    assert set(leads(page)) <= {f"/{nursery.bot.slug}/documents/{ANA}"}
    assert len(many) == len(few)


def test_many_links_to_one_file_leave_those_to_others(nursery):
    page = preview(nursery, "[one](people/ana.md), " * 600 + "\n\n[see](people/rui.md)\n")
    assert leads(page) == [f"/{nursery.bot.slug}/documents/{RUI}"]


def test_five_hundred_files_are_led_to(nursery):
    others = "".join(f"[x](x{number}.md). " for number in range(498))
    page = preview(nursery, f"{others}[see](people/ana.md)\n")
    assert leads(page) == [f"/{nursery.bot.slug}/documents/{ANA}"]
