"""What people send: each form says what it takes and refuses the rest in words."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.validators import RegexValidator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory import bots
from memory.dialects.fields import Field
from memory.models import Bot, Chat, ChatName
from memory.views.said import said

VERSION = RegexValidator(r"\A(?:[0-9a-f]{64})?\Z", gettext_lazy("This is not a version's name."))


class TextForm(forms.Form):
    """A text and the version that it was made from."""

    text = forms.CharField(required=False, strip=False)
    base = forms.CharField(required=False, validators=[VERSION])
    theirs = forms.CharField(required=False, validators=[VERSION])


class PlanForm(forms.Form):
    """What a compaction looks at."""

    retention_days = forms.IntegerField(
        min_value=1, max_value=365, required=False, label=gettext_lazy("Logs are old after (days)")
    )
    scope = forms.ChoiceField(label=gettext_lazy("Whose logs"), required=False)
    keep_logs = forms.NullBooleanField(required=False, label=gettext_lazy("Logs that keep a line"))

    def __init__(self, *args: Any, scopes: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chats = [(f"chat:{scope}", _("only %(chat)s") % {"chat": scope}) for scope in scopes]
        everyone = [("all", _("the bot's own and every chat's"))] if chats else []
        self.fields["scope"].choices = [("", _("the bot's own")), *everyone, *chats]  # type: ignore[attr-defined]
        self.fields["keep_logs"].widget = forms.Select(
            choices=[
                ("", _("as the bot's settings say")),
                ("false", _("rewrite without what moved")),
                ("true", _("keep whole")),
            ]
        )

    def scopes(self, everyone: list[str]) -> tuple[str, ...]:
        """The scopes that were asked for."""
        wanted: str = self.cleaned_data["scope"]
        if wanted == "all":
            return ("", *everyone)
        return (wanted.removeprefix("chat:"),)

    def options(self) -> dict[str, Any]:
        """What differs from the bot's settings."""
        return {name: self.cleaned_data[name] for name in ("retention_days", "keep_logs")}


class EntryForm(forms.Form):
    """An entry for today's log of the bot or, by its session id or by what people call it, of a chat."""

    text = forms.CharField(
        max_length=20_000, label=gettext_lazy("Add an entry to today"), widget=forms.Textarea(attrs={"rows": 1})
    )
    chat = forms.CharField(max_length=255, required=False, strip=False, label=gettext_lazy("For"))

    def __init__(self, data: QueryDict | None = None, *, bot: Bot, initial: dict[str, str] | None = None) -> None:
        self.bot = bot
        super().__init__(data, auto_id="entry_%s", initial=initial)
        self.fields["chat"].widget.attrs |= {
            "list": "chats",
            "placeholder": _("the bot's own log"),
            "autocomplete": "off",
        }

    def clean_chat(self) -> str:
        """The session id; "" for the bot's own log."""
        typed: str = self.cleaned_data["chat"]
        if not typed.strip():
            return ""
        named = list(ChatName.objects.filter(bot=self.bot, name=typed.strip()).values_list("scope", flat=True)[:2])
        if len(named) > 1:
            raise forms.ValidationError(_("Several chats have this name. Choose one by its session id."))
        scope = named[0] if named else typed
        if problem := bots.dialect(self.bot).session_id_problem(scope):
            raise forms.ValidationError(said(problem))
        if not named and not Chat.objects.filter(bot=self.bot, scope=scope).exists():
            raise forms.ValidationError(_("There is no such chat. Choose one of the list, or leave this empty."))
        return scope


class SettingsForm(forms.Form):
    """A bot's settings: its name, its zone, and whatever its dialect has."""

    name = forms.CharField(max_length=120, help_text="What this bot is called here.")
    time_zone = forms.CharField(
        max_length=64, help_text="The zone whose midnight ends the bot's day. KenoBot itself counts in UTC."
    )

    def __init__(self, data: QueryDict | None, *, bot: Bot) -> None:
        self.bot = bot
        self.table = bots.dialect(bot).fields
        now = bots.settings(bot)
        initial = {"name": bot.name, "time_zone": bot.time_zone}
        initial |= {field.name: getattr(now, field.name) for field in self.table}
        super().__init__(data, initial=initial)
        self.fields["time_zone"].widget.attrs["list"] = "zones"
        for field in self.table:
            self.fields[field.name] = _form_field(field)

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"]
        if zone not in available_timezones():
            raise forms.ValidationError("There is no time zone of that name. Write it like America/Mexico_City.")
        return zone

    def save(self) -> None:
        """Keep what was changed; what was left as it is goes on coming from the environment or the defaults."""
        saved = dict(self.bot.settings)
        for field in self.table:
            value = self.cleaned_data[field.name]
            if value is None:
                saved.pop(field.name, None)
            elif field.name in saved or value != self.initial[field.name]:
                saved[field.name] = value
        self.bot.name, self.bot.time_zone, self.bot.settings = (
            self.cleaned_data["name"],
            self.cleaned_data["time_zone"],
            saved,
        )
        self.bot.save(update_fields=["name", "time_zone", "settings"])


def _form_field(field: Field) -> forms.Field:
    words = field.help
    if field.least is not None:
        words = f"{words} {field.range}; left empty it is {field.default}."
        return forms.IntegerField(
            label=field.label, help_text=words, min_value=field.least, max_value=field.most, required=False
        )
    if field.choices:
        choices = list(zip(field.choices, field.words or field.choices, strict=True))
        return forms.ChoiceField(label=field.label, help_text=words, choices=choices)
    return forms.BooleanField(label=field.label, help_text=words, required=False)
