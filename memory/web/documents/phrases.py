"""What the editor's script says by itself, mostly in its search panel."""

from __future__ import annotations

from django.utils.translation import pgettext


def phrases() -> dict[str, str]:
    """In the reader's language, by the script's own words."""
    return {
        "Find": pgettext("editor", "Find"),
        "Replace": pgettext("editor", "Replace"),
        "next": pgettext("editor", "next"),
        "previous": pgettext("editor", "previous"),
        "all": pgettext("editor", "all"),
        "match case": pgettext("editor", "Match case"),
        "by word": pgettext("editor", "Whole words"),
        "regexp": pgettext("editor", "Regex"),
        "replace": pgettext("editor", "replace"),
        "replace all": pgettext("editor", "replace all"),
        "close": pgettext("editor", "close"),
        "current match": pgettext("editor", "current match"),
        "on line": pgettext("editor", "on line"),
        "replaced match on line $": pgettext("editor", "replaced match on line $"),
        "replaced $ matches": pgettext("editor", "replaced $ matches"),
        "Go to line": pgettext("editor", "Go to line"),
        "go": pgettext("editor", "go"),
        "Selection deleted": pgettext("editor", "Selection deleted"),
        "Control character": pgettext("editor", "Control character"),
    }
