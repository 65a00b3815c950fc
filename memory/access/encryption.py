"""Secrets at rest: encrypted with a key that lies in KENOWEB_HOME, not in the database."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from memory.access import keyfile
from memory.text.sentences import say


class BrokenSeal(Exception):
    """A secret that this key cannot open; the message is for people."""


def seal(secret: bytes) -> bytes:
    """The secret encrypted and authenticated, for the database."""
    return _cipher().encrypt(secret)


def unseal(sealed: bytes | memoryview) -> bytes:
    """The secret that `seal` took. Raises BrokenSeal if the key file is another one or the bytes were changed."""
    try:
        return _cipher().decrypt(bytes(sealed))
    except InvalidToken:
        raise BrokenSeal(
            say(
                "This secret was encrypted with another key. Restore the seal_key file in KENOWEB_HOME, or create a new secret."
            )
        ) from None


def _cipher() -> Fernet:
    key = keyfile.read_or_make(settings.KENOWEB_HOME / "seal_key", lambda: Fernet.generate_key().decode("ascii"))
    try:
        return Fernet(key)
    except ValueError:
        raise BrokenSeal(
            say("The seal_key file in KENOWEB_HOME doesn’t contain a key. Restore the original.")
        ) from None
