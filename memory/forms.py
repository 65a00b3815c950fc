"""What people send: each form says what it takes and refuses the rest in words."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory import bots, compaction
from memory.models import Bot, Chat, ChatName
from memory.text.keep import keepable
from memory.views.said import said

VERSION = RegexValidator(r"\A(?:[0-9a-f]{64})?\Z", gettext_lazy("This is not a version's name."))


class TextForm(forms.Form):
    """A text and the version that it was made from."""

    text = forms.CharField(required=False, strip=False)
    base = forms.CharField(required=False, validators=[VERSION])
    theirs = forms.CharField(required=False, validators=[VERSION])


class PlanForm(forms.Form):
    """What a compaction looks at. Of the chats only the one that is asked for is offered: there may be very many."""

    retention_days = forms.IntegerField(
        min_value=1, max_value=365, required=False, label=gettext_lazy("Logs are old after (days)")
    )
    scope = forms.ChoiceField(label=gettext_lazy("Whose logs"), required=False)
    keep_logs = forms.NullBooleanField(required=False, label=gettext_lazy("Logs that keep a line"))

    def __init__(self, *args: Any, bot: Bot, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bot = bot
        choices = [("", _("the bot's own")), ("all", _("the bot's own and every chat's"))]
        if self._has_logs():
            called = ChatName.objects.filter(bot=bot, scope=self.chat).values_list("name", flat=True).first()
            choices.append((f"chat:{self.chat}", _("only %(chat)s") % {"chat": called or self.chat}))
        self.fields["scope"].choices = choices  # type: ignore[attr-defined]
        self.fields["keep_logs"].widget = forms.Select(
            choices=[
                ("", _("as the bot's settings say")),
                ("false", _("rewrite without what moved")),
                ("true", _("keep whole")),
            ]
        )

    @property
    def chat(self) -> str:
        """The one chat that is asked for, "" for none."""
        wanted = str(self.data.get("scope", ""))
        return keepable(wanted.removeprefix("chat:")) if wanted.startswith("chat:") else ""

    def _has_logs(self) -> bool:
        chat = self.chat
        return bool(chat) and (
            Chat.objects.filter(bot=self.bot, scope=chat, logs__gt=0).exists() or compaction.has_logs(self.bot, chat)
        )

    def scopes(self) -> tuple[str, ...]:
        """The scopes that were asked for."""
        return compaction.all_scopes(self.bot) if self.cleaned_data["scope"] == "all" else (self.chat,)

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
