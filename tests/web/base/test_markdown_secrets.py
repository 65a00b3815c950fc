"""Rendered text hides every secret that the text holds: wherever in its Markdown it stands, and whatever marks are in it."""

from __future__ import annotations

import re
import time
from html import escape, unescape
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings, strategies as st

from memory.text.secrets import DOTS, mask, spans
from memory.web.base import markdown
from memory.web.base.marks import rendered
from memory.web.base.masking import KEPT, KEPT_ENDS, hidden
from tests.support.amounts import LONG, some, times
from tests.text.markdown.test_lead_secrets import CARRIERS, CREDENTIALS, FORMS, NAMINGS, OTHERS, PASSWORDS

RUN = 6  # characters of a secret that are in no page by chance
PLACES = (
    *("{}", "- {}", "1. {}", "- [ ] {}", "> {}", "# {}", "{}\n===", "x\n\n    {}", "```\n{}\n```", "~~~ {}\nx\n~~~"),
    *("`{}`", "``{}``", "*{}*", "**{}**", "***{}***", "_{}_", "__{}__", "~~{}~~", "~{}~", "^{}^", "=={}=="),
    *("[{}](https://h.example)", "[x](https://h.example/{})", '[x](https://h.example "{}")', "[x](a.md#{})", "[{}]"),
    *(
        "[x](<a {}>)",
        "[x][1]\n\n[1]: https://h.example/{}",
        '[x][1]\n\n[1]: https://h.example "{}"',
        "[x][{}]\n\n[{}]: a.md",
    ),
    *("[{}]: https://h.example\n\n[{}]", "<https://h.example/{}>", "https://h.example/?k={}", "www.h.example/{}"),
    *(
        "<{}>",
        "![{}](https://h.example/a.png)",
        "![x](https://h.example/{}.png)",
        '![x](a.png "{}")',
        "![x][1]\n\n[1]: {}",
    ),
    *(
        "[![{}](https://h.example/{})](https://h.example/{})",
        "| a | b |\n|---|---|\n| x | {} |",
        "| {} |\n|---|\n| x |",
    ),
    *(
        "x[^1]\n\n[^1]: {}",
        "x[^{}]\n\n[^{}]: y",
        "*[sk]: {}\n\nsk",
        "*[{}]: x\n\n{}",
        "x\n:   {}",
        "!!! note {}\n    {}",
    ),
    *(
        '!!! note "{}"\n    x',
        "<b title='{}'>{}</b>",
        "<!-- {} -->",
        "# x {#{}}",
        "x {: title={} }",
        "{}\\_{}",
        "\\*{}\\*",
    ),
    *("*a {} b*", "_a {} b_", "*{}", "{}*", "_{}", "{}__ x __", "`{}", "[{}", "{}](x)", "&lt;{}&gt;", "&#42;{}&#42;"),
)
ABBREVIATED = "*[sk]: x\n*[AKIA]: y\n*[password]: z\n*[Rosa]: w\n\n"
ADDRESSES = (
    *(
        "https://ana:{}@h.example/x",
        "postgres://ana:{}@db:5432/x",
        "redis://:{}@cache/0",
        "mongodb+srv://ana:{}@h.example",
    ),
    *("amqp://ana:{}@h", "ftp://ana:{}@h.example", "smtp://ana@x.org:{}@mail.example"),
)
IN_ADDRESSES = (
    "hunter22",
    "p_w_3cret",
    "*star*9",
    "a__b__c1",
    "~~s3cret~~",
    "p@ss@w0rd",
    "it's9!",
    "Tr0ub&dor&3",
    "[x](y)1",
)
NAMES = (
    *(
        "password of [the router](a.md) is {}",
        "password of the router[^1]: {}\n\n[^1]: x",
        "| password of the | router: {} |",
    ),
    *(
        "| a | b |\n|---|---|\n| password of the | router: {} |",
        "password of the ![router](b.png): {}",
        'password: "{}"',
    ),
    *('password of [the](x.md "router: {} ")', "password of `the` *router*: {}", "password: [{}](http://o.test/)"),
    *(
        "# password of [the router](a.md): {}",
        "[password: {}](http://o.test)",
        "http://o.test/?password={}&x=1",
    ),
)


