"""Prompts that programs fetched, each with the version of every document in it: the answer to "was it loaded?"."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from memory import index
from memory.domain.changes import digest
from memory.journal import versions
from memory.models import ApiToken, Bot, Document, Fetched
from memory.prompts.build import Priced
from memory.text.storable import keepable

KEPT = 10_000  # of a bot: with a thousand bytes each some 10 MB, and seven weeks of a bot that asks two hundred times a day
AT_ONCE = 100  # so many may be there besides: forgetting costs one look each time
LOOKED_AT = 300  # of the newest, in which a fact is looked for
QUESTION = 2_000  # characters of the question that are kept


class Noted(index.BotMemory):
    """The memory of a bot that notes which version of each document was read."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot)
        self.versions: dict[str, str] = {}

    def read(self, path: str) -> bytes | None:
        data = super().read(path)
        if data is not None:
            self.versions[path] = digest(data)
        return data


def record(
    token: ApiToken, at: datetime, chat: str, query: str, priced: Priced, versions: Mapping[str, str]
) -> Fetched:
    """Keep that a prompt was fetched at `at` (aware). `versions`: path -> sha256 of what was read; of it counts what is in it."""
    made = Fetched.objects.create(
        bot=token.bot,
        token=token,
        at=at,
        chat=chat,
        query=keepable(query)[:QUESTION],
        tokens=priced.tokens,
        sha256=digest(priced.text.encode("utf-8", "surrogatepass")),
        documents={keepable(path): versions[path] for path in priced.documents if path in versions},
    )
    if made.pk % AT_ONCE == 0:
        forget(token.bot)
    return made


def forget(bot: Bot, kept: int = KEPT) -> None:
    """Forget all but the newest."""
    every = Fetched.objects.filter(bot=bot)
    oldest = every.order_by("-at", "-id")[kept : kept + 1].values_list("at", flat=True).first()
    if oldest is not None:
        every.filter(at__lte=oldest).delete()


def versions_now(bot: Bot, fetched: Sequence[Fetched]) -> dict[str, str]:
    """Path -> sha256 of the documents in these prompts as the index has them; a path that is not there has no document."""
    paths = {path for one in fetched for path in one.documents}
    rows = Document.objects.filter(bot=bot, path__in=paths)
    return dict(rows.values_list("path", "sha256"))


def holding(bot: Bot, texts: Mapping[str, Collection[str]]) -> list[Fetched]:
    """Those of the newest prompts, newest first, in which a document had one of its `texts`: path -> texts."""
    newest = Fetched.objects.filter(bot=bot).order_by("-at", "-id")[:LOOKED_AT]
    read = [(one, path, sha256) for one in newest for path, sha256 in one.documents.items() if path in texts]
    holders = {pair for pair in {(path, sha256) for _one, path, sha256 in read} if _has_one(bot, *pair, texts)}
    return list(dict.fromkeys(one for one, path, sha256 in read if (path, sha256) in holders))


def _has_one(bot: Bot, path: str, sha256: str, texts: Mapping[str, Collection[str]]) -> bool:
    """Whether a version has the first line of one of the texts."""
    data = versions.bytes_of_all(bot, [sha256]).get(sha256, b"")
    return any(text.split("\n", 1)[0].encode("utf-8", "surrogateescape") in data for text in texts[path])
