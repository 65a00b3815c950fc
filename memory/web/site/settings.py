"""A bot's settings: the pages that are made of them, and saving them wherever they stand."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memory.access.permissions import bot_or_404, may_operate
from memory.bots import open_bot
from memory.models import Bot
from memory.text.sentences import say
from memory.web.base import time_zones
from memory.web.base.frame import PAGES
from memory.web.base.responses import View, closed_by
from memory.web.site.bot_candidate import root_words
from memory.web.site.setting_conflicts import doubts
from memory.web.site.settings_form import GeneralForm, SettingsForm, fields_of


def asked(request: HttpRequest, bot: Bot, groups: Collection[str]) -> SettingsForm:
    """The form of the settings of these groups, filled with what was sent."""
    kind = GeneralForm if "" in groups else SettingsForm
    return kind(request.POST if request.method == "POST" else None, bot=bot, groups=groups)


def saved(request: HttpRequest, form: SettingsForm) -> bool:
    """Save the form if it can be, and say so."""
    if not form.is_valid():
        return False
    form.save()
    messages.success(request, _("Settings saved"))
    return True


def _page(name: str) -> View:
    """The view of a page of the frame that is made of settings."""
    (page,) = (page for page in PAGES if page.name == name)

    def lacking(bot: Bot) -> str:
        return "" if fields_of(bot, page.groups) else say("%(bot)s has no settings of this kind.", bot=bot.name)

    @require_http_methods(["GET", "HEAD", "POST"])
    @closed_by(lacking)
    def shown(request: HttpRequest, slug: str) -> HttpResponse:
        bot = bot_or_404(request, slug)
        form = asked(request, bot, page.groups)
        if saved(request, form):
            return redirect(page.url(bot.slug))
        context = {"bot": bot, "place": name, "label": page.label, "form": form, "doubts": doubts(bot, page.groups)}
        context |= _of_the_bot(request, bot) if "" in page.groups else {}
        return render(request, "memory/site/settings.html", context, status=422 if form.errors else 200)

    return shown


def asked_form(bot: Bot, groups: Collection[str]) -> SettingsForm:
    """The form of the settings of these groups as they are."""
    return (GeneralForm if "" in groups else SettingsForm)(None, bot=bot, groups=groups)


def _of_the_bot(request: HttpRequest, bot: Bot) -> dict[str, object]:
    """What the first page says besides."""
    roots = [(root_words(name), path) for name, path in bot.directories.items()] if may_operate(request.user) else []
    warnings = open_bot(bot).dialect.warnings(open_bot(bot).settings)
    return {"is_general": True, "zones": time_zones.offered(), "warnings": warnings, "roots": roots}


general, reads, compaction, costs = map(_page, ("settings", "settings_reads", "settings_compaction", "settings_costs"))
