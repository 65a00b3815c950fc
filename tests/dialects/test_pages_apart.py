"""The pages of a family's own are there for its bots, and for no others."""

from __future__ import annotations

import pytest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from memory import registry
from memory.bots import families

pytestmark = pytest.mark.django_db


def addresses(slug, family):
    for pattern in families.urlpatterns():
        if pattern.callback.__module__.startswith(f"memory.dialects.{family.dialect.__module__.split('.')[2]}."):
            try:
                yield reverse(f"memory:{pattern.name}", args=[slug])
            except NoReverseMatch:  # of one of its chats
                yield reverse(f"memory:{pattern.name}", args=[slug, "telegram-1"])


@pytest.mark.parametrize("family", [one.name for one in families.every() if one.pages])
@pytest.mark.parametrize("other", [one.name for one in families.every() if one.sample_name])
def test_a_page_of_one_family_is_none_of_another(admin_client, settings, tmp_path, family, other):
    settings.KENOWEB_HOME = tmp_path
    bot = registry.add_sample(timezone.now(), other)
    found = {at: admin_client.get(at).status_code for at in addresses(bot.slug, families.get(family))}
    assert found
    if family != other:
        assert set(found.values()) <= {404, 405}, found
    else:
        assert 200 in found.values()
