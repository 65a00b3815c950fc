"""The addresses of the pages that only a DiscoClaw has."""

from __future__ import annotations

from django.urls import URLPattern, path

from memory.dialects.discoclaw.pages import facts

urlpatterns: list[URLPattern] = [
    path("<slug:slug>/entries/learned", facts.learned, name="learned"),
    path("<slug:slug>/entries/keep", facts.keep, name="learned_keep"),
    path("<slug:slug>/entries/forgotten", facts.forgotten, name="forgotten"),
    path("<slug:slug>/entries/restore", facts.restore, name="facts_restore"),
]
