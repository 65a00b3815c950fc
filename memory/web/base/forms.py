"""What people send: each form says what it takes and refuses the rest in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.db.models import Max
from django.http import QueryDict
from django.utils.translation import gettext as _, gettext_lazy

from memory.bots import open_bot
from memory.checks import recall_tests
from memory.compaction import runner
from memory.domain.places import Kind
from memory.domain.plan import Choice
from memory.models import Bot, Chat, ChatName, Fact
from memory.text.storable import keepable
from memory.text.words.days import date_of
from memory.web.base import ticks
from memory.web.base.chat_names import scope_meant

VERSION = RegexValidator(r"\A(?:[0-9a-f]{64})?\Z", gettext_lazy("This isn’t a known version."))
SPAN = RegexValidator(r"\A(?:[0-9]{1,9}-[0-9]{1,9})?\Z", gettext_lazy("This isn’t part of a file."))

NOON = "12:00"


class TextForm(forms.Form):
    """A text and the version that it was made from. `span`: the text is that of a part, with so much before and behind it."""

    text = forms.CharField(required=False, strip=False)
    base = forms.CharField(required=False, validators=[VERSION])
    theirs = forms.CharField(required=False, validators=[VERSION])
    span = forms.CharField(required=False, validators=[SPAN])


def is_meant(data: Mapping[str, str]) -> bool:
    """Whether somebody typed the word that lets facts move beyond what the bot loads."""
    return str(data.get("word", "")).strip().casefold() in {"move", _("move").casefold()}


def _or_as_set(words: Mapping[str, str], value: str) -> list[tuple[str, str]]:
    """Choices in words, the first of which leaves it at what is set for the bot."""
    return [("", _("as set: %(what)s") % {"what": words[value]}), *words.items()]


class PlanForm(forms.Form):
    """What a compaction looks at. Of the chats only the one that is asked for is offered: there may be very many."""

    retention_days = forms.IntegerField(
        min_value=1, max_value=365, required=False, label=gettext_lazy("Logs are old after (days)")
    )
    scope = forms.ChoiceField(label=gettext_lazy("Logs to compact"), required=False)
    keep_logs = forms.NullBooleanField(required=False, label=gettext_lazy("Logs with facts that stay"))
    old_logs = forms.ChoiceField(required=False, label=gettext_lazy("Old logs"), widget=forms.RadioSelect)
    same_words = forms.BooleanField(required=False, label=gettext_lazy("Repeats at another time count as duplicates"))

    def __init__(self, *args: Any, bot: Bot, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bot = bot
        settings = open_bot(bot).settings
        self.fields["retention_days"].widget.attrs["placeholder"] = settings.memory_retention_days
        old = {"move": _("their facts move to long-term memory"), "archive": _("they are archived whole")}
        self.fields["old_logs"].choices = _or_as_set(old, settings.old_logs)  # type: ignore[attr-defined]
        choices = [("", _("shared")), ("all", _("shared and all chats"))]
        if self._has_logs():
            called = ChatName.objects.filter(bot=bot, scope=self.chat).values_list("name", flat=True).first()
            choices.append((f"chat:{self.chat}", _("%(chat)s only") % {"chat": called or self.chat}))
        self.fields["scope"].choices = choices  # type: ignore[attr-defined]
        if not self.chat and not Chat.objects.filter(bot=bot, logs__gt=0).exists():
            self.fields["scope"].widget = forms.HiddenInput()  # there is nothing to choose
        kept = {"false": _("cut out what moved"), "true": _("keep whole")}
        self.fields["keep_logs"].widget = forms.RadioSelect(choices=_or_as_set(kept, str(settings.keep_logs).lower()))

    @property
    def chat(self) -> str:
        """The one chat that is asked for, "" for none."""
        wanted = str(self.data.get("scope", ""))
        return keepable(wanted.removeprefix("chat:")) if wanted.startswith("chat:") else ""

    @property
    def asked_scope(self) -> str:
        """That chat, `all` logs, or "" for the shared ones."""
        return self.chat or ("all" if self.data.get("scope") == "all" else "")

    def _has_logs(self) -> bool:
        chat = self.chat
        return bool(chat) and (
            Chat.objects.filter(bot=self.bot, scope=chat, logs__gt=0).exists() or runner.has_logs(self.bot, chat)
        )

    def scopes(self) -> tuple[str, ...]:
        """The scopes that were asked for."""
        return runner.all_scopes(self.bot) if self.cleaned_data["scope"] == "all" else (self.chat,)

    def options(self) -> dict[str, Any]:
        """What differs from the bot's settings, and what somebody chose."""
        named = {name: self.cleaned_data[name] for name in ("retention_days", "keep_logs")}
        named["old_logs"] = self.cleaned_data["old_logs"] or None
        chosen = {"same_words": self.cleaned_data["same_words"], "past_limit": self.is_meant()}
        choice = self.choice
        return named | chosen | {"leave": choice.leave, "move": choice.move}

    def is_meant(self) -> bool:
        """Whether somebody typed the word that lets facts move beyond what the bot loads."""
        return is_meant(self.data)

    @property
    def choice(self) -> Choice:
        """What somebody ticked, on this page of the plan and on others."""
        return ticks.choice(self.data)


