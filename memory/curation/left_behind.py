"""What a fact says of itself that would be lost where it goes."""

from __future__ import annotations

from memory.domain.attributes import AttributesAbility
from memory.text.attributes import Attributes
from memory.text.sentences import join_sentences, say

NONE = Attributes()


def lost_details(known: AttributesAbility, before: Attributes | None, now: Attributes | None) -> str:
    """What of `before` is not in `now`, for people; "" for nothing that anybody set: the usual kind tells nothing."""
    had, has = before or NONE, now or NONE
    told = [
        _kind(known, had.kind) if had.kind not in (has.kind, known.usual) else "",
        _weight(say("importance %(value)s", value=_shown(had.importance)), had.importance, has.importance),
        _weight(say("confidence %(value)s", value=_shown(had.confidence)), had.confidence, has.confidence),
        say("tags %(listed)s", listed=", ".join(had.tags)) if set(had.tags) - set(has.tags) else "",
        say("expires on %(day)s", day=had.expires[:10]) if had.expires not in ("", has.expires) else "",
    ]
    return join_sentences(*told, by=", ")


def _kind(known: AttributesAbility, kind: str) -> str:
    return say("kind %(name)s", name=known.kinds.get(kind, kind))


def _weight(words: str, had: float, has: float) -> str:
    return words if had and had != has else ""


def _shown(value: float) -> str:
    return f"{value:.2f}"
