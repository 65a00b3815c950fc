"""The addresses of the pages that only a DiscoClaw has."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from memory.dialects.discoclaw.layout import NAME
from memory.dialects.discoclaw.pages import facts
from memory.web.routes import of_bot

of_discoclaw = partial(of_bot, family=NAME)
urlpatterns: list[URLPattern] = [
    of_discoclaw("entries/learned", facts.learned, name="learned"),
    of_discoclaw("entries/keep", facts.keep, name="learned_keep"),
    of_discoclaw("entries/forgotten", facts.forgotten, name="forgotten"),
    of_discoclaw("entries/restore", facts.restore, name="facts_restore"),
]
