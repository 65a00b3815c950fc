"""One question to a language model, over as many requests as it takes and within its seconds.

All questions of a process are asked on one loop in a thread of its own, because only there can everything be ended at the
deadline: a connection that does not come about, a head or an answer that comes byte by byte, a pause. Whoever asks waits for no
longer than the seconds; what comes afterwards is dropped."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import time
from collections.abc import Sequence
from threading import Thread
from typing import Any

from memory.llm import request
from memory.llm.shapes import NOTHING, Fault, ModelFailed, Reply, Server, question_tokens
from memory.text.message import Message
from memory.text.replies import strip_thoughts, without_unstorable
from memory.text.sentences import say
from memory.text.tokens.estimate import estimate

log = logging.getLogger(__name__)

TRIES = 4  # of a server that is busy, broken or not to be reached
FIRST_WAIT = 0.5  # seconds before the second, twice as long before each one more; each is shortened by chance
LONGEST_WAIT = 8.0
LONGEST = 500_000  # characters of an answer, many times what is ever asked for
GRACE = 0.25  # seconds that ending everything may take

# How each (address, model) was found to want it. Only a way that went well is kept.
_ways: dict[tuple[str, str], request.Way] = {}
_loops: dict[int, asyncio.AbstractEventLoop] = {}  # of this process: none of its threads goes along with a fork


def ask(where: Server, messages: Sequence[Message], schema: dict[str, Any] | None, most: int, seconds: float) -> Reply:
    """The model's answer. Raises ModelFailed, at the deadline if not before."""
    question = _Question(where, messages, schema, most, seconds)
    if seconds <= 0:
        raise question.late()
    asking = asyncio.run_coroutine_threadsafe(question.outcome(), _loop())
    try:
        outcome = asking.result(seconds + GRACE)
    except TimeoutError:
        asking.cancel()
        raise question.late() from None
    if isinstance(outcome, Reply):
        return outcome
    raise outcome


def _loop() -> asyncio.AbstractEventLoop:
    """The loop on which this process asks."""
    fresh = None if os.getpid() in _loops else asyncio.new_event_loop()
    found = _loops.setdefault(os.getpid(), fresh) if fresh else _loops[os.getpid()]
    if found is fresh:
        Thread(target=found.run_forever, name="language model", daemon=True).start()
    elif fresh:  # another thread was first
        fresh.close()
    return found


