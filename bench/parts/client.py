"""A load of signed turns over connections that stay open: `python client.py`, told what to do by JSON on stdin.

One thread and plain sockets, so that it costs the server's machine little; what it costs is in its answer.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field
from typing import Any

CHATS = 20
BUFFER = 65536


@dataclass
class Load:
    """What to send, and what came back. Turns are numbered from 0 within their `name`."""

    host: str
    port: int
    path: str
    secret: str
    name: str
    kind: str
    number: int = 0
    taken: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    refused: dict[int, int] = field(default_factory=dict)

    def request(self) -> tuple[int, bytes]:
        """The next turn, signed as KenoBot signs."""
        number = self.number
        self.number += 1
        body = json.dumps(self.turn(number)).encode()
        signature = hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nX-Webhook-Signature: sha256={signature}\r\n\r\n"
        )
        return number, head.encode() + body

    def turn(self, number: int) -> dict[str, Any]:
        fact = f"Fact {self.name}-{number:07} about the garden"
        turn = {"chat_id": f"chat{number % CHATS}", "message_id": f"{self.name}-{number}"}
        if self.kind == "asked":
            return {**turn, "message": f"Please remember: {fact}"}
        said = f"Noted. <memory>{fact}</memory>"
        if self.kind == "working":
            said += f"<working-memory>Talking about the garden, turn {number}</working-memory>"
        return {**turn, "message": "Please remember", "response": said}


class Connection:
    """One connection: a request, its answer, the next request."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.socket = socket.create_connection((load.host, load.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.heard = b""
        self.ask()

    def ask(self) -> None:
        self.number, request = self.load.request()
        self.begun = time.perf_counter()
        self.socket.sendall(request)

    def hear(self) -> bool:
        """Take in what has come; whether an answer is complete. Raises OSError and EOFError."""
        part = self.socket.recv(BUFFER)
        if not part:
            raise EOFError
        self.heard += part
        status = answered(self.heard)
        if status is None:
            return False
        self.heard = b""
        if status == 200:
            self.load.seconds.append(time.perf_counter() - self.begun)
            self.load.taken.append(self.number)
        else:
            self.load.refused[status] = self.load.refused.get(status, 0) + 1
        return True


def answered(heard: bytes) -> int | None:
    """The status of an answer that is whole, else None."""
    head, blank, body = heard.partition(b"\r\n\r\n")
    if not blank:
        return None
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return int(head[9:12]) if len(body) >= length else None


def run(load: Load, connections: int, seconds: float, most: int) -> dict[str, Any]:
    """Send until the time is up, until `most` turns are sent (0: any number) or the server is gone; then wait for the answers that
    are still on their way."""
    selector = selectors.DefaultSelector()
    begun, cpu = time.perf_counter(), time.process_time()
    for _ in range(min(connections, most or connections)):
        one = Connection(load)
        selector.register(one.socket, selectors.EVENT_READ, one)
    until, lost = begun + seconds, 0
    while selector.get_map():
        ready = selector.select(timeout=10)
        if not ready:
            break
        for key, _ in ready:
            one = key.data
            try:
                if one.hear():
                    if time.perf_counter() >= until or (most and load.number >= most):
                        close(selector, one)
                    else:
                        one.ask()
            except (OSError, EOFError):
                lost += 1
                close(selector, one)
    took = time.perf_counter() - begun
    return {
        "sent": load.number,
        "taken": load.taken,
        "seconds": load.seconds,
        "refused": load.refused,
        "lost": lost,
        "took": took,
        "cpu": time.process_time() - cpu,
    }


def close(selector: selectors.BaseSelector, one: Connection) -> None:
    selector.unregister(one.socket)
    one.socket.close()


if __name__ == "__main__":
    told = json.loads(sys.stdin.read())
    how = {name: told.pop(name) for name in ("connections", "seconds", "most")}
    print(json.dumps(run(Load(**told), **how)))
