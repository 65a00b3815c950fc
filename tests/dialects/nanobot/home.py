"""A nanobot's home with a workspace, its files and its database, as the bot leaves them."""

from __future__ import annotations

from tests.dialects.nanobot import golden

MEMORY = "# Long-term Memory\n\n- Speaks Spanish\n- Works at night\n"
STATE = """# Session WAL State

- session_key: telegram:123
- channel: telegram
- chat_id: 123

## Turns

### 2026-03-01T10:00:00.000001+00:00 PRE
- user: let's use Postgres

### 2026-03-01T10:00:05.000001+00:00 POST
- assistant: Noted: Postgres it is.

### 2026-03-02T08:00:00.000001+00:00 PRE
- user: which database did we choose?
- reply_to_message_id: 7

"""


def rows(of):
    user = {"channel": "telegram", "sender": "123"}
    return [
        golden.row("let's use Postgres for the shop", of, kind="decision", n=1, importance=0.9, channel="telegram"),
        golden.row("we decided to deploy on Fridays", of, kind="decision", n=2, importance=0.9),
        golden.row("do not deploy on Mondays", of, kind="decision", n=3, expires_at="2026-02-01T00:00:00+00:00"),
        golden.row("i prefer short answers", of, kind="preference", of="user", n=4, importance=0.85, **user),
        golden.row("my name is Ana, and I deploy ships", of, of="user", n=5, **user),
        golden.row("let's use SQLite for the secret plan", of, kind="decision", chat="999", n=6),
        golden.row("i am in Berlin with a secret", of, of="user", sender="999", n=7),
        golden.row("a blob about Postgres", of, of="global", n=8, source="import"),
        golden.row("forgotten", of, n=9, is_deleted=1),
    ]


def make(home, *, more=()):
    """Returns the workspace and the database."""
    workspace = home / "workspace"
    for name, text in {
        "SOUL.md": "You are nanobot.\n",
        "memory/MEMORY.md": MEMORY,
        "memory/session-state/telegram_123.md": STATE,
        "memory/semantic/preferences.md": "# Preferences\n\n- [2026-01-01 10:00:04 UTC] i prefer short answers\n",
        "memory/semantic/decisions.md": "# Decisions\n\n- [2026-01-01 10:00:01 UTC] let's use Postgres for the shop\n"
        "- [2026-01-01 10:00:06 UTC] let's use SQLite for the secret plan\n",
    }.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(text)
    of = golden.workspace_id(workspace)
    file = golden.make(home / "memory" / "longterm.db", [*rows(of), *more])
    return workspace, file
