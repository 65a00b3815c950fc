"""What people send on the API's page."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as later

from memory.models import ApiToken

SCOPES = {
    ApiToken.Scope.READ: later("read"),
    ApiToken.Scope.WRITE: later("read and write"),
    ApiToken.Scope.ADMIN: later("read, write and look after tokens"),
}


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(
        max_length=80, label=later("Name"), help_text=later("Which program it is for. The history calls it so.")
    )
    scope = forms.ChoiceField(label=later("It may"), choices=list(SCOPES.items()), initial=ApiToken.Scope.READ)
