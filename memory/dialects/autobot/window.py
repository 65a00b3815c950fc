"""When an Autobot sums up a chat, and which of its messages then go: the arithmetic of its memory manager."""

from __future__ import annotations

from dataclasses import dataclass

OFF = 0  # the window of a bot that sums nothing up
LEAST_KEPT, MOST_KEPT = 2, 10
WITHOUT = 10  # messages that a bot keeps which sums nothing up
A_TURN = 2  # messages that a turn adds


@dataclass(frozen=True, slots=True)
class Window:
    """The messages of one chat: how many are stored, how many of them the bot sends along, and how many are in neither prompt nor
    memory. `due` would go at the start of the next turn; `turns` begin until one does, None for never."""

    stored: int
    sent: int
    neither: int
    due: int
    turns: int | None


def kept(window: int) -> int:
    """How many messages stay when others are archived."""
    return min(MOST_KEPT, max(LEAST_KEPT, window // 2))


def archived(stored: int, window: int) -> int:
    """How many of the stored messages are archived at the start of a turn."""
    if window == OFF or stored <= max(window, kept(window)):
        return 0
    return stored - kept(window)


def dropped(stored: int, window: int) -> int:
    """How many a bot that sums nothing up lets go of at the start of a turn."""
    return max(0, stored - WITHOUT) if window == OFF else 0


def timeline(stored: int, window: int, sent: int) -> Window:
    """Where the messages of a chat are that has so many, if the bot sends the newest `sent` along."""
    reached = min(stored, max(sent, 0))
    return Window(stored, reached, stored - reached, archived(stored, window), _turns(stored, window))


def _turns(stored: int, window: int) -> int | None:
    if window == OFF:
        return None
    short = max(window, kept(window)) + 1 - stored
    return max(0, -(-short // A_TURN)) + 1
