"""What in a prompt belongs to another chat: there is none unless the rules of a bot are broken. It is not shown, and told."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from memory.domain.dialect import Dialect
from memory.domain.places import Tier
from memory.domain.prompt import Prompt
from memory.models import Bot, Finding
from memory.text.sentences import say
from memory.text.storable import keepable

SPILL = "spill"  # of what is found
LONGEST = 2000  # characters of a text that are kept
SPILLED = say("This chat’s prompt included text from another chat’s file, so it isn’t shown.")


def spilled(dialect: Dialect, prompt: Prompt, chat: str | None, sender: str = "") -> dict[str, str]:
    """What in a prompt belongs to another chat: path -> the text taken from there. Empty unless the rules of a bot are broken."""
    own = ("", chat, *(dialect.beside(chat, sender) if chat else ()))
    lines = [line for section in prompt.sections for line in section.lines if line.path]
    places = ((path, dialect.describe(path)) for path in {line.path for line in lines})
    others = {path for path, place in places if place and place.tier is not Tier.GLOBAL and place.scope not in own}
    return {path: "".join(line.text for line in lines if line.path == path) for path in others}


def note(bot: Bot, chat: str | None, found: Mapping[str, str]) -> None:
    """Keep that a chat's prompt held what belongs to others, path -> text, for whoever looks at findings."""
    for path, text in found.items():
        about = {"text": keepable(text[:LONGEST]), "note": SPILLED, "found": timezone.now()}
        row, made = Finding.objects.get_or_create(
            bot=bot, rule=SPILL, scope=chat or "", path=path, key="", nth=0, defaults=about
        )
        if not made:
            again = about if row.gone else {"text": about["text"], "note": about["note"]}
            Finding.objects.filter(pk=row.pk).update(gone=None, **again)
