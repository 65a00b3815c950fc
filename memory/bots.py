"""The bots we look after: where their memory lies, which rules and settings hold for them, what time it is for them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings as site
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from memory import dialects, sample
from memory.changes import MEMORY_ROOT
from memory.dialects.base import Dialect
from memory.dialects.kenobot.settings import V07
from memory.models import Bot, Document, Root
from memory.places import (
    IDENTITY_ROOT,
    SESSIONS_ROOT,
    beside,
    first_existing,
    holds_anything,
    make,
    names,
    same,
    usable,
)
from memory.places import Refused as Refused
from memory.vault import Vault
from memory.vault.files import FileVault

KENOBOT = "kenobot"


def default_bot() -> Bot | None:
    """The bot of the environment, else the oldest one; None if there is none yet."""
    return Bot.present.order_by("-from_environment", "id").first()


def vaults(bot: Bot) -> dict[str, Vault]:
    """The bot's vaults by root name; `memory` is always among them."""
    return {name: FileVault(Path(path)) for name, path in bot.directories.items()}


def dialect(bot: Bot) -> Dialect:
    """How this bot writes."""
    return dialects.get(bot.dialect)


def settings(bot: Bot) -> Any:
    """The dialect's settings: what the owner saved, else what the environment says, else the dialect's defaults."""
    family = dialect(bot)
    given = {field.name: site.BOT_DEFAULTS[field.env] for field in family.fields if field.env in site.BOT_DEFAULTS}
    return family.settings({**_observed(bot), **given, **bot.settings})


def zone(bot: Bot) -> ZoneInfo:
    """The zone whose midnight ends the bot's day."""
    return ZoneInfo(bot.time_zone)


def now(bot: Bot) -> datetime:
    """The time it is for the bot, aware."""
    return timezone.now().astimezone(zone(bot))


def today(bot: Bot) -> str:
    """The bot's day, YYYY-MM-DD."""
    return now(bot).date().isoformat()


def stray_memory(bot: Bot) -> Path | None:
    """The `data/memory` that an older KenoBot left beside the `memory` in use, if something lies in it."""
    if bot.dialect != KENOBOT:
        return None
    used = Path(_path(bot))
    old_places = [used.parent / "data" / "memory"]
    if bot.from_environment:
        old_places.append(site.DATA_DIR / "memory")
    for old in old_places:
        if not same(old, used) and holds_anything(old):
            return old
    return None


def add(path: str | Path, dialect: str | None = None, name: str | None = None) -> Bot:
    """A new bot for the directory that holds its `MEMORY.md`. Raises Refused."""
    if not str(path):
        raise Refused("No directory is named. Name the one that holds MEMORY.md.")
    directory = usable(Path(path))
    if any(same(Path(root.path), directory) for root in Root.objects.all()):
        raise Refused("A bot has this directory already.")
    family = dialect or dialects.detect(names(directory))
    known = dialects.names()
    if family is None:
        raise Refused(
            f"Nothing here looks like a memory. Name the directory that holds MEMORY.md, or a dialect of: {', '.join(known)}."
        )
    if family not in known:
        raise Refused(f"There is no dialect called {family}. Known are: {', '.join(known)}.")
    roots = {MEMORY_ROOT: directory, **(beside(directory) if family == KENOBOT else {})}
    return _create(name or _call(directory), family, roots)


def ensure_first_bot(with_sample: bool = False) -> list[str]:
    """Make the bot that the environment names, or let it follow a changed variable; with none named and no bot at all the
    sample, if it is wanted, else a KenoBot in its usual place. Returns what was done, for people. Raises Refused."""
    named = bool(site.KENOBOT_VARIABLES) or site.KENOBOT_HOME.is_dir()
    if not named and Bot.objects.exists():
        return []
    if not named and with_sample:
        roots = sample.write(site.KENOWEB_HOME / "sample", timezone.now())
        _create("Sample bot", KENOBOT, roots, is_sample=True)
        return ["There is no KenoBot on this machine, so here is a sample bot with made-up memory."]
    bot = Bot.objects.filter(from_environment=True).first()
    if bot is None:
        return _first_bot()
    return _follow(bot) if site.KENOBOT_VARIABLES else []


