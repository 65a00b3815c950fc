"""A language model that answers at once: it keeps in memory what it is asked to remember. `python model.py`; says its address."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re

ASKED = re.compile(r"Fact \S+ about the garden")
_LENGTH = re.compile(rb"(?i)content-length: *(\d+)")


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection, as long as it is kept."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = json.dumps(completion(await reader.readexactly(int(length[1]) if length else 0))).encode()
            heading = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(heading.encode() + body)
            await writer.drain()
    writer.close()


def completion(asked: bytes) -> dict[str, object]:
    """An answer to the last message, in the words of OpenAI's API."""
    found = ASKED.search(json.loads(asked)["messages"][-1]["content"])
    said = {"role": "assistant", "content": f"Noted. <memory>{found[0] if found else 'nothing'}</memory>"}
    choice = {"index": 0, "message": said, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice], "usage": usage}


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print("http://{}:{}/v1".format(*server.sockets[0].getsockname()), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
