"""The addresses as they are with DEBUG: the admin has every row there is."""

from __future__ import annotations

from django.contrib import admin
from django.urls import path

import kenoweb.urls
from memory.admin import SHOWN, details

site = admin.AdminSite()
site.has_permission = admin.site.has_permission
for model, kind in {**{model: type(admin.site.get_model_admin(model)) for model in SHOWN}, **details}.items():
    site.register(model, kind)
urlpatterns = [
    path("admin/", site.urls),
    *(one for one in kenoweb.urls.urlpatterns if str(one.pattern) != "admin/"),
]
