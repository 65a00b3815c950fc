"""The command line `memory`: each module adds its commands to the parser; `command` says what a command gets and gives."""

from __future__ import annotations

# The modules with the names that they register, so that a command is there without importing what the others need.
NAMES = {
    "acts": ("forget", "move", "merge", "split", "pin-fact", "unpin-fact", "replace"),
    "bots": ("bots", "add-bot", "status", "doctor", "reindex", "login-link"),
    "read": ("extract", "facts", "fact", "context", "history", "show"),
    "search": ("search",),
    "recall": ("recall", "pin"),
    "compact": ("compact",),
    "write": ("turn", "write", "undo", "export", "import"),
    "chats": ("summarise", "pick"),
    "jobs": ("jobs",),
    "prune": ("prune",),
    "history": ("prune-history", "purge"),
}
