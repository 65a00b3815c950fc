"""What people send on the webhook's pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as later

from memory.webhook.webhook_secrets import Live


class CallsForm(forms.Form):
    """Which deliveries are asked for, and from where on."""

    outcome = forms.CharField(required=False)
    chat = forms.CharField(required=False, max_length=255, label=later("Chat"))
    day = forms.DateField(
        required=False,
        label=later("Day"),
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": later("Write the day as 2026-11-21.")},
    )
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class SecretForm(forms.Form):
    """A new secret."""

    name = forms.CharField(
        max_length=80, label=later("Name"), help_text=later("Who signs with it, such as the machine or the bot.")
    )


class TrialForm(forms.Form):
    """A call that is sent from the desk, signed with one of the live secrets."""

    chat = forms.CharField(max_length=255, label=later("Chat"), help_text=later("The chat ID, as in its file names."))
    message = forms.CharField(label=later("Message"), widget=forms.Textarea(attrs={"rows": 2}))
    response = forms.CharField(
        required=False,
        strip=False,
        label=later("Reply"),
        help_text=later("Leave empty to have the language model answer."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    secret = forms.ChoiceField(label=later("Signed with"))

    def __init__(self, data: QueryDict | None = None, *, live: Sequence[Live], **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.live = {one.name: one for one in reversed(live)}
        choices = [(name, one.label) for name, one in self.live.items()]
        self.fields["secret"].choices = choices  # type: ignore[attr-defined]

    def turn(self) -> dict[str, str]:
        """The call's fields; without a reply, the bot's answer is asked for. A browser ends lines with CR and LF, a bot with LF."""
        asked = self.cleaned_data
        turn = {"session_id": asked["chat"], "message": asked["message"].replace("\r\n", "\n")}
        response = asked["response"].replace("\r\n", "\n")
        return {**turn, "response": response} if response else turn

    def chosen(self) -> Live:
        """The secret to sign with."""
        return self.live[self.cleaned_data["secret"]]
