"""What the lower floors say, in the reader's language.

They know no reader: what they say is English that knows its message id. What users and bots wrote is a plain text, and stays."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from memory.text.sentences import Say
from memory.web.base.dates import day
from memory.web.base.shown_text import isolated


def translate(text: str) -> str:
    """A sentence of ours in the reader's language; any other text as it is."""
    if not isinstance(text, Say):
        return text
    count = text.parameters.get("count")
    wording = ngettext(text.msgid, text.many, int(count or 0)) if text.many else gettext(text.msgid)
    values = {name: _value(name, value) for name, value in text.parameters.items()}
    if isinstance(count, int):
        values["count"] = number_format(count, force_grouping=True)
    return wording % values if values else wording


def _value(name: str, value: str | int) -> str | int:
    """A parameter called `day` is one (YYYY-MM-DD), and written as the reader's language does; a name stands by itself."""
    if not isinstance(value, str):
        return value
    if isinstance(value, Say):
        return translate(value)
    return day(value) if name == "day" else isolated(value)
