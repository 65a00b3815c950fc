"""A time zone as people type it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext as _, gettext_lazy as later


@cache
def zone_names() -> frozenset[str]:
    """The names of all time zones: gathered once, since that walks the zones' directory."""
    return frozenset(available_timezones())


def offered() -> Sequence[str]:
    """All zones in the order in which inputs offer them."""
    return sorted(zone_names())


class ZoneField(forms.CharField):
    """The name of a time zone; the page offers the known ones in a datalist called `zones`."""

    def __init__(self, **given: Any) -> None:
        words = later("The bot’s day ends at midnight in this zone. Choose the one the bot itself uses; many use UTC.")
        super().__init__(**{"max_length": 64, "label": later("Time zone"), "help_text": words, **given})
        self.widget.attrs["list"] = "zones"

    def clean(self, value: Any) -> str:
        zone: str = super().clean(value)
        if zone not in zone_names():
            raise forms.ValidationError(_("Unknown time zone. Write it like America/Mexico_City."))
        return zone
