"""The addresses of a bot's pages."""

from __future__ import annotations

from django.urls import URLPattern, path

from memory.views import compaction, documents, editor, history, overview, settings

app_name = "memory"
urlpatterns: list[URLPattern] = [
    path("theme", overview.theme, name="theme"),
    path("<slug:slug>", overview.without_slash),
    path("<slug:slug>/", overview.overview, name="overview"),
    path("<slug:slug>/step", overview.step, name="step"),
    path("<slug:slug>/memory", documents.memory, name="memory"),
    path("<slug:slug>/documents/", documents.documents, name="documents"),
    path("<slug:slug>/documents/<path:path>", documents.document, name="document"),
    path("<slug:slug>/facts/<path:path>", documents.facts, name="facts"),
    path("<slug:slug>/raw/<path:path>", documents.raw, name="raw"),
    path("<slug:slug>/save/<path:path>", editor.save, name="save"),
    path("<slug:slug>/overwrite/<path:path>", editor.overwrite, name="overwrite"),
    path("<slug:slug>/merge/<path:path>", editor.merge, name="merge"),
    path("<slug:slug>/compare/<path:path>", editor.compare, name="compare"),
    path("<slug:slug>/moved/<path:path>", editor.moved, name="moved"),
    path("<slug:slug>/preview/<path:path>", editor.preview, name="preview"),
    path("<slug:slug>/review/<path:path>", editor.review, name="review"),
    path("<slug:slug>/draft/<path:path>", editor.draft, name="draft"),
    path("<slug:slug>/discard/<path:path>", editor.discard, name="discard"),
    path("<slug:slug>/history/", history.history, name="history"),
    path("<slug:slug>/history/<path:path>", history.document_history, name="document_history"),
    path("<slug:slug>/changes/<int:pk>", history.change_set, name="change_set"),
    path("<slug:slug>/changes/<int:pk>/undo", history.undo, name="undo"),
    path("<slug:slug>/changes/<int:pk>/restore", history.restore, name="restore"),
    path("<slug:slug>/compaction", compaction.plan, name="compaction"),
    path("<slug:slug>/compaction/apply", compaction.apply, name="apply"),
    path("<slug:slug>/compaction/<int:pk>", compaction.run, name="run"),
    path("<slug:slug>/settings", settings.settings, name="settings"),
]
