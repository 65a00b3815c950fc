"""What each kind of finding is called, alone and by the number."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext_lazy

from memory.checks import (
    contradictions,
    facts_alone,
    injection,
    leaks,
    near,
    never_loaded,
    past_dates,
    permissions,
    references,
    removals,
    stale,
    structure,
)
from memory.prompts.spill import SPILL
from memory.web.base.gauges import grouped

# The rules, the worst first: what the kind of their findings is called and how bad it is. Those of families come after them.
KINDS: Mapping[str, tuple[str | Promise, str]] = {
    SPILL: (gettext_lazy("Another chat’s text in a prompt"), "bad"),
    removals.NAME: (gettext_lazy("Much removed"), "bad"),
    facts_alone.SECRET: (gettext_lazy("Exposed secrets"), "bad"),
    injection.NAME: (gettext_lazy("Injected prompts"), "bad"),
    never_loaded.NAME: (gettext_lazy("Never loaded"), "bad"),
    permissions.NAME: (gettext_lazy("Open to others"), "bad"),
    contradictions.NAME: (gettext_lazy("Contradictions"), "warn"),
    leaks.NAME: (gettext_lazy("Wrong chat"), "warn"),
    structure.NAME: (gettext_lazy("Broken structure"), "warn"),
    stale.NAME: (gettext_lazy("Stale"), "warn"),
    facts_alone.PERSONAL: (gettext_lazy("Personal data"), ""),
    facts_alone.TWICE: (gettext_lazy("Duplicates"), ""),
    near.NAME: (gettext_lazy("Duplicates"), ""),
    past_dates.NAME: (gettext_lazy("Dates in the past"), ""),
    references.NAME: (gettext_lazy("Broken references"), ""),
}
_OF_ONE_KIND = {near.NAME: facts_alone.TWICE}  # a rule -> the one whose findings are the same to people
_ACTS = {contradictions.NAME: gettext_lazy("Compare"), facts_alone.TWICE: gettext_lazy("Merge")}

_COUNTS = {
    SPILL: ngettext_lazy(
        "%(count)s prompt holds another chat’s text", "%(count)s prompts hold another chat’s text", "number"
    ),
    removals.NAME: ngettext_lazy(
        "%(count)s file lost many of its facts", "%(count)s files lost many of their facts", "number"
    ),
    facts_alone.SECRET: ngettext_lazy("%(count)s exposed secret", "%(count)s exposed secrets", "number"),
    injection.NAME: ngettext_lazy(
        "%(count)s fact looks like an injected prompt", "%(count)s facts look like injected prompts", "number"
    ),
    never_loaded.NAME: ngettext_lazy(
        "%(count)s file is not loaded in full", "%(count)s files are not loaded in full", "number"
    ),
    permissions.NAME: ngettext_lazy(
        "%(count)s file or directory is open to others", "%(count)s files or directories are open to others", "number"
    ),
    contradictions.NAME: ngettext_lazy("%(count)s contradiction", "%(count)s contradictions", "number"),
    leaks.NAME: ngettext_lazy(
        "Private fact that every chat can read", "%(count)s private facts that every chat can read", "number"
    ),
    structure.NAME: ngettext_lazy("%(count)s broken structure", "%(count)s broken structures", "number"),
    stale.NAME: ngettext_lazy("%(count)s stale fact", "%(count)s stale facts", "number"),
    facts_alone.PERSONAL: ngettext_lazy(
        "%(count)s fact with personal data", "%(count)s facts with personal data", "number"
    ),
    facts_alone.TWICE: ngettext_lazy("%(count)s duplicate", "%(count)s duplicates", "number"),
    past_dates.NAME: ngettext_lazy("%(count)s date in the past", "%(count)s dates in the past", "number"),
    references.NAME: ngettext_lazy("%(count)s broken reference", "%(count)s broken references", "number"),
}
_OTHERS = ngettext_lazy("%(count)s finding to review", "%(count)s findings to review", "number")


def kind_of(rule: str) -> str:
    """The rule that gives a finding's kind its name: a duplicate is one in nearly the same words, too."""
    return _OF_ONE_KIND.get(rule, rule)


def rules_of(kind: str) -> list[str]:
    """Whose findings are of this kind."""
    return [kind, *(rule for rule, told_as in _OF_ONE_KIND.items() if told_as == kind)]


def act_of(kind: str) -> str:
    """The word on the button that leads to the findings of a kind."""
    return str(_ACTS.get(kind) or gettext("Review"))


def how_many(rule: str, number: int) -> str:
    """How many findings of a kind there are."""
    return _COUNTS.get(rule, _OTHERS) % {"number": number, "count": grouped(number)}
