"""Operations on jobs: what workers do, how far it is, and what came of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memory import jobs, journal, llm
from memory.access import api_tokens
from memory.compaction import chats, consolidation, job as compacting, runner
from memory.models import Bot, Job
from memory.web.api.authentication import READ, WRITE, bot_of, caller
from memory.web.api.compaction import Options, options_of, scopes_of
from memory.web.api.errors import WITH_BODY, Problem, refusals
from memory.web.api.fields import Given, Limit, Number, OutputText, Sent, Slug, given, like, page_of
from memory.web.api.reviewed import may_write

router = Router(tags=["jobs"])
JobKind = Literal["compaction", "consolidation", "summary", "extraction"]
AnyKind = JobKind | Literal["check"]
JobState = Literal["queued", "running", "planned", "applied", "failed", "cancelled"]
FACT_BY_FACT = "compaction"
OF_A_CHAT = {"summary": chats.summarise, "extraction": chats.pick}
NO_JOB = "This bot has no such job."
NO_MODEL = "No language model is set up. Nothing was queued."


class JobShape(Schema):
    """Long work: a worker does it, and it is done once."""

    id: int
    kind: str = Field(examples=["compaction"])
    state: str = Field(
        description="`queued` and `running` are not over; what `planned` proposes waits at the desk; `applied` is in the files."
    )
    by: OutputText
    created: datetime
    run_after: datetime = Field(description="Not before then: a job that something was in the way of waits.")
    started: datetime | None
    finished: datetime | None
    attempt: int
    done: int = Field(description="So many of `total`.")
    total: int
    doing: OutputText
    trouble: OutputText = Field(description="Why it failed, was cancelled, or waits to be tried again.")
    to_cancel: bool
    outcome: dict[str, Any] = Field(description="What came of it in numbers, by kind.")
    change_sets: list[int] = Field(description="What it wrote; each can be taken back.")


class Jobs(Schema):
    """A page of jobs, newest first."""

    jobs: list[JobShape]
    next: int | None = Field(description="Give it as `before` for the next page; null at the end.")


class WhichJobs(Given):
    """Which jobs."""

    kind: AnyKind | None = None
    state: JobState | None = None
    before: Number | None = Field(None, description="The `next` of the page before.")
    limit: Limit = 50


class NewJob(Options, Sent):
    """Work to be queued. A `summary` and an `extraction` are of a `chat`, and take none of the others."""

    model_config = like(kind="compaction", chat="telegram-5")

    kind: JobKind = Field(
        description="Of old logs: `compaction` fact by fact, `consolidation` by meaning. Of a chat: `summary`, `extraction`."
    )


class Nothing(Sent):
    """An empty object."""

    model_config = like()


@router.get("/jobs", auth=READ, response={200: Jobs, **refusals()}, summary="Jobs")
def list_jobs(request: HttpRequest, slug: Slug, which: Query[WhichJobs]) -> dict[str, Any]:
    """Newest first."""
    asked = given(kind=which.kind, state=which.state, pk__lt=which.before)
    found = Job.objects.filter(bot=bot_of(request, slug), **asked).prefetch_related("change_sets")
    page, more = page_of(found.order_by("-id"), which.limit)
    return {"jobs": [_shape(job) for job in page], "next": page[-1].pk if more else None}


@router.get("/jobs/{job}", auth=READ, response={200: JobShape, **refusals()}, summary="One job")
def read_job(request: HttpRequest, slug: Slug, job: Number) -> dict[str, Any]:
    """How far it is."""
    return _shape(_named(bot_of(request, slug), job))


@router.post("/jobs", auth=WRITE, response={200: JobShape, **WITH_BODY}, summary="Queue a job")
def queue_job(request: HttpRequest, slug: Slug, wanted: NewJob) -> dict[str, Any]:
    """It is done by the next worker that is free. The same work that waits or runs already is not queued twice."""
    bot, by = bot_of(request, slug), api_tokens.by(caller(request))
    if wanted.kind == FACT_BY_FACT:
        may_write(bot)
    elif llm.server() is None:
        raise Problem(409, "no_model", NO_MODEL)
    try:
        return _shape(_of_chat(bot, wanted, by) if wanted.kind in OF_A_CHAT else _of_logs(bot, wanted, by))
    except (runner.BadOption, chats.Unfit) as bad:
        raise Problem(422, "invalid", str(bad)) from None


@router.post("/jobs/{job}/cancel", auth=WRITE, response={200: JobShape, **WITH_BODY}, summary="Stop a job")
def cancel_job(request: HttpRequest, slug: Slug, job: Number, nothing: Nothing) -> dict[str, Any]:
    """One that waits is cancelled at once, one that runs at its next step; what it has written stays. One that is changing
    the last of its files is not cancelled, and can be undone afterwards."""
    one = _named(bot_of(request, slug), job)
    stops = jobs.cancel(one)
    one.refresh_from_db()
    if not stops and one.is_open:
        raise Problem(409, "writing", "This job is already writing. It can be undone afterwards.")
    if not stops:
        raise Problem(409, "over", "This job is over already.")
    return _shape(one)


def _of_chat(bot: Bot, wanted: NewJob, by: journal.By) -> Job:
    if not wanted.chat:
        raise Problem(422, "invalid", f"chat: A {wanted.kind} is of one chat.")
    return OF_A_CHAT[wanted.kind](bot, wanted.chat, by)


def _of_logs(bot: Bot, wanted: NewJob, by: journal.By) -> Job:
    start = compacting.start if wanted.kind == FACT_BY_FACT else consolidation.start
    return start(bot, scopes_of(bot, wanted), by, **options_of(wanted))


def _named(bot: Bot, pk: int) -> Job:
    job = Job.objects.filter(bot=bot, pk=pk).first()
    if job is None:
        raise Problem(404, "not_found", NO_JOB)
    return job


def _shape(job: Job) -> dict[str, Any]:
    plain = {name: getattr(job, name) for name in JobShape.model_fields if name not in ("id", "change_sets")}
    return {"id": job.pk, **plain, "change_sets": sorted(one.pk for one in job.change_sets.all())}
