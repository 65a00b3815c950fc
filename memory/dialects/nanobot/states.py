"""A session's state file: what was asked, noted before the answer, and what was answered, noted after it."""

from __future__ import annotations

import re

from memory.dialects.nanobot import scopes
from memory.dialects.nanobot.lines import collapsed
from memory.domain.turns import Exchange
from memory.text.markdown.blocks import decode
from memory.text.message import Message
from memory.text.storable import keepable

SHORT = 400  # characters of a message that are noted

_TITLE, _TURNS = "# Session WAL State\n\n", "## Turns\n\n"
_KEY = re.compile(r"^- session_key: (.*)$", re.MULTILINE)
_ABOUT = re.compile(r"^- (session_key|channel|chat_id): (.*)$", re.MULTILINE)
_HEAD = re.compile(r"### (\S+) (PRE|POST)\s*")
_LINE = re.compile(r"- (user|assistant): ?(.*)")


def exchanges(data: bytes) -> list[Exchange]:
    """The turns of a state file or of the end of one, oldest first."""
    found: list[Exchange] = []
    for at, mark, said in _notes(data):
        open_turn = found[-1] if found and found[-1].died else None
        if mark == "PRE":
            found.append(Exchange(at, said))
        elif open_turn is not None:
            found[-1] = Exchange(open_turn.at, open_turn.asked, at, said)
        else:
            found.append(Exchange(at, None, at, said))
    return found


def messages(data: bytes, limit: int) -> tuple[Message, ...]:
    """The newest messages, oldest first."""
    said = [Message({"PRE": "user", "POST": "assistant"}[mark], text, at) for at, mark, text in _notes(data) if text]
    return tuple(said[-limit:]) if limit else ()


def is_of(beginning: bytes, key: str) -> bool:
    """Whether a state file that begins so is this session's. The bot gives `a:b_c` and `a:b:c` one file, and notes whose it is."""
    found = _KEY.search(keepable(decode(beginning)))
    return found is None or found[1].strip() == _line(key)


def chat_of(beginning: bytes, name: str) -> str:
    """The name of the chat whose state file begins so and has this name, without its ending; "" where that is not known."""
    said = {found[1]: found[2].strip() for found in _ABOUT.finditer(keepable(decode(beginning).partition(_TURNS)[0]))}
    key = f"{said.get('channel')}:{said.get('chat_id')}"
    if key != said.get("session_key") or scopes.session_file(key) != name:
        return ""
    return scopes.name_of(scopes.chat_key(said["channel"], said["chat_id"]), "")


def _notes(data: bytes) -> list[tuple[str, str, str]]:
    """(time, PRE or POST, what was said) of each note; lines of no known form are passed over."""
    found: list[tuple[str, str, str]] = []
    for line in keepable(decode(data)).split("\n"):
        if head := _HEAD.fullmatch(line):
            found.append((head[1], head[2], ""))
        elif found and not found[-1][2] and (said := _LINE.fullmatch(line.rstrip("\r"))):
            found[-1] = (*found[-1][:2], said[2])
    return found


def head(key: str, channel: str, chat_id: str) -> str:
    """How a state file begins that is made before an answer."""
    about = f"- session_key: {_line(key)}\n- channel: {_line(channel)}\n- chat_id: {_line(chat_id)}\n"
    return f"{_TITLE}{about}\n{_TURNS}"


def late_head() -> str:
    """How one begins that is made after it, because somebody took the file away meanwhile."""
    return _TITLE + _TURNS


def before(at: str, message: str, reply_to: str = "") -> str:
    """What is noted before an answer; `reply_to` is the id of the message that this one answers."""
    about = f"- reply_to_message_id: {_cut(reply_to)}\n" if reply_to else ""
    return f"### {at} PRE\n- user: {_cut(message)}\n{about}\n"


def after(at: str, answer: str) -> str:
    """What is noted after it."""
    return f"### {at} POST\n- assistant: {_cut(answer) or '(empty)'}\n\n"


def _line(text: str) -> str:
    return collapsed(keepable(text))


def _cut(text: str) -> str:
    flat = _line(text)
    return flat if len(flat) <= SHORT else flat[:SHORT] + "..."
