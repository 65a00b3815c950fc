"""What a bot reports of a turn, what a turn makes, and how a transcript of turns notes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.domain.changes import Change


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange a bot reports. `at` is aware and already in the bot's zone. `answered`: the reply was made here, so that nobody
    else writes down what it says. `sender` is who wrote, `message_id` what the bot calls the message, `reply_to` the one that it
    answers, `group_id` the server or team that the chat is in, `chat_name` what people call the chat; "" if it is not said.
    `is_public`: everybody in that group may read the chat."""

    session_id: str
    message: str
    response: str
    at: datetime
    answered: bool = False
    sender: str = ""
    reply_to: str = ""
    message_id: str = ""
    group_id: str = ""
    chat_name: str = ""
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class Captured:
    """What a turn makes: the text the user may see, the changes, and what went where (for the answer's `stored`)."""

    clean_text: str
    changes: tuple[Change, ...]
    stored: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn as a transcript of turns notes it. `answered` "" and `answer` None: it was never finished. `asked` None: its
    beginning is not in this text."""

    at: str
    asked: str | None
    answered: str = ""
    answer: str | None = None

    @property
    def died(self) -> bool:
        return self.answer is None
