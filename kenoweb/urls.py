"""Every address of the site."""

from __future__ import annotations

from importlib.util import find_spec

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path

from memory.views import login, site

urlpatterns: list[URLPattern | URLResolver] = [
    path("", site.home, name="home"),
    path("health", site.health, name="health"),
    path("robots.txt", site.robots, name="robots"),
    path("favicon.ico", site.favicon, name="favicon"),
    path("login", login.login, name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("password", login.password, name="password"),
    path("admin/", admin.site.urls),
]
for part in ("memory.webhooks", "memory.urls"):  # until both have landed
    if find_spec(part) is None:
        continue
    if part == "memory.urls":
        urlpatterns.append(path("", include(part)))
    else:
        from memory import webhooks

        urlpatterns += [
            path("webhook", webhooks.receive, name="webhook"),
            path("webhook/<slug:slug>", webhooks.receive_for, name="webhook_for"),
        ]
