"""What is set for any bot about what its pages tell: ours and not the bot's, like what is set about costs."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.fields import setting, settings_from, table
from memory.models import Bot
from memory.text.sentences import say


@dataclass(frozen=True, slots=True)
class Privacy:
    """What who looks over a shoulder may see."""

    hide_secrets: bool = setting(
        True,
        say("Hide secrets and personal data"),
        say(
            "Passwords, keys, codes and card numbers, telephone and account numbers, identity papers, mail and postal addresses "
            "are hidden on all pages until somebody presses Show."
        ),
    )


FIELDS = table(Privacy)


def hides_secrets(bot: Bot) -> bool:
    """Whether the pages of a bot hide secrets until they are asked for."""
    return settings_from(Privacy, FIELDS, bot.settings).hide_secrets
