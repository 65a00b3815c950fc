"""The bots and their directories, with what can be done to several bots at once."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from memory import journal, llm
from memory.admin.base import ModelAdmin, ModelForm, TabularInline
from memory.bots import directories, families
from memory.compaction import consolidation, runner
from memory.domain.errors import Refusal, VaultError
from memory.domain.outcomes import Refused
from memory.models import Bot, Root
from memory.web.base.headlines import compacted
from memory.web.base.translation import translate


class RootForm(ModelForm):
    """A directory, refused like everywhere else where it cannot be a bot's."""

    def clean_path(self) -> str:
        try:
            return str(directories.usable(Path(self.cleaned_data["path"])))
        except Refusal as refused:
            raise forms.ValidationError(str(refused)) from None


class RootInline(TabularInline):
    model = Root
    form = RootForm
    extra = 0


class BotForm(ModelForm):
    """A bot's row."""

    def clean_time_zone(self) -> str:
        zone = self.cleaned_data["time_zone"]
        try:
            ZoneInfo(zone)
        except (LookupError, ValueError, OSError):
            raise forms.ValidationError("There is no such time zone; write it like Europe/Madrid.") from None
        return str(zone)


def _types() -> dict[str, str]:
    """What each type of bot is called."""
    return {one.name: one.dialect.label for one in families.every()}


class BotType(admin.SimpleListFilter):
    """Bots by their type, by the names that people know."""

    title = gettext_lazy("bot type")
    parameter_name = "dialect"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return list(_types().items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Bot]) -> QuerySet[Bot]:
        return queryset.filter(dialect=self.value()) if self.value() else queryset


class Removed(admin.SimpleListFilter):
    """Bots that were removed, or those that are there."""

    title = gettext_lazy("removed")
    parameter_name = "removed"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Bot]) -> QuerySet[Bot]:
        wanted = self.value()
        return queryset.filter(removed__isnull=wanted == "no") if wanted in ("yes", "no") else queryset


@admin.register(Bot)
class BotAdmin(ModelAdmin):
    form = BotForm
    inlines = (RootInline,)
    list_display = ("name", "slug", "bot_type", "time_zone", "walked", "trouble", "removed")
    list_filter = (BotType, "is_sample", Removed)
    search_fields = ("name", "slug")
    exclude = ("dialect", "settings", "indexed", "others", "uses_since")  # the first two are shown as below
    readonly_fields = (
        "bot_type",
        "desk_settings",
        "is_sample",
        "from_environment",
        "created",
        "walked",
        "trouble",
        "removed",
    )
    actions = ("plan_compaction", "compact_now", "compact_by_meaning")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # a bot is added with its directory looked at: `memory add-bot`

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # its history would go with it

    def view_on_site(self, bot: Bot) -> str | None:
        """Its home on the desk."""
        return None if bot.removed else reverse("memory:overview", args=[bot.slug])

    @admin.display(description=gettext_lazy("bot type"), ordering="dialect")
    def bot_type(self, bot: Bot) -> str:
        return _types().get(bot.dialect, bot.dialect)

    @admin.display(description=gettext_lazy("settings"))
    def desk_settings(self, bot: Bot) -> str:
        """They are checked and explained on the desk."""
        if bot.removed:
            return str(self.get_empty_value_display())
        return _link(reverse("memory:settings", args=[bot.slug]), _("Settings of %(bot)s") % {"bot": bot.name})

    @admin.action(description=gettext_lazy("Plan compaction"))
    def plan_compaction(self, request: HttpRequest, queryset: QuerySet[Bot]) -> HttpResponse | None:
        """Lead to the plan on the desk; for several bots, to each."""
        chosen = [bot for bot in queryset if bot.removed is None]
        if len(chosen) == 1:
            return redirect(_plan_url(request, chosen[0]))
        for bot in chosen:
            words = _("%(bot)s: compaction plan") % {"bot": bot.name}
            self._tell(request, _plan_url(request, bot), words)
        return None

    @admin.action(description=gettext_lazy("Compact now"))
    def compact_now(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        """Compact each bot by rules, and lead to what was done, where it can be undone."""
        for bot in queryset:
            self._compact(request, bot, _by(request))

    @admin.action(description=gettext_lazy("Compact with the language model"))
    def compact_by_meaning(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        """Queue it for each bot; what the model proposes is decided on the job's page."""
        if llm.server() is None:
            self.message_user(request, translate(llm.NO_MODEL), messages.ERROR)
            return
        for bot in queryset:
            try:
                job = consolidation.start(bot, ("",), _by(request))
            except runner.BadOption as error:
                self.message_user(request, f"{bot.name}: {translate(str(error))}", messages.ERROR)
                continue
            words = _("%(bot)s: compaction with the language model queued.") % {"bot": bot.name}
            self._tell(request, reverse("memory:job", args=[bot.slug, job.pk]), words)

    def _compact(self, request: HttpRequest, bot: Bot, by: journal.By) -> None:
        scopes = runner.all_scopes(bot) if "all_chats" in request.POST else ("",)
        try:
            outcome = runner.run(bot, scopes, by)
        except (VaultError, journal.Busy) as error:
            outcome = Refused(str(error))
        if isinstance(outcome, Refused):
            self.message_user(request, f"{bot.name}: {translate(outcome.reason)}", messages.ERROR)
        elif outcome.change_set is None:
            words = _("%(bot)s: no logs are old enough to compact.") % {"bot": bot.name}
            self.message_user(request, words)
        else:
            done = compacted(outcome.change_set.details)
            words = _("%(bot)s: %(done)s. Change %(number)s.")
            words %= {"bot": bot.name, "done": done, "number": outcome.change_set.pk}
            self._tell(request, reverse("memory:run", args=[bot.slug, outcome.change_set.pk]), words)

    def _tell(self, request: HttpRequest, url: str, words: str) -> None:
        """What was done, as a link to where it is seen."""
        self.message_user(request, _link(url, words), messages.SUCCESS)


def _link(url: str, words: str) -> str:
    return render_to_string("admin/memory/bot/told.html", {"url": url, "words": words})


def _by(request: HttpRequest) -> journal.By:
    return journal.By(request.user.get_username(), request.user if request.user.is_authenticated else None)


def _plan_url(request: HttpRequest, bot: Bot) -> str:
    scope = "?scope=all" if "all_chats" in request.POST else ""
    return reverse("memory:compaction", args=[bot.slug]) + scope


@admin.register(Root)
class RootAdmin(ModelAdmin):
    form = RootForm
    list_display = ("bot", "name", "path")
    list_filter = ("bot",)
    search_fields = ("path",)
    readonly_fields = ("bot", "name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
