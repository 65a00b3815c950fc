"""A sample DiscoClaw's files: some weeks on a made-up server, written as the bot writes them, counted back from today."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.dialects.discoclaw import durable, javascript, layout, shortterm
from memory.dialects.discoclaw.prompt import milliseconds
from memory.dialects.shared.sample import moment, write_files

SERVER = "610000000000000500"
TOLD = tomllib.loads(Path(__file__).with_name("sample.toml").read_text(encoding="utf-8"))
_MOST, _AGE = 20, 6 * 3_600_000

Files = dict[str, tuple[bytes, datetime]]


def write(directory: Path, now: datetime) -> Path:
    """Write the sample below `directory`, once: what is there already stays as it is. Returns the directory of its memory."""
    memory = directory / "data" / "memory"
    if not memory.exists():
        directory.mkdir(parents=True, exist_ok=True)
        (directory / ".env").write_text(TOLD["environment"].lstrip("\n"), encoding="utf-8")
        write_files(directory / "data", files(now))
    return memory


def files(now: datetime) -> Files:
    """Every file and its modification time, by its path below the data directory. The same `now` gives the same files."""
    found = {f"memory/{path}": one for path, one in {**_durable(now), **_rolling(now), **_lately(now)}.items()}
    for name, text in TOLD["workspace"].items():
        found[f"{layout.WORKSPACE}/{name}"] = text.lstrip("\n").encode(), now - timedelta(days=12)
    for days_ago, text in TOLD["notes"].items():
        at = now.astimezone(UTC) - timedelta(days=int(days_ago))
        found[f"{layout.WORKSPACE}/memory/{at:%Y-%m-%d}.md"] = f"# {at:%Y-%m-%d}\n\n{text}".encode(), at
    return found


def _durable(now: datetime) -> Files:
    found: Files = {}
    for who, own in TOLD["people"].items():
        store, last = durable.new(), now
        for at, one in sorted(_said(who, now), key=lambda said: said[0]):
            _say(store, one, milliseconds(at))
            last = at
        found[f"{layout.DURABLE}/{own}.json"] = javascript.written(store), last
    return found


def _said(who: str, now: datetime) -> Iterator[tuple[datetime, dict[str, Any]]]:
    """What somebody said of themselves, and what they took back."""
    for one in (*TOLD["facts"], *TOLD["forgotten"]):
        if one["who"] == who:
            yield moment(one["days_ago"], one["time"], now), one


def _say(store: dict[str, Any], one: dict[str, Any], at: int) -> None:
    if "kind" not in one:
        durable.forget(store, durable.matches(store, one["text"]), at)
        return
    source = {"type": one["how"], "channelId": TOLD["channels"][one["where"]], "messageId": f"15{at}00001"}
    durable.add(store, one["text"], {**source, "guildId": SERVER, "channelName": one["where"]}, at, 200, one["kind"])


def _rolling(now: datetime) -> Files:
    found: Files = {}
    keys = {where: f"{layout.CHANNEL}{own}" for where, own in TOLD["channels"].items()}
    keys["dm"] = layout.DIRECT + TOLD["people"]["nadia"]
    for number, (where, text) in enumerate(TOLD["summaries"].items()):
        at = now - timedelta(minutes=20 + 75 * number)
        told = {"summary": text, "updatedAt": milliseconds(at), "turnsSinceUpdate": number}
        found[layout.rolling_path(keys[where])] = javascript.written(told), at
    return found


def _lately(now: datetime) -> Files:
    found: Files = {}
    for who, own in TOLD["people"].items():
        store, last = shortterm.new(), now
        for one in TOLD["lately"]:
            if one["who"] == who:
                last = now - timedelta(minutes=one["minutes_ago"])
                shortterm.append(store, _entry(one, milliseconds(last)), milliseconds(last), _MOST, _AGE)
        if store["entries"]:
            found[f"{layout.SHORT_TERM}/{SERVER}-{own}.json"] = javascript.written(store), last
    return found


def _entry(one: dict[str, Any], at: int) -> dict[str, Any]:
    channel = TOLD["channels"][one["where"]]
    where = {"sessionKey": layout.CHANNEL + channel, "channelId": channel, "channelName": one["where"]}
    return {"timestamp": at, **where, "summary": shortterm.excerpt(one["asked"], one["answered"])}
