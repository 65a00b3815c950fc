"""Find a setting: by its name, its help, its group, or by what people call it elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy as later, pgettext_lazy
from django.views.decorators.http import require_safe

from memory.access.permissions import may_operate
from memory.models import Bot
from memory.web.base.frame import PLACES, closed_pages
from memory.web.site.settings import form_of
from memory.web.site.settings_form import fields_of

Words = str | Promise
# The pages that hold settings among other things: the groups, and where they stand.
ELSEWHERE = {"webhooks": (frozenset({"turns"}), "webhook_settings"), "model": (frozenset({"model"}), "model")}
# What people call what stands on a page or is a setting, beside its own words.
CALLED: dict[str, Words] = {
    "model": pgettext_lazy("search", "LLM API provider URL limit"),
    "webhooks": pgettext_lazy("search", "webhook secret signature delivery deliveries"),
    "api": pgettext_lazy("search", "token program access"),
    "notifications": pgettext_lazy("search", "mail email push feed RSS digest alarm"),
    "export": pgettext_lazy("search", "backup download zip restore"),
    "bot_remove": pgettext_lazy("search", "delete bot"),
    "memory_retention_days": pgettext_lazy("search", "retention keep old age"),
    "history_days": pgettext_lazy("search", "retention backup versions"),
    "token_price": pgettext_lazy("search", "cost dollars money"),
    "time_zone": pgettext_lazy("search", "clock timezone hour"),
}
# Settings of whoever looks, which are on the page of their account.
OWN: tuple[tuple[Words, Words, Words], ...] = (
    (later("Theme"), later("Light, dark or as your device"), pgettext_lazy("search", "colour color mode appearance")),
    (later("Language"), later("For this browser"), pgettext_lazy("search", "English Spanish translation")),
    (later("Keyboard shortcuts"), later("Single keys can be turned off"), ""),
    (later("Password"), later("For logging in without a link"), pgettext_lazy("search", "login session")),
)


@dataclass(frozen=True, slots=True)
class SettingHit:
    """A setting: the page it stands on, its address, name and help, and what else it is found by."""

    page: str
    url: str
    name: str
    help: str
    called: str = ""

    def has(self, words: list[str]) -> bool:
        """Whether each of these stands anywhere in it."""
        text = f"{self.page} {self.name} {self.help} {self.called}".casefold()
        return all(word in text for word in words)


@require_safe
def page(request: HttpRequest, bot: Bot) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    words = query.casefold().split()
    every = _every(bot, operates=may_operate(request.user)) if words else ()
    found = [one for one in every if one.has(words)]
    context = {"bot": bot, "place": "settings", "on_no_leaf": True, "query": query, "found": found}
    return render(request, "memory/site/settings_find.html", context)


def _every(bot: Bot, *, operates: bool) -> Iterator[SettingHit]:
    """All that is set for a bot, or for who looks; pages by themselves behind what stands on them."""
    closed = closed_pages(bot.dialect, has_chats=True, has_days=True)
    (place,) = (place for place in PLACES if place.name == "settings")
    pages = [one for one in place.pages if one.name not in closed and (operates or not one.for_operators)]
    for one in pages:
        groups, route = ELSEWHERE.get(one.name, (one.groups, one.name))
        if groups and fields_of(bot, groups):
            yield from _fields(bot, groups, str(one.label), reverse(f"memory:{route}", args=[bot.slug]))
    for one in pages:
        if not one.groups:
            yield SettingHit(str(one.label), one.url(bot.slug), str(one.label), "", str(CALLED.get(one.name, "")))
    for name, told, called in OWN:
        yield SettingHit(_("Account"), reverse("account"), str(name), str(told), str(called))


def _fields(bot: Bot, groups: frozenset[str], label: str, url: str) -> Iterator[SettingHit]:
    for part in form_of(bot, groups).sections():
        for row in part.rows:
            name = row.field.name
            called = f"{part.title} {part.words} {name.replace('_', ' ')} {CALLED.get(name, '')}"
            at = f"{url}#{row.field.id_for_label}"
            yield SettingHit(label, at, str(row.field.label), str(row.field.help_text), called)
