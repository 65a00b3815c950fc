"""What each kind of finding is called, alone and by the number."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext

from memory.checks import contradictions, facts_alone, leaks, near, past_dates, permissions, stale, structure
from memory.prompts.spill import SPILL
from memory.web.base.gauges import grouped

# The kinds of findings, the worst first: what each is called and how bad it is. Those of families come after them.
KINDS: Mapping[str, tuple[str | Promise, str]] = {
    SPILL: (gettext_lazy("Another chat’s text in a prompt"), "bad"),
    facts_alone.SECRET: (gettext_lazy("Exposed secrets"), "bad"),
    permissions.NAME: (gettext_lazy("Open to others"), "bad"),
    contradictions.NAME: (gettext_lazy("Contradictions"), "warn"),
    leaks.NAME: (gettext_lazy("Wrong chat"), "warn"),
    structure.NAME: (gettext_lazy("Broken structure"), "warn"),
    stale.NAME: (gettext_lazy("Stale"), "warn"),
    facts_alone.TWICE: (gettext_lazy("Duplicates"), ""),
    near.NAME: (gettext_lazy("Nearly the same"), ""),
    past_dates.NAME: (gettext_lazy("Dates in the past"), ""),
}


def counted(rule: str, number: int) -> str:
    """How many findings of a kind there are."""
    if rule == SPILL:
        words = ngettext(
            "%(count)s prompt holds another chat’s text", "%(count)s prompts hold another chat’s text", number
        )
    elif rule == facts_alone.SECRET:
        words = ngettext("%(count)s exposed secret", "%(count)s exposed secrets", number)
    elif rule == facts_alone.TWICE:
        words = ngettext("%(count)s duplicate", "%(count)s duplicates", number)
    elif rule == near.NAME:
        words = ngettext(
            "%(count)s fact said again in nearly the same words",
            "%(count)s facts said again in nearly the same words",
            number,
        )
    elif rule == past_dates.NAME:
        words = ngettext("%(count)s date in the past", "%(count)s dates in the past", number)
    elif rule == permissions.NAME:
        words = ngettext(
            "%(count)s file or directory is open to others", "%(count)s files or directories are open to others", number
        )
    elif rule == structure.NAME:
        words = ngettext("%(count)s broken structure", "%(count)s broken structures", number)
    elif rule == stale.NAME:
        words = ngettext("%(count)s stale fact", "%(count)s stale facts", number)
    elif rule == contradictions.NAME:
        words = ngettext("%(count)s contradiction", "%(count)s contradictions", number)
    elif rule == leaks.NAME:
        words = ngettext(
            "Private fact that every chat can read", "%(count)s private facts that every chat can read", number
        )
    else:
        words = ngettext("%(count)s finding to review", "%(count)s findings to review", number)
    return words % {"count": grouped(number)}
