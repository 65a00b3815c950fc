"""What is written down and never loaded: the end or the middle of a document that is too long for its bot."""

from __future__ import annotations

from collections.abc import Iterator

from memory import index
from memory.bots import open_bot
from memory.checks.subjects import Wrong
from memory.domain.errors import VaultError
from memory.models import Bot, Fact
from memory.prompts import build
from memory.prompts.spill import spilled
from memory.prompts.unloaded import Unloaded, unloaded
from memory.text.markdown.blocks import BlockKind, decode, parse
from memory.text.sentences import say, say_number

NAME = "unloaded"
CUT = "cut"
SILENT = (BlockKind.BLANK, BlockKind.HEADING, BlockKind.COMMENT, BlockKind.RULE)  # what says nothing by itself


def cut(bot: Bot) -> Iterator[tuple[str, Wrong]]:
    """The documents of which the bot loads a part in every chat, and never the rest: (path, what is wrong)."""
    memory, opened = index.BotMemory(bot), open_bot(bot)
    if opened.reads_by_message:
        # What one message leaves out another brings back, and to pick among thousands of entries takes seconds.
        if end := opened.dialect.cut_off(memory):
            yield end.path, Wrong(CUT, end.why, end.age)
        return
    try:
        prompt = opened.dialect.prompt(memory, None, "", opened.now(), opened.settings)
        read = {line.path for section in prompt.sections for line in section.lines}
        if spilled(opened.dialect, prompt, None) or not any(one.path in read for one in prompt.left_out):
            return  # priced is only what has been cut
        priced = build.build(bot, None, memory=memory)
        for one in unloaded(priced, memory):
            if any(block.kind not in SILENT for block in parse(one.text)):
                yield one.path, _wrong(bot, one, decode(memory.read(one.path) or b""))
    except (VaultError, build.PromptRefused):
        return  # each is said where it belongs


def _wrong(bot: Bot, one: Unloaded, whole: str) -> Wrong:
    facts = Fact.objects.filter(bot=bot, document__path=one.path, line__gte=one.line, line__lte=one.last).count()
    return Wrong(
        CUT,
        _why(facts) if one.is_end else _why_middle(one, facts),
        whole.split("\n")[one.line - 1].rstrip("\r"),
        one.line,
    )


def _why(facts: int) -> str:
    if not facts:
        return say("The rest of this file is too far down to be loaded.")
    return say_number(
        "%(count)s fact from here on is too far down to be loaded.",
        "%(count)s facts from here on are too far down to be loaded.",
        count=facts,
    )


def _why_middle(one: Unloaded, facts: int) -> str:
    if one.line == one.last:
        return say("Some of this line is not loaded.")
    if not facts:
        return say("Lines %(first)s to %(last)s are not loaded.", first=one.line, last=one.last)
    return say_number(
        "%(count)s fact in lines %(first)s to %(last)s is not loaded.",
        "%(count)s facts in lines %(first)s to %(last)s are not loaded.",
        count=facts,
        first=one.line,
        last=one.last,
    )
