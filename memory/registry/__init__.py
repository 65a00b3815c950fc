"""Which bots are on the desk: added by their directory, taken off it, brought back, forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings as site
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.text import slugify

from memory import journal
from memory.bots import families, open_bot
from memory.bots.directories import names, resolved, same, usable
from memory.bots.families import NOTHING, split_name
from memory.bots.family import Named, Recognised
from memory.domain.changes import MEMORY_ROOT
from memory.domain.errors import Refusal, VaultError
from memory.models import (
    Blob,
    Bot,
    ChangeSet,
    Chat,
    Day,
    Delivery,
    Document,
    Fact,
    FactAttributes,
    Head,
    Revision,
    Root,
    Vector,
    clear_index,
)
from memory.text.sentences import say

PORTION = 2000  # rows that one statement forgets, so that a turn never waits long
RESERVED = frozenset(
    (
        *(
            "account",
            "admin",
            "api",
            "bots",
            "favicon",
            "feed",
            "health",
            "keys",
            "language",
            "login",
            "logout",
            "password",
        ),
        *("people", "robots", "static", "theme", "webhook"),
    )
)


@dataclass(frozen=True, slots=True)
class Site:
    """A directory that may become a bot: resolved, with the dialect it looks like, if any, and whose it was. `told` says what it
    looks like and what tells it."""

    directory: Path
    dialect: str | None
    removed: Bot | None  # the bot that had this directory before it was taken off the desk
    below: Path | None = None  # where a memory lies instead, if this is no memory itself but the home of one
    told: Recognised = NOTHING


def look_at(path: str | Path, besides: Bot | None = None) -> Site:
    """What stands in the way of a bot in this directory: nothing, if this returns. `besides`: the bot that is to move there.
    Raises Refusal."""
    if not str(path):
        raise Refusal(say("Enter the directory that contains MEMORY.md."))
    files = (one.directory_of(Path(path)) for one in families.every())
    directory = usable(next(filter(None, files), Path(path)))
    roots = list(Root.objects.exclude(bot=besides).select_related("bot").order_by("-bot"))
    found = [root for root in roots if same(Path(root.path), directory)]
    if any(root.bot.removed is None for root in found):
        raise Refusal(say("Another bot already uses this directory."))
    _check_apart(directory, [root for root in roots if root.bot.removed is None])
    before = next((root.bot for root in found if root.name == MEMORY_ROOT), None)
    found_here = _recognise(directory)
    family = before.dialect if before else found_here.family
    return Site(directory, family or None, before, None if family else _memory_below(directory), found_here)


def _check_apart(directory: Path, taken: Iterable[Root]) -> None:
    """Raises Refusal where two bots would have one file: a directory in that of a bot on the desk, or around it."""
    for root in taken:
        other = resolved(Path(root.path))
        if other in directory.parents:
            raise Refusal(say("It is inside the memory of %(name)s. Choose a separate directory.", name=root.bot.name))
        if directory in other.parents:
            raise Refusal(say("It contains the memory of %(name)s. Choose a separate directory.", name=root.bot.name))


def is_taken(directory: Path) -> bool:
    """Whether a bot on the desk has this directory, one in it or one around it."""
    taken = list(Root.objects.filter(bot__removed=None).select_related("bot"))
    try:
        _check_apart(directory, taken)
    except Refusal:
        return True
    return any(same(Path(root.path), directory) for root in taken)


def _recognise(directory: Path) -> Recognised:
    try:
        return families.recognise(str(directory), names(directory))
    except OSError as error:
        raise Refusal(say("It can’t be read: %(reason)s.", reason=error.strerror or "")) from None


def _memory_below(directory: Path) -> Path | None:
    """The memory in a directory that is a bot's home, where bots keep it."""
    for candidate in (directory / place for family in families.every() for place in (*family.homes, *family.usual)):
        with suppress(Refusal):
            if candidate.is_dir() and _recognise(candidate).family:
                return candidate
    return None