class FactForm(forms.Form):
    """A fact for the log of the bot or, by its session id or by what people call it, of a chat: that of a `day`, for which
    somebody says the time as well if it is over, or today's for "". `day` is None where there is none yet, or no such day."""

    text = forms.CharField(
        max_length=20_000,
        label=gettext_lazy("Add a fact to today"),
        widget=forms.Textarea(attrs={"rows": 1, "data-entry": True}),
    )
    clock = forms.TimeField(label=gettext_lazy("Time"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
    chat = forms.CharField(max_length=255, required=False, strip=False, label=gettext_lazy("Chat"))

    def __init__(
        self, data: QueryDict | None = None, *, bot: Bot, day: str = "", initial: dict[str, str] | None = None
    ) -> None:
        self.bot, self.now = bot, open_bot(bot).now()
        there = date_of(day)
        self.day = there if there and there <= self.now.date() and str(there) == day else None
        self.is_refused = bool(day) and self.day is None
        self.is_earlier = self.day not in (None, self.now.date())
        super().__init__(data, auto_id="entry_%s", initial=initial)
        if self.is_earlier:
            self.fields["text"].label = _("Add a fact to this day")
            self.fields["clock"].initial = self._latest
        else:
            del self.fields["clock"]
        if open_bot(bot).dialect.path(Kind.DAILY, "chat", open_bot(bot).today()) is None:
            del self.fields["chat"]
            return
        self.fields["chat"].widget.attrs |= {
            "list": "chats",
            "placeholder": _("shared log"),
            "autocomplete": "off",
        }

    def _latest(self) -> str:
        """The time of the day's last entry, behind which another one goes; what it is now says nothing of an earlier day."""
        there = Fact.objects.filter(bot=self.bot, document__kind=Kind.DAILY, document__day=str(self.day))
        return there.aggregate(latest=Max("time"))["latest"] or NOON

    @property
    def moment(self) -> datetime:
        """When it was, by the bot's clock."""
        if self.day and self.is_earlier:
            return datetime.combine(self.day, self.cleaned_data["clock"], self.now.tzinfo)
        return self.now

    def clean(self) -> None:
        """Refuses a day that is yet to come, or that no calendar has."""
        if self.is_refused:
            raise forms.ValidationError(_("Facts can be added to today and to earlier days only."))

    def clean_chat(self) -> str:
        """The session id; "" for the bot's own log."""
        scope, problem = scope_meant(self.bot, self.cleaned_data["chat"])
        if problem:
            raise forms.ValidationError(problem)
        return scope


class RecallTestForm(forms.Form):
    """A recall test: a question, who asks it, and how well it must find the fact. Which fact is the button's to say."""

    question = forms.CharField(max_length=recall_tests.LONGEST)
    chat = forms.CharField(max_length=255, required=False, strip=False)
    within = forms.TypedChoiceField(coerce=int, required=False, label=gettext_lazy("Pass if found"))
    reads = forms.BooleanField(required=False, label=gettext_lazy("and it must be in the prompt for the question"))

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="pin_%s", initial={"within": recall_tests.USUAL})
        self.fields["within"].choices = [(number, _within(number)) for number in recall_tests.WITHIN]  # type: ignore[attr-defined]

    def rules(self) -> dict[str, Any]:
        """How strict the test is."""
        return {"within": self.cleaned_data["within"] or recall_tests.USUAL, "reads": self.cleaned_data["reads"]}


def _within(number: int) -> str:
    return _("as the first result") if number == 1 else _("in the first %(number)s") % {"number": number}
