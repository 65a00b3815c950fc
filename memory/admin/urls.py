"""The admin's addresses, with the desk's own page to log in."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from memory.admin import site
from memory.web.site import login

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", login.from_our_page(site.login), name="admin_login"),
    path("", site.urls),
]
