"""Long work: read only."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from memory.admin.base import ReadOnly, in_words, on_the_desk
from memory.models import Job
from memory.web.base.authors import who_did
from memory.web.jobs.words import KINDS, STATES, progress, state_of

KIND, STATE = gettext_lazy("kind"), gettext_lazy("state")


@admin.register(Job)
class JobAdmin(ReadOnly):
    fields = ("bot", "what", "standing", "how_far", "who", "created", "started", "finished", "attempt")
    list_display = ("created", "bot", "what", "standing", "who", "finished")
    list_filter = (
        "bot",
        in_words("kind", KIND, KINDS),
        in_words("state", STATE, {state: label for state, (label, _word, _level) in STATES.items()}),
    )
    search_fields = ("name", "by", "trouble")
    date_hierarchy = "created"

    def view_on_site(self, job: Job) -> str | None:
        """Its page on the desk."""
        return on_the_desk("job", job.bot, job.pk)

    @admin.display(description=KIND, ordering="kind")
    def what(self, job: Job) -> str:
        return str(KINDS[job.kind])

    @admin.display(description=STATE, ordering="state")
    def standing(self, job: Job) -> str:
        return state_of(job).word

    @admin.display(description=gettext_lazy("progress"))
    def how_far(self, job: Job) -> str:
        return progress(job, job.bot) or self.get_empty_value_display()

    @admin.display(description=gettext_lazy("author"), ordering="by")
    def who(self, job: Job) -> str:
        return who_did(job.bot, job.by, None, None)
