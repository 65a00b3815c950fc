"""A server in place of a language model's: it plays what a test tells it to and keeps what it was asked.

    with Playing("Hello.") as model:                       # always the same answer
    model.plays(broken(), broken(), "Hello.")              # one after the other, the last of them from then on
    model.plays(lambda messages: messages[-1]["content"])  # what the text is depends on what was asked
    model.asked[-1].messages, .body, .key, .path

Each answer is a text, a `Play`, or a function of the messages ({"role", "content"} each) that returns one of both.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

MODEL = "playing-1"
USAGE = object()  # as many tokens as there are words


@dataclass(frozen=True)
class Play:
    """One answer. `body` (bytes, or anything that JSON can say) is sent as it is, in place of a completion around `text`."""

    text: str | None = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: object = None
    kind: str = "application/json"
    finish: object = "stop"
    refusal: str | None = None
    usage: object = USAGE
    wait: float = 0  # seconds before the first byte
    trickle: float = 0  # seconds between bytes
    whole_head: bool = True  # the head comes at once even so
    reset: bool = False  # the connection is torn


Answer = str | Play | Callable[[list[dict[str, str]]], "str | Play"]


def good(text="Good.", **more):
    """A completion with that text. `usage=None`: the server says no tokens; or a dict that is sent as it is."""
    return Play(text, **more)


def answers(value, **more):
    """A completion whose text is that value as JSON."""
    return Play(json.dumps(value, ensure_ascii=False), **more)


def slow(seconds, text="Late."):
    return Play(text, wait=seconds)


def trickling(seconds=0.05, text="Byte by byte.", **more):
    """Bytes come one at a time: no wait between two is ever long, all of it is for ever."""
    return Play(text, trickle=seconds, **more)


def busy(retry_after=None):
    return _error(429, "Rate limit reached.", {"Retry-After": str(retry_after)} if retry_after is not None else {})


def broken(status=503, retry_after=None):
    return _error(status, "Overloaded.", {"Retry-After": str(retry_after)} if retry_after is not None else {})


def denied(status=401):
    return _error(status, "Incorrect API key provided: sk-secret.")


def refused(status=400, message="Bad request.", param=None, code=None):
    return _error(status, message, param=param, code=code)


def moved(address, status=307):
    return Play(status=status, headers={"Location": address}, body=b"")


def reset():
    return Play(reset=True)


def cut_off(text):
    """The first half of a text, and the server says that it was cut off."""
    return Play(text[: len(text) // 2], finish="length")


def halfway(text):
    """The first half of a text, and the server believes that it is whole."""
    return Play(text[: len(text) // 2])


def prose(value):
    """JSON in a fence, as models like to answer, with talk before and after."""
    fenced = json.dumps(value, indent=2, ensure_ascii=False)
    return Play(f"Sure! Here is what you asked for:\n\n```json\n{fenced}\n```\n\nLet me know if {{that}} helps.")


def refusal(why="I cannot help with that."):
    return Play(None, refusal=why)


def filtered():
    return Play("", finish="content_filter")


def empty():
    return Play("")


def wrong_type():
    """Everything is there, and nothing is what it should be."""
    choices = [{"index": 0, "finish_reason": 7, "message": {"role": "assistant", "content": {"text": ["no"]}}}]
    return Play(body={"id": 5, "object": "chat.completion", "created": "now", "model": None, "choices": choices})


def without_choices():
    return Play(body={"id": "x", "object": "chat.completion", "created": 1, "model": MODEL, "choices": []})


def not_json():
    return Play(body=b'{"choices": [{"message": ')


def html():
    return Play(body=b"<!doctype html><title>Log in</title>", kind="text/html")


def not_json_text():
    """A completion that was asked for JSON and has none."""
    return Play("I would rather tell you about it in my own words.")


def emptied(value):
    """An answer like this one, with every list in it empty: a memory emptied."""
    return answers(_emptied(value))


def halved(value):
    """The same with half of every list: a memory halved."""
    return answers(_halved(value))


def invented(value, fact="Zaphod Beeblebrox paid 4,711 dollars on 1978-03-08."):
    """The same with a fact of its own making in place of each text that is longer than a word."""
    return answers(_with_texts(value, lambda text: fact if " " in text else text))


def _emptied(value):
    if isinstance(value, dict):
        return {key: _emptied(item) for key, item in value.items()}
    return [] if isinstance(value, list) else value


def _halved(value):
    if isinstance(value, dict):
        return {key: _halved(item) for key, item in value.items()}
    return [_halved(item) for item in value[: len(value) // 2]] if isinstance(value, list) else value


def _with_texts(value, change):
    if isinstance(value, dict):
        return {key: _with_texts(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_texts(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


def _error(status, message, headers=None, param=None, code=None):
    body = {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}
    return Play(status=status, headers=headers or {}, body=body)


@dataclass(frozen=True)
class Asked:
    """One request. `key` is its Authorization header."""

    path: str
    body: dict
    key: str | None
    at: float  # time.monotonic()
    headers: dict = field(default_factory=dict)
    port: int = 0  # of who asked: one for each connection

    @property
    def messages(self):
        return self.body.get("messages", [])


class Playing:
    """The server. `refuses` names what it answers 400 to: "json_schema", "json_object", "max_tokens", "max_completion_tokens"."""

    def __init__(self, *answers: Answer, refuses=()):
        self.asked: list[Asked] = []
        self.refuses = set(refuses)
        self._lock = Lock()
        self._over = Event()
        self.plays(*(answers or ("Good.",)))
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.playing = self
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def plays(self, *answers: Answer) -> Playing:
        """What it answers from now on: one after the other, the last of them for ever."""
        with self._lock:
            self._script = list(answers)
        return self

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, asked: Asked) -> Play:
        refused = self._refused(asked)
        with self._lock:  # at one moment: who sees that it was asked may ask next, or tell it what to play next
            self.asked.append(asked)
            answer = refused or (self._script.pop(0) if len(self._script) > 1 else self._script[0])
        if callable(answer):
            answer = answer(asked.messages)
        return good(answer) if isinstance(answer, str) else answer

    def pause(self, seconds):
        """Wait, and not longer than the server lives. Whether it still does."""
        return not self._over.wait(seconds)

    def _refused(self, asked):
        if asked.path != "/v1/chat/completions":
            return Play(status=404, body={"error": {"message": "not found"}})
        body = asked.body
        kind = (body.get("response_format") or {}).get("type")
        if kind in self.refuses:
            return refused(message=f"'response_format.type' {kind} is not supported.", param="response_format")
        for name in ("max_tokens", "max_completion_tokens"):
            if name in body and name in self.refuses:
                return refused(message=f"Unsupported parameter: '{name}'.", param=name, code="unsupported_parameter")
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    playing: Playing


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept

    def do_POST(self):
        playing = self.server.playing
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        said, key = json.loads(raw or b"{}"), self.headers.get("Authorization")
        asked = Asked(self.path, said, key, time.monotonic(), dict(self.headers), self.client_address[1])
        play = playing.answer(asked)
        if play.wait and not playing.pause(play.wait):
            return None
        if play.reset:
            return self._tear()
        return self._send(play if play.body is not None else replace(play, body=_completion(play, asked)))

    do_GET = do_POST

    def _tear(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _send(self, play):
        raw = play.body if isinstance(play.body, bytes) else json.dumps(play.body).encode()
        with suppress(OSError):  # who asked may not have waited
            self.send_response(play.status)
            for name, value in {"Content-Type": play.kind, "Content-Length": str(len(raw)), **play.headers}.items():
                self.send_header(name, value)
            if play.whole_head:
                self.end_headers()
            else:
                raw, self._headers_buffer = b"".join([*self._headers_buffer, b"\r\n", raw]), []
            for piece in [raw[at : at + 1] for at in range(len(raw))] if play.trickle else [raw]:
                if play.trickle and not self.server.playing.pause(play.trickle):
                    break
                self.wfile.write(piece)
                self.wfile.flush()

    def log_message(self, *_args):
        pass

    def finish(self):
        with suppress(OSError):
            super().finish()


def _completion(play, asked):
    message = {"role": "assistant", "content": play.text, "refusal": play.refusal}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": asked.body.get("model", MODEL),
        "choices": [{"index": 0, "message": message, "finish_reason": play.finish, "logprobs": None}],
    }
    usage = _usage(play, asked) if play.usage is USAGE else play.usage
    return body if usage is None else {**body, "usage": usage}


def _usage(play, asked):
    read = sum(len(str(message["content"]).split()) for message in asked.messages)
    written = len((play.text or play.refusal or "").split())
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
