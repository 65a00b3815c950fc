from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from argon2 import extract_parameters
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.contrib.auth.models import User
from django.urls import reverse

from memory.access import passwords
from tests.support.browsers import browser

PASSWORD = "a long enough one"
RIGHT = {"username": "ana", "password": PASSWORD}


@pytest.fixture
def ana(db, settings, tmp_path):
    """Somebody whose password was hashed as it was before, on a site with its own hashes and rates."""
    settings.KENOWEB_HOME = tmp_path
    settings.PASSWORD_HASHERS = ["memory.access.passwords.Argon2"]
    encoded = Argon2PasswordHasher().encode(PASSWORD, "of twenty-two letters.")
    return User.objects.create(username="ana", password=encoded)


def profile(encoded):
    found = extract_parameters(encoded.removeprefix("argon2"))
    return found.memory_cost, found.time_cost, found.parallelism


@pytest.mark.slow
def test_old_hash_is_made_anew_with_the_smaller_profile_at_login(ana):
    assert profile(ana.password) == (102400, 2, 8)
    assert browser().post("/login", {**RIGHT, "password": "wrong"}).status_code == 200
    ana.refresh_from_db()
    assert profile(ana.password) == (102400, 2, 8)
    assert browser().post("/login", RIGHT).status_code == 302
    ana.refresh_from_db()
    assert profile(ana.password) == (19456, 2, 1)
    assert ana.check_password(PASSWORD)
    assert browser().post("/login", RIGHT).status_code == 302


def checks_at_once(monkeypatch, name):
    """Watch the hashing itself: the most that ran at one time."""
    lock, now, most = threading.Lock(), [0], [0]
    real = getattr(Argon2PasswordHasher, name)

    def watched(self, *words):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        try:
            return real(self, *words)
        finally:
            with lock:
                now[0] -= 1

    monkeypatch.setattr(Argon2PasswordHasher, name, watched)
    return most


@pytest.mark.slow
@pytest.mark.parametrize(("name", "known"), [("verify", True), ("encode", False)])
def test_two_passwords_are_checked_at_a_time_and_few_wait(settings, monkeypatch, name, known):
    settings.PASSWORD_HASHERS = ["memory.access.passwords.Argon2"]
    monkeypatch.setattr(passwords, "WAIT_SECONDS", 60)  # a busy machine takes longer than two for those that wait
    encoded = make_password(PASSWORD)
    most, start = checks_at_once(monkeypatch, name), threading.Barrier(40)

    def check(_):
        start.wait()
        try:
            User(password=encoded).check_password("wrong") if known else User().set_password("wrong")
        except passwords.TooMany as error:
            return error.wait
        return 0

    with ThreadPoolExecutor(40) as threads:
        waits = list(threads.map(check, range(40)))
    assert 1 <= most[0] <= passwords.AT_ONCE
    assert waits.count(0) >= passwords.AT_ONCE + passwords.WAITING
    assert max(waits) > 0
    assert User(password=encoded).check_password(PASSWORD)


def test_check_that_finds_no_turn_is_a_page_that_says_so(ana, monkeypatch):
    monkeypatch.setattr(passwords, "WAIT_SECONDS", 0.01)
    others, over = passwords._threads(os.getpid()), threading.Event()
    for _ in range(passwords.AT_ONCE):
        others.submit(over.wait)
    try:
        answers = [browser().post("/login", RIGHT), browser().post("/login", {**RIGHT, "username": "nobody"})]
    finally:
        over.set()
    for answer in answers:
        assert (answer.status_code, answer["Retry-After"]) == (503, "1")
        assert "Too many people are logging in" in answer.content.decode()
    assert browser().post("/login", RIGHT).status_code == 302


@pytest.mark.parametrize("path", ["login", "admin:login"])
def test_an_address_may_try_so_many_passwords_a_minute_under_whatever_names(ana, settings, monkeypatch, path):
    settings.LOGIN_RATE = 5
    monkeypatch.setattr(passwords, "time", SimpleNamespace(time=lambda: 1_800_000_000.0))

    def tried(number, address):
        return browser().post(reverse(path), {**RIGHT, "username": f"nobody{number}"}, REMOTE_ADDR=address)

    assert [tried(number, "2001:db8::1").status_code for number in range(5)] == [200] * 5
    stopped = tried(5, "2001:db8::ffff:2")
    assert (stopped.status_code, stopped["Retry-After"]) == (429, "12")
    assert "Too many password attempts from your address. Wait a minute and try again." in stopped.content.decode()
    assert browser().post(reverse(path), RIGHT, REMOTE_ADDR="2001:db8::3").status_code == 429
    assert tried(6, "2001:db8:0:1::1").status_code == 200
    assert browser().post("/login", RIGHT, REMOTE_ADDR="192.0.2.1").status_code == 302


def test_a_flood_of_addresses_makes_no_flood_of_files():
    files = {passwords._file(f"10.{high}.{low}.7") for high in range(200) for low in range(100)}
    assert passwords.ADDRESSES / 2 < len(files) <= passwords.ADDRESSES
    assert passwords._file("") == passwords._file("nonsense") == passwords._file("0.0.0.0")
