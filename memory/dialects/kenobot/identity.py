"""Who a KenoBot is: the documents that stand before the memory section in its system prompt, word for word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory.dialects.kenobot.settings import V07, Settings
from memory.dialects.shared.json_parts import object_in
from memory.domain.memory import Memory
from memory.domain.prompt import Prompt
from memory.text.markdown.blocks import decode
from memory.text.markdown.tags import js_trim

WHOLE = "kenobot.md"  # the one file that older versions have in place of a directory of them

_APART = "\n---\n\n"
_FIRST = f"{_APART}## First Conversation — Bootstrap\n"
_LEARNING = (
    "### How to update user preferences",
    "When you learn a user preference or profile fact, include it in your response:\n",
    "<user>Preference category: detail</user>\n",
    "Rules:",
    "- Only save genuine user preferences and profile information",
    "- Be concise: one line per preference",
    "- Don't duplicate existing preferences",
    "- Use this for communication preferences, timezone, name, recurring patterns\n",
)


def instructions(memory: Memory, prompt: Prompt, settings: Settings) -> str:
    """The system message: identity, then this memory section. The bot's tools and skills are its own and not in it.

    Raises Unreadable for a document that is there and cannot be read: the bot would not answer either."""
    desk = _Identity(memory, below(memory))
    parts = desk.later() if settings.version == V07 else desk.earlier()
    remembered = [f"{_APART}{prompt.text}\n"] if prompt.text else []
    return "\n".join([*parts, *remembered])


def below(memory: Memory) -> str:
    """Where the identity lies, with a slash behind it; "" if the bot has none."""
    held = [path for path in memory.paths() if path.startswith(("identity/", "@identity/"))]
    if not held:
        return ""
    return "identity/" if any(path.startswith("identity/") for path in held) else "@identity/"


class _Identity:
    """The identity's documents, read when they are asked for."""

    def __init__(self, memory: Memory, directory: str) -> None:
        self.memory, self.directory = memory, directory

    def text(self, name: str) -> str:
        return decode(self.memory.read(self.directory + name) or b"") if self.directory else ""

    def earlier(self) -> Iterator[str]:
        """As the versions before 0.7 begin."""
        soul, identity, user, first = map(self.text, ("SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md"))
        if not (soul or identity or user or first):
            soul = self.text(WHOLE)
        if soul:
            yield soul
        if identity:
            yield _APART + identity
        if user:
            yield "\n".join(("\n---\n", "## User Profile\n", f"{user}\n", *_LEARNING))
        if first:
            yield _FIRST + first

    def later(self) -> Iterator[str]:
        """As 0.7 begins."""
        core, preferences, first = (js_trim(self.text(name)) for name in ("core.md", "preferences.md", "BOOTSTRAP.md"))
        rules = rules_said(self.text("rules.json"))
        if core:
            yield core
        if rules:
            yield _APART + rules
        if preferences and not first:
            yield f"{_APART}## Preferences\n{preferences}"
        if first:
            yield _FIRST + first


def rules_said(text: str) -> str:
    """0.7's rules.json in the words of its prompt; "" if it has no rules in it."""
    rules = object_in(text)
    return js_trim("".join([*_behaviour(_dicts(rules.get("behavioral"))), *_forbidden(_dicts(rules.get("forbidden")))]))


def _behaviour(rules: list[dict[str, Any]]) -> Iterator[str]:
    if rules:
        yield "## Behavioral Guidelines\n\n"
    by_category: dict[str, list[dict[str, Any]]] = {}
    for rule in rules:
        by_category.setdefault(str(rule.get("category") or "general"), []).append(rule)
    for category, some in by_category.items():
        yield f"### {' '.join(word[:1].upper() + word[1:] for word in category.split('-'))}\n\n"
        for rule in some:
            yield f"- {rule.get('instruction', '')}\n"
            examples = rule.get("examples")
            if isinstance(examples, list) and examples:
                yield "".join(["  Examples:\n", *(f"  - {example}\n" for example in examples)])
            yield "\n"


def _forbidden(rules: list[dict[str, Any]]) -> Iterator[str]:
    if rules:
        yield "## Forbidden Patterns\n\nAvoid these patterns in your responses:\n\n"
    for rule in rules:
        reason = f" ({rule['reason']})" if rule.get("reason") else ""
        yield f'- "{rule.get("pattern", "")}"{reason}\n'


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
