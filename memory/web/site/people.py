"""The people who may come in, for those who run this Kenoweb."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy as later
from django.views.decorators.http import require_safe

from memory.access import login_links, people as act
from memory.access.permissions import operators_only
from memory.web.base.authors import person as person_name
from memory.web.base.responses import post_only
from memory.web.site.account import asking

PAGE = 50


class PersonForm(forms.Form):
    """Somebody new: what they type to log in, and what the history calls them."""

    username = forms.CharField(
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        label=later("Login"),
        help_text=later("One word: letters, digits and @ . + - _"),
    )
    name = forms.CharField(
        max_length=150,
        required=False,
        label=later("Display name"),
        help_text=later("Leave empty to use the login."),
    )

    def clean_username(self) -> str:
        wanted: str = self.cleaned_data["username"]
        if get_user_model().objects.filter(username__iexact=wanted).exists():
            raise forms.ValidationError(_("This login is taken. Choose another."))
        return wanted

    def save(self) -> User:
        return get_user_model().objects.create_user(self.cleaned_data["username"], first_name=self.cleaned_data["name"])


@operators_only
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    return _list(request, PersonForm())


@operators_only
@post_only
def add(request: HttpRequest) -> HttpResponse:
    form = PersonForm(request.POST)
    if not form.is_valid():
        return _list(request, form, status=422)
    return _with_link(request, form.save(), is_new=True)


@operators_only
@require_safe
def person(request: HttpRequest, pk: int) -> HttpResponse:
    return render(request, "memory/site/person.html", _about(_one(pk)))


@operators_only
@post_only
def link(request: HttpRequest, pk: int) -> HttpResponse:
    user = _one(pk)
    if not user.is_active:
        messages.error(request, _("A login link wouldn’t work without access. Restore access first."))
        return redirect("person", pk)
    return _with_link(request, user)


@operators_only
@post_only
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """`operator=yes|no` or `active=yes|no`."""
    user, by = _one(pk), asking(request)
    if wanted := request.POST.get("operator"):
        why = act.set_operator(user, wanted == "yes", by)
    else:
        why = act.set_active(user, request.POST.get("active") == "yes", by)
    if why:
        messages.error(request, why)
    else:
        messages.success(request, _standing(user))
    return redirect("person", pk)


def _list(request: HttpRequest, form: PersonForm, status: int = 200) -> HttpResponse:
    page = Paginator(_with_sessions(), PAGE).get_page(request.GET.get("page"))
    return render(request, "memory/site/people.html", {"page": page, "form": form, "place": "people"}, status=status)


def _with_sessions() -> QuerySet[User]:
    open_now = Q(session__expire_date__gt=timezone.now())
    users = get_user_model().objects.annotate(sessions=Count("session", filter=open_now))
    return users.order_by("-is_active", "username")


def _one(pk: int) -> User:
    return get_object_or_404(_with_sessions(), pk=pk)


def _about(user: User) -> dict[str, object]:
    return {"place": "people", "person": user, "minutes": login_links.LIFETIME.seconds // 60}


def _with_link(request: HttpRequest, user: User, *, is_new: bool = False) -> HttpResponse:
    """The page with a link that stands nowhere else: not in an address, a message or a log."""
    shown = request.build_absolute_uri(login_links.new_link(user))
    user = _one(user.pk)
    is_local = request.get_host().rsplit(":", 1)[0] in settings.LOCAL_HOSTS
    context = {**_about(user), "link": shown, "is_new": is_new, "is_local": is_local}
    return render(request, "memory/site/person.html", context)


def _standing(user: User) -> str:
    name = {"name": person_name(user)}
    if not user.is_active:
        return _("%(name)s no longer has access. Their sessions have ended.") % name
    if user.is_superuser:
        return _("%(name)s is now an operator.") % name
    return _("%(name)s can now read and edit every bot.") % name
