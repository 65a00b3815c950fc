"""A real language model behind OpenAI's protocol: `python small.py MODEL.gguf` prints the port that it answers at, until its input
ends. One question at a time, and always the same answer to it."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

CONTEXT = 4096  # tokens of a question with its answer


class Handler(BaseHTTPRequestHandler):
    model = None

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            self._send(200, self.model.create_chat_completion(asked["messages"], **options(asked)))
        except ValueError as error:  # such as a question that is longer than the context
            self._send(400, {"error": {"message": str(error)}})

    def _send(self, status, body):
        raw = json.dumps(body).encode()
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    def log_message(self, *_args):
        pass


def options(asked):
    given = {"max_tokens": asked.get("max_tokens"), "temperature": 0, "seed": 1, "repeat_penalty": 1.1}
    wanted = asked.get("response_format")
    if wanted and wanted["type"] == "json_schema":
        wanted = {"type": "json_object", "schema": wanted["json_schema"]["schema"]}
    return {**given, "response_format": wanted} if wanted else given


def main():
    import llama_cpp

    Handler.model = llama_cpp.Llama(sys.argv[1], n_ctx=CONTEXT, n_threads=1, verbose=False, seed=1)
    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
