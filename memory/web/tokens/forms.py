"""What people send on the API's page."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as later

from memory.models import ApiToken

SCOPES = {
    ApiToken.Scope.READ: later("Read only"),
    ApiToken.Scope.WRITE: later("Read and write"),
    ApiToken.Scope.ADMIN: later("Read, write and manage API keys"),
}


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(
        max_length=80, label=later("Name"), help_text=later("The program that uses it. History shows this name.")
    )
    scope = forms.ChoiceField(label=later("Access"), choices=list(SCOPES.items()), initial=ApiToken.Scope.READ)
