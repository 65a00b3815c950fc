"""What asking the language model cost, for people."""

from __future__ import annotations

from django.utils import formats

MICROS = 1_000_000


def dollars(micros: int) -> str:
    """`$1.20`, `$0.0031`, from millionths of a dollar: as many places as say something; "" for none."""
    if not micros:
        return ""
    amount = micros / MICROS
    return f"${formats.number_format(amount, 2 if amount >= 1 else 4, force_grouping=True)}"
