"""Errors that several rooms share. Their messages are for people."""

from __future__ import annotations


class Refusal(Exception):
    """What was asked is not done, and nothing was changed."""


class VaultError(Exception):
    """Something about a file, said for people: no absolute path in it, and what to do."""


class Unreadable(VaultError):
    """The document exists but cannot be read. Never the same as empty, never the same as missing."""


class LeadsOutside(Unreadable):
    """A link on the way to the document leaves the root: what is there is not the bot's."""


class RootGone(Unreadable):
    """The whole root is missing or unreadable (unmounted, renamed, permissions). `what` says that alone, if anything does."""

    def __init__(self, sentence: str, what: str = "") -> None:
        super().__init__(sentence)
        self.what = what


class HalfWritten(VaultError):
    """Some files may be changed, and what they belong to is neither whole nor taken back."""


class WriteFailed(VaultError):
    """Nothing was changed: no space, read-only, no permission."""


class Overtaken(WriteFailed):
    """Nothing was changed: somebody else wrote the very same a moment before."""
