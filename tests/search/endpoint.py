"""A server in place of an embedder's: vectors in which words that mean the same are the same."""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

ALIKE = {"dog": 0, "puppy": 0, "hound": 0, "boat": 1, "yacht": 1, "ship": 1, "doctor": 2, "physician": 2}
DIMENSIONS = 8


def meaning(text):
    """A direction for each thing that a text is about; what is about nothing known lies apart."""
    vector = [0.0] * DIMENSIONS
    for word in text.lower().replace(".", " ").replace("?", " ").split():
        if word in ALIKE:
            vector[ALIKE[word]] += 1.0
    return vector if any(vector) else [0.0] * (DIMENSIONS - 1) + [1.0]


class Server(ThreadingHTTPServer):
    """What it does is `mood`: good, slow, broken (500), moved (302), short (too few), narrow (fewer numbers), nan, garbage."""

    daemon_threads = False  # who answers too late ends with the server

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.mood = "good"
        self.over = Event()
        self.asked = []
        self.keys = []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def texts(self):
        return [text for batch in self.asked for text in batch]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        server, body = self.server, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append(body["input"])
        server.keys.append(self.headers.get("Authorization"))
        assert self.path == "/v1/embeddings"
        if server.mood == "slow":
            server.over.wait(30)
        if server.mood in ("broken", "moved"):
            return self._answer({"error": "no"}, 500 if server.mood == "broken" else 302)
        return self._answer(self._body(body["input"]))

    do_GET = do_POST

    def _body(self, texts):
        mood = self.server.mood
        if mood == "garbage":
            return b"<html>"
        vectors = [meaning(text) for text in texts]
        if mood == "narrow":
            vectors = [[*vector[:3], 0.5] for vector in vectors]
        if mood == "nan":
            vectors = [[float("nan")] * DIMENSIONS for _ in vectors]
        if mood == "short":
            vectors = vectors[1:]
        rows = [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        return {"data": rows[::-1]}  # the order is said by the index alone

    def _answer(self, data, status=200):
        raw = data if isinstance(data, bytes) else json.dumps(data).encode()
        with suppress(OSError):  # who asked may not have waited
            self.send_response(status)
            if status == 302:
                self.send_header("Location", f"{self.server.address}/elsewhere")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    def log_message(self, *_args):
        pass


@contextmanager
def serving():
    server = Server()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