def _first_bot() -> list[str]:
    directory = _environment_directory()
    existing = _owner_of(directory)
    if existing is not None:
        existing.from_environment = True
        existing.save(update_fields=["from_environment"])
        return []
    bot = _create("KenoBot", KENOBOT, environment_roots(directory), from_environment=True)
    return [f"Added {bot.name}, the bot that the environment names."]


def _owner_of(directory: Path) -> Bot | None:
    return Bot.objects.filter(roots__name=MEMORY_ROOT, roots__path=str(directory)).first()


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
            Document.objects.filter(bot=bot).delete()  # the index of the directory before; the history stays
        for name, path in roots.items():
            Root.objects.update_or_create(bot=bot, name=name, defaults={"path": str(path)})
    return [f"{bot.name} now has its memory where the environment says."] if moved else []


def _change_to(before: Bot) -> list[str]:
    """The environment names another memory while the one before still stands: that is another bot, with a history of its own."""
    before.from_environment = False
    before.save(update_fields=["from_environment"])
    return _first_bot()


def _is_gone(bot: Bot) -> bool:
    """Whether the directory in use is one that the environment still names, and is missing: unmounted perhaps. Made anew it
    would look like an empty memory."""
    used = Path(_path(bot))
    named = (site.MEMORY_DIR, site.KENOBOT_HOME / "memory", site.DATA_DIR / "memory")
    return not used.exists() and used in named


def environment_roots(memory: Path) -> dict[str, Path]:
    """The roots of the environment's bot: its memory, and its sessions and identity as far as they exist."""
    stated = "DATA_DIR" in site.KENOBOT_VARIABLES or site.KENOBOT_VARIABLES != ("MEMORY_DIR",)
    sessions = [site.DATA_DIR / "sessions"] if stated else []
    configured = site.KENOBOT_HOME / "config" / "identities"
    identity = [configured / "kenobot", configured] if stated else []
    found = {SESSIONS_ROOT: first_existing(sessions), IDENTITY_ROOT: first_existing(identity)}
    return {MEMORY_ROOT: memory, **beside(memory), **{name: path for name, path in found.items() if path}}


def _environment_directory() -> Path:
    name = site.KENOBOT_VARIABLES[0] if site.KENOBOT_VARIABLES else "KENOBOT_HOME"
    try:
        make(site.MEMORY_DIR)
        return usable(site.MEMORY_DIR)
    except (OSError, Refused) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Refused(f"{name} names a directory that cannot be a bot's memory: {why}") from None


def _create(
    name: str, family: str, roots: dict[str, Path], *, from_environment: bool = False, is_sample: bool = False
) -> Bot:
    with transaction.atomic():
        bot = Bot.objects.create(
            slug=_slug(name), name=name, dialect=family, from_environment=from_environment, is_sample=is_sample
        )
        Root.objects.bulk_create(Root(bot=bot, name=key, path=str(path)) for key, path in roots.items())
    return bot


def _call(directory: Path) -> str:
    """A name from the path: the nearest directory that says more than `memory`."""
    dull = {"memory", "data", "workspace"}
    names = [path.name.lstrip(".") for path in (directory, *directory.parents)]
    return next((name for name in names if name and name not in dull), "") or "Bot"


RESERVED = {
    *(
        "account",
        "admin",
        "api",
        "bots",
        "favicon",
        "health",
        "keys",
        "language",
        "login",
        "logout",
        "password",
        "people",
    ),
    *("robots", "static", "theme", "webhook"),
}


def _slug(name: str) -> str:
    stem = slugify(name)[:50] or "bot"
    taken = {*Bot.objects.filter(slug__startswith=stem).values_list("slug", flat=True), *RESERVED}
    return next(slug for slug in [stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))] if slug not in taken)


def _observed(bot: Bot) -> dict[str, object]:
    """What the directory itself says about settings that nobody has saved: which KenoBot it belongs to."""
    if bot.dialect != KENOBOT:
        return {}
    memory = Path(_path(bot))
    newer = (
        (memory / "procedural").is_dir()
        or (memory / "identity").is_dir()
        or (memory.name == "memory" and memory.parent.name != "data" and (memory.parent / "data").is_dir())
        or bot.has_chat_context
    )
    return {"version": V07} if newer else {}


def _path(bot: Bot) -> str:
    return bot.directories.get(MEMORY_ROOT, "")
