"""The addresses of the API."""

from __future__ import annotations

from django.urls import path, re_path

from memory.web.api.application import addresses
from memory.web.api.authentication import door, missing
from memory.web.api.reference import docs, openapi

urlpatterns = [
    path("openapi.json", openapi, name="openapi"),
    path("docs", docs, name="api_docs"),
    *addresses(),
    re_path(r"^[\s\S]*\Z", door(missing)),  # a line end may stand in an address too
]
