"""What a compaction will do, decided before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memory.domain.changes import Change
from memory.text.sentences import say

LEFT = say("You chose to leave it in its log.")


class Fate(StrEnum):
    """What compaction does with a fact or line."""

    MOVE = "move"  # goes to `target`
    DUPLICATE = "duplicate"  # already said at `target` (PATH:LINE as before the run)
    KEEP = "keep"  # stays where it is
    ARCHIVE = "archive"  # goes with its whole log to `target`, which the bot does not load


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose of a plan, and what is known of its facts. `leave`: facts, by their keys or `name_in_log`, that stay in
    their logs and keep them from being archived, and whole logs, by their paths; `move`: facts that go to long-term memory also
    where their log is archived, or where they are doubted. `past_limit`: also beyond what the bot loads of it. `same_words`: what
    is said again at another time is a duplicate. `pinned`: facts, by their keys, that stay where they are whatever the rules say.
    `doubted`: facts, by path and key, that contradict others: only `move` takes them to long-term memory. Logs of days before
    `deleted_before` the bot deletes by itself; "" where it deletes none."""

    leave: frozenset[str] = frozenset()
    move: frozenset[str] = frozenset()
    past_limit: bool = False
    same_words: bool = False
    pinned: frozenset[str] = frozenset()
    doubted: frozenset[tuple[str, str]] = frozenset()
    deleted_before: str = ""

    def leaves(self, path: str, key: str, time: str) -> bool:
        """Whether a fact of a log stays in it: it, or what says the same in whichever log."""
        return key in self.leave or name_in_log(path, key, time) in self.leave

    def moves(self, path: str, key: str, time: str) -> bool:
        """Whether a fact of a log goes to long-term memory, in the same way."""
        return key in self.move or name_in_log(path, key, time) in self.move


def name_in_log(path: str, key: str, time: str) -> str:
    """The name of a fact of one time in one log, where others say the same."""
    return f"{key}@{time}@{path}"


NOTHING_CHOSEN = Choice()


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of a plan. `line`..`end_line` as before the run; `note` says for people why, or what else is worth knowing."""

    path: str
    line: int
    end_line: int
    text: str
    fate: Fate
    target: str
    is_fact: bool = True
    note: str = ""
    key: str = ""  # of the fact; "" for a line that is none
    time: str = ""  # "HH:MM" or ""
    # it with its day and its clock, as long-term memory says it, or would if nobody had left it in its log
    said: str = ""

    doubted: bool = False  # it stays out of long-term memory because it contradicts others

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole run, decided before anything is written. `changes` carry what will be written; `stopped` says why nothing will be."""

    decisions: tuple[Decision, ...] = ()
    changes: tuple[Change, ...] = ()
    sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # long-term document -> bytes before, after
    sources: tuple[str, ...] = ()  # logs that were looked at
    stopped: str = ""
    unread: tuple[tuple[str, str], ...] = ()  # (path, why) of logs left as they are
    fence: str = ""  # the document whose code fence, never closed, is why nothing will be
    archived: Mapping[str, str] = field(default_factory=dict)  # log that leaves whole -> where it will lie
    passes: int = 0  # bytes by which what somebody chose passes what the bot loads; then nothing is written
    whole: Mapping[str, int] = field(default_factory=dict)  # long-term document -> bytes if all moved that could
