"""The desk on which one document is edited: what stands in the field, what it costs, what else has to be said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import Http404
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from memory.access.permissions import Visitor
from memory.bots import open_bot
from memory.bots.directories import Access
from memory.curation import documents
from memory.curation.documents import Conflict, OpenDocument
from memory.curation.joined import Joined
from memory.domain.places import Kind, Tier
from memory.models import Bot, Draft
from memory.text.merge.overlay import lay_over
from memory.web.base import markdown
from memory.web.base.dates import day
from memory.web.base.differences import Block, blocks
from memory.web.base.file_links import leading
from memory.web.base.gauges import Gauge, kilobytes, long_term_gauge, number_of, price
from memory.web.base.markdown import Laid
from memory.web.documents.sections import PartBounds, shown

TITLES = {
    Kind.LONG_TERM: gettext_lazy("Long-term memory"),
    Kind.DAILY: gettext_lazy("Daily log"),
    Kind.ARCHIVE: gettext_lazy("Archived file"),
    Kind.WORKING: gettext_lazy("Working memory"),
    Kind.CONTEXT: gettext_lazy("About this chat"),
    Kind.PATTERNS: gettext_lazy("Patterns"),
    Kind.IDENTITY: gettext_lazy("Identity"),
    Kind.TRANSCRIPT: gettext_lazy("Transcript"),
    Kind.TOPIC: gettext_lazy("Topic"),
    Kind.TEXT: gettext_lazy("Text"),
    Kind.HISTORY: gettext_lazy("Event history"),
    Kind.CACHE: gettext_lazy("Index of another tool"),
    Kind.OTHER: gettext_lazy("Other file"),
}
OF_MANY = (Kind.TOPIC, Kind.TEXT, Kind.IDENTITY, Kind.CACHE, Kind.OTHER)
SOON = 32 * 1024  # characters; of a longer text the preview may come later


@dataclass(frozen=True, slots=True)
class Bar:
    """What stands across the desk when the file moved on. `step`: `ask`, `compare` or `confirm` (of overwriting)."""

    conflict: Conflict
    step: str = "ask"
    saving: bool = False  # it came from an attempt to save
    sides: Sequence[Block] = ()  # theirs against what is in the field


def open_or_404(bot: Bot, path: str) -> OpenDocument:
    """The document, fresh from its file. Raises Http404 for what is no document of this bot's."""
    try:
        return documents.open_document(bot, path)
    except documents.Missing:
        raise Http404(_("This bot has no file with that name.")) from None


def desk(
    bot: Bot,
    opened: OpenDocument,
    text: str | None = None,
    base: str | None = None,
    *,
    draft: Draft | None = None,
    bar: Bar | None = None,
    review: bool = False,
    note: str = "",
    at_first: bool = False,
    span: PartBounds | None = None,
    number: int = 0,
    line: int = 0,
) -> dict[str, Any]:
    """The page of one document with an editor on it: a text that was made from the version `base`, without them the document as it
    stands. `at_first`: a page that is opened has to come soon, and can ask for the preview of a long text `later`. Of a long text
    the `part` is in the field that `span`, `number` or `line` names: `text`, made from `base_text`. `draft` is offered, not taken;
    `review` is what saving would change, None where nobody asked. `reads` says how much of long-term memory the bot reads, "" for
    other documents, and where that is not known."""
    base = opened.sha256 if base is None else base
    made_from = documents.version(bot, opened, base)
    base_text = opened.text if base == opened.sha256 else documents.as_text(made_from or b"")
    whole = base_text if text is None else lines(text)
    part = shown(base_text, whole, span, number, line)
    field, field_base = (part.span.of(whole), part.span.of(base_text)) if part else (whole, base_text)
    later = at_first and len(field) > SOON and not opened.read_only
    is_long = opened.path == open_bot(bot).long_term
    return {
        "bot": bot,
        "opened": opened,
        "path": opened.path,
        "title": title(bot, opened.path),
        "text": field,
        "base": base,
        "base_text": field_base,
        "is_dirty": field != field_base,
        "price": price(base_text, whole, _gauge(bot, opened.path)),
        "preview": Laid(SafeString()) if later else preview(bot, opened.path, field),
        "draft": draft,
        "bar": bar,
        "review": blocks(base_text, whole) if review else None,
        "note": note,
        "later": later,
        "part": part,
        "hides": False,  # it holds secrets, which are shown, and edited, only if somebody asks
        "reads": how_read(bot, len(opened.data or b"")) if is_long else "",
        "phrases": phrases(),
    }