class _Question:
    """A question while it is asked."""

    def __init__(
        self, where: Server, messages: Sequence[Message], schema: dict[str, Any] | None, most: int, seconds: float
    ) -> None:
        self.where, self.messages, self.schema, self.most, self.seconds = where, messages, schema, most, seconds
        self.began = time.monotonic()
        self.tries = 0

    def late(self) -> ModelFailed:
        seconds = round(self.seconds, 1)
        return ModelFailed(
            Fault.TIMEOUT,
            say("The language model didn’t answer within %(seconds)s seconds.", seconds=f"{seconds:g}"),
            tries=self.tries,
        )

    async def outcome(self) -> Reply | ModelFailed:
        """What became of it, at the deadline if not before."""
        try:
            async with asyncio.timeout(self.seconds):
                return await self._answered()
        except TimeoutError:
            return self.late()
        except ModelFailed as failed:
            return failed
        except Exception as error:  # such as a key that no header can hold; whoever asks waits for an outcome
            log.warning("A question to the language model ended with %s", type(error).__name__)
            return ModelFailed(Fault.REFUSED, say("The request to the language model failed."), tries=self.tries)

    async def _answered(self) -> Reply:
        """Ask until it goes well, or until trying again is of no use. Raises ModelFailed."""
        kept = (self.where.address, self.where.model)
        way = _ways.get(kept, request.Way())
        for failures in range(1, TRIES + 1):
            try:
                way, completion = await self._asked(way)
            except request.Answered as answer:
                failed, wait = self._told(answer), answer.wait
            except request.Unreachable:
                failed, wait = self._failed(Fault.UNREACHABLE, say("The language model can’t be reached.")), 0.0
            else:
                _ways[kept] = way
                return self._judged(completion)
            await self._pause(failed, failures, wait)
        raise failed

    async def _asked(self, way: request.Way) -> tuple[request.Way, request.Completion]:
        """The completion, and the way in which the server took the question."""
        while True:
            self.tries += 1
            asked = request.request(self.where, way, self.messages, self.schema, self.most)
            try:
                return way, request.read(await request.answer(self.where, asked, self.seconds))
            except request.NoCompletion:
                raise self._failed(
                    Fault.WRONG_SHAPE, say("The language model’s server didn’t return a completion.")
                ) from None
            except request.Answered as answer:
                other = way.other(answer, held=self.schema is not None)
                if other is None:
                    raise
                way = other

    async def _pause(self, failed: ModelFailed, failures: int, wait: float) -> None:
        """Leave the server alone for a while. Raises what failed if that is of no use, or takes longer than there is."""
        backoff = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)) * random.uniform(0.5, 1)  # noqa: S311
        pause = max(wait, backoff)
        if not failed.passes or failures == TRIES or time.monotonic() + pause >= self.began + self.seconds:
            raise failed
        await asyncio.sleep(pause)

    def _judged(self, completion: request.Completion) -> Reply:
        """The reply, if it is one that can be used. Raises ModelFailed with it if it is not."""
        if len(completion.text) > LONGEST:
            raise ModelFailed(
                Fault.CUT_OFF,
                say("The language model’s answer was cut off because it was too long."),
                self._reply("", completion),
            )
        text = strip_thoughts(without_unstorable(completion.text))
        reply = self._reply(text, completion)
        if completion.declined:
            raise ModelFailed(Fault.DECLINED, say("The language model refused to answer."), reply)
        if completion.cut_off:
            raise ModelFailed(
                Fault.CUT_OFF, say("The language model’s answer was cut off because it was too long."), reply
            )
        if not text:
            raise ModelFailed(Fault.EMPTY, NOTHING, reply)
        return reply

    def _reply(self, text: str, completion: request.Completion) -> Reply:
        # A server that says 0 does not count: a bound on tokens would never be reached.
        read, written = completion.tokens_in or None, completion.tokens_out or (None if text else 0)
        return Reply(
            text,
            question_tokens(self.messages) if read is None else read,
            estimate(completion.text) if written is None else written,
            read is not None and written is not None,
            self.tries,
            time.monotonic() - self.began,
        )

    def _told(self, answer: request.Answered) -> ModelFailed:
        """What a status means, in a sentence."""
        status = answer.status
        if answer.is_unpaid:
            return self._failed(Fault.REFUSED, say("The account with the language model’s provider is out of credit."))
        if answer.is_too_long:
            return self._failed(Fault.REFUSED, say("The request is too long for the language model."))
        if status in (401, 403):
            return self._failed(
                Fault.REFUSED,
                say(
                    "The language model’s server rejected the key in LLM_API_KEY (status %(status)s).",
                    status=status,
                ),
            )
        if status == 404:
            return self._failed(
                Fault.REFUSED,
                say("The language model’s server doesn’t know LLM_MODEL at LLM_BASE_URL (status 404)."),
            )
        if status == 429:
            return self._failed(Fault.BUSY, say("The language model is over its rate limit (status 429)."))
        if status >= 500 or status in (408, 425):
            return self._failed(
                Fault.BROKEN, say("The language model’s server failed (status %(status)s).", status=status)
            )
        if 300 <= status < 400:
            return self._failed(
                Fault.REFUSED,
                say(
                    "LLM_BASE_URL redirects elsewhere (status %(status)s). Nothing is sent there.",
                    status=status,
                ),
            )
        return self._failed(
            Fault.REFUSED, say("The language model’s server rejected the request (status %(status)s).", status=status)
        )

    def _failed(self, fault: Fault, sentence: str) -> ModelFailed:
        return ModelFailed(fault, sentence, tries=self.tries)
