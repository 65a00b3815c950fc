"""The form of an entry that somebody adds to a database by hand."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.domain.attributes import AttributesAbility, Details, Draft, Whose
from memory.models import Bot
from memory.web.base.chat_names import chat_meant
from memory.web.base.translation import translate
from memory.web.entries.filters import worded

LONGEST = 20_000  # characters
MOST_SIGNS, MOST_DAYS = 10_000, 36_500


class _Lines(forms.CharField):
    """Texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, tuple) else value

    def to_python(self, value: Any) -> Any:
        return tuple(
            dict.fromkeys(line.strip() for line in (super().to_python(value) or "").splitlines() if line.strip())
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(self.prepare_value(initial)) != self.to_python(data))


class DetailsForm(forms.Form):
    """What a fact says besides its text. A field that nobody touched stays as its file has it by then."""

    title = forms.CharField(
        required=False, max_length=MOST_SIGNS, label=later("Title"), widget=forms.Textarea(attrs={"rows": 1})
    )
    kind = forms.ChoiceField(required=False, label=later("Kind"))
    importance = forms.FloatField(required=False, min_value=0, max_value=1, label=later("Importance"))
    confidence = forms.FloatField(required=False, min_value=0, max_value=1, label=later("Confidence"))
    tags = _Lines(required=False, max_length=MOST_SIGNS, label=later("Tags"), help_text=later("One per line"))
    references = _Lines(
        required=False, max_length=MOST_SIGNS, label=later("References"), help_text=later("One per line")
    )
    days = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_DAYS,
        label=later("Expires after (days)"),
        help_text=later("Counted from the day it was added. Empty: never expires"),
    )

    def __init__(self, data: QueryDict | None, *, known: AttributesAbility, details: Details) -> None:
        super().__init__(data, auto_id="details_%s", initial=asdict(details))
        words = worded(known.kinds)
        nothing = {} if details.kind in words else {details.kind: details.kind or "–"}
        self.fields["kind"] = forms.ChoiceField(
            required=False, choices=list((nothing | words).items()), label=later("Kind")
        )
        for name in ("importance", "confidence"):
            self.fields[name].widget.attrs["step"] = "any"
        for field in self.fields.values():
            field.show_hidden_initial = True

    @property
    def changes(self) -> dict[str, Any]:
        """The details that somebody changed, by their names."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


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
            help_text=translate(known.sentences.whose),
        )
        if not known.is_by_chat:
            del self.fields["chat"]
        for name in ("importance", "confidence"):
            if known.has_weights:
                self.fields[name].widget.attrs |= {"step": "0.01"}
            else:
                del self.fields[name]

    def clean_chat(self) -> str:
        """The name of the chat's documents, or of a user's, of whom nothing need be known yet."""
        typed = self.cleaned_data["chat"]
        found = chat_meant(self.bot, typed)
        if not found.problem:
            return found.scope
        try:
            return self.known.scopes(Whose(sender_id=typed))[0]
        except (ValueError, IndexError):
            raise forms.ValidationError(found.problem) from None

    def clean(self) -> None:
        given = self.cleaned_data
        if "whose" in given and "chat" in given and not self.scope:
            self.add_error("chat", _("Choose a chat."))
        why = self.known.unsafe(given.get("text", ""))
        if why and not given.get("anyway"):
            self.asks_anyway = True
            self.add_error("text", translate(why))

    @property
    def scope(self) -> str:
        """The name of the scope that it goes into; "" if that is not known."""
        return self.known.scope(self.cleaned_data.get("whose", ""), self.cleaned_data.get("chat", ""))

    @property
    def draft(self) -> Draft:
        given = self.cleaned_data
        return Draft(given["kind"], given["text"], given.get("importance", 0.0), given.get("confidence", 0.0))