def screens(text):
    """What pages show of a text, to who did not ask."""
    middle = len(text) // 2
    for html in (
        markdown.html(text),
        markdown.html(ABBREVIATED + text),
        markdown.line(text),
        markdown.line(text, links=False),
        rendered(text, [(middle - 3, middle), (middle + 2, middle + 5)]),
        rendered(text, [(middle - 3, middle), (middle + 2, middle + 5)], blocks=True),
    ):
        page = f"<div>{html}</div>"
        soup = BeautifulSoup(hidden(page) or page, "html.parser")
        for chip in soup.select(".secret"):
            chip.replace_with(DOTS)
        yield str(soup)
        yield soup.get_text()


def runs(secret):
    """A secret in pieces that are in no page by chance."""
    return {secret[at : at + RUN] for at in range(max(1, len(secret) - RUN + 1))}


def hidden_runs(text, secret):
    """The pieces of a secret that the text hides: what stands right beside it may make none of it."""
    at = text.rindex(secret)
    for start, end in spans(text):
        if start < at + len(secret) and at < end:
            yield from runs(text[max(start, at) : min(end, at + len(secret))])


def leaked(text, secret, wanted=None):
    """The first piece of a secret that stands on a screen, however it is written there."""
    pieces = {piece.lower() for piece in (runs(secret) if wanted is None else wanted) if len(piece) > 2}
    for screen in screens(text):
        read = unescape(screen)
        for said in (screen.lower(), read.lower(), unquote(read).lower()):
            if found := next((piece for piece in pieces if piece in said), None):
                return found, text, screen
    return None


@pytest.mark.slow
@settings(max_examples=times(40, 3000), deadline=None)
@given(
    st.sampled_from(FORMS).flatmap(lambda form: st.from_regex(form, fullmatch=True)), st.sampled_from(PLACES + CARRIERS)
)
def test_no_credential_loses_its_mask_wherever_it_stands(secret, place):
    assert leaked(place.replace("{}", secret), secret) is None


INLINE = (
    *("{}", "**{}**", "*{}*", "_{}_", "__{}__", "~~{}~~", "***{}***", "**_{}_**", "`{}`", "[{}](https://h.example)"),
    *("see {} ok", "({})", "{}, so", "{}.", "_see_ {}", "x {}", "**x** {}", "&amp; {}"),
)
WITHIN = "{}", "`{}`", "see {} ok", "({})", "x {}"  # a format
BLOCKS = (
    *("{}", "# {}", "### see {}", "{}\n===", "- {}", "- [ ] {}", "1. {}", "> {}", "- x\n  - {}", "x\n:   {}"),
    *("| a | b |\n|---|---|\n| {} | x |", "| {} | b |\n|---|---|\n| x | x |", "x[^1]\n\n[^1]: {}", "*[x]: {}\n\nx"),
    *(
        "```\n{}\n```",
        "~~~ {}\nx\n~~~",
        "    {}",
        "!!! note\n    {}",
    ),
    *("![{}](https://h.example/a.png)", '[x](https://h.example "{}")', "[x][1]\n\n[1]: https://h.example/ '{}'"),
    *("[to](<#{}>)\n\n# {}", "<b> {} </b>", "x {}\n{}"),
)
# How a secret is said, and what else of the same form is none.
PLANTED = (
    *((("{}", "{}"), secret) for secret in CREDENTIALS if not secret.endswith(("_", "-"))),
    *((("password: {}", "passage: {}"), secret) for secret in ("hunter22", "Rosa-2024", "Qx7kvq9Zp")),
    *((("{}", "{}"), secret) for secret in ("4111 1111 1111 1111", "+34 612 345 678", "DE89370400440532013000")),
    (("the PIN is {}", "the key is {}"), "90210417"),
    (("contraseña: {}", "cosa: {}"), "lluvia99x"),
)


@st.composite
def planted(draw):
    """A text with a secret somewhere in it, the same text with a word in its place, and the secret."""
    (said, plain), secret = draw(st.sampled_from(PLANTED))
    whole = draw(st.sampled_from(BLOCKS)).replace("{}", draw(st.sampled_from(INLINE)))
    whole = whole.replace("{}", draw(st.sampled_from(WITHIN)))
    around = st.sampled_from(("x\n\n", "*x*\n\n", "", "*[see]: y\n\n", "*[x]: sk\n\n"))
    whole = f"{draw(around)}{whole}\n\n{draw(around)}"
    return whole.replace("{}", said.format(secret)), whole.replace("{}", plain.format("Wort")), secret


