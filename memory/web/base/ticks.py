"""What somebody ticked in a table of suggestions, on this page of it and on others."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict

from memory.domain.plan import Choice
from memory.text.storable import keepable

_SENT = ("leave", "move", "shown", "pick", "offered", "take", "log_shown", "log")


def choice(data: Mapping[str, str]) -> Choice:
    """What is shown and not ticked is left; what is offered and ticked moves; the rest is as it was chosen before."""
    sent = {name: _listed(data, name) for name in _SENT}
    left = (sent["shown"] - sent["pick"]) | (sent["log_shown"] - sent["log"])
    leave = (sent["leave"] - sent["shown"] - sent["log_shown"]) | left
    return Choice(leave, (sent["move"] - sent["offered"]) | (sent["offered"] & sent["take"]))


def unfolded(data: Mapping[str, str]) -> frozenset[str]:
    """The rows of several alike that somebody wants to decide one by one."""
    return (_listed(data, "unfolded") | _listed(data, "unfold")) - _listed(data, "fold")


def _listed(data: Mapping[str, str], name: str) -> frozenset[str]:
    return frozenset(keepable(one) for one in data.getlist(name)) if isinstance(data, QueryDict) else frozenset()
