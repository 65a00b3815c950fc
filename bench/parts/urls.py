"""Every address of the site; `/empty`, and behind the login `/empty/page`: what server and Django cost; `/about` the server."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from kenoweb.urls import urlpatterns as of_the_site
from memory.management import server


@csrf_exempt
@login_not_required
def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"")


def empty_page(request: HttpRequest) -> HttpResponse:
    """Behind the login and all that every page passes through."""
    return HttpResponse(b"")


@login_not_required
def about(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"fsync_appends": settings.FSYNC_APPENDS, "workers": server.WORKERS, "threads": server.THREADS})


urlpatterns = [path("empty", empty), path("empty/page", empty_page), path("about", about), *of_the_site]
