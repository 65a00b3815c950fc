"""The program that talks to a service through `apprise`, as a process of its own: it is read a request and writes an answer.

`apprise` takes some 40 MB once it knows its services, and an address of it may name files, programs or hosts of the inner network.
So it is never loaded where Kenoweb serves or works: this process begins, sends one message, and is gone. Nothing of Kenoweb is
imported here, and from the moment an address is read the interpreter itself refuses what no service needs."""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import re
import sys
from importlib import import_module
from typing import Any

UNKNOWN, LOCAL, INNER, SENT, REFUSED, UNREACHED, UNSURE = (
    "unknown",  # no service that is known, or one that the address does not fit
    "local",  # something on this machine and no service of the network
    "inner",  # a host that this person may not reach
    "sent",
    "refused",  # the service answered with `status`, and not that it took it
    "unreached",
    "unsure",
)
READABLE = ("/etc/ssl/", "/etc/pki/", "/etc/mime.types", "/usr/share/zoneinfo/", "/dev/urandom", "/dev/null")
PROGRAMS = ("subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork", "pty.spawn")
_STATUS = re.compile(r"error=(\d{3})\b")


class Guard:
    """What the interpreter refuses from now on: hosts that may not be reached, files of others, programs. `met` an inner host."""

    def __init__(self, *, may_reach_inside: bool) -> None:
        self.inside, self.met = may_reach_inside, False
        self.readable = (f"{sys.prefix}/", f"{sys.base_prefix}/", *filter(None, sys.path), *READABLE)
        sys.addaudithook(self)

    def __call__(self, event: str, about: tuple[Any, ...]) -> None:
        if event == "socket.connect" or event == "socket.sendto":
            self._connect(about[1])
        elif event == "open":
            self._open(*about)
        elif event == "socket.bind" or event.startswith(PROGRAMS):
            raise PermissionError(event)

    def _connect(self, where: object) -> None:
        if not isinstance(where, tuple) or not is_reachable(str(where[0]), self.inside):
            self.met = True
            raise PermissionError("this address may not be reached")

    def _open(self, path: object, mode: object, flags: object) -> None:
        if isinstance(path, int):
            return
        name = os.path.abspath(os.fsdecode(path)) if isinstance(path, str | bytes) else ""  # noqa: PTH100 - asks no file
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC)
        if writes or not name.startswith(self.readable):
            raise PermissionError("this file may not be opened")


def is_reachable(host: str, inside: bool) -> bool:
    """Whether an address of a host may be connected to: all of the internet, and the inner network only `inside`."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    if found.is_link_local or found.is_multicast or found.is_unspecified or found.is_reserved:
        return False
    return inside or found.is_global


class Heard(logging.Handler):
    """What `apprise` says of a message: which status came back, or why none did. Nothing of it is written anywhere."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.status, self.words = 0, ""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if found := _STATUS.search(text):
            self.status = int(found[1])
        if "exception" in text.lower():
            self.words = text.lower()


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """`address`, `title`, `body`, `inside`, and with `send` it is sent: what came of it, and what the service is called."""
    import apprise
    from apprise import AppriseAsset, NotifyFormat

    heard, logger = Heard(), logging.getLogger("apprise")
    logger.addHandler(heard)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    asset = AppriseAsset(http_redirects=False, service_timeout=20)
    kinds: Any = import_module("apprise.manager_plugins").NotificationManager()  # which has no types
    kinds.schemas()  # everything is loaded before the guard stands
    guard = Guard(may_reach_inside=bool(asked["inside"]))
    schema = str(asked["address"]).partition("://")[0].lower()
    kind = kinds[schema] if schema in kinds.schemas() else None
    if kind is None:
        return {"outcome": UNKNOWN}
    if not _is_of_the_web(kind):
        return {"outcome": LOCAL}
    service = apprise.Apprise.instantiate(str(asked["address"]), asset=asset)
    if service is None:
        return {"outcome": UNKNOWN}
    service.redirects = False  # an address may say otherwise
    told = {"name": str(kind.service_name), "schema": schema}
    if not asked["send"]:
        return told | {"outcome": INNER if _is_inner(service, guard) else SENT}
    if service.notify(title=asked["title"], body=asked["body"], body_format=NotifyFormat.TEXT):
        return told | {"outcome": SENT}
    return told | _failure(guard, heard)


def _is_of_the_web(kind: Any) -> bool:
    """Whether a service is one that is called over HTTP: none of the others is on the network alone."""
    own = [one.__module__ for one in kind.__mro__ if one.__module__.startswith("apprise.plugins.")]
    return any(hasattr(sys.modules[name], "requests") for name in own)


def _is_inner(service: Any, guard: Guard) -> bool:
    """Whether the host that an address names is itself an address that may not be reached. Names are looked up when it is sent."""
    host = str(getattr(service, "host", "") or "").strip("[]")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host.lower() == "localhost" and not guard.inside
    return not is_reachable(host, guard.inside)


def _failure(guard: Guard, heard: Heard) -> dict[str, Any]:
    if guard.met:
        return {"outcome": INNER}
    if heard.status:
        return {"outcome": REFUSED, "status": heard.status}
    return {"outcome": UNSURE if "read timed out" in heard.words or "aborted" in heard.words else UNREACHED}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
