"""Every address of the site; `/empty` and `/about`: what server and Django cost, what it says; `/beside`: the admin's list."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from bench.parts.admin import site
from kenoweb.urls import urlpatterns as of_the_site
from memory.management import server


@csrf_exempt
@login_not_required
def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"")


@login_not_required
def about(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"fsync_appends": settings.FSYNC_APPENDS, "workers": server.WORKERS, "threads": server.THREADS})


urlpatterns = [path("empty", empty), path("about", about), path("beside/", site.urls), *of_the_site]
