"""What each person wants to hear of, with what is secret about it: the address of their service and that of their feed."""

from __future__ import annotations

import re
import secrets
from datetime import date
from hashlib import sha256

from django.contrib.auth.models import User
from django.db.models import Max, QuerySet

from memory.access import encryption
from memory.models import Notice, Subscription

BYTES = 32
_FORM = re.compile(r"[\w-]{43}", re.ASCII)


def of(user: User) -> Subscription:
    """What somebody wants to hear of; a row that is not kept yet if they never said."""
    return Subscription.objects.filter(user=user).first() or Subscription(user=user)


def live() -> QuerySet[Subscription]:
    """Those of people who may come in."""
    return Subscription.objects.filter(user__is_active=True).select_related("user").order_by("pk")


def told_until(subscription: Subscription) -> date | None:
    """Up to which day somebody has been told; None if never."""
    found: date | None = Notice.objects.filter(user=subscription.user).aggregate(last=Max("until"))["last"]
    return found


def service_address(subscription: Subscription) -> str:
    """The address of somebody's service, "" for none. Raises BrokenSeal."""
    sealed = subscription.service
    return encryption.unseal(sealed).decode() if sealed else ""


def set_service(subscription: Subscription, address: str, name: str) -> None:
    """Keep the address of a service, encrypted; "" takes it away."""
    subscription.service = encryption.seal(address.encode()) if address else None
    subscription.service_name = name if address else ""
    subscription.save()


def new_feed(subscription: Subscription) -> str:
    """A new private word for somebody's feed, shown once; the one before opens nothing any more."""
    word = secrets.token_urlsafe(BYTES)
    subscription.feed_hash = _hash(word)
    subscription.save()
    return word


def end_feed(subscription: Subscription) -> None:
    """Take the feed away."""
    subscription.feed_hash = None
    subscription.save()


def of_feed(word: str) -> Subscription | None:
    """Whose feed has this private word; None if it is nobody's, or of somebody who may not come in."""
    return live().filter(feed_hash=_hash(word)).first() if _FORM.fullmatch(word) else None


def _hash(word: str) -> str:
    return sha256(word.encode()).hexdigest()
