"""Operations on compaction: the plan, and the run."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memory import index
from memory.access import api_tokens
from memory.compaction import plan_cache, runner
from memory.domain.outcomes import Refused
from memory.domain.plan import Plan
from memory.models import Bot
from memory.web.api.authentication import READ, WRITE, bot_of, caller
from memory.web.api.errors import WITH_BODY, Problem, refusals, refused
from memory.web.api.fields import Chat, Day, Given, Limit, OutputText, Sent, Slug, like
from memory.web.api.reviewed import may_write

router = Router(tags=["compaction"])
MOST = 2**31 - 1


class DecisionShape(Schema):
    """One line of a plan."""

    path: OutputText
    line: int
    end_line: int
    text: OutputText
    fate: str = Field(description="`move`, `duplicate`, `keep` or `archive`.", examples=["move"])
    target: OutputText = Field(description="The file it goes to, or PATH:LINE of the line that already says it.")
    is_fact: bool
    note: OutputText


class UnreadShape(Schema):
    """A log that is left as it is, because it cannot be read."""

    path: OutputText
    why: OutputText


class PlanShape(Schema):
    """What a run would do now. `decisions` is a page of it."""

    moved: int = Field(description="Facts that go to long-term memory.")
    duplicates: int = Field(description="Facts that are already said.")
    removed: int = Field(description="Logs that go.")
    archived: int = Field(description="Logs that go whole into `archive/` beside them.")
    fingerprint: str = Field(description="Give it to the run, and it does this plan or nothing.")
    decisions: list[DecisionShape]
    unread: list[UnreadShape] = Field(description="Logs that cannot be read. They stay as they are.")
    next: int | None = Field(description="Give it as `offset` for the next page; null at the end.")


class RanShape(Schema):
    """What a run did."""

    moved: int
    duplicates: int
    removed: int
    archived: int
    change_set: int | None = Field(description="What undoes it; null: there was nothing to do.")
    unread: list[UnreadShape] = Field(description="Logs that cannot be read. They stayed as they are.")


class Options(Given):
    """Whose logs, and by which rules; what is left out comes from the bot's settings."""

    chat: Chat = Field("", description="Only this chat's logs; the bot's own if it is left out.")
    all_chats: bool = Field(False, description="The bot's own logs and every chat's.")
    today: Day = Field("", description="Another day than the bot's.")
    retention_days: int | None = Field(None, ge=1, le=365)
    dedupe: Literal["same", "substring"] | None = None
    keep_logs: bool | None = Field(None, description="Keep a log whole if a line of it stays.")
    old_logs: Literal["move", "archive"] | None = Field(None, description="Move their facts, or archive them whole.")
    past_limit: bool = Field(False, description="Move facts also beyond what the bot loads of its long-term memory.")
    same_words: bool = Field(False, description="What is said again at another time is a duplicate.")


class PlanQuery(Options):
    """Which plan, and which page of it."""

    offset: int = Field(0, ge=0, le=MOST)
    limit: Limit = 100


class CompactionRequest(Options, Sent):
    """A run."""

    model_config = like(retention_days=30)

    fingerprint: str = Field(
        "", max_length=64, description="Of the plan that is meant; without it, of the plan as it is now."
    )


@router.get("/compaction", auth=READ, response={200: PlanShape, **refusals()}, summary="What compaction would do")
def plan_compaction(request: HttpRequest, slug: Slug, which: Query[PlanQuery]) -> dict[str, Any]:
    """Line by line, without writing anything."""
    bot = bot_of(request, slug)
    try:
        known = plan_cache.cached_plan(bot, scopes_of(bot, which), **options_of(which))
    except runner.BadOption as bad:
        raise Problem(422, "invalid", str(bad)) from None
    if known.plan.stopped:
        raise Problem(409, "stopped", known.plan.stopped)
    until = which.offset + which.limit
    return {
        **known.counts._asdict(),
        "fingerprint": known.fingerprint,
        "decisions": known.plan.decisions[which.offset : until],
        "unread": _unread(known.plan),
        "next": until if until < len(known.plan.decisions) else None,
    }


@router.post("/compaction", auth=WRITE, response={200: RanShape, **WITH_BODY}, summary="Compact")
def run_compaction(request: HttpRequest, slug: Slug, run: CompactionRequest) -> dict[str, Any]:
    """As one change set that can be undone. With a `fingerprint`, only if the plan is still that one."""
    bot, by = bot_of(request, slug), api_tokens.by(caller(request))
    may_write(bot)
    try:
        scopes, options = scopes_of(bot, run), options_of(run)
        if run.fingerprint and plan_cache.fingerprint(runner.plan(bot, scopes, **options)) != run.fingerprint:
            raise Problem(409, "changed", "The files changed since that plan was made. Nothing was changed.")
        ran = runner.run(bot, scopes, by, **options)
    except runner.BadOption as bad:
        raise Problem(422, "invalid", str(bad)) from None
    if isinstance(ran, Refused):
        raise refused(ran, "stopped", 409)
    if ran.change_set:
        index.refresh(bot)
    made = ran.change_set.pk if ran.change_set else None
    return {**ran.counts._asdict(), "change_set": made, "unread": _unread(ran.plan)}


def _unread(plan: Plan) -> list[dict[str, str]]:
    return [{"path": path, "why": why} for path, why in plan.unread]


def scopes_of(bot: Bot, options: Options) -> tuple[str, ...]:
    """Whose logs are meant. Raises Problem."""
    if options.chat and options.all_chats:
        raise Problem(422, "invalid", "chat: It and all_chats exclude each other.")
    return runner.all_scopes(bot) if options.all_chats else (options.chat,)


def options_of(given: Options) -> dict[str, Any]:
    """The rest of it, as compaction takes it."""
    named = {name: getattr(given, name) for name in runner.BY_WORD}
    return {**named, "today": given.today or None}
