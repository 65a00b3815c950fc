"""What asking the language model cost, for people."""

from __future__ import annotations

from django.utils import formats
from django.utils.translation import gettext as _

MICROS = 1_000_000
LEAST = 50  # millionths of a dollar that four places can say


def dollars(micros: int) -> str:
    """`$1.20`, `$0.0031`, from millionths of a dollar: as many places as say something; "" for none."""
    if not micros:
        return ""
    if micros < LEAST:
        return _("under $0.0001")
    places = 2 if micros >= MICROS else 4
    return f"${formats.number_format(round(micros / MICROS, places), places, force_grouping=True)}"
