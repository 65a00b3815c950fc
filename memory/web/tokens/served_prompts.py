"""Prompts that programs fetched, as rows: when, for which chat and question, and whether their documents are still those."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.utils.translation import gettext as _

from memory.models import Bot, Fetched
from memory.prompts import served
from memory.web.base.addresses import addresses
from memory.web.base.chat_names import chat_urls, names_of
from memory.web.base.fact_rows import cost
from memory.web.base.gauges import number_of

AT_ONCE = 50
QUESTION = 160  # characters of a question in a row


@dataclass(frozen=True, slots=True)
class ServedDocument:
    """A document in a prompt. `state` says what became of that version, with `level` good, warn or ""."""

    path: str
    url: str
    state: str
    level: str


def loaded(bot: Bot, number: str | None) -> dict[str, object]:
    """A page of them, the newest first, in a constant number of statements."""
    # Read from the index alone.
    every = Fetched.objects.filter(bot=bot).order_by("-at", "-id").values_list("pk", flat=True)
    page = Paginator(every, AT_ONCE).get_page(number)
    rows = Fetched.objects.select_related("token").in_bulk(list(page.object_list))
    here = [rows[pk] for pk in page.object_list if pk in rows]
    versions = served.versions_now(bot, here)
    scopes = {row.chat for row in here if row.chat}
    names, urls = names_of(bot, scopes), chat_urls(bot, scopes)
    documents = _documents(bot, here, versions)
    return {"page": page, "lines": [_row(row, documents[row.pk], names, urls) for row in here]}


def _documents(bot: Bot, rows: Sequence[Fetched], versions: Mapping[str, str]) -> dict[int, list[ServedDocument]]:
    """The documents of each prompt; a page of them names few different ones."""
    url_of = addresses("document", bot)
    known: dict[tuple[str, str], ServedDocument] = {}
    for one in {pair for row in rows for pair in row.documents.items()}:
        known[one] = _document(*one, versions.get(one[0]), url_of)
    return {row.pk: [known[pair] for pair in row.documents.items()] for row in rows}


def _row(
    row: Fetched, documents: Sequence[ServedDocument], names: Mapping[str, str], urls: Mapping[str, str]
) -> dict[str, object]:
    """A prompt that was fetched."""
    changed = sum(document.level != "good" for document in documents)
    question = " ".join(row.query.split())
    return {
        "pk": row.pk,
        "when": row.at,
        "chat": names.get(row.chat, row.chat) or _("no chat"),
        "chat_url": urls.get(row.chat, ""),
        "question": question if len(question) <= QUESTION else f"{question[:QUESTION]}…",
        "cost": cost(row.tokens),
        "token": row.token.name if row.token else "",
        "summary": _summary(len(documents), changed),
        "level": "warn" if changed else "good",
        "documents": documents,
    }


def _summary(count: int, changed: int) -> str:
    """`5 documents, 1 of another version now`."""
    documents = number_of("%(count)s file", "%(count)s files", count)
    if not changed:
        return _("%(documents)s, current versions") % {"documents": documents} if count else _("no files")
    others = number_of("%(count)s changed since", "%(count)s changed since", changed)
    return f"{documents}, {others}"


def _document(path: str, sha256: str, now: str | None, url_of: Callable[[str], str]) -> ServedDocument:
    if now is None:
        return ServedDocument(path, "", _("no longer there"), "")
    if now == sha256:
        return ServedDocument(path, url_of(path), _("unchanged"), "good")
    return ServedDocument(path, url_of(path), _("changed since"), "warn")