def roots_of(directory: Path, family: str, flavour: str = "") -> dict[str, Path]:
    """The roots of a bot whose memory is here: with what its family keeps beside it. `flavour`: who of the family it is."""
    return {MEMORY_ROOT: directory, **families.get(family).roots(directory, flavour)}


def add(path: str | Path, dialect: str | None = None, name: str | None = None, time_zone: str = "") -> Bot:
    """A bot for the directory that holds its `MEMORY.md`; `dialect` may name its flavour behind a colon. One that
    had this directory before and was removed is the same bot again, with its history. Raises Refusal."""
    found = look_at(path)
    family, flavour = split_name(dialect or found.dialect or "")
    flavour = flavour or (found.told.flavour if found.told.family == family else "")
    known = ", ".join(families.names())
    if not family:
        raise Refusal(_nothing_here(found, known))
    if family not in families.names():
        raise Refusal(say("Unknown bot type: %(family)s. Known types: %(known)s.", family=family, known=known))
    if found.removed is not None and found.removed.dialect == family:
        return bring_back(found.removed, name, time_zone)
    bot = create(name or call(found.directory), family, roots_of(found.directory, family, flavour), time_zone=time_zone)
    if flavour and flavour != open_bot(bot).settings.flavour:
        bot.settings = {"flavour": flavour}
        bot.save(update_fields=["settings"])
    return bot


def _nothing_here(found: Site, known: str) -> str:
    if found.below is not None:
        return say("No bot memory found here, but in %(directory)s. Add that directory.", directory=str(found.below))
    return say(
        "No bot memory found here. Enter the directory that contains MEMORY.md, or choose a type: %(known)s.",
        known=known,
    )


def move(bot: Bot, path: str | Path) -> None:
    """Let a bot's memory be read from another directory, with the checks of one that is added. Its history and settings stay.
    Raises Refusal and Busy."""
    found = look_for(bot, path)
    roots = roots_of(found.directory, bot.dialect, _flavour(bot, found.directory))
    with suppress(VaultError):
        journal.settle(bot, patience=5)  # nothing of ours is left lying beside its files
    with journal.locked(bot, patience=5), transaction.atomic():
        bot.roots.all().delete()
        clear_index(bot)  # of the directory before; the history stays
        Root.objects.bulk_create(Root(bot=bot, name=key, path=str(where)) for key, where in roots.items())
        Bot.objects.filter(pk=bot.pk).update(walked=None, trouble="", is_sample=False)


def look_for(bot: Bot, path: str | Path) -> Site:
    """A directory that this bot may move to. Raises Refusal."""
    if name := fixed_by(bot):
        raise Refusal(say("%(name)s names this directory. Change it there and restart Kenoweb.", name=name))
    found = look_at(path, bot)
    if found.removed is not None:
        raise Refusal(
            say("It was the memory of %(name)s, which is removed. Restore that bot instead.", name=found.removed.name)
        )
    if found.told.family not in ("", bot.dialect) and not found.told.doubtful:
        label = families.dialect(found.told.family).label
        raise Refusal(say("It holds the memory of another bot type: %(type)s.", type=label))
    return found


def add_sample(now: datetime, family: str) -> Bot:
    """A bot with a made-up memory of its family to look around in; the same one however often it is asked for. Raises Refusal."""
    of = families.get(family)
    directory = of.write_sample(site.KENOWEB_HOME / f"sample-{family}", now).resolve()
    root = Root.objects.select_related("bot").filter(name=MEMORY_ROOT, path=str(directory)).first()
    if root is None:
        return create(str(of.sample_name), family, roots_of(directory, family), is_sample=True)
    return root.bot if root.bot.removed is None else bring_back(root.bot)


