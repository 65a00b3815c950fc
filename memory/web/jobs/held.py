"""What is held for review, for its page: each thing as it would be written now, with what can be done to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, F, Value, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _, pgettext

from memory import index
from memory.bots import open_bot
from memory.curation.documents import as_text
from memory.domain.changes import digest
from memory.domain.errors import Refusal, VaultError
from memory.models import Bot, Delivery, Job, Proposal
from memory.text.merge.diff import Difference
from memory.text.storable import as_utf8
from memory.web.base.addresses import address
from memory.web.base.authors import BY_YOU, who_did
from memory.web.base.chat_names import names_of
from memory.web.base.dates import ago
from memory.web.base.differences import ROOM, Block, blocks, paged
from memory.web.base.fact_rows import excerpt
from memory.web.base.shown_secrets import holds_hidden
from memory.web.base.translation import translate
from memory.web.jobs.proposal_rows import asked_for
from memory.webhook import accepting

AT_ONCE = 50


def held(request: HttpRequest, bot: Bot, job: Job) -> dict[str, object]:
    """A page of such a list, what waits first. `plain` can be accepted at once, `open` are all that wait."""
    every = Proposal.objects.filter(job=job).select_related("delivery")
    waits = every.filter(state=Proposal.State.OPEN)
    first = Case(When(state=Proposal.State.OPEN, then=Value(0)), default=Value(1))
    ordered = asked_for(every, request.GET).order_by(first, F("decided").desc(nulls_last=True), "number")
    page = Paginator(ordered, AT_ONCE).get_page(request.GET.get("page"))
    names = names_of(bot, {one.delivery.session_id for one in page.object_list if one.delivery})
    number = request.GET.get("rows", "1") if page.paginator.count == 1 else ""
    room = ROOM // max(1, sum(_changes_documents(one) for one in page.object_list))
    rows = [_row(request, bot, one, names, room, number) for one in page.object_list]
    return {"rows": rows, "page": page, "open": waits.count(), "plain": waits.filter(flags=[]).count()}


def of_delivery(request: HttpRequest, bot: Bot, call: Delivery) -> list[dict[str, object]]:
    """What was held of a delivery, and what became of it."""
    found = list(call.proposals.order_by("job", "number")[:AT_ONCE])
    for one in found:
        one.delivery = call
    return [_row(request, bot, one, {}) for one in found]


def next_after(job: Job, numbers: Iterable[int]) -> int | None:
    """The one to stand on after some are decided: the next that waits, else the last before."""
    waits = Proposal.objects.filter(job=job, state=Proposal.State.OPEN)
    at = max(numbers, default=0)
    later = waits.filter(number__gt=at).order_by("number").values_list("number", flat=True).first()
    return later or waits.filter(number__lt=at).order_by("-number").values_list("number", flat=True).first()


def mark_of(one: Proposal) -> str:
    """What tells its text from another one."""
    return digest(one.text.encode("utf-8", "replace"))[:16]


def _changes_documents(one: Proposal) -> bool:
    """Whether it waits, and would change more than it adds."""
    return one.state == Proposal.State.OPEN and one.action != Proposal.Action.REMEMBER


def _row(
    request: HttpRequest, bot: Bot, one: Proposal, names: Mapping[str, str], room: int = ROOM, number: str = ""
) -> dict[str, object]:
    """One thing that waits, or did. `blocks` is what it would change where that is more than new facts; `edits` is what stands in
    the field to edit it, "" for none. `key` is the API key that wants it, `ended` says who decided and when, `set_pk` which change
    set has it, `page` which rows of the difference are shown, where not all are at once."""
    is_open, call = one.state == Proposal.State.OPEN, one.delivery
    adds = one.action == Proposal.Action.REMEMBER
    text, cut = excerpt(one.text) if adds else ("", False)
    can_edit = is_open and adds and accepting.can_reword(bot, one) and not holds_hidden(request, bot, one.text)
    chat = call.session_id if call else ""
    changes, page = _changes(bot, one, room, number) if _changes_documents(one) else ((), None)
    return {
        "number": one.number,
        "job": one.job_id,
        "text": as_utf8(text) + ("…" if cut else ""),
        "blocks": changes,
        "goes": as_utf8(one.path),
        "goes_url": address("document", bot, one.path),
        "chat": as_utf8(names.get(chat, chat)),
        "key": as_utf8(str(one.newer.get("by", ""))),
        "url": reverse("memory:delivery", args=[bot.slug, call.pk]) if call else "",
        "message": as_utf8(str(one.sources[0].get("text", "")) if one.sources else ""),
        "since": one.created,
        "mark": mark_of(one),
        "flags": [translate(flag) for flag in one.flags],
        "edits": one.text if can_edit else "",
        "decided": one.decided,
        "ended": "" if is_open else _ended(bot, one, request.user.pk),
        "level": "good" if one.state == Proposal.State.APPLIED else "",
        "set_pk": one.change_set_id,
        "page": page,
    }


def _ended(bot: Bot, one: Proposal, reader: int | None) -> str:
    name = who_did(bot, one.by, one.user_id, reader, BY_YOU)
    told = {"name": name, "ago": ago(one.decided, bot) if one.decided else ""}
    if one.state == Proposal.State.APPLIED:
        return _("accepted by %(name)s, %(ago)s") % told
    return pgettext("what was held", "rejected by %(name)s, %(ago)s") % told


def _changes(bot: Bot, one: Proposal, room: int, number: str) -> tuple[Sequence[Block], Page[Any] | None]:
    """What accepting it now would change; nothing where it could not be accepted."""
    memory, family = index.BotMemory(bot), open_bot(bot).family
    try:
        sides = [
            family.compared(effect.path, as_text(memory.read(effect.path) or b""), as_text(effect.after))
            for effect in accepting.effects_of(bot, one)
        ]
    except (Refusal, ValueError, VaultError):
        return (), None
    if len(sides) == 1:
        return paged(Difference(*sides[0]), room, number)
    return [block for pair in sides for block in blocks(*pair, room // len(sides))], None
