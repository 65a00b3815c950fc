"""The admin, for operators: bots, what was changed and delivered, jobs, people; with DEBUG every row there is. History and
deliveries can be read only; secrets are never shown."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from memory.access.permissions import may_operate
from memory.admin import bots, history, jobs, people
from memory.admin.base import details_of
from memory.models import Bot, ChangeSet, ChecksRun, Delivery, Job, Root

__all__ = ["bots", "history", "jobs", "people", "site"]

# In the order in which they are listed, with what one and several of them are called.
SHOWN = {
    Bot: (gettext_lazy("bot"), gettext_lazy("bots")),
    ChangeSet: (gettext_lazy("change"), gettext_lazy("changes")),
    Delivery: (gettext_lazy("delivery"), gettext_lazy("deliveries")),
    Job: (gettext_lazy("job"), gettext_lazy("jobs")),
    User: (gettext_lazy("person"), gettext_lazy("people")),
}
# What their columns are called.
CREATED, START, END = gettext_lazy("created"), gettext_lazy("start"), gettext_lazy("end")
COLUMNS: dict[type[Model], dict[str, Promise]] = {
    Bot: {
        "slug": gettext_lazy("address"),
        "name": gettext_lazy("name"),
        "time_zone": gettext_lazy("time zone"),
        "is_sample": gettext_lazy("sample"),
        "from_environment": gettext_lazy("from the environment"),
        "standard_webhooks_only": gettext_lazy("Standard Webhooks only"),
        "created": CREATED,
        "walked": gettext_lazy("last read"),
        "trouble": gettext_lazy("problem"),
        "removed": gettext_lazy("removed"),
    },
    Root: {"name": gettext_lazy("name"), "path": gettext_lazy("path")},
    ChangeSet: {"created": CREATED, "finished": END},
    Job: {"created": CREATED, "started": START, "finished": END, "attempt": gettext_lazy("attempt")},
    Delivery: {
        "session_id": gettext_lazy("chat ID"),
        "message_id": gettext_lazy("message ID"),
        "webhook_id": gettext_lazy("webhook ID"),
        "body_sha256": gettext_lazy("SHA-256 of the message"),
        "body": gettext_lazy("message"),
        "answer": gettext_lazy("answer"),
        "status": gettext_lazy("HTTP status"),
        "milliseconds": gettext_lazy("milliseconds"),
        "received": gettext_lazy("received"),
        "secret": gettext_lazy("secret"),
        "trial": gettext_lazy("test delivery"),
    },
}
PARTS = {Root: (gettext_lazy("directory"), gettext_lazy("directories"))}
FOR_DEBUGGING = {ChecksRun: ("run of checks", "runs of checks")}


def _app_list(request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
    """What operators need as one list, whatever app a model comes from; behind it the rest of an app or of all, if there is any."""
    whole = admin.AdminSite.get_app_list(admin.site, request)
    rows = {row["model"]: row for one in whole for row in one["models"]}
    ours = [rows[model] for model in SHOWN if model in rows]
    asked = [one for one in whole if app_label in (None, one["app_label"])]
    rest = [one | {"models": [row for row in one["models"] if row["model"] not in SHOWN]} for one in asked]
    own = apps.get_app_config("memory")
    first = {"name": own.verbose_name, "app_label": own.label, "app_url": "", "has_module_perms": True, "models": ours}
    return [one for one in (first, *rest) if one["models"]]


def leave_out(site: admin.AdminSite) -> dict[type[Model], type[admin.ModelAdmin[Any]]]:
    """Take from a site whatever operators do not need; what was taken."""
    others = [one for one in apps.get_models() if site.is_registered(one) and one not in SHOWN]
    left = {model: type(site.get_model_admin(model)) for model in others}
    site.unregister(others)
    return left


site = admin.site
# Whoever may use the admin may read every memory and name directories: operators, not merely staff.
admin.site.has_permission = lambda request: may_operate(request.user)  # type: ignore[method-assign]
admin.site.get_app_list = _app_list  # type: ignore[method-assign]
admin.site.site_header = gettext_lazy("Kenoweb admin")
admin.site.site_title = "Kenoweb"
for model, (one, several) in (SHOWN | PARTS | FOR_DEBUGGING).items():
    model._meta.verbose_name, model._meta.verbose_name_plural = one, several
# Whose list People is in, which the way above each of their pages says and leads to.
apps.get_app_config(User._meta.app_label).verbose_name = apps.get_app_config("memory").verbose_name
for model, columns in COLUMNS.items():
    for name, words in columns.items():
        model._meta.get_field(name).verbose_name = words  # type: ignore[union-attr]
for model in apps.get_app_config("memory").get_models():
    if not admin.site.is_registered(model):
        admin.site.register(model, details_of(model))
admin.autodiscover()  # what other apps have, so that it can be left out
details = {} if settings.DEBUG else leave_out(admin.site)
