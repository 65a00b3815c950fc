"""What the bot puts in its prompt, worked out straight from the description over its own database: SQL and nothing of Kenoweb's."""

from __future__ import annotations

import math
import re
import sqlite3
from contextlib import closing
from datetime import datetime

HEADING = "[Retrieved Memory]\nUse these as historical context. Prefer recent/high-score items."
_SEARCH = """
    SELECT e.*, bm25(memory_entries_fts) AS rank FROM memory_entries_fts f JOIN memory_entries e ON e.id = f.entry_id
    WHERE memory_entries_fts MATCH ? AND e.workspace_id = ? AND e.is_deleted = 0 AND e.scope_key = ? AND e.kind IN ({kinds})
    ORDER BY rank ASC, e.updated_at DESC LIMIT ?
"""
ALL = ("preference", "decision", "fact", "episodic")


def prompt(file, workspace, chat, user, message, now, *, results=8, of_user=2, chars=2400, replied=""):
    """The message that stands right before the user's; "" for none."""
    found = recall(file, workspace, chat, user, message, now, results=results, of_user=of_user, replied=replied)
    return render(found, chars)


def recall(file, workspace, chat, user, message, now, *, results=8, of_user=2, replied=""):
    """[(score, row)], best first."""
    query = " ".join(f"{message}\n{replied}".split())
    tokens = list(dict.fromkeys(re.findall(r"[a-z0-9_]{2,}", query.lower())))[:16]
    if not tokens:
        return []
    with closing(sqlite3.connect(file)) as db:
        db.row_factory = sqlite3.Row
        layers = [(chat, ALL, max(results, 1)), (user, ("preference", "fact"), max(of_user, 0))]
        merged = {}
        for key, kinds, limit in layers:
            sql = _SEARCH.format(kinds=", ".join("?" * len(kinds)))
            for row in db.execute(sql, (" OR ".join(tokens), workspace, key, *kinds, limit)):
                if row["id"] not in merged or row["rank"] < merged[row["id"]]["rank"]:
                    merged[row["id"]] = row
    ranks = [row["rank"] for row in merged.values()]
    scored = [(score(row, min(ranks), max(ranks), now), row) for row in merged.values()]
    return sorted(scored, key=lambda one: -one[0])[: max(results, 1)]


def score(row, best, worst, now):
    fit = 1.0 if abs(worst - best) < 1e-9 else min(max((worst - row["rank"]) / (worst - best), 0.0), 1.0)
    days = max((now - datetime.fromisoformat(row["updated_at"])).total_seconds() / 86_400, 0.0)
    return 0.65 * fit + 0.20 * row["importance"] + 0.15 * math.exp(-days / 180)


def render(found, chars):
    if not found:
        return ""
    text = HEADING
    for points, row in found:
        content = " ".join(row["content"].split())
        content = content if len(content) <= 220 else content[:217] + "..."
        line = f"- ({row['kind']}/{row['scope_type']} score={points:.2f} updated={row['updated_at'][:10]}) {content}"
        if len(text) + 1 + len(line) > chars:
            break
        text += "\n" + line
    return text[:chars]