def tags(html):
    """The elements of a text, without those that say what is a secret."""
    return [
        (tag.name, tag.parent.name)
        for tag in BeautifulSoup(re.sub(f"{KEPT}([^<]*){KEPT_ENDS}", r"\1", html), "html.parser").select("*")
    ]


@pytest.mark.slow
@settings(max_examples=times(40, 5000), deadline=None)
@given(planted())
def test_a_planted_secret_is_nowhere_and_all_around_it_stays(made):
    text, without, secret = made
    assert leaked(text, secret) is None
    assert tags(markdown.html(text)) == tags(markdown.html(without)), text


def documents(places):
    """Texts that say these: all of them one, in a long run each by itself."""
    return places if LONG else ["\n\n".join(places)]


@pytest.mark.parametrize("secret", some(CREDENTIALS, 2))
def test_a_credential_of_marks_is_hidden_in_any_place(secret):
    for text in documents([place.replace("{}", secret) for place in PLACES + CARRIERS]):
        assert leaked(text, secret) is None


@pytest.mark.slow
@pytest.mark.parametrize("password", IN_ADDRESSES)
def test_a_password_in_an_address_is_hidden_in_any_place(password):
    for address in some(ADDRESSES, 3):
        for text in documents([place.replace("{}", address.replace("{}", password)) for place in PLACES]):
            assert leaked(text, password) is None


@pytest.mark.parametrize("secret", PASSWORDS)
def test_what_is_named_stays_hidden_where_its_name_comes_apart(secret):
    for name in NAMES + NAMINGS:
        text = name.replace("{}", secret)
        assert leaked(text, secret, set(hidden_runs(text, secret))) is None


@pytest.mark.parametrize(("text", "secret"), OTHERS)
def test_codes_cards_and_personal_data_are_hidden(text, secret):
    for whole in documents([place.replace("{}", text.replace("{}", secret)) for place in PLACES]):
        assert leaked(whole, secret) is None


@pytest.mark.slow
@settings(max_examples=times(25, 3000), deadline=None)
@given(
    st.text('ab1 *_`~|[](){}<>!:-\n#"^\\&;', max_size=40),
    st.sampled_from(CREDENTIALS + PASSWORDS + tuple(ADDRESSES[0].replace("{}", one) for one in IN_ADDRESSES)),
    st.text('ab1 *_`~|[](){}<>!:-\n#"^\\&;', max_size=40),
)
def test_whatever_stands_around_a_secret_uncovers_nothing(before, secret, after):
    for text in (f"{before}{secret}{after}", f"{before}password: {secret}{after}"):
        assert leaked(text, secret, set(hidden_runs(text, secret))) is None


def test_a_token_with_escapes_is_hidden_whole_and_read_without_them():
    token = "ghp_" + "Qb12" * 9
    written = token.replace("_", "\\_")
    for made in (markdown.html, markdown.line):
        soup = BeautifulSoup(
            made(f"**{written}** https://h.example/?k={written} [x](https://h.example/{written})"), "html.parser"
        )
        assert soup.get_text().split() == [token, f"https://h.example/?k={token}", "x"]
        assert [link["href"] for link in soup.select("a")] == [
            f"https://h.example/?k={token}",
            f"https://h.example/{token}",
        ]
        assert "Qb12Qb12" not in hidden(f"<div>{soup}</div>")


