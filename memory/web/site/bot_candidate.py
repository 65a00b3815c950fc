"""A directory that may become a bot, in words: what lies there, and what lies beside it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from memory import registry
from memory.bots import families
from memory.bots.directories import IDENTITY_ROOT, SESSIONS_ROOT
from memory.domain.changes import MEMORY_ROOT
from memory.domain.errors import Refusal
from memory.domain.places import Kind
from memory.models import Bot
from memory.registry.survey import Survey, survey
from memory.web.base.gauges import number_of
from memory.web.base.translation import translate


@dataclass(frozen=True, slots=True)
class BotCandidate:
    """What the second step of adding shows. `survey` None: it looks like no memory we know, and `label` is "". `chosen` is whose
    it is taken for, as a form sends it, by somebody's own choice if `is_choice`."""

    site: registry.Site
    directory: str
    label: str = ""
    survey: Survey | None = None
    lines: tuple[dict[str, object], ...] = ()
    beside: tuple[tuple[str, str], ...] = ()
    below: str = ""  # where a memory lies instead
    chosen: str = ""
    is_choice: bool = False


def candidate(path: str, wanted: str = "") -> BotCandidate:
    """What stands in a directory, taken for the memory of whom `wanted` names, "" for whom it looks like. Raises Refusal."""
    _check_absolute(path)
    site = registry.look_at(path)
    was = registry.family_of(site)
    is_choice = wanted in dict(families.choices()) and site.removed is None and wanted != was
    chosen = wanted if is_choice else was
    if not chosen:
        return BotCandidate(site, str(site.directory), below=str(site.below or ""))
    return _surveyed(site, chosen, is_choice)


def moving(bot: Bot, path: str) -> BotCandidate:
    """What stands in a directory that a bot is to move to. Raises Refusal."""
    _check_absolute(path)
    flavour = str(bot.settings.get("flavour") or "")
    return _surveyed(registry.look_for(bot, path), f"{bot.dialect}:{flavour}" if flavour else bot.dialect, False)


def _check_absolute(path: str) -> None:
    if not path.startswith(("/", "~")):
        raise Refusal(_("Enter an absolute path, starting with /."))


def _surveyed(site: registry.Site, chosen: str, is_choice: bool) -> BotCandidate:
    """A directory taken for the memory of `chosen`, with what lies in it."""
    dialect, flavour = families.split_name(chosen)
    roots = registry.roots_of(site.directory, dialect, flavour)
    found = survey(roots, dialect)
    lines = tuple(
        {
            "words": _counted(shelf.kind, shelf.count),
            "samples": shelf.samples,
            "more": shelf.count > len(shelf.samples),
            "size": shelf.size,
        }
        for shelf in found.shelves
    )
    beside = tuple((root_words(name), str(root)) for name, root in roots.items() if name != MEMORY_ROOT)
    label = translate(dict(families.choices()).get(chosen, families.dialect(dialect).label))
    below = str(site.below or "")
    return BotCandidate(site, str(site.directory), label, found, lines, beside, below, chosen, is_choice)


def root_words(name: str) -> str:
    """What lies in a root, for people."""
    own = {key: words for family in families.every() for key, words in family.roots_words.items()}
    words = {
        MEMORY_ROOT: _("Memory"),
        SESSIONS_ROOT: _("Transcripts"),
        IDENTITY_ROOT: _("Identity"),
    }
    return str({**own, **words}.get(name, name))


def _counted(kind: Kind, count: int) -> str:
    match kind:
        case Kind.LONG_TERM:
            return number_of("%(count)s long-term memory file", "%(count)s long-term memory files", count)
        case Kind.DAILY:
            return number_of("%(count)s daily log", "%(count)s daily logs", count)
        case Kind.ARCHIVE:
            return number_of("%(count)s archived file", "%(count)s archived files", count)
        case Kind.WORKING:
            return number_of("%(count)s working memory", "%(count)s working memories", count)
        case Kind.CONTEXT:
            return number_of("%(count)s chat description", "%(count)s chat descriptions", count)
        case Kind.PATTERNS:
            return number_of("%(count)s pattern file", "%(count)s pattern files", count)
        case Kind.IDENTITY:
            return number_of("%(count)s identity file", "%(count)s identity files", count)
        case Kind.TOPIC:
            return number_of("%(count)s topic", "%(count)s topics", count)
        case Kind.TEXT:
            return number_of("%(count)s skill or project file", "%(count)s skill and project files", count)
        case Kind.HISTORY:
            return number_of("%(count)s history file", "%(count)s history files", count)
        case Kind.CACHE:
            return number_of("%(count)s index of another tool", "%(count)s indexes of other tools", count)
        case Kind.OTHER:
            return number_of("%(count)s other file", "%(count)s other files", count)
        case Kind.TRANSCRIPT:
            return number_of("%(count)s transcript", "%(count)s transcripts", count)
