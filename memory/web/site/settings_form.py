"""The form of some of a bot's settings: what is saved, and what holds where nothing is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Any, ClassVar

from django import forms
from django.conf import settings as site
from django.forms import BoundField
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.bots import open_bot
from memory.bots.opened import OURS
from memory.domain.fields import Field, Value
from memory.models import Bot
from memory.web.base.gauges import grouped
from memory.web.base.time_zones import ZoneField
from memory.web.base.translation import translate

YES, NO = "true", "false"
GROUPS: dict[str, tuple[str | Promise, str | Promise]] = {
    "": (later("General"), ""),
    "reading": (
        later("What it reads"),
        later("Kenoweb builds the prompt from these. Enter what the bot’s own configuration says."),
    ),
    "retention": (
        later("Expiry of entries"),
        later("The bot removes expired entries and no longer recalls them."),
    ),
    "compaction": (later("Compaction"), later("When daily logs are old, and what happens to their facts")),
    "cost": (later("Costs"), later("Prices, estimates and limits by Kenoweb. The bot isn’t affected.")),
    "model": (later("What it may change"), ""),
    "turns": (later("Webhook"), later("What happens to deliveries from the bot")),
    "history": (
        later("How long the history is kept"),
        later("Old versions are deleted once a day. After that they can’t be read or undone. The bot’s files stay."),
    ),
}


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting on the page: its input, what the form would send where nothing is changed (`was`), whether a value is saved
    for this bot, and what holds if it is left empty ("" where the choices say so)."""

    field: BoundField
    was: str
    is_saved: bool = False
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Settings that belong together. `name` is the one in GROUPS."""

    name: str
    title: str | Promise
    words: str | Promise
    rows: list[SettingRow]


class _Typed(forms.CharField):
    """A line of text, or names with commas between them. An empty one is None."""

    def __init__(self, setting: Field, *, label: str, help_text: str, placeholder: str) -> None:
        self.setting = setting
        super().__init__(label=label, help_text=help_text, required=False, max_length=2000)
        self.widget.attrs["placeholder"] = placeholder

    def clean(self, value: Any) -> Any:
        raw = super().clean(value)
        try:
            return self.setting.value(raw) if raw else None
        except ValueError as error:
            raise forms.ValidationError(translate(str(error))) from None


class SettingsForm(forms.Form):
    """The settings of some groups. An empty one is the default again; those of other groups stay as they are."""

    columns: ClassVar[tuple[str, ...]] = ("settings",)

    def __init__(self, data: QueryDict | None, *, bot: Bot, groups: Collection[str]) -> None:
        self.bot, self.groups = bot, groups
        self.table = fields_of(bot, groups)
        self.unsaved = open_bot(bot).unsaved_settings
        self.family = open_bot(bot).family
        self.configured = self.family.configured(bot).values
        super().__init__(data, initial={name: _sent(value) for name, value in bot.settings.items()})
        for field in self.table:
            self.fields[field.name] = _form_field(field, self._unsaved(field), self._source(field))

    def sections(self) -> Iterator[Section]:
        """The settings as they stand together."""
        for name, (title, words) in GROUPS.items():
            rows = [*self._own_rows(name), *(self._row(field) for field in self.table if field.group == name)]
            if rows:
                yield Section(name, title, words, rows)

    def clean(self) -> None:
        """Settings that may each be set, but not together, are refused."""
        if self.errors:
            return
        try:
            open_bot(self.bot).check(self._saved())
        except ValueError as error:
            raise forms.ValidationError(translate(str(error))) from None

    def save(self) -> None:
        """Keep what was given; what was left empty comes from the environment, the files or the defaults."""
        self.bot.settings = self._saved()
        self.bot.save(update_fields=self.columns)

    def _saved(self) -> dict[str, Value]:
        given = {field.name: _kept(self.cleaned_data[field.name]) for field in self.table}
        return {name: value for name, value in (self.bot.settings | given).items() if value is not None}

    def _own_rows(self, group: str) -> list[SettingRow]:
        """What is set for a bot and is no setting of any family's."""
        return []

    def _unsaved(self, field: Field) -> Value:
        """What holds where nothing is saved; what is ours and not the dialect's, no file and no environment says."""
        value: Value = getattr(self.unsaved, field.name, field.default)
        return value

    def _source(self, field: Field) -> str:
        """Where a value comes from that nobody saved."""
        if field.env in site.BOT_DEFAULTS:
            return _("from %(variable)s in the environment") % {"variable": field.env}
        if field.name in self.configured:
            return _("from the bot’s %(file)s") % {"file": self.family.configuration}
        return _("built in") if self._unsaved(field) == field.default else _("guessed from its files")

    def _row(self, field: Field) -> SettingRow:
        told = ""
        if field.least is not None or _is_typed(field):
            told = _default(field, self._unsaved(field), self._source(field))
        saved = field.name in self.bot.settings
        if field.name in self.configured and field.env not in site.BOT_DEFAULTS and not saved:
            told = f"{told} {_('Found in the files. Change it only if this is wrong.')}".strip()
        return SettingRow(self[field.name], self._was(field.name), saved, told)

    def _was(self, name: str) -> str:
        return str(self.initial.get(name, ""))