def test_who_may_see_a_secret_reads_it_as_it_stands_and_is_led_where_it_leads():
    for secret in CREDENTIALS:
        soup = BeautifulSoup(
            markdown.html(f"key **{secret}** [x](https://h.example/{secret}) `{secret}`"), "html.parser"
        )
        assert soup.get_text().split() == ["key", secret, "x", secret]
        assert soup.a["href"] == f"https://h.example/{secret}"
    soup = BeautifulSoup(markdown.html("<https://ana:p_w_3cret@h.example>"), "html.parser")
    assert (soup.a["href"], soup.get_text()) == ("https://ana:p_w_3cret@h.example",) * 2


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Password: **hunter22** ok", "<strong>S</strong> ok"),
        ("**Wi-Fi password: hunter22**", "<strong>Wi-Fi password: S</strong>"),
        ("*PIN: 4711*", "<em>PIN: S</em>"),
        ('"**`password: hunter22`**"', '"<strong><code>password: S</code></strong>"'),
        ("|**`password: hunter22`**|b|\n|---|---|\n|c|d|", "<th><strong><code>password: S</code></strong></th>"),
        ("_password: hunter22_ ok", "<em>password: S</em> ok"),
        ("password: __hunter22__", "password: <strong>S</strong>"),
        ("**_password: hunter22_**", "<strong><em>password: S</em></strong>"),
        ("__the key sk-Ab12Ab12Ab12Ab12Ab12__", "<strong>the key S</strong>"),
        ("~~password: hunter22~~", "<del>password: S</del>"),
        ("- password: **hunter22**", "<li>password: <strong>S</strong></li>"),
        (
            "|user|password: hunter22|notes|\n|---|---|---|\n|a|b|c|",
            "<th>user</th>\n<th>password: S</th>\n<th>notes</th>",
        ),
        ("|a|b|\n|---|---|\n|password: hunter22|password: tr0ub4dor|", "<td>password: S</td>\n<td>password: S</td>"),
        (
            "[password: hunter22](https://h.example)",
            'href="https://h.example" rel="noopener noreferrer nofollow">password: S</a>',
        ),
        (
            "password: [hunter22](https://h.example)",
            'password: <a href="https://h.example" rel="noopener noreferrer nofollow">S</a>',
        ),
        ("x[^sk-Ab12Ab12Ab12Ab12Ab12]\n\n[^sk-Ab12Ab12Ab12Ab12Ab12]: y", '<div class="footnote">'),
    ],
)
def test_what_stands_around_a_secret_keeps_its_format(text, kept):
    made = markdown.html(text)
    assert kept in re.sub(f"{KEPT}(?:hunter22|tr0ub4dor|4711|sk-[Ab12]+){KEPT_ENDS}", "S", made)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("*[{}]: x\n\nsay {}", '<p>say <abbr title="x">{}</abbr></p>'),
        ("x[^{}]\n\n[^{}]: y", '<div class="footnote">'),
        (
            "[{}]: https://h.example\n\nsee [x][{}]",
            '<a href="https://h.example" rel="noopener noreferrer nofollow">x</a>',
        ),
        ("~~~ {}\nx\n~~~", "<pre><code>x</code></pre>"),
        ("``` {}\nx\n```", "<pre><code>x</code></pre>"),
    ],
)
def test_what_is_named_by_a_secret_is_laid_out(text, kept):
    made = markdown.html(text.replace("{}", CREDENTIALS[5]))
    assert kept.replace("{}", f"{KEPT}{CREDENTIALS[5]}{KEPT_ENDS}") in made


@pytest.mark.parametrize("password", ["hunter22*", "hunter**22", "h~~9", "hunter22_", "h__9_"])
def test_marks_that_close_nothing_are_of_the_password(password):
    for text in ("password: {}", "* password: {}", "*PIN* password: {}", "**Password:** {}"):
        assert mask(text.format(password)) == text.format(DOTS)


def test_no_text_can_say_where_a_secret_is_put():
    secret = CREDENTIALS[0]
    for code in ("%F4%80%80%80", "&#x100000;", "&\\#x100000;", "\U00100000", "&amp;#x100000;", "%25F4%80%80%80"):
        for made in (markdown.html, markdown.line):
            assert str(made(f"{secret} [docs](https://h.example/?k={code}{code}{code}{code}{code})")).count(secret) == 1


@pytest.mark.parametrize(
    "text", ["ask ana@x.cn now", "ask <ana@x.cn> now", "ask **ana@x.cn**", "|a|\n|---|\n|ana@x.cn|"]
)
def test_a_mail_address_stays_a_link_where_one_may_stand(text):
    for made in (markdown.html, markdown.line):
        soup = BeautifulSoup(made(text), "html.parser")
        assert [(link["href"], link.get_text()) for link in soup.select("a")] == [("mailto:ana@x.cn", "ana@x.cn")]
        assert "ana" not in hidden(f"<div>{soup}</div>")
    assert "<a" not in markdown.line(text, links=False)


