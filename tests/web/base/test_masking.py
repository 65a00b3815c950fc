"""The markup of a page with its secrets masked: all else stays to the letter, wherever in it a secret comes."""

from __future__ import annotations

import json
from html import escape

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, strategies as st

from memory.text.secrets import DOTS
from memory.web.base.masking import hidden

KEY = "sk-" + "aB3d" * 8


def read(markup):
    return BeautifulSoup(markup, "html.parser").get_text()


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>Key {KEY}</p>",
        f"Key {KEY}",
        f"<p>Key <mark>sk-</mark>{KEY[3:]}</p>",
        f"<p><code>{KEY[:9]}</code><em>{KEY[9:]}</em></p>",
        f'<td>Key <del>{KEY}</del><span class="unseen"> removed</span></td>',
        f'<a href="/x">{KEY}</a>',
        f"<title>{KEY}</title>",
        f"<option>{KEY}</option>",
        f'<p title="{KEY}" data-key="the password is hunter22">x</p><p>{KEY}</p>',
        f'<a href="https://example.org/?key={KEY}">there</a><p>{KEY}</p>',
        f'<button aria-label="Undo: {KEY}">Undo</button>',
        f"<p>The <strong>password</strong>: hunter22, {KEY[:14]}…</p>",
        f'<span class="unseen">Edit {KEY}</span>',
        f"<p>s<strong>{KEY[1:]}</strong></p>",
        '<p><abbr title="x">password</abbr>: hunter22</p>',
        '<p>password of <a href="/x" rel="noopener noreferrer nofollow">the router</a> is hunter22</p>',
        "<p>Pays with 4111 1111 <mark>1111</mark> 1111</p>",
    ],
)
def test_a_secret_is_masked_wherever_it_comes(markup):
    masked = hidden(markup)
    assert masked is not None
    assert not any(part in masked for part in (KEY, KEY[1:], KEY[3:], KEY[9:], KEY[4:14], "hunter22", "4111"))
    assert DOTS in masked


def test_a_change_of_a_secret_is_still_a_change():
    other = KEY.replace("aB", "Ba")
    soup = BeautifulSoup(hidden(f"<td>Key <del>{KEY}</del><ins>{other}</ins></td>"), "html.parser")
    assert soup.select_one("del .secret")
    assert soup.select_one("ins .secret")


def test_what_somebody_typed_stays_in_the_addresses_that_lead_on():
    page = f'<a href="?q={KEY}&amp;page=2">2</a><a href="?q={KEY}x">other</a><p>{KEY}</p>'
    masked = hidden(page, asked=f"/keno/search/?q={KEY}")
    assert f'href="?q={KEY}&amp;page=2"' in masked
    assert f"{KEY}x" not in masked
    page = '<a href="?q=ana%40x.cn&amp;page=2">2</a><a href="?q=bo%40x.cn">other</a>'
    masked = hidden(f"{page}<p>{KEY}</p>", asked="/keno/search/?q=ana@x.cn")
    assert masked.startswith(page.replace("bo%40x.cn", DOTS))


def test_what_is_typed_into_is_never_masked():
    assert hidden(f"<textarea>{KEY}</textarea>") is None
    assert f'value="{KEY}"' in hidden(f'<input value="{KEY}"><p>{KEY}</p>')


def test_what_a_script_is_handed_is_masked_and_still_read_by_it():
    masked = hidden(f'<script id="base-text" type="application/json">"Key {KEY}\\n\\u003C/script"</script>')
    assert KEY[9:] not in masked
    assert json.loads(BeautifulSoup(masked, "html.parser").script.string) == f"Key sk-a{DOTS}B3d\n</script"
    assert hidden(f'<script>const key = "{KEY}"</script>') is None


@given(
    st.lists(
        st.tuples(st.sampled_from(["p", "a", "li", "mark", "em"]), st.text("abc &<>\n\"'é", max_size=20)), max_size=8
    )
)
def test_all_else_stays_as_it_is(parts):
    before = "".join(f'<{tag} class="x">{escape(text)}</{tag}>' for tag, text in parts)
    assert hidden(before) is None
    masked = hidden(f"{before}<p>Key {KEY}</p>{before}")
    assert masked.startswith(before)
    assert masked.endswith(f"</p>{before}")
    assert KEY not in masked


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_markup_is_taken(one, other):
    masked = hidden(f"{one}<p>{KEY}</p>{other}")
    assert masked is None or KEY not in masked or "<textarea" in one or "<script" in one or "<style" in one


