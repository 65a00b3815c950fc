"""nanobot, the fork with a long-term memory in SQLite: entries by scope, state files of its sessions, mirrors of both."""
