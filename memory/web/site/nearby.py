"""Memories on this machine that may be added, in words."""

from __future__ import annotations

from datetime import UTC, datetime

from django.utils.translation import gettext as _

from memory.bots import families
from memory.registry.nearby import Nearby, nearby
from memory.web.base.dates import ago
from memory.web.base.gauges import number_of
from memory.web.base.translation import translate


def rows() -> list[dict[str, object]]:
    """The memories nearby, each with its directory and what is there as far as names tell. Their paths are for operators alone."""
    return [{"path": str(one.directory), "about": _about(one), "is_readable": not one.error} for one in nearby()]


def _about(one: Nearby) -> str:
    label = translate(
        dict(families.choices()).get(one.family) or families.dialect(families.split_name(one.family)[0]).label
    )
    if one.error:
        return _("%(type)s · can’t be read: %(reason)s") % {"type": label, "reason": one.error}
    files = number_of("%(count)s file", "%(count)s files", one.files)
    if one.is_cut:
        return _("%(type)s · more than %(files)s") % {"type": label, "files": files}
    newest = ago(datetime.fromtimestamp(one.newest, UTC))
    return _("%(type)s · %(files)s, newest %(ago)s") % {"type": label, "files": files, "ago": newest}
