"""The people who may come in: added, made operators, sent away, and where they are logged in."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memory.domain.changes import digest
from memory.models import LoginLink, Session


def operators() -> QuerySet[User]:
    """Those who run this Kenoweb and may come in."""
    return get_user_model().objects.filter(is_superuser=True, is_active=True)


@transaction.atomic
def set_operator(user: User, wanted: bool, by: User) -> str:
    """Let somebody run this Kenoweb, or no longer. Returns why not, "" if it is done."""
    if why := "" if wanted else _needed(user, by):
        return why
    user.is_superuser = user.is_staff = wanted
    user.save(update_fields=["is_superuser", "is_staff"])
    return ""


@transaction.atomic
def set_active(user: User, wanted: bool, by: User) -> str:
    """Let somebody in again, or no longer: then their sessions and links end at once. Returns why not, "" if it is done."""
    if why := "" if wanted else _needed(user, by):
        return why
    user.is_active = wanted
    user.save(update_fields=["is_active"])
    if not wanted:
        end_sessions(user)
        LoginLink.objects.filter(user=user, used=None).delete()
    return ""


def _needed(user: User, by: User) -> str:
    if user.pk == by.pk:
        return _("You can’t do this to yourself. Ask another operator. Nothing was changed.")
    others = operators().exclude(pk=user.pk).select_for_update()
    if user.is_superuser and not others:
        return _("Kenoweb would have no operator left. Make someone else an operator first. Nothing was changed.")
    return ""


def sessions(user: User) -> QuerySet[Session]:
    """Where somebody is logged in now, the latest first."""
    return Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-started", "session_key")


def reference(session_key: str) -> str:
    """What a page calls a session: the key itself would let in whoever reads it."""
    return digest(session_key.encode())[:24]


def end_session(user: User, named: str) -> bool:
    """End one of somebody's sessions by its reference; False if there is none of that name."""
    keys = [one.session_key for one in sessions(user).only("session_key") if reference(one.session_key) == named]
    return bool(Session.objects.filter(session_key__in=keys).delete()[0])


def end_sessions(user: User, but: str | None = None) -> int:
    """End all of somebody's sessions but the one with this key. Returns how many were open."""
    return Session.objects.filter(user=user).exclude(session_key=but or "").delete()[0]
