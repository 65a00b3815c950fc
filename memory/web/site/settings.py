"""A bot's settings: the pages that are made of them, and saving them wherever they stand."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory.access.permissions import may_operate
from memory.bots import open_bot
from memory.models import Bot
from memory.text.sentences import say
from memory.web.base import time_zones
from memory.web.base.frame import PAGES
from memory.web.base.responses import View, closed_by
from memory.web.site.bot_candidate import root_words
from memory.web.site.setting_conflicts import doubts
from memory.web.site.settings_form import GeneralForm, SettingsForm, fields_of


def form_of(bot: Bot, groups: Collection[str], sent: QueryDict | None = None) -> SettingsForm:
    """The form of the settings of these groups as they are, or filled with what was sent."""
    return (GeneralForm if "" in groups else SettingsForm)(sent, bot=bot, groups=groups)


def asked(request: HttpRequest, bot: Bot, groups: Collection[str]) -> SettingsForm:
    """The same for a request that may send it."""
    return form_of(bot, groups, request.POST if request.method == "POST" else None)


def saved(request: HttpRequest, form: SettingsForm) -> bool:
    """Save the form if it can be, and say so."""
    if not form.is_valid():
        return False
    form.save()
    messages.success(request, _("Settings saved"))
    return True


def settings_page(
    groups: frozenset[str], route: str, template: str = "memory/site/settings.html", **about: object
) -> View:
    """The view of a page that is made of the settings of these groups; a bot that has none of them has no such page."""

    def lacks(bot: Bot) -> str:
        return "" if fields_of(bot, groups) else say("%(bot)s has no settings of this kind.", bot=bot.name)

    @require_http_methods(["GET", "HEAD", "POST"])
    @closed_by(lacks)
    def shown(request: HttpRequest, bot: Bot) -> HttpResponse:
        form = asked(request, bot, groups)
        if saved(request, form):
            return redirect(f"memory:{route}", bot.slug)
        context = {"bot": bot, "form": form, "doubts": doubts(bot, groups), **about}
        context |= _of_the_bot(request, bot) if "" in groups else {}
        return render(request, template, context, status=422 if form.errors else 200)

    return shown


def _of_the_bot(request: HttpRequest, bot: Bot) -> dict[str, object]:
    """What the first page says besides."""
    roots = [(root_words(name), path) for name, path in bot.directories.items()] if may_operate(request.user) else []
    warnings = open_bot(bot).dialect.warnings(open_bot(bot).settings)
    return {"is_general": True, "zones": time_zones.offered(), "warnings": warnings, "roots": roots}


general, reads, compaction, costs = (
    settings_page(page.groups, page.name, place=page.name, label=page.label) for page in PAGES if page.groups
)
webhooks = settings_page(
    frozenset({"turns"}), "webhook_settings", "memory/webhooks/settings.html", place="webhooks", tab="settings"
)