def bring_back(bot: Bot, name: str | None = None, time_zone: str = "") -> Bot:
    """Put a removed bot on the desk again, as it was but for what is given. Raises Refusal if its directory is not usable."""
    directory = usable(open_bot(bot).memory_path)
    bot.removed = None
    bot.name = name or bot.name
    bot.time_zone = time_zone or bot.time_zone
    with transaction.atomic():
        for key, path in roots_of(directory, bot.dialect, _flavour(bot, directory)).items():
            Root.objects.update_or_create(bot=bot, name=key, defaults={"path": str(path)})
        bot.save(update_fields=["removed", "name", "time_zone"])
    return bot


def family_of(found: Site) -> str:
    """Whose memory a directory is, as a form sends it: what it looks like or, of one that was removed, what it was; "" if it looks
    like none."""
    if found.removed is None:
        return found.told.name
    family = found.removed.dialect
    flavours = [split_name(name)[1] for name, _label in families.get(family).choices()]
    known = (str(found.removed.settings.get("flavour") or ""), found.told.flavour, flavours[-1])
    flavour = next((one for one in known if one), "")
    return f"{family}:{flavour}" if flavour else family


def _flavour(bot: Bot, directory: Path) -> str:
    return str(bot.settings.get("flavour") or _recognise(directory).flavour)


def create(
    name: str,
    family: str,
    roots: dict[str, Path],
    *,
    time_zone: str = "",
    from_environment: bool = False,
    is_sample: bool = False,
) -> Bot:
    """A new bot with these roots, under a slug of its own."""
    with transaction.atomic():
        bot = Bot.objects.create(
            slug=_slug(name),
            name=name,
            dialect=family,
            time_zone=time_zone or "UTC",
            from_environment=from_environment,
            is_sample=is_sample,
        )
        Root.objects.bulk_create(Root(bot=bot, name=key, path=str(path)) for key, path in roots.items())
    return bot


def named_by_environment(bot: Bot) -> Named | None:
    """What in the environment names this bot and would bring it back at the next start; None if nothing does."""
    return open_bot(bot).family.named_by_environment(bot)


def by_default(bot: Bot) -> Any:
    """What to say of its directory where nobody named that and Kenoweb looks by itself, lazily translated; "" of any other."""
    return open_bot(bot).family.by_default(bot)


def fixed_by(bot: Bot) -> str:
    """The variable that names its directory, which therefore cannot be changed here; "" if none does."""
    named = named_by_environment(bot)
    return named.by if named and not by_default(bot) else ""


def remove(bot: Bot) -> None:
    """Take a bot off the desk: its files stay as they are, its history stays here, its webhooks stop. Raises Refusal."""
    if named := named_by_environment(bot):
        raise Refusal(
            say("Because of %(name)s, the next start would add it again. Nothing was changed.", name=named.by)
        )
    with suppress(VaultError, journal.Busy):
        journal.settle(bot, patience=1)  # nothing of ours is left lying beside its files
    bot.removed = timezone.now()
    bot.from_environment = False
    bot.save(update_fields=["removed", "from_environment"])


def forget(bot: Bot) -> None:
    """Delete everything the database holds of a bot, for good; its files are not touched. Raises Refusal like `remove`."""
    if bot.removed is None:
        remove(bot)
    with journal.locked(bot, patience=5):
        for model in (Vector, FactAttributes, Fact, Document, Chat, Day, Delivery, Head, Revision, ChangeSet, Blob):
            _empty(model._default_manager.filter(bot=bot))
        bot.delete()


def call(directory: Path) -> str:
    """A name from the path: the nearest directory that says more than `memory`."""
    dull = {"memory"}.union(*(family.dull for family in families.every()))
    above = [path.name.lstrip(".") for path in (directory, *directory.parents)]
    return next((name for name in above if name and name not in dull), "") or "Bot"


def _empty(rows: QuerySet[Model]) -> None:
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:PORTION]):
        rows.filter(pk__in=keys).delete()


def _slug(name: str) -> str:
    stem = slugify(name)[:50] or "bot"
    taken = {*Bot.objects.filter(slug__startswith=stem).values_list("slug", flat=True), *RESERVED}
    return next(slug for slug in [stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))] if slug not in taken)