CHAT = "whatsapp:+49 170 1234567"


@pytest.mark.parametrize(
    "markup",
    [
        f'<li><a href="/x">{CHAT}</a></li>',
        f"<td>whatsapp:<wbr>{CHAT[9:]}</td>",
        f"<title>{CHAT} — Kenoweb</title>",
        f"<option>{CHAT}: its own memory</option>",
        f'<a href="/x" title="{CHAT}">Family</a>',
    ],
)
def test_a_chat_that_goes_by_a_number_is_told_from_others_by_it(markup):
    assert hidden(markup, names=lambda: [CHAT, "Family"]) is None
    assert "1234567" not in hidden(markup, names=lambda: ["Family"])


MAIL = "ana.ruiz@gmail.com"


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>Write to {MAIL}.</p>",
        "<p>ana.ruiz@<mark>gmail</mark>.com</p>",
        f'<a href="mailto:{MAIL}">{MAIL}</a>',
        f"<p>&lt;{MAIL}&gt;</p>",
        f"<title>{MAIL} — Kenoweb</title>",
        f'<span class="unseen">Edit {MAIL}</span><p>{MAIL}</p>',
        f'<button title="{MAIL}">Undo</button>',
    ],
)
def test_a_mail_address_is_hidden_unless_it_is_what_somebody_of_the_desk_is_called(markup):
    masked = hidden(markup)
    assert DOTS in masked
    assert "ruiz" not in masked
    assert hidden(markup, stays=MAIL.__eq__) is None


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (f'<a href="mailto:{MAIL}"><b>Ana</b> R</a>', "Ana R"),
        (f'<a title="x" href="mailto:{MAIL}?subject=a&amp;b" rel="x">Ana</a>', "Ana"),
        (f'<a href="mailto:{MAIL}">{MAIL}</a>', ""),
        (f'<a href="https://example.org/?a=b&amp;key={KEY}">there</a>', "there"),
    ],
)
def test_a_link_with_a_hidden_address_leads_nowhere_and_is_shown_by_a_button(link, said):
    soup = BeautifulSoup(hidden(f'<p>{link} or <a href="https://example.org">x</a></p>'), "html.parser")
    assert [one["href"] for one in soup.select("a")] == ["https://example.org"]
    assert len(soup.select("button.secret")) == 1
    soup.button.decompose()
    assert " ".join(soup.get_text().split()) == f"{said} or x".strip()
    assert hidden(link, stays=lambda _found: True) is None or KEY in link


def test_a_chat_of_a_mail_account_keeps_its_name():
    page = hidden(f"<li><a>{MAIL}</a></li><p>Ana writes from {MAIL}</p>", names=lambda: [MAIL])
    assert f"<a>{MAIL}</a>" in page
    assert MAIL not in page.replace(f"<a>{MAIL}</a>", "")


def test_a_mail_address_in_a_field_stays():
    assert hidden(f'<input type="email" value="{MAIL}">') is None
    assert f'value="{MAIL}"' in hidden(f'<input type="email" value="{MAIL}"><p>{MAIL}</p>')


def test_the_number_of_a_chat_is_hidden_in_what_the_bot_notes():
    page = hidden(f"<a>{CHAT}</a><p>Call Ana at {CHAT[9:]} or so</p>", names=lambda: [CHAT])
    assert f"<a>{CHAT}</a>" in page
    assert "1234567" not in page.replace(CHAT, "")


def test_a_credential_is_no_name_of_a_chat_and_a_number_is():
    page = f'<option value="{KEY}"></option><option value="+34 612 345 678"></option><p>Key</p><p>{KEY}</p><p>+34 612 345 678</p>'
    masked = hidden(page, names=lambda: [KEY, "+34 612 345 678"])
    assert KEY not in masked
    assert masked.count("+34 612 345 678") == 2
    assert "612" not in hidden(page)
