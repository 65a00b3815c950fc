"""A workspace as bots of several families leave it behind, made up."""

from __future__ import annotations

from pathlib import Path

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF"
FILES = {
    "AGENTS.md": "# How you work\n\n- Read MEMORY.md and the notes of today and yesterday first.\n- Ask before you buy.\n",
    "SOUL.md": "# Soul\n\nCalm, dry, exact.\n",
    "USER.md": "# User\n\n- Ines runs a nursery near Porto.\n",
    "HEARTBEAT.md": "- Check the frost warning at 18:00.\n",
    "MEMORY.md": "# Memory\n\n## Nursery\n\n- The greenhouse heater is set to 6 degrees.\n- Olive cuttings root in sand.\n",
    "memory/2026-01-03.md": (
        "# 2026-01-03\n\n## Heater (08:40)\n\nThe greenhouse heater is set to 6 degrees.\n\n### Parts\n\n- a new valve\n\n"
        "```\n## 10:00 — not an entry\n```\n\n## Market\n\n- 12 olive trees sold\n"
    ),
    "memory/2026-01-03-night-watch.md": (
        "# Session: 2026-01-03 21:10 UTC\n\n- **Session Key**: agent:main\n\nuser: frost?\nassistant: no\n"
    ),
    "memory/2026-01-04.md": "- 07:55 frost on the south beds\n- 19:30 fleece is on\n",
    "memory/20260105.md": "# 2026-01-05\n",
    "memory/daily/2026-01-06.md": "[09:12] Water butt frozen.\n[11:40] Thawed.\n",
    "memory/2026/01/07.md": "Only prose about a slow day.\n",
    "memory/pruning-2026-01-08.md": "## Pruning\n\nThe old pear was pruned.\n",
    "memory/YYYY-MM-DD.md": "# YYYY-MM-DD\n\n## What happened\n",
    "memory/people/ana.md": "# Ana\n\n- buys lavender every May\n- pays in cash\n",
    "memory/people/rui.md": "---\nname: Rui\ntype: person\n---\n\n- repairs the pump\n",
    "memory/HISTORY.md": "[2026-01-03 08:40] Asked about the heater.\n\n[2026-01-04 07:55] Frost on the south beds.\n",
    "memory/history.jsonl": (
        '{"cursor": 1, "timestamp": "2026-01-03 08:40", "content": "Asked about the heater."}\n'
        '{"cursor": 2, "timestamp": "2026-01-04 07:55", "content": "Frost on the south beds."}\n'
    ),
    "memory/heartbeat-state.json": '{"lastChecks": {"frost": 1767456000}}\n',
    "sessions/cli_direct.jsonl": (
        '{"_type": "metadata", "key": "cli:direct"}\n'
        '{"role": "user", "content": "Is the heater on?", "timestamp": "2026-01-03T08:40:00"}\n'
        '{"role": "assistant", "content": "Yes, at 6 degrees.", "timestamp": "2026-01-03T08:40:04"}\n'
    ),
    "memory/main.sqlite": b"SQLite format 3\x00" + b"\x00" * 80,
    "memory/south-beds.jpg": JPEG,
    "memory/.dream_cursor": "1",
    ".git/HEAD": "ref: refs/heads/main\n",
    "skills/weather/SKILL.md": "# Weather\n\n- curl wttr.in\n",
    "node_modules/left/2026-01-01.md": "- never walked\n",
}
OPENCLAW = {path: data for path, data in FILES.items() if "istory" not in path.lower()}


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """These files below a directory, which is made."""
    for path, data in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())
    return root
