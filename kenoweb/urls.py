"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path

from memory import webhooks
from memory.views import login, site

urlpatterns: list[URLPattern | URLResolver] = [
    path("", site.home, name="home"),
    path("health", site.health, name="health"),
    path("robots.txt", site.robots, name="robots"),
    path("favicon.ico", site.favicon, name="favicon"),
    path("login", login.login, name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("password", login.password, name="password"),
    path("webhook", webhooks.receive, name="webhook"),
    path("webhook/<slug:slug>", webhooks.receive_for, name="webhook_for"),
    path("admin/", admin.site.urls),
    path("", include("memory.urls")),
]
