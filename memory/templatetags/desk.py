"""What templates need said: ages, sizes, labels, addresses of documents, the bots somebody may see."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from typing import Any, cast

from django import template
from django.http import HttpRequest
from django.template.base import NodeList, Template, TextNode
from django.template.context import Context
from django.template.loader import get_template
from django.templatetags.static import static
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from memory import registry
from memory.access.permissions import may_operate, visible_bots
from memory.bots import open_bot
from memory.bots.directories import Access
from memory.models import Bot
from memory.text.ages import instant
from memory.text.storable import as_utf8
from memory.web.base import dates
from memory.web.base.addresses import address
from memory.web.base.counts import SidebarCounts, ToReview, seen, sidebar_counts
from memory.web.base.dates import moment, short_day
from memory.web.base.frame import Door, dialect_label, doors
from memory.web.base.gauges import grouped, kilobytes
from memory.web.base.pulse import Pulse, pulse
from memory.web.base.read_only import document_of, is_read_only, switched_off
from memory.web.base.responses import came_from
from memory.web.base.shown_secrets import shown_until
from memory.web.base.shown_text import beginning, isolated
from memory.web.base.translation import translate
from memory.web.days.beside import Stretch, days_beside
from memory.web.overview.attention import last_to_review, to_review
from memory.web.site.nearby import rows as nearby_rows
from memory.web.site.settings_form import fields_of

register = template.Library()
register.filter("said", translate)
register.filter("at", dates.at)
register.filter("instant", instant)
register.filter("short_day", short_day)
register.filter("shown", as_utf8)
register.filter("isolated", isolated)
register.filter("beginning", beginning)
register.filter("thousands", grouped)
register.filter("seen", seen)
register.filter("dialect_label", dialect_label)


@register.simple_tag
def bots_of(request: HttpRequest) -> tuple[tuple[str, str, ToReview], ...]:
    """Slug and name of the bots that who asks may see, and what there is to review, as far as that is known by now."""
    return tuple((bot.slug, bot.name, last_to_review(bot)) for bot in visible_bots(request))


@register.simple_tag(takes_context=True)
def beside_of(context: Context, bot: Bot) -> SidebarCounts:
    """The numbers that every page shows; the page's own if it has counted them."""
    return context.get("beside") or sidebar_counts(bot)


@register.simple_tag(takes_context=True)
def doors_of(context: Context, bot: Bot) -> list[Door]:
    """The places of a bot, in the order in which they stand at the side, with the numbers in `beside`."""
    numbers: SidebarCounts = context["beside"]
    review = to_review(bot, numbers, context.get("review"))
    place = context.get("place") or ""
    operates = may_operate(context["request"].user)
    return doors(bot, numbers, review, place, operates=operates)


@register.simple_tag(takes_context=True)
def days_of(context: Context, bot: Bot) -> list[Stretch]:
    """The days beside every page of Memory; the page says in `when` which day or month it shows."""
    return days_beside(bot, context.get("when") or "")


@register.filter
def learns(bot: Bot) -> str:
    """How facts come to a page that has none yet."""
    if open_bot(bot).learns_by_reply:
        return _("%(bot)s adds one when a reply is worth remembering.") % {"bot": bot.name}
    return _("They show here once %(bot)s has written them.") % {"bot": bot.name}


@register.simple_tag
def has_settings(bot: Bot, group: str) -> bool:
    """Whether there is anything to set for a bot in a group of settings."""
    return bool(fields_of(bot, (group,)))


@register.simple_tag(takes_context=True)
def nearby(context: Context) -> list[dict[str, object]]:
    """The memories on this machine that an operator may add; none for who is no operator."""
    return nearby_rows() if may_operate(context["request"].user) else []


@register.simple_tag
def access_of(bot: Bot) -> str:
    """What is wrong with the directory of a bot's memory: `missing`, `read-only`, or "" for nothing."""
    return str(open_bot(bot).access.value)


@register.simple_tag(takes_context=True)
def pulse_of(context: Context, bot: Bot) -> Pulse | None:
    """What goes on in a bot's files right now; a page that has counted its jobs in `beside` need not ask for one that writes."""
    numbers: SidebarCounts | None = context.get("beside")
    return pulse(bot, is_idle=numbers is not None and not numbers.running)


@register.simple_tag
def directory_of(bot: Bot) -> str:
    """The directory of a bot's memory."""
    return str(open_bot(bot).memory_path)


@register.simple_tag
def fixed_by(bot: Bot) -> str:
    """The variable that names its directory, which therefore cannot be changed here; "" if none does."""
    return registry.fixed_by(bot)


@register.simple_tag
def by_default(bot: Bot) -> Any:
    """What to say of its directory where nobody named that and Kenoweb looks there by itself; "" of any other."""
    return registry.by_default(bot)


@register.simple_tag(takes_context=True)
def secrets_until(context: Context, bot: Bot) -> datetime | None:
    """Until when who asks sees the secrets of a bot's memory; None if they do not."""
    return shown_until(context["request"], bot)


@register.simple_tag
def shut_of(bot: Bot) -> str:
    """The directories of a bot's notes that nothing can be written to."""
    return ", ".join(map(str, open_bot(bot).unwritable))


