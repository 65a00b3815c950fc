"""What a text says without its Markdown hides every secret that the text hides: whatever its marks, its lines and its cells are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from memory.text.markdown.lead import lead, plain_text
from memory.text.secrets import DOTS, FIRST, LAST, mask, spans

FORMS = (
    *(r"[0-9]{8,10}:[A-Za-z0-9_-]{35}", r"sk-[A-Za-z0-9_-]{20,60}", r"[rs]k_live_[A-Za-z0-9]{16,60}"),
    *(r"gh[pousr]_[A-Za-z0-9]{36,60}", r"github_pat_[A-Za-z0-9_]{22,60}", r"glpat-[A-Za-z0-9_-]{20,60}"),
    *(r"xox[abeprs]-[A-Za-z0-9-]{10,60}", r"AKIA[0-9A-Z]{16}", r"AIza[0-9A-Za-z_-]{35}"),
    r"eyJ[A-Za-z0-9_-]{8,40}\.eyJ[A-Za-z0-9_-]{8,40}\.[A-Za-z0-9_-]{8,40}",
)
CARRIERS = (
    *("- {}", "the key is {} ok", "**{}**", "__{}__", "`{}`", "_{}_", "*key*: {}_", "[{}](a.md)", "| key | {} |"),
    *(
        "{}\nand more",
        "**Key:** {}\nand more\nand more",
        "Key\n---\n> **{}**",
        "<https://a.example/{}>",
        "![{}](b.png)",
    ),
    *("~~{}~~", "{} __ {} _x_", "x" * 140 + " {}", "**x** " * 30 + "{}", "**" + "x" * 60 + "** {}\nand more"),
)
CREDENTIALS = (
    *("123456789:AAtowRsW3PJAyuv__p4q3rQOrcTwCE-el__", "AIzaqG5TaN4o1MYy3DiLvQ1cZBOUj82i7-_nmWx"),
    *("AIza__G5TaN4o1MYy3DiLvQ1cZBOUj82i7Xynm_", "glpat-ipfgojtrANxs__GcJIcW", "glpat-_pfgojtrANxs-_GcJIc_"),
    *("sk-_proj-__Ab12cd34Ef56gh78_-", "github_pat_11AB__cdefghijklmnop_qrstu_", "xoxb-1234-abcd--1234-abcd-"),
    "eyJhbGciOiJ_UzI1NiJ9.eyJzdWIiOi__MTIzNCJ9.c2ln__F0dXJl_",
)
PASSWORDS = (
    *("swordfish", "Rosa-2024", "a|b|c1", "x_y_z9", "*star*9", "__init__9", "~~s3cret~~", "p@ss_word_", "[x](y1)"),
    *("<https://u:pw1234@h.example>", "https://u:pw@h.example/_a_", "it's*9*", "Tr0ub4dor&3", '"quoted9"'),
)
NAMINGS = (
    *(
        "password: {}",
        "**password**: {}",
        "**Password:** {}\nfor guests only",
        "The Wi-Fi password: {}\nfor guests only",
    ),
    *(
        "password is {}\n- and more",
        "| user | password: {} |",
        "> password: {}\n\nmore",
        "_contraseña_ es {}",
        "密码是{}",
    ),
    *("password: {}\n---\nmore", "passwort lautet **{}**", "password: `{}`\nmore", "x" * 150 + " password: {}"),
)
OTHERS = (
    ("The alarm code is {}\nof the shop", "4711"),
    ("**PIN** {}\nmore", "90210"),
    ("Pays with **card** {}\nmore", "4111 1111 1111 1111"),
    ("Call _Ana_ at {}\nmore", "+34 612 345 678"),
    ("mail *{}*\nmore", "ana_ruiz_@gmail.com"),
    ("**Transfer** to {}\nmore", "DE89 3704 0044 0532 0130 00"),
)


def shown(text):
    """All that pages show of a text without its Markdown."""
    return [mask(said) for said in (plain_text(text), plain_text(text, 160), *lead(text))]


def parts_of(text):
    """What the text hides, in pieces that are too long to be there by chance; the marks of Markdown are not read."""
    for start, end in spans(text):
        told = mask(text[start:end])
        hidden = text[start + FIRST : end - LAST] if told.startswith(text[start : start + FIRST]) else text[start:end]
        read = read_in(hidden)
        yield from (read[at : at + 5] for at in range(max(1, len(read) - 4)))


def read_in(text):
    return "".join(sign for sign in text if sign.isalnum() or sign in DOTS)


def hides(text):
    """Whether nothing is said that the text with its masks does not say."""
    there, said = read_in(mask(text)), [read_in(one) for one in shown(text)]
    return not [
        part for part in parts_of(text) if len(part) > 2 and part not in there and any(part in one for one in said)
    ]


@pytest.mark.slow
@settings(max_examples=300)
@given(st.sampled_from(FORMS).flatmap(lambda form: st.from_regex(form, fullmatch=True)), st.sampled_from(CARRIERS))
def test_no_credential_loses_its_mask_with_the_marks(secret, carrier):
    assert hides(carrier.replace("{}", secret))


@pytest.mark.parametrize("secret", CREDENTIALS)
def test_a_credential_of_marks_is_hidden_in_whatever_marks(secret):
    for carrier in CARRIERS:
        text = carrier.replace("{}", secret)
        assert hides(text), (text, shown(text))


@pytest.mark.parametrize("naming", NAMINGS)
def test_what_is_named_as_a_secret_stays_hidden(naming):
    for secret in PASSWORDS:
        assert hides(naming.replace("{}", secret)), (naming, secret, shown(naming.replace("{}", secret)))


@pytest.mark.parametrize(("text", "secret"), OTHERS)
def test_codes_cards_and_personal_data_stay_hidden(text, secret):
    assert spans(text.replace("{}", secret))
    assert hides(text.replace("{}", secret))


@given(
    st.text("ab1 *_`~|[](){}<>:-\n#", max_size=60),
    st.sampled_from(CREDENTIALS + PASSWORDS),
    st.text("ab1 *_`~|[]()<>:-\n", max_size=60),
)
def test_whatever_stands_around_a_secret_uncovers_nothing_that_was_hidden(before, secret, after):
    for text in (f"{before}{secret}{after}", f"{before}password: {secret}{after}"):
        assert hides(text)


def test_a_secret_that_pages_find_themselves_is_left_to_them_to_show():
    assert (
        plain_text("**Key**: AIzaqG5TaN4o1MYy3DiLvQ1cZBOUj82i7xynmWx") == "Key: AIzaqG5TaN4o1MYy3DiLvQ1cZBOUj82i7xynmWx"
    )
    assert lead("Write to ana@desk.org\nsoon")[0] == "Write to ana@desk.org"
