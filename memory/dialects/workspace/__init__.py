"""The workspaces that most bots keep: a MEMORY.md, notes by day and by topic, documents on who the bot is, perhaps a history.

OpenClaw, HKUDS nanobot, Claude Code's memory, and any other bot with a MEMORY.md and dated notes."""