class GeneralForm(SettingsForm):
    """What the bot is: its name and its time zone, and whatever its family asks beside them."""

    columns = ("name", "time_zone", "settings")
    name = forms.CharField(max_length=120, label=later("Name"), help_text=later("The name shown in Kenoweb"))
    time_zone = ZoneField()

    def __init__(self, data: QueryDict | None, *, bot: Bot, groups: Collection[str]) -> None:
        super().__init__(data, bot=bot, groups=groups)
        self.initial.update(name=bot.name, time_zone=bot.time_zone)

    def save(self) -> None:
        """Keep the name and the zone, too."""
        self.bot.name, self.bot.time_zone = self.cleaned_data["name"], self.cleaned_data["time_zone"]
        super().save()

    def _own_rows(self, group: str) -> list[SettingRow]:
        return [] if group else [SettingRow(self[name], self._was(name)) for name in ("name", "time_zone")]


def fields_of(bot: Bot, groups: Collection[str]) -> tuple[Field, ...]:
    """The settings of these groups that a bot has: its family's, and those of any bot."""
    table = (*open_bot(bot).dialect.fields, *chain.from_iterable(fields for _made, fields in OURS))
    lacks = {"compaction": not open_bot(bot).compacts, "turns": open_bot(bot).dialect.capturing is None}
    return tuple(field for field in table if field.group in groups and not lacks.get(field.group))


def _is_typed(field: Field) -> bool:
    return field.is_text or field.has_names


def _form_field(field: Field, unsaved: Value, source: str) -> forms.Field:
    label, words = translate(field.label), translate(field.help)
    if _is_typed(field):
        return _Typed(field, label=label, help_text=words, placeholder=_words(field, unsaved))
    if field.least is not None:
        words += " " + _("%(least)s to %(most)s") % {"least": grouped(field.least), "most": grouped(field.most or 0)}
        number = _number(field, {"label": label, "help_text": words, "required": False})
        number.widget.attrs["placeholder"] = str(unsaved)
        return number
    values = field.choices or (YES, NO)
    choices = [("", _default(field, unsaved, source))]
    choices += [(value, _words(field, value if field.choices else value == YES)) for value in values]
    return forms.TypedChoiceField(
        label=label,
        help_text=words,
        required=False,
        choices=choices,
        coerce=str if field.choices else YES.__eq__,
        empty_value=None,
    )


def _number(field: Field, options: dict[str, Any]) -> forms.Field:
    if field.places:
        return forms.DecimalField(
            min_value=field.least, max_value=field.most, max_digits=20, decimal_places=field.places, **options
        )
    return forms.IntegerField(min_value=field.least, max_value=field.most, **options)


def _default(field: Field, value: Value, source: str) -> str:
    words = _("Default: %(value)s") % {"value": _words(field, value)}
    return f"{words}, {source}" if source else words


def _words(field: Field, value: Value) -> str:
    """A value as people say it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple):
        return ", ".join(value) or _("none")
    if field.choices and field.words:
        return translate(dict(zip(field.choices, field.words, strict=True))[str(value)])
    return str(value)


def _kept(value: Any) -> Any:
    """A value as it is saved: JSON knows no decimals and no tuples."""
    if isinstance(value, tuple):
        return list(value)
    return float(value) if isinstance(value, Decimal) else value


def _sent(value: Any) -> Any:
    """A saved value as the form sends it."""
    if isinstance(value, list):
        return ", ".join(value)
    return (YES if value else NO) if isinstance(value, bool) else value
