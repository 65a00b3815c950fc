"""The form of what one person wants to hear of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _, gettext_lazy as later

from memory.access.permissions import may_operate
from memory.digests import services, subscriptions
from memory.domain.errors import Refusal
from memory.models import Subscription
from memory.web.base.time_zones import ZoneField
from memory.web.base.translation import translate
from memory.web.site.settings_form import NO, YES, Section, SettingRow

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]
LONGEST = 2000  # characters of an address


def _choice(choices: list[tuple[str, Any]], label: Any, help_text: Any = "") -> forms.TypedChoiceField:
    """Yes or no, in words."""
    return forms.TypedChoiceField(coerce=lambda value: value == YES, choices=choices, label=label, help_text=help_text)


class SubscriptionForm(forms.Form):
    """How often, what of it, and by which ways. The address of a service goes in and never comes out."""

    often = forms.ChoiceField(
        label=later("Digest"),
        choices=[
            (Subscription.Often.NEVER, later("never")),
            (Subscription.Often.DAILY, later("every day")),
            (Subscription.Often.WEEKLY, later("every Monday")),
        ],
        help_text=later(
            "What was learned, what to review, what will be deleted, what the model cost. If nothing is new, nothing is sent."
        ),
    )
    hour = forms.TypedChoiceField(label=later("Not before"), coerce=int, choices=HOURS)
    time_zone = ZoneField(help_text=later("Your own time zone: it decides when your day begins."))
    urgent = _choice(
        [(NO, later("no")), (YES, later("yes, at once"))],
        later("Urgent messages"),
        later("Missing files, a failing recall test, much of a file removed outside Kenoweb. Each is sent once."),
    )
    facts = _choice(
        [(NO, later("counts only")), (YES, later("counts and facts"))],
        later("Content"),
        later("With facts, text from memory goes out by mail, service and feed."),
    )
    mail = forms.EmailField(required=False, label=later("Mail address"))
    service = forms.CharField(
        required=False,
        max_length=LONGEST,
        label=later("Service"),
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=later(
            "An Apprise address, like ntfys://ntfy.sh/my-topic or discord://id/token. It is stored encrypted and not shown again."
        ),
    )

    def __init__(self, data: Any, *, subscription: Subscription, zone: str) -> None:
        self.subscription = subscription
        one = subscription
        now = {
            "often": one.often,
            "hour": one.hour,
            "time_zone": zone if one._state.adding else one.time_zone,
            "urgent": YES if one.urgent else NO,
            "facts": YES if one.facts else NO,
            "mail": one.mail,
        }
        super().__init__(data, initial=now)

    def sections(self) -> Iterator[Section]:
        """What, and by which ways."""
        yield Section("what", _("What to send"), "", [self._row(name) for name in self._what()])
        yield Section("ways", _("How it reaches you"), "", [self._row(name) for name in ("mail", "service")])

    def clean_service(self) -> str:
        """The address, if it is one that may be used; the process that knows the services says so."""
        address: str = self.cleaned_data["service"].strip()
        self.service_name = ""
        if address:
            try:
                inside = may_operate(self.subscription.user)
                self.service_name = services.named(address, inside=inside).name
            except Refusal as error:
                raise forms.ValidationError(translate(str(error))) from None
        return address

    def save(self, language: str, desk: str) -> None:
        """Keep it, with the language that its person reads and where they opened the desk. An empty service is the one before."""
        one = self.subscription
        for name in (*self._what(), "mail"):
            setattr(one, name, self.cleaned_data[name])
        one.language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        one.desk = desk[: Subscription._meta.get_field("desk").max_length]
        one.save()
        if self.cleaned_data["service"]:
            subscriptions.set_service(one, self.cleaned_data["service"], self.service_name)

    def _what(self) -> tuple[str, ...]:
        return "often", "hour", "time_zone", "urgent", "facts"

    def _row(self, name: str) -> SettingRow:
        field, otherwise = self[name], ""
        if name == "service" and self.subscription.service_name:
            otherwise = _("%(service)s is set. Leave empty to keep it.") % {"service": self.subscription.service_name}
        return SettingRow(field, "" if field.initial is None else str(field.initial), otherwise=otherwise)
