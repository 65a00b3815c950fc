"""The API of a bot: the tokens of programs, made and shown once, revoked; below them the prompts that were fetched."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_safe

from memory.access import api_tokens, credentials
from memory.access.permissions import may_operate, operators_only
from memory.models import ApiToken, Bot
from memory.web.base.authors import by_person
from memory.web.base.responses import post_only
from memory.web.tokens.served_prompts import loaded

IN_USE = timedelta(days=1)  # a token that was used within it is not revoked without asking
REVOKED = 20  # revoked ones that are still listed
SCOPES = {
    ApiToken.Scope.READ: later("Read only"),
    ApiToken.Scope.WRITE: later("Read and write"),
    ApiToken.Scope.ADMIN: later("Read, write and manage API keys"),
}


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(
        max_length=80, label=later("Name"), help_text=later("The program that uses it. History shows this name.")
    )
    scope = forms.ChoiceField(label=later("Access"), choices=list(SCOPES.items()), initial=ApiToken.Scope.READ)


@require_safe
def tokens(request: HttpRequest, bot: Bot) -> HttpResponse:
    return _page(request, bot, TokenForm())


@post_only
@operators_only
def make(request: HttpRequest, bot: Bot) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, bot, form, status=422)
    user = request.user if request.user.is_authenticated else None
    made = api_tokens.make(bot, form.cleaned_data["name"], form.cleaned_data["scope"], user)
    if isinstance(made, credentials.Taken):
        form.add_error("name", _("An active API key already has this name. Choose another or revoke it first."))
        return _page(request, bot, form, status=422)
    return _shown(request, bot, made)


@post_only
@operators_only
def revoke(request: HttpRequest, bot: Bot, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken.objects.select_related("created_by"), bot=bot, pk=pk)
    recent = token.last_used is not None and timezone.now() - token.last_used < IN_USE
    if token.revoked is None and recent and "confirmed" not in request.POST:
        return render(
            request, "memory/tokens/revoke.html", {"bot": bot, "place": "api", "row": _row(token, request.user.pk)}
        )
    credentials.revoke(token)
    messages.success(request, _("“%(name)s” was revoked and no longer works.") % {"name": token.name})
    return redirect("memory:api", bot.slug)


def _page(request: HttpRequest, bot: Bot, form: TokenForm, status: int = 200) -> HttpResponse:
    context = {
        "bot": bot,
        "place": "api",
        "form": form,
        "rows": _rows(bot, request.user.pk),
        "may_operate": may_operate(request.user),
    }
    context["loaded"] = loaded(bot, request.GET.get("page"))
    return render(request, "memory/tokens/tokens.html", context, status=status)


def _shown(request: HttpRequest, bot: Bot, made: credentials.Made[ApiToken]) -> HttpResponse:
    """The one page that ever holds a token's text: nothing keeps it, neither an address nor a session nor a cache."""
    address = request.build_absolute_uri(reverse("list_documents", args=[bot.slug]))
    context = {"bot": bot, "place": "api", "made": made, "may": SCOPES[ApiToken.Scope(made.row.scope)]}
    context["sample"] = f'curl -H "Authorization: Bearer {made.text}" {address}'
    response = render(request, "memory/tokens/made.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _rows(bot: Bot, reader: int | None) -> Sequence[dict[str, object]]:
    every = bot.api_tokens.select_related("created_by")
    live = every.filter(revoked=None).order_by("-pk")
    ended = every.exclude(revoked=None).order_by("-revoked")[:REVOKED]
    return [_row(token, reader) for token in [*live, *ended]]


def _row(token: ApiToken, reader: int | None) -> dict[str, object]:
    """A token in the list. `may` says what its scope is good for."""
    return {
        "pk": token.pk,
        "name": token.name,
        "may": SCOPES[ApiToken.Scope(token.scope)],
        "hint": token.hint,
        "created": token.created,
        "maker": by_person(token.created_by, reader, otherwise=""),
        "used": token.last_used,
        "revoked": token.revoked,
    }
