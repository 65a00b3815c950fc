"""Credentials in a text: found by their form, told by their ends, taken out and nothing else."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, strategies as st

from memory.text import personal
from memory.text.secrets import DOTS, REMOVED, has_secret, mask, place_to_cut, remove_secrets, spans

SECRETS = (
    "123456789:" + "Ab3-_" * 7,
    "sk-" + "proj-Ab12" * 4,
    "ghp_" + "a1B2" * 9,
    "glpat-" + "x1Y2" * 5,
    "hf_" + "aBcDe" * 7,
    "npm_" + "a1B2" * 9,
    "xoxb-" + "1234-abcd" * 2,
    "AKIA" + "ABCD1234" * 2,
    "AIza" + "a1-_B" * 7,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_each_form_is_found_masked_and_taken_out(secret):
    text = f"The key of the shop: {secret}, since May"
    assert has_secret(text)
    assert secret not in mask(text)
    assert mask(text).startswith(f"The key of the shop: {secret[:4]}•")
    assert remove_secrets(text) == f"The key of the shop: {REMOVED}, since May"


@pytest.mark.parametrize("secret", SECRETS)
def test_a_form_is_found_whatever_of_it_is_escaped_or_has_no_width(secret):
    for written in (re.sub(r"(?=[_.-])", r"\\", secret), "\u200b".join(secret), f"{secret[:-2]}\xad{secret[-2:]}"):
        assert mask(f"({written}) x") == f"({mask(secret)}) x"
        assert remove_secrets(f"({written}) x") == f"({REMOVED}) x"


@pytest.mark.parametrize(
    ("written", "hidden"),
    [
        ("ghp&#95;" + "Qb12" * 9, f"ghp_{DOTS}b12"),
        ("&#x73;k-proj-Ab12Cd34Ab12Cd34Ab&amp;#49;", f"sk-p{DOTS}Ab1"),
        ("glpat-Ab12&shy;Cd34&#8203;Ab12&#45;Cd34Ab12Cd34", f"glpa{DOTS}d34"),
        ("p&#97;ssword: hunter22", f"p&#97;ssword: {DOTS}"),
        ("ana&#64;x.cn, a&#64;b", f"{DOTS}, a&#64;b"),
        ("&copy; &nowhere; 4111&#32;1111&#32;1111&#32;1111 &amp;", f"&copy; &nowhere; {DOTS} &amp;"),
        ("https:\\/\\/ana:pw@h", f"https:\\/\\/ana:{DOTS}@h"),
        ("mailto:ana%40x.cn, 5%40b", f"mailto:{DOTS}, 5%40b"),
        ("**sk-proj-**Ab12Cd34Ab12Cd34", f"**{DOTS}"),
        ("sk-`proj-`Ab12Cd34Ab12Cd34", DOTS),
        ("sk-[proj-](x.md)Ab12Cd34Ab12Cd34", DOTS),
        ("sk-proj-<b>Ab12Cd34Ab12Cd34</b>", f"{DOTS}</b>"),
        ("sk-proj-<!-- x -->Ab12Cd34Ab12Cd34", DOTS),
        ("sk-proj-Ab12~~Cd34Ab12Cd34~~", f"{DOTS}~~"),
        ("the **pass**word is hunter22", f"the **pass**word is {DOTS}"),
        ("passwort\u00a0ist hunter22", f"passwort\u00a0ist {DOTS}"),
        ("ana**@**x.cn", DOTS),
        ("4111 **1111** 1111 1111", DOTS),
        ("sk\\u002dproj-Ab12Cd34Ab12Cd34", DOTS),
        ("a**b**c [x](y)z 3 * 4", "a**b**c [x](y)z 3 * 4"),
        ("https://h/?t=ghp%5F" + "Qb12" * 9, f"https://h/?t={DOTS}"),
        ("https://h/?t=%67hp%255F" + "Qb12" * 9, f"https://h/?t={DOTS}"),
        ("https://h/?contrase%C3%B1a=hunter22", f"https://h/?contrase%C3%B1a={DOTS}"),
        ("https://h/?%E5%AF%86%E7%A0%81=abc12345", f"https://h/?%E5%AF%86%E7%A0%81={DOTS}"),
        ("https://h/?u=https%3A%2F%2Fana%3Apw%40h", f"https://h/?u=https%3A%2F%2Fana%3A{DOTS}%40h"),
    ],
)
def test_what_is_written_in_codes_is_found_whole(written, hidden):
    assert mask(f"({written}) x") == f"({hidden}) x"


@pytest.mark.parametrize(
    ("cut", "hidden"),
    [
        ("Pays with 4111 1111 11…", f"Pays with {DOTS}…"),
        ("Rosa is rosa.vidal@gma…", f"Rosa is {DOTS}…"),
        ("The password of the wifi is swordf…", f"The password of the wifi is {DOTS}…"),
        ("Wait… it was 2026…", "Wait… it was 2026…"),
    ],
)
def test_what_a_list_left_is_hidden_too(cut, hidden):
    assert mask(cut) == hidden
    assert not has_secret(cut)


@pytest.mark.parametrize(
    "text",
    [
        "It rained at 10:30",
        "sk-short",
        "version 1234567890:12",
        "hf_hub_download, npm_config_registry_1, npm_package_v8",
        "hf_pretrained2024",
        "4111 1111 1111 1112",
        "https://example.org/a_b-c?x=1",
        "AKIA is a club",
        "http://host:8080/@ana",
        "See http://host:8080,@ana or [x](http://host:8080)@ana",
        "git@github.com:ana/notes ssh://git@github.com:22/x",
        "https://ana:@host, https://ana@host",
        "@ana:matrix.org, https://matrix.to/#/@ana:matrix.org",
        "12:30@noon, https://h.example/@a:b@c",
        "postgres://user:password@host, u://a:$PASSWORD@h, u://a:${PW}@h, u://a:<pw>@h, u://a:****@h",
        "https://host:port@x, https://host:port/x@y, u://user:your-password@host, u://user:%(password)s@host",
        "docker://nginx:1.25@sha256:12ab, http://[2001:db8::1]@x, git+ssh://git@github.com:ana/notes@v1",
        "网址http://192.168.1.5:8080，邮箱ana@example.com",
        "{'url':'http://localhost:8080','mail':'ana@example.com'}",
        "http://h:8080;see@x, http://h:8080:see@x, http://h:8080(see@x), http://h:8080)see@x, http://h:8080|see|@x",
        "http://localhost:8080!see@x http://127.0.0.1:80-1@x http://h:8080“see”@x http://h:8080：ask@x",
    ],
)
def test_prose_is_none(text):
    assert not has_secret(text)
    assert (mask(text), remove_secrets(text)) == (text, text)


NAMED = (
    ("The wifi password is {}", "Rosa-2024"),
    ("**Password** of the router: {}", "tr0ub4dor"),
    ("Das Passwort lautet {}", "Regen#Wald"),
    ("La contraseña es {}", "lluvia99"),
    ("密码是{}", "abc12345"),
    ("| user | password: {} | x |", "swordfish"),
    ("[password: {}](https://h.example)", "swordfish"),
    ("**`password: {}`** x", "hunter22"),
    ("__*the PIN is {}*__", "90210"),
    ('"**`password: {}`**"', "hunter22"),
    ("(“**`password: {}`**”), so", "swordfish"),
    ("[**`password: {}`**](https://h.example)", "hunter22"),
    ('**"`password: {}`"** x', "hunter22"),
    ("The alarm code is {}", "4711"),
    ("Pays with {} since May", "4111 1111 1111 1111"),
    ("Amex {}", "378282246310005"),
    ("https://ana:{}@h.example/x", "pw"),
    ("<postgres://ana:{}@db:5432/x>", "S3cret"),
    ("redis://:{}@cache/0", "hunter22"),
    ("mongodb+srv://ana:{}@h.example", "a%40b"),
    ("amqp://ana:{}@h, or so", "p@ss:w0rd!"),
    ("[x](ftp://ana:{}@h)", "4711"),
    ("smtp://ana@x.org:{}@mail.example", "geheim"),
    ("postgres://ana:{}@db:5432/x", "1234!"),
    ("redis://:{}@cache", "99!!"),
    ("https://ana:{}@h", "1234,x"),
    ("https://ana:{}@h", "1234;x2"),
    ("redis://:{}@cache", "1234;rosa"),
    ("postgres://ana:{}@db", "1234;rosa"),
    ("postgres://ana:{}@db", "pa/ss9"),
    ("postgres://ana:{}@db", "p#ss?9"),
    ("postgres://ana:{}@db", "[brk]hunter[t]"),
    ("postgres://ana:{}@db", "{{a}}b{{c}}".format()),
)


@pytest.mark.parametrize(("text", "secret"), NAMED)
def test_what_is_named_as_a_secret_is_told_by_nothing_of_it(text, secret):
    assert mask(text.format(secret)) == text.format(DOTS)
    assert remove_secrets(text.format(secret)) == text.format(REMOVED)


@pytest.mark.parametrize(
    "secret",
    [*SECRETS, *(text.format(secret) for text, secret in NAMED), "mi clave, contraseña de la casa: Hunter9`x#"],
)
def test_a_text_is_cut_where_both_halves_hide_what_the_whole_hides(secret):
    text = f"{'word ' * 90}and {secret} {'word ' * 40}"
    whole = mask(text)
    for most in range(400, len(text) + 20):
        at = place_to_cut(text, most)
        assert most - 2 * len(secret) - 20 < at <= most
        assert mask(text[:at]) + mask(text[at:]) == whole


def test_a_text_without_secrets_is_cut_where_it_may_be():
    assert [place_to_cut("word " * 9000, most) for most in (0, 7, 30_000, 50_000)] == [0, 7, 30_000, 45_000]


def test_a_secret_that_is_a_text_from_its_beginning_is_not_cut():
    text = "sk-" + "proj-Ab12" * 20
    assert place_to_cut(text, 100) == 0


@pytest.mark.parametrize("part", ["password: a1#", "eyJ", "sk-Ab12", "4111 1111 1111 1111 ", "a@b.cc,", "pin 1234"])
def test_a_place_to_cut_is_found_soon(part):
    start = time.process_time()
    place_to_cut(part * 20_000, 60_000)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Call Ana at {} soon", "+34 612 345 678"),
        ("Call _{}_ soon", "+34 612 345 678"),
        ("Her phone number is {}", "020 7946 0123"),
        ("El DNI de Ana es {}", "12345678Z"),
        ("Transfer it to {}.", "DE89 3704 0044 0532 0130 00"),
        ("Wohnt in der {}", "Goethestraße 12"),
        ("Write to {} today", "ana.ruiz@gmail.com"),
        ("[write](mailto:{})", "ana+tea@correo.es"),
    ],
)
def test_personal_data_is_hidden_and_is_no_credential(text, hidden):
    assert mask(text.format(hidden)) == text.format(DOTS)
    assert not has_secret(text.format(hidden))
    assert personal.remove_personal_data(text.format(hidden), REMOVED) == text.format(REMOVED)


@pytest.mark.parametrize(
    "text", ["DE88 3704 0044 0532 0130 00", "12345678A", "11010519491231002Y", "Passport expires on 2027-01-02"]
)
def test_a_number_that_fails_its_check_is_nobodys(text):
    assert mask(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Ask support@shop.com",
        "git@github.com:ana/notes.git",
        "ana@example.com",
        "34600111222@s.whatsapp.net",
        "a@1.2.3",
    ],
)
def test_an_address_of_an_office_or_a_chat_is_nobodys(text):
    assert mask(text) == text


def test_what_people_of_the_desk_are_called_stays():
    text = "Ana (ana@desk.org) wrote to luis@desk.org"
    assert mask(text, "ana@desk.org".__eq__) == f"Ana (ana@desk.org) wrote to {DOTS}"


@pytest.mark.parametrize("part", ["+1 ", "12 Aa Bb ", "phone of ", "a@b.", "AB12 3456 ", "1234567", "Calle de Aa "])
def test_personal_data_is_looked_for_in_a_time_that_grows_with_the_length(part):
    def seconds(times):
        start = time.process_time()
        personal.has_personal(part * times)
        return time.process_time() - start

    assert seconds(16_000) < 40 * max(seconds(1_600), 0.001)


@pytest.mark.parametrize(
    "text",
    [
        "sk-abcdefgh12…",
        "The key: ghp_a1B2c3",
        "hf_aBcDeaBc…",
        "npm_a1B2a1B2",
        "eyJhbGciOi1JIUzI1",
        "postgres://u:s3c…",
    ],
)
def test_what_a_list_cut_off_a_secret_is_hidden_and_is_no_finding(text):
    assert DOTS in mask(text)
    assert not has_secret(text)


@given(st.text(), st.sampled_from(SECRETS), st.text())
def test_masking_twice_is_masking_once(before, secret, after):
    once = mask(f"{before} {secret} {after}")
    assert mask(once) == once


@pytest.mark.parametrize(
    "part",
    [
        "password of ",
        "eyJ",
        "sk-",
        "4111 ",
        "pin ",
        "door code of a",
        "password: ",
        "://a:b",
        "://a:b@",
        "a://",
        "a@:b",
        "a://u:b/",
        "sk\\-",
        "sk&#45;",
        "&amp;",
        "|password: a1|",
        "*password: a1*",
    ],
)
def test_any_text_is_looked_through_in_a_time_that_grows_with_its_length(part):
    def seconds(times):
        start = time.process_time()
        spans(part * times)
        return time.process_time() - start

    assert seconds(16_000) < 40 * max(seconds(1_600), 0.001)


def test_secrets_that_reach_into_each_other_are_hidden_whole():
    assert mask("password: <https://u:pw@h>") == f"password: {DOTS}>"
    assert mask("password: a#+34 612 345 678") == f"password: {DOTS}"


@given(st.text(), st.sampled_from(SECRETS), st.text())
def test_what_is_around_a_secret_stays(before, secret, after):
    text = f"{before} {secret} {after}"
    assert remove_secrets(text).startswith(remove_secrets(f"{before} "))
    assert secret not in remove_secrets(text)
    assert not has_secret(remove_secrets(text))
