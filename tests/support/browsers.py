"""A browser as far as the site can tell: it says which page a form was sent from."""

from __future__ import annotations

from django.test import Client

HERE = "http://testserver"


def browser(*, careful=False, **headers):
    """A client that sends its origin, as browsers do with every form; `careful`: with the site's protection of forms."""
    return Client(enforce_csrf_checks=careful, headers={"Origin": HERE, **headers})
