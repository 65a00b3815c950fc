"""The addresses of a bot's pages."""

from __future__ import annotations

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from memory.bots import families
from memory.web import converters  # noqa: F401 - registered by being imported
from memory.web.chats import notes, views, working
from memory.web.checks import answers, findings, fixes, recall_tests
from memory.web.compaction import views as compaction
from memory.web.days import views as days
from memory.web.digests import views as digests
from memory.web.documents import editor, fact, facts, listing, many, replacing
from memory.web.documents import views as documents
from memory.web.entries import actions, details
from memory.web.entries import views as entries
from memory.web.history import numbers, purge, trash
from memory.web.history import views as history
from memory.web.jobs import job, review, start
from memory.web.jobs import views as jobs
from memory.web.model import views as model
from memory.web.overview import views as overview
from memory.web.prompts import compare
from memory.web.prompts import views as prompt
from memory.web.search import keys, palette
from memory.web.search import views as search
from memory.web.site import exports, settings, settings_find
from memory.web.site import secrets as memory_secrets
from memory.web.tokens import views as tokens
from memory.web.webhooks import refused, secrets, try_it
from memory.web.webhooks import views as webhooks

app_name = "memory"
urlpatterns: list[URLPattern] = [
    *families.urlpatterns(),
    path("theme", overview.theme, name="theme"),
    path("keys", keys.keys, name="keys"),
    path("<slug:slug>", overview.without_slash),
    path("<slug:slug>/", overview.overview, name="overview"),
    path("<slug:slug>/step", overview.step, name="step"),
    path("<slug:slug>/go", palette.go, name="go"),
    path("<slug:slug>/search/", search.page, name="search"),
    path("<slug:slug>/search/near", search.near, name="near"),
    path("<slug:slug>/undo", keys.undo_last, name="undo_last"),
    path("<slug:slug>/memory", documents.memory, name="memory"),
    path("<slug:slug>/days/", days.days, name="days"),
    path("<slug:slug>/days/today", days.today, name="today"),
    path("<slug:slug>/days/add", days.add, name="day_add"),
    path("<slug:slug>/days/<day:day>", days.day, name="day"),
    path("<slug:slug>/documents/", listing.documents, name="documents"),
    path("<slug:slug>/documents/<document:path>", documents.document, name="document"),
    path("<slug:slug>/replace", replacing.page, name="replace"),
    path("<slug:slug>/facts/<document:path>", facts.facts, name="facts"),
    path("<slug:slug>/entries/", entries.entries, name="entries"),
    path("<slug:slug>/entries/new", actions.new, name="entry_new"),
    path("<slug:slug>/entries/details", details.details, name="entry_details"),
    path("<slug:slug>/entries/prune", actions.prune, name="entries_prune"),
    path("<slug:slug>/entry", fact.entry, name="entry"),
    path("<slug:slug>/entry/add", fact.add, name="entry_add"),
    path("<slug:slug>/entry/edit", fact.edit, name="entry_edit"),
    path("<slug:slug>/entry/forget", many.forget, name="entry_forget"),
    path("<slug:slug>/entry/promote", many.promote, name="entry_promote"),
    path("<slug:slug>/entry/move", many.move, name="entry_move"),
    path("<slug:slug>/entry/merge", many.merge, name="entry_merge"),
    path("<slug:slug>/entry/split", many.split, name="entry_split"),
    path("<slug:slug>/entry/pin", many.pin, name="entry_pin"),
    path("<slug:slug>/pinned", many.pinned, name="pinned"),
    path("<slug:slug>/raw/<document:path>", documents.raw, name="raw"),
    path("<slug:slug>/save/<document:path>", editor.save, name="save"),
    path("<slug:slug>/overwrite/<document:path>", editor.overwrite, name="overwrite"),
    path("<slug:slug>/merge/<document:path>", editor.merge, name="merge"),
    path("<slug:slug>/compare/<document:path>", editor.compare, name="compare"),
    path("<slug:slug>/moved/<document:path>", editor.moved, name="moved"),
    path("<slug:slug>/preview/<document:path>", editor.preview, name="preview"),
    path("<slug:slug>/foresee/<document:path>", editor.foresee, name="foresee"),
    path("<slug:slug>/review/<document:path>", editor.review, name="review"),
    path("<slug:slug>/draft/<document:path>", editor.draft, name="draft"),
    path("<slug:slug>/discard/<document:path>", editor.discard, name="discard"),
    path("<slug:slug>/chats/", views.chats, name="chats"),
    path("<slug:slug>/chats/<scope:scope>", notes.notes, name="chat"),
    path("<slug:slug>/chats/<scope:scope>/working", documents.working, name="chat_working"),
    path("<slug:slug>/chats/<scope:scope>/transcript", views.transcript, name="transcript"),
    path("<slug:slug>/chats/<scope:scope>/reads", prompt.of_chat, name="reads"),
    path("<slug:slug>/chats/<scope:scope>/name", views.name, name="chat_name"),
    path("<slug:slug>/chats/<scope:scope>/summarise", start.summarise, name="chat_summarise"),
    path("<slug:slug>/chats/<scope:scope>/pick", start.pick, name="chat_pick"),
    path("<slug:slug>/prompt/", prompt.page, name="prompt"),
    path("<slug:slug>/prompt/compare", compare.compare, name="prompt_compare"),
    path("<slug:slug>/prompt/text", prompt.text, name="prompt_text"),
    path("<slug:slug>/prompt/chats", prompt.offer, name="prompt_chats"),
    path("<slug:slug>/working/", working.working, name="working"),
    path("<slug:slug>/working/discard", working.discard, name="working_discard"),
    path("<slug:slug>/tidy/", findings.page, name="tidy"),
    path("<slug:slug>/findings/", RedirectView.as_view(pattern_name="memory:tidy", query_string=True)),
    path("<slug:slug>/tidy/check", findings.check, name="tidy_check"),
    path("<slug:slug>/findings/<int:pk>/redact", fixes.redact, name="finding_redact"),
    path("<slug:slug>/findings/<int:pk>/keep", answers.keep, name="finding_keep"),
    path("<slug:slug>/findings/keep-each", fixes.keep_each, name="finding_keep_each"),
    path("<slug:slug>/findings/<int:pk>/ignore", findings.ignore, name="finding_ignore"),
    path("<slug:slug>/findings/<int:pk>/heed", findings.heed, name="finding_heed"),
    path("<slug:slug>/findings/<int:pk>/mend", fixes.mend, name="finding_mend"),
    path("<slug:slug>/findings/<int:pk>/move", fixes.move, name="finding_move"),
    path("<slug:slug>/findings/<int:pk>/date", fixes.date, name="finding_date"),
    path("<slug:slug>/history/", history.history, name="history"),
    path("<slug:slug>/history/<document:path>", history.document_history, name="document_history"),
    path("<slug:slug>/trash", trash.page, name="trash"),
    path("<slug:slug>/trash/restore", trash.restore, name="trash_restore"),
    path("<slug:slug>/numbers", numbers.page, name="numbers"),
    path("<slug:slug>/numbers.csv", numbers.as_csv, name="numbers_csv"),
    path("<slug:slug>/purge", purge.page, name="purge"),
    path("<slug:slug>/changes/<int:pk>", history.change_set, name="change_set"),
    path("<slug:slug>/changes/<int:pk>/undo", history.undo, name="undo"),
    path("<slug:slug>/changes/<int:pk>/restore", history.restore, name="restore"),
    path("<slug:slug>/compaction", compaction.plan, name="compaction"),
    path("<slug:slug>/compaction/apply", compaction.apply, name="apply"),
    path("<slug:slug>/compaction/fence", compaction.close_fence, name="close_fence"),
    path("<slug:slug>/compaction/meaning", start.consolidate, name="consolidate"),
    path("<slug:slug>/compaction/<int:pk>", compaction.run, name="run"),
    path("<slug:slug>/jobs/", jobs.moved),
    path("<slug:slug>/jobs/<int:pk>", job.page, name="job"),
    path("<slug:slug>/jobs/<int:pk>/progress", job.progress, name="job_progress"),
    path("<slug:slug>/jobs/<int:pk>/cancel", job.cancel, name="job_cancel"),
    path("<slug:slug>/jobs/<int:pk>/again", job.again, name="job_again"),
    path("<slug:slug>/jobs/<int:pk>/accept", review.accept, name="job_accept"),
    path("<slug:slug>/jobs/<int:pk>/refuse", review.refuse, name="job_refuse"),
    path("<slug:slug>/webhooks/", webhooks.webhooks, name="webhooks"),
    path("<slug:slug>/webhooks/<int:pk>", webhooks.delivery, name="delivery"),
    path("<slug:slug>/webhooks/secrets", secrets.secrets, name="webhook_secrets"),
    path("<slug:slug>/webhooks/secrets/make", secrets.make, name="webhook_secret_make"),
    path("<slug:slug>/webhooks/secrets/replace", secrets.replace, name="webhook_secret_replace"),
    path("<slug:slug>/webhooks/secrets/<int:pk>/revoke", secrets.revoke, name="webhook_secret_revoke"),
    path("<slug:slug>/webhooks/standard", secrets.standard, name="webhook_standard"),
    path("<slug:slug>/webhooks/refused", refused.refused, name="webhook_refused"),
    path("<slug:slug>/webhooks/try", try_it.trial, name="webhook_try"),
    path("<slug:slug>/webhooks/settings", settings.webhooks, name="webhook_settings"),
    path("<slug:slug>/recall/", recall_tests.page, name="recall_tests"),
    path("<slug:slug>/recall/add", recall_tests.add, name="recall_test_add"),
    path("<slug:slug>/recall/<int:pk>/remove", recall_tests.remove, name="recall_test_remove"),
    path("<slug:slug>/recall/<int:pk>/follow", recall_tests.follow, name="recall_test_follow"),
    path("<slug:slug>/api", tokens.tokens, name="api"),
    path("<slug:slug>/api/make", tokens.make, name="api_make"),
    path("<slug:slug>/api/<int:pk>/revoke", tokens.revoke, name="api_revoke"),
    path("<slug:slug>/model", model.page, name="model"),
    path("<slug:slug>/settings", settings.general, name="settings"),
    path("<slug:slug>/settings/reads", settings.reads, name="settings_reads"),
    path("<slug:slug>/settings/find", settings_find.page, name="settings_find"),
    path("<slug:slug>/settings/compaction", settings.compaction, name="settings_compaction"),
    path("<slug:slug>/settings/costs", settings.costs, name="settings_costs"),
    path("<slug:slug>/notifications", digests.page, name="notifications"),
    path("<slug:slug>/notifications/test", digests.trial, name="notifications_test"),
    path("<slug:slug>/notifications/service/remove", digests.remove_service, name="notifications_service_remove"),
    path("<slug:slug>/notifications/feed", digests.make_feed, name="notifications_feed"),
    path("<slug:slug>/notifications/feed/end", digests.end_feed, name="notifications_feed_end"),
    path("<slug:slug>/notifications/<int:pk>/again", digests.again, name="notifications_again"),
    path("<slug:slug>/secrets/show", memory_secrets.show, name="secrets_show"),
    path("<slug:slug>/secrets/hide", memory_secrets.hide, name="secrets_hide"),
    path("<slug:slug>/export", exports.export, name="export"),
    path("<slug:slug>/export/file", exports.export_file, name="export_file"),
    path("<slug:slug>/import", exports.upload, name="upload"),
    path("<slug:slug>/import/<str:token>", exports.look, name="import"),
    path("<slug:slug>/import/<str:token>/decide", exports.decide, name="decide"),
]
