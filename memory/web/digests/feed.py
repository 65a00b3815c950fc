"""The same notices as an Atom feed, behind a private address: readers of feeds log in nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.digests import outbox, subscriptions
from memory.models import Notice, Subscription
from memory.web.digests.letter import written

MOST = 50


class Notices(Feed[Notice, Subscription]):
    """Somebody's notices, the newest first."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *_args: Any, **given: Any) -> Subscription:
        found = subscriptions.of_feed(given["token"])
        if found is None:
            raise Http404("There is no such feed.")
        return found

    def title(self, obj: Subscription) -> str:
        return _("Kenoweb: notifications")

    def link(self, obj: Subscription) -> str:
        return "/"

    def feed_guid(self, obj: Subscription) -> str:
        """A name that tells nothing: the address itself is a secret, and readers show and share what a feed is called."""
        return f"urn:kenoweb:notices:{obj.pk}"

    def feed_url(self, obj: Subscription) -> str:
        return "/"

    def items(self, obj: Subscription) -> Sequence[Notice]:
        self.reader = obj
        return list(outbox.newest(obj.user)[:MOST])

    def item_title(self, item: Notice) -> str:
        return written(self.reader, item)[0]

    def item_description(self, item: Notice) -> str:
        return "\n".join(written(self.reader, item)[1])

    def item_link(self, item: Notice) -> str:
        return "/"

    def item_guid(self, item: Notice) -> str:
        return f"urn:kenoweb:notice:{item.pk}"

    def item_pubdate(self, item: Notice) -> datetime:
        return item.made

    item_updateddate = item_pubdate


@login_not_required
@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """A feed in the language of whose it is. One object a request: it keeps its reader."""
    reader = subscriptions.of_feed(token)
    with translation.override(reader.language if reader else None):
        response: HttpResponse = Notices()(request, token=token)
    response["Cache-Control"] = "private, no-store"
    response["X-Robots-Tag"] = "noindex"
    return response
