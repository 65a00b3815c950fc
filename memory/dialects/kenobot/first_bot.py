"""The first bot: the one that the environment names, which follows its variables, or a sample."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings as site
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from memory import registry
from memory.bots import open_bot
from memory.bots.directories import IDENTITY_ROOT, SESSIONS_ROOT, first_existing, holds_anything, same, usable
from memory.dialects.kenobot import DIALECT, sample
from memory.dialects.kenobot.directories import beside
from memory.domain.changes import MEMORY_ROOT
from memory.domain.errors import Refusal
from memory.models import Bot, Root, clear_index
from memory.text.sentences import say


def ensure(with_sample: bool = False) -> list[str]:
    """Make the bot that the environment names, or let it follow a changed variable; with none named and no bot at all the
    sample, if it is wanted, else a KenoBot in its usual place. Returns what was done, for people. Raises Refusal."""
    named = bool(site.KENOBOT_VARIABLES) or site.KENOBOT_HOME.is_dir()
    if not named and Bot.objects.exists():
        return []
    if not named and with_sample:
        roots = sample.write(site.KENOWEB_HOME / "sample", timezone.now())
        registry.create("Sample bot", DIALECT.name, roots, is_sample=True)
        return [say("No KenoBot found on this machine, so here is a sample with made-up memory.")]
    bot = Bot.present.filter(from_environment=True).first()
    if bot is None:
        return _first_bot()
    return _follow(bot) if site.KENOBOT_VARIABLES else []


def _first_bot() -> list[str]:
    directory = _environment_directory()
    existing = _owner_of(directory)
    if existing is not None:
        was_removed = existing.removed is not None
        existing.from_environment, existing.removed = True, None
        existing.save(update_fields=["from_environment", "removed"])
        back = say("%(name)s is back, at %(directory)s.", name=existing.name, directory=str(directory))
        return [back] if was_removed else []
    bot = registry.create("KenoBot", DIALECT.name, environment_roots(directory), from_environment=True)
    return [say("Added %(name)s, at %(directory)s.", name=bot.name, directory=str(directory))]


def _owner_of(directory: Path) -> Bot | None:
    owners = Bot.objects.filter(roots__name=MEMORY_ROOT, roots__path=str(directory))
    return owners.order_by(F("removed").desc(nulls_first=True)).first()


def _follow(bot: Bot) -> list[str]:
    if _is_gone(bot):
        return []
    directory = _environment_directory()
    roots = environment_roots(directory)
    old = {root.name: root.path for root in bot.roots.all()}
    moved = not same(Path(old.get(MEMORY_ROOT, "")), directory)
    if moved and (holds_anything(Path(old.get(MEMORY_ROOT, ""))) or _owner_of(directory)):
        return _change_to(bot)
    if not moved and all(old.get(name) == str(path) for name, path in roots.items() if name != MEMORY_ROOT):
        return []
    with transaction.atomic():
        if moved:
            bot.roots.all().delete()
            clear_index(bot)  # of the directory before; the history stays
        for name, path in roots.items():
            Root.objects.update_or_create(bot=bot, name=name, defaults={"path": str(path)})
    return [say("The memory directory of %(name)s now follows the environment.", name=bot.name)] if moved else []


def _change_to(before: Bot) -> list[str]:
    """The environment names another memory while the one before still stands: that is another bot, with a history of its own."""
    before.from_environment = False
    before.save(update_fields=["from_environment"])
    return _first_bot()


def _is_gone(bot: Bot) -> bool:
    """Whether the directory in use was read once, is one that the environment still names, and is missing: unmounted perhaps."""
    used = open_bot(bot).memory_path
    named = (site.MEMORY_DIR, site.KENOBOT_HOME / "memory", site.DATA_DIR / "memory")
    return bot.walked is not None and not used.exists() and used in named


def stated_sessions() -> Path | None:
    """Where the environment's bot keeps its sessions, whether or not they are there yet; None if it names nothing but a memory."""
    stated = "DATA_DIR" in site.KENOBOT_VARIABLES or site.KENOBOT_VARIABLES != ("MEMORY_DIR",)
    return site.DATA_DIR / "sessions" if stated else None


def environment_roots(memory: Path) -> dict[str, Path]:
    """The roots of the environment's bot: its memory, and its sessions and identity as far as they exist."""
    sessions = stated_sessions()
    configured = site.KENOBOT_HOME / "config" / "identities"
    identity = [configured / "kenobot", configured] if sessions else []
    found = {SESSIONS_ROOT: first_existing([sessions] if sessions else []), IDENTITY_ROOT: first_existing(identity)}
    return {MEMORY_ROOT: memory, **beside(memory), **{name: path for name, path in found.items() if path}}


def _environment_directory() -> Path:
    name = site.KENOBOT_VARIABLES[0] if site.KENOBOT_VARIABLES else "KENOBOT_HOME"
    try:
        return usable(site.MEMORY_DIR, is_there=False)
    except Refusal as error:
        raise Refusal(
            say("%(name)s names a directory that can’t be a bot’s memory: %(why)s", name=name, why=str(error))
        ) from None
