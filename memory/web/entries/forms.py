"""The form of an entry that somebody adds to a database by hand."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from memory.dialects.nanobot import scopes
from memory.dialects.nanobot.picking import Candidate, is_unsafe
from memory.dialects.nanobot.prompt import user_of
from memory.models import Bot
from memory.web.base.chat_names import chat_meant
from memory.web.entries.filters import KINDS

LONGEST = 20_000  # characters


class EntryForm(forms.Form):
    """What is to be remembered, of which kind and whose."""

    text = forms.CharField(max_length=LONGEST, label=later("Text"), widget=forms.Textarea(attrs={"rows": 3}))
    kind = forms.ChoiceField(choices=list(KINDS.items()), initial="fact", label=later("Kind"))
    whose = forms.ChoiceField(
        choices=[
            (scopes.USER, later("Of who writes in the chat")),
            (scopes.CHAT, later("Of the chat")),
            (scopes.GLOBAL, later("Of the workspace")),
        ],
        label=later("Whose"),
        help_text=later(
            "The bot recalls preferences and facts of whoever writes, anything of the chat, and nothing of the workspace."
        ),
    )
    chat = forms.CharField(
        max_length=255,
        required=False,
        strip=False,
        label=later("Chat"),
        widget=forms.TextInput(attrs={"list": "chats", "autocomplete": "off"}),
    )
    importance = forms.FloatField(min_value=0, max_value=1, initial=0.8, label=later("Importance"))
    confidence = forms.FloatField(min_value=0, max_value=1, initial=1, label=later("Confidence"))
    anyway = forms.BooleanField(required=False, label=later("Add it though it could lead a model astray"))

    def __init__(self, data: QueryDict | None = None, *, bot: Bot, initial: dict[str, str] | None = None) -> None:
        self.bot = bot
        self.asks_anyway = False
        super().__init__(data, auto_id="new_%s", initial=initial)
        for name in ("importance", "confidence"):
            self.fields[name].widget.attrs |= {"step": "0.01"}

    def clean_chat(self) -> str:
        """The name of the chat's documents."""
        found = chat_meant(self.bot, self.cleaned_data["chat"])
        if found.problem:
            raise forms.ValidationError(found.problem)
        return found.scope

    def clean(self) -> None:
        given = self.cleaned_data
        if given.get("whose") in (scopes.CHAT, scopes.USER) and "chat" in given and not self.scope:
            self.add_error("chat", _("Say which chat it is."))
        if is_unsafe(given.get("text", "")) and not given.get("anyway"):
            self.asks_anyway = True
            self.add_error("text", _("It holds words that could lead a model astray."))

    @property
    def scope(self) -> str:
        """The name of the scope that it goes into; "" if that is not known."""
        whose, chat = self.cleaned_data.get("whose"), self.cleaned_data.get("chat", "")
        if whose == scopes.GLOBAL:
            return scopes.GLOBAL
        if whose == scopes.USER and ":" not in chat:
            return user_of(chat) if chat else ""
        return str(chat)

    @property
    def candidate(self) -> Candidate:
        """The entry."""
        given = self.cleaned_data
        return Candidate(given["kind"], given["text"], given["importance"], given["confidence"])

    @property
    def noted(self) -> dict[str, str | None]:
        """What the bot notes beside it."""
        found = scopes.parts(scopes.key_of(self.scope, "") or "")
        if not found.channel:
            return {}
        is_chat = found.sort == scopes.CHAT
        return {
            "channel": found.channel,
            "chat_id": found.who if is_chat else None,
            "sender_id": None if is_chat else found.who,
        }
