"""The form of an entry that somebody adds to a database by hand."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from memory.domain.attributes import AttributesAbility, Draft
from memory.models import Bot
from memory.web.base.chat_names import chat_meant
from memory.web.base.said import said
from memory.web.entries.filters import worded

LONGEST = 20_000  # characters


class EntryForm(forms.Form):
    """What is to be remembered, of which kind and whose."""

    text = forms.CharField(max_length=LONGEST, label=later("Text"), widget=forms.Textarea(attrs={"rows": 3}))
    kind = forms.ChoiceField(label=later("Kind"))
    whose = forms.ChoiceField(label=later("Belongs to"))
    chat = forms.CharField(
        max_length=255,
        required=False,
        strip=False,
        label=later("Chat"),
        widget=forms.TextInput(attrs={"list": "chats", "autocomplete": "off"}),
    )
    importance = forms.FloatField(min_value=0, max_value=1, initial=0.8, label=later("Importance"))
    confidence = forms.FloatField(min_value=0, max_value=1, initial=1, label=later("Confidence"))
    anyway = forms.BooleanField(
        required=False, label=later("Add anyway, although it may contain instructions to a model")
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        bot: Bot,
        known: AttributesAbility,
        initial: dict[str, str] | None = None,
    ) -> None:
        self.bot, self.known = bot, known
        self.asks_anyway = False
        super().__init__(data, auto_id="new_%s", initial={"kind": known.usual, **(initial or {})})
        self.fields["kind"] = forms.ChoiceField(choices=list(worded(known.kinds).items()), label=later("Kind"))
        self.fields["whose"] = forms.ChoiceField(
            choices=list(worded(known.addable).items()),
            label=later("Belongs to"),
            help_text=said(known.sentences.whose),
        )
        for name in ("importance", "confidence"):
            if known.has_weights:
                self.fields[name].widget.attrs |= {"step": "0.01"}
            else:
                del self.fields[name]

    def clean_chat(self) -> str:
        """The name of the chat's documents."""
        found = chat_meant(self.bot, self.cleaned_data["chat"])
        if found.problem:
            raise forms.ValidationError(found.problem)
        return found.scope

    def clean(self) -> None:
        given = self.cleaned_data
        if "whose" in given and "chat" in given and not self.scope:
            self.add_error("chat", _("Choose a chat."))
        why = self.known.unsafe(given.get("text", ""))
        if why and not given.get("anyway"):
            self.asks_anyway = True
            self.add_error("text", said(why))

    @property
    def scope(self) -> str:
        """The name of the scope that it goes into; "" if that is not known."""
        return self.known.scope(self.cleaned_data.get("whose", ""), self.cleaned_data.get("chat", ""))

    @property
    def draft(self) -> Draft:
        given = self.cleaned_data
        return Draft(given["kind"], given["text"], given.get("importance", 0.0), given.get("confidence", 0.0))