def lines(text: str) -> str:
    """A posted text with the line ends it was typed with: browsers send each as CR LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def preview(bot: Bot, path: str, text: str) -> Laid:
    """A text as it reads, safe to show. What is no markdown is shown as it stands."""
    if not path.endswith(".md"):
        return markdown.verbatim(text)
    return markdown.laid_out(text, leads=leading(bot, [(path, text)])(path))


def title(bot: Bot, path: str) -> str:
    """What people call the document: what it is, of which chat or day; one of many of its kind by the name of its file."""
    place = open_bot(bot).dialect.describe(path)
    if place is None:
        return path
    name = path.rpartition("/")[2] if place.kind in OF_MANY else str(TITLES.get(place.kind, path))
    if place.day:
        name = _("%(document)s of %(day)s") % {"document": name, "day": day(place.day)}
    return f"{name}, {place.scope}" if place.scope else name


def is_long_term(bot: Bot, path: str) -> bool:
    """Whether a document is held against the limit: long-term memory of any scope."""
    place = open_bot(bot).dialect.describe(path)
    return place is not None and place.kind is Kind.LONG_TERM and place.tier is not Tier.WORKING


def _gauge(bot: Bot, path: str) -> Callable[[int], Gauge] | None:
    """What says how full the document is, if it is held against a limit."""
    limit = open_bot(bot).limit if is_long_term(bot, path) else None
    return partial(long_term_gauge, limit=limit) if limit else None


def draft_of(bot: Bot, user: Visitor, path: str) -> Draft | None:
    """What this user typed here and has not saved."""
    return Draft.objects.filter(bot=bot, user_id=int(user.pk or 0), path=path).first()


def keep_draft(bot: Bot, user: Visitor, opened: OpenDocument, text: str, base: str) -> Draft | None:
    """Keep a text as this user's draft; forget the draft if the text says nothing new. Returns what is kept."""
    made_from = documents.version(bot, opened, base)
    if made_from is not None and lay_over(made_from, text) in (made_from, opened.data):
        drop_draft(bot, user, opened.path)
        return None
    values = {"text": lines(text), "base": base}
    return Draft.objects.update_or_create(bot=bot, user_id=int(user.pk or 0), path=opened.path, defaults=values)[0]


def drop_draft(bot: Bot, user: Visitor, path: str) -> None:
    """Forget this user's draft."""
    Draft.objects.filter(bot=bot, user_id=int(user.pk or 0), path=path).delete()


def how_read(bot: Bot, size: int) -> str:
    """What of a long-term memory of so many bytes the bot reads; "" where that is not known, as of what can't be
    seen now, or depends on the message."""
    opened = open_bot(bot)
    if bot.trouble or opened.access is Access.MISSING:
        return ""
    limit = opened.limit
    if opened.reads_by_message or not size or not limit:
        return ""
    if not limit.cuts or size <= limit.size:
        words = _("%(bot)s reads all of it in every message")
    else:
        words = _("%(bot)s reads its beginning and end") if limit.keeps else _("%(bot)s reads the first %(limit)s")
    return words % {"bot": bot.name, "limit": kilobytes(limit.size)}


def joined_words(joined: Joined) -> str:
    """That it is saved, and what was kept beside it."""
    if joined.by_bot:
        return number_of(
            "Saved. One line added by the bot was kept.",
            "Saved. %(count)s lines added by the bot were kept.",
            joined.lines,
        )
    return number_of(
        "Saved. One line added by someone else was kept.",
        "Saved. %(count)s lines added by someone else were kept.",
        joined.lines,
    )


def phrases() -> dict[str, str]:
    """What the editor's script says by itself, mostly in its search panel, by the script's own words."""
    return {
        "Find": pgettext("editor", "Find"),
        "Replace": pgettext("editor", "Replace"),
        "next": pgettext("editor", "next"),
        "previous": pgettext("editor", "previous"),
        "all": pgettext("editor", "all"),
        "match case": pgettext("editor", "Match case"),
        "by word": pgettext("editor", "Whole words"),
        "regexp": pgettext("editor", "Regex"),
        "replace": pgettext("editor", "replace"),
        "replace all": pgettext("editor", "replace all"),
        "close": pgettext("editor", "close"),
        "current match": pgettext("editor", "current match"),
        "on line": pgettext("editor", "on line"),
        "replaced match on line $": pgettext("editor", "replaced match on line $"),
        "replaced $ matches": pgettext("editor", "replaced $ matches"),
        "Go to line": pgettext("editor", "Go to line"),
        "go": pgettext("editor", "go"),
        "Selection deleted": pgettext("editor", "Selection deleted"),
        "Control character": pgettext("editor", "Control character"),
    }
