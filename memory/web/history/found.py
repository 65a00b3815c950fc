"""The change sets that somebody looks for: by words of theirs, or by a file."""

from __future__ import annotations

import json
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BinaryField, Func, IntegerField, Q, QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler

from memory.models import Bot, ChangeSet, Fact, Lineage, Revision


class _Place(Func):
    """Where bytes begin in others; 0 for nowhere."""

    function = "INSTR"
    output_field = IntegerField()

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **more: Any) -> Any:
        """The same under its other name."""
        return super().as_sql(compiler, connection, function="pg_catalog.position", **more)


def found(bot: Bot, sets: QuerySet[ChangeSet], query: str) -> QuerySet[ChangeSet]:
    """Those that name a file that is called so, or have these words: in what they say of themselves, in what they appended, or in
    facts that are there still."""
    if not query:
        return sets
    revisions = Revision.objects.filter(bot=bot).order_by()
    bytes_of = Value(query.encode("utf-8", "surrogateescape"), BinaryField())
    appended = revisions.filter(added__isnull=False).annotate(place=_Place("added", bytes_of)).filter(place__gt=0)
    there = Fact.objects.filter(bot=bot, text__icontains=query).order_by()
    became = Lineage.objects.filter(bot=bot, to_key__in=there.values("key")).order_by()
    said = Q(why__icontains=query) | Q(why__icontains=json.dumps(query)[1:-1])  # a sentence is kept as JSON
    named = revisions.filter(path__icontains=query)
    return sets.filter(
        said
        | Q(pk__in=named.values("change_set"))
        | Q(pk__in=appended.values("change_set"))
        | Q(pk__in=became.values("change_set"))
    )
