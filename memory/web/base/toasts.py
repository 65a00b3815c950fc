"""What the next page tells, until it is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest, HttpResponse

from memory.domain.outcomes import Refused
from memory.models import ChangeSet
from memory.web.base.translation import translate


class Toasts(FallbackStorage):
    """Tells a thing once, however often it was added: each tab at the page of a job asks again until its next page comes."""

    def _store(self, messages: Iterable[Message], response: HttpResponse, *args: Any, **kwargs: Any) -> Any:
        told = {(one.level, str(one.message), one.extra_tags): one for one in messages}
        return super()._store(list(told.values()), response, *args, **kwargs)  # type: ignore[misc]  # the stubs lack it


def say_done(request: HttpRequest, words: str, made: ChangeSet | Refused | None) -> None:
    """Say that something is done, with Undo where it `made` a change; of an act that was refused say why."""
    if isinstance(made, Refused):
        messages.error(request, translate(made.reason))
    else:
        messages.success(request, words, extra_tags=f"undo-{made.pk}" if made else "")
