"""Passwords: how they are hashed, and how many may be checked at once. A check costs much, and any stranger may ask for one."""

from __future__ import annotations

import ipaddress
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TypeVar

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from memory.access import rate_limit

T = TypeVar("T")

AT_ONCE = 2  # checks in one process
WAITING = 8  # that wait for their turn: each keeps a thread of the server
WAIT_SECONDS = 2.0
ADDRESSES = 4096  # told apart, each by a file of eight bytes

_seats = threading.BoundedSemaphore(AT_ONCE + WAITING)


class TooMany(Exception):
    """A password is not checked now, but perhaps in `wait` seconds. `here`: this address tried too often, and not all together."""

    def __init__(self, wait: int, *, here: bool) -> None:
        super().__init__(wait)
        self.wait, self.here = wait, here


class Argon2(Argon2PasswordHasher):
    """The profile that OWASP names for little memory. A hash of another one is made anew when its owner logs in."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return _in_turn(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        return _in_turn(super().verify, password, encoded)


def _in_turn(work: Callable[[str, str], T], *words: str) -> T:
    if not _seats.acquire(blocking=False):
        raise TooMany(1, here=False)
    try:
        asked = _threads(os.getpid()).submit(work, *words)
        with suppress(TimeoutError):
            return asked.result(WAIT_SECONDS)
        if asked.cancel():
            raise TooMany(1, here=False)
        return asked.result()  # its turn has come
    finally:
        _seats.release()


@cache
def _threads(process: int) -> ThreadPoolExecutor:
    """Threads that do nothing else: the memory of a check goes to the next one, and not each thread of the server keeps some."""
    return ThreadPoolExecutor(AT_ONCE, "password")


class TriesOfAnAddress:
    """The first authentication backend: it lets nobody in, and stops an address that tries too often, under whatever names."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None
    ) -> None:
        if request is None:
            return
        wait = 0
        with suppress(OSError):  # where nothing can be counted, seats and axes still hold
            wait = rate_limit.wait(_file(request.META.get("REMOTE_ADDR", "")), settings.LOGIN_RATE, time.time())
        if wait:
            raise TooMany(wait, here=True)


def _file(address: str) -> str:
    """Where an address is counted. Who has one of version 6 has its network; a flood of addresses makes no flood of files,
    and nobody can tell whose file another address shares."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        found = ipaddress.ip_address(0)
    network = ipaddress.ip_network((found, 64 if found.version == 6 else 32), strict=False)
    return f"login-{int(salted_hmac(__name__, str(network)).hexdigest()[:8], 16) % ADDRESSES:03x}"