@register.filter
def may_edit(bot: Bot) -> bool:
    """Whether a bot's own long-term memory can be written to."""
    return open_bot(bot).may_write(open_bot(bot).long_term)


@register.simple_block_tag(takes_context=True)
def unless_read_only(context: Context, content: SafeString, *, inside: bool = False) -> SafeString:
    """A page, what writes in it switched off while the bot's memory is out of reach: once, for all there is and will be. `inside`:
    a part that stands in a form."""
    if not is_held(context):
        return content
    is_told = inside or open_bot(context["bot"]).access is not Access.FULL  # by the bar over the page
    return (SafeString() if is_told else _drawn("_held", {})) + switched_off(content, "held", inside=inside)


@register.simple_tag(takes_context=True)
def is_held(context: Context) -> bool:
    """Whether nothing can be written on a page now."""
    bot: Bot | None = context.get("bot")
    return bot is not None and is_read_only(bot, context.get("doors") or (), document_of(context))


@register.simple_tag(takes_context=True)
def ago(context: Context, when: datetime) -> SafeString:
    """How long ago or when a moment was, as an element that has it in full."""
    return _time(context, when, dates.ago)


@register.simple_tag(takes_context=True)
def at(context: Context, when: datetime) -> SafeString:
    """When a moment was, for a sentence in which nothing can be ago."""
    return _time(context, when, dates.at)


@register.simple_tag(takes_context=True)
def as_of(context: Context, when: datetime) -> SafeString:
    """As of when something is shown."""
    return _time(context, when, dates.as_of)


@register.simple_tag(takes_context=True)
def written(context: Context, told: str) -> SafeString:
    """A day that stands in a text, perhaps with a clock, as an element that has it in full; as it stands where it is none."""
    found = dates.day_in(told, open_bot(context["bot"]).today())
    if found is None:
        return conditional_escape(told)
    when, words = found
    return _drawn("_ago", {"when": when, "words": words, "exactly": dates.in_full(when)})


@register.simple_tag(takes_context=True)
def timed(context: Context, words: str, when: datetime | None) -> SafeString:
    """A sentence with how long ago or when a moment was in it, that as an element; None: it tells none."""
    if when is None:
        return conditional_escape(words)
    before, age, after = words.partition(dates.ago(when, _bot(context)))
    return _drawn("_timed", {"before": before, "age": ago(context, when) if age else "", "after": after})


def _time(context: Context, when: datetime, words: Callable[[datetime, Bot | None], str]) -> SafeString:
    bot = _bot(context)
    told = {"when": when.astimezone(dates.clock_of(bot)), "words": words(when, bot), "exactly": moment(when, bot)}
    return _drawn("_ago", told)


def _bot(context: Context) -> Bot | None:
    return context.get("bot") or None


def _drawn(name: str, told: dict[str, Any]) -> SafeString:
    """What a template makes of this, without the line's end of its file: it would stand before the next full stop."""
    template: Template = cast("Any", get_template(f"memory/base/{name}.html")).template
    nodes = NodeList(node for node in template.nodelist if not (isinstance(node, TextNode) and node.s.isspace()))
    with (context := Context(told)).bind_template(template):
        return nodes.render(context)


@register.simple_block_tag
def drawn(content: SafeString) -> SafeString:
    """What is drawn once and stands in several places of a page, by the name after `as`."""
    return content


@register.filter
def drawing(name: str) -> str:
    """The address of an icon."""
    return f"{_drawings()}#{name}"


@cache
def _drawings() -> str:
    return static("memory/icons.svg")  # some thirty icons a page, and each would be looked up anew


@register.simple_tag(takes_context=True)
def here(context: Context) -> str:
    """The address of the page that somebody is on, also when only a part of it is asked for; one that moves on with the part
    says so itself."""
    if moved := context.get("here"):
        return str(moved)
    request = context["request"]
    details: HtmxDetails | None = getattr(request, "htmx", None)
    return (details and details.current_url_abs_path) or (
        came_from(request) if request.method == "POST" else str(request.get_full_path())
    )


@register.filter
def near_day(told: date, bot: Bot) -> str:
    """A day above a list."""
    return dates.near_day(str(told), open_bot(bot).today())


@register.filter
def size(count: int | None) -> str:
    """Bytes in words: 812 bytes, 8.4 KB, 1.2 MB; "" for nothing."""
    return "" if count is None else kilobytes(count)


@register.filter
def document_url(bot: Bot, path: str) -> str:
    """Where a document is shown; "" if its name cannot stand in an address."""
    return address("document", bot, path)


@register.filter
def facts_url(bot: Bot, path: str) -> str:
    """Where a document's facts are listed."""
    return address("facts", bot, path)


@register.filter
def document_history_url(bot: Bot, path: str) -> str:
    """Where a document's history is shown."""
    return address("document_history", bot, path)


@register.filter
def lower_or_empty(value: bool | None) -> str:
    """A choice as a form sends it: true, false, or "" for none."""
    return "" if value is None else str(value).lower()


@register.filter
def undo_pk(tags: str) -> int | None:
    """The change set that a message offers to undo: `undo-12` among its tags."""
    for tag in (tags or "").split():
        if tag.startswith("undo-") and tag[5:].isdigit():
            return int(tag[5:])
    return None