def test_a_mail_address_in_a_link_or_in_code_is_no_link_of_its_own():
    soup = BeautifulSoup(
        markdown.html("[ana@x.cn](https://h.example) https://h.example/?m=ana@x.cn `ana@x.cn`"), "html.parser"
    )
    assert [link["href"] for link in soup.select("a")] == ["https://h.example", "https://h.example/?m=ana@x.cn"]


def test_a_hit_in_a_secret_stays_marked():
    made = rendered("password: a_hunter_22", [(12, 18)], blocks=True)
    assert "a_<mark>hunter</mark>_22" in made
    assert "hunter" not in hidden(made)


def test_people_of_the_desk_keep_their_names_in_rendered_text():
    made = markdown.html("Write to **ana_ruiz_@desk.org** or luis@desk.org")
    assert "ana_ruiz_@desk.org" in hidden(made, stays="ana_ruiz_@desk.org".__eq__)
    assert "luis" not in hidden(made, stays="ana_ruiz_@desk.org".__eq__)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["sk-_proj-__Ab12cd34Ef56gh78_- ", "<https://u:p_w@h> ", "password: a_1_b\n", "://a:b"]
)
def test_a_text_full_of_secrets_is_rendered_and_masked_in_a_time_that_grows_with_it(part):
    def seconds(signs):
        return min(once(part * (signs // len(part)) + str(number)) for number in range(2))

    def once(text):
        before = time.process_time()
        laid = markdown.laid_out(text)
        hidden(f"<div>{laid.html}{escape(laid.rest)}</div>")
        return time.process_time() - before

    assert seconds(32_000) < 9 * max(
        seconds(8_000), 0.01
    )  # all is laid out: of four times as much, where squares take sixteen
    assert seconds(400_000) < 9 * max(seconds(100_000), 0.01)  # most of it is not


@pytest.mark.parametrize("token", ["ghp&#95;" + "Qb12" * 9, "&#x67;hp_" + "Qb12" * 9])
def test_a_token_in_codes_is_in_no_heading_and_leads_where_it_is_read(token):
    made = markdown.html(f"# key {token}\n\n[x](https://h.example/{token})")
    assert BeautifulSoup(made, "html.parser").a["href"] == "https://h.example/ghp_" + "Qb12" * 9
    assert "qb12" not in hidden(made).lower()


@pytest.mark.parametrize(
    ("heading", "link", "name"),
    [
        ("ana@x.cn", "anaxcn", "secret-1"),
        ("ana@x.cn", "ana@x.cn", "secret-1"),
        ("Write ana@x.cn", "write-anaxcn", "write-secret-1"),
        ("Password: hunter22!", "password-hunter22", "password-secret-1"),
        ("Key `sk-Ab12Ab12Ab12Ab12Ab12`", "key-sk-ab12ab12ab12ab12ab12", "key-secret-1"),
        ("Contraseña: hunter22", "contraseña-hunter22", "contraseña-secret-1"),
        ("Contraseña: hunter22", "contrase%C3%B1a-hunter22", "contraseña-secret-1"),
        ("x {#sk-Ab12Ab12Ab12Ab12Ab12}", "sk-Ab12Ab12Ab12Ab12Ab12", "secret-1"),
    ],
)
def test_a_heading_has_a_name_without_its_secret_and_links_to_it_lead_there(heading, link, name):
    soup = BeautifulSoup(markdown.html(f"# {heading}\n\n[to](#{link})"), "html.parser")
    assert soup.h2["id"] == f"text-{name}"
    assert soup.find("a", string="to")["href"] == f"#text-{name}"


def test_a_heading_that_says_a_secret_once_it_is_laid_out_has_a_name_without_it():
    soup = BeautifulSoup(markdown.html("# password of [it](http://h.example/a.md): hunter22"), "html.parser")
    assert soup.h2["id"] == "text-password-of-it-secret"


def test_headings_of_two_secrets_have_two_names():
    soup = BeautifulSoup(markdown.html("# ana@x.cn\n\n# bob@x.cn\n\n# ana@x.cn\n\n# 注意"), "html.parser")
    assert [one["id"] for one in soup.select("h2")] == [
        "text-secret-1",
        "text-secret-2",
        "text-secret-1_1",
        "text-注意",
    ]
