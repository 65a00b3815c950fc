"""One-time login links: valid once, for ten minutes, and kept as a hash only."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from memory.domain.changes import digest
from memory.models import LoginLink

LIFETIME = timedelta(minutes=10)
OWNER = "owner"


def owner() -> User | None:
    """The oldest superuser who may log in, made without a password if there is no user at all; None if there is none."""
    users = get_user_model()
    found = users.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if found is not None or users.objects.exists():
        return found
    return users.objects.create_superuser(OWNER)


def new_link(user: User) -> str:
    """A path such as `/login?token=…` that logs this user in once. Links that are over are forgotten on the way."""
    token = secrets.token_urlsafe(32)
    LoginLink.objects.filter(expires__lt=timezone.now() - LIFETIME).delete()
    LoginLink.objects.create(user=user, token_hash=_hash(token), expires=timezone.now() + LIFETIME)
    return f"{reverse('login')}?token={token}"


def is_open(token: str) -> bool:
    """Whether a token would let somebody in; asking does not use it."""
    return _open(token).exists()


def redeem(token: str) -> User | None:
    """Use a token: its user, once, in time and if still active; else None."""
    link = _open(token).select_related("user").first()
    if link is None or not _open(token).update(used=timezone.now()):
        return None
    return link.user


def _open(token: str) -> QuerySet[LoginLink]:
    return LoginLink.objects.filter(
        token_hash=_hash(token), used=None, expires__gt=timezone.now(), user__is_active=True
    )


def _hash(token: str) -> str:
    return digest(token.encode("utf-8", "surrogateescape"))
