"""Every address of the site."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from memory.web.digests import feed
from memory.web.search import everywhere
from memory.web.site import account, bot_directory, bots, login, people, views
from memory.webhook import view

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("health", views.health, name="health"),
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("login", login.login, name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("password", login.password, name="password"),
    path("language", set_language, name="language"),
    path("account", account.account, name="account"),
    path("account/sessions", account.end_session, name="end_session"),
    path("bots/", bots.bots, name="bots"),
    path("bots/add", bots.add, name="bot_add"),
    path("bots/search", everywhere.page, name="search_all"),
    path("bots/sample", bots.sample, name="bot_sample"),
    path("bots/<slug:slug>/directory", bot_directory.page, name="bot_directory"),
    path("bots/<slug:slug>/remove", bots.remove, name="bot_remove"),
    path("bots/<slug:slug>/restore", bots.restore, name="bot_restore"),
    path("people/", people.people, name="people"),
    path("people/add", people.add, name="people_add"),
    path("people/<int:pk>", people.person, name="person"),
    path("people/<int:pk>/link", people.link, name="person_link"),
    path("people/<int:pk>/change", people.change, name="person_change"),
    path("feed/<str:token>", feed.feed, name="feed"),
    path("webhook", view.receive, name="webhook"),
    path("webhook/<slug:slug>", view.receive_for, name="webhook_for"),
    path("api/v1/", include("memory.web.api.urls")),
    path("admin/", include("memory.admin.urls")),
    path("", include("memory.web.urls")),
]
