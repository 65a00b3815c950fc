"""A document with the change that each of its lines came with: who, when, and a link to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.translation import gettext as _

from memory.curation.blame import Origin, blame
from memory.curation.documents import OpenDocument
from memory.models import Bot, ChangeSet
from memory.text.secrets import place_to_cut
from memory.web.base.change_rows import author_of
from memory.web.base.shown_text import shown

AT_ONCE = 200  # lines
LONGEST = 2000  # characters of a line


@dataclass(frozen=True, slots=True)
class BlameSource:
    """Who made a change, and when. Everything is said already."""

    url: str
    by: str
    when: datetime | None  # None where the line is older


def blamed(bot: Bot, opened: OpenDocument, number: str | None, reader: int | None) -> dict[str, object]:
    """A page of a document's lines. Of two equal ones the numbers tell which is meant."""
    data = opened.data or b""
    lines = data.decode("utf-8", "replace").removesuffix("\n").split("\n") if data else []
    page = Paginator(lines, AT_ONCE).get_page(number)
    first = page.start_index() - 1 if lines else 0
    here = [(first + at + 1, shown(line[: place_to_cut(line, LONGEST)])) for at, line in enumerate(page.object_list)]
    origins = blame(bot, opened.path, data, first, len(here))
    return {"page": page, "blocks": list(_blocks(bot, here, origins, reader))}


def _blocks(
    bot: Bot, lines: Sequence[tuple[int, str]], origins: Sequence[Origin], reader: int | None
) -> Iterator[dict[str, object]]:
    """Lines that came with the same change, each with its number. `came`: it only moved them here, from `path`, where they had come
    with that one."""
    for origin, some in groupby(zip(lines, origins, strict=True), key=lambda pair: pair[1]):
        block = [line for line, _origin in some]
        came = _source(bot, origin.began, reader) if origin.began else None
        yield {
            "lines": block,
            "source": _source(bot, origin.change, reader),
            "came": came,
            "path": shown(origin.path),
        }


def _source(bot: Bot, made: ChangeSet | None, reader: int | None) -> BlameSource | None:
    if made is None:
        return None
    url = reverse("memory:change_set", args=[bot.slug, made.pk])
    if made.kind == ChangeSet.Kind.FOUND:
        return BlameSource(url, _("before Kenoweb’s History"), None)
    return BlameSource(url, author_of(made, reader), made.finished or made.created)
