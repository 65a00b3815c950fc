"""What the bot recalls and captures, done straight from the description over its own database: SQL and nothing of Kenoweb's."""

from __future__ import annotations

import hashlib
import math
import re
import sqlite3
import uuid
from contextlib import closing
from datetime import datetime, timedelta

from tests.dialects.nanobot import golden

HEADING = "[Retrieved Memory]\nUse these as historical context. Prefer recent/high-score items."
_SEARCH = """
    SELECT e.*, bm25(memory_entries_fts) AS rank FROM memory_entries_fts f JOIN memory_entries e ON e.id = f.entry_id
    WHERE memory_entries_fts MATCH ? AND e.workspace_id = ? AND e.is_deleted = 0 AND e.scope_key = ? {kinds}
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
        layers = [(chat, (), max(results, 1)), (user, ("preference", "fact"), max(of_user, 0))]
        merged = {}
        for key, kinds, limit in layers:
            sql = _SEARCH.format(kinds=f"AND e.kind IN ({', '.join('?' * len(kinds))})" if kinds else "")
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


PHRASES = {
    "preference": "i prefer|my preference is|i like|i usually use|don't use|do not use|always use",
    "fact": "my timezone is|i am in|my name is|i work with|my language is|i speak",
    "decision": r"let's use|we decided|from now on use|we will use|do\s+.+\s+not\s+.+",
}
WEIGHTS = {"preference": (0.85, 0.92), "fact": (0.80, 0.88), "decision": (0.90, 0.90), "episodic": (0.60, 0.75)}
UNSAFE = [
    "```",
    "ignore previous",
    "system prompt",
    "developer message",
    "tool call",
    "function_call",
    "jailbreak",
    "sudo rm -rf",
]
COUNTERS = "saved", "deduped", "dropped_low_conf", "dropped_safety"


class Capture:
    """The bot's own capture over its database. `counters` sums what it counts; `accept` are its thresholds and cap."""

    def __init__(self, file, workspace, *, confidence=0.78, importance=0.6, most=4, replies=False):
        self.file, self.workspace = file, workspace
        self.confidence, self.importance, self.most, self.replies = confidence, importance, most, replies
        self.counters = dict.fromkeys(COUNTERS, 0)

    def turn(self, channel, chat, sender, message, reply, now, message_id=None):
        found = self.candidates(message, "user") + (self.candidates(reply, "assistant") if self.replies else [])
        accepted, seen = 0, set()
        for kind, content, role in found:
            if (kind, content.lower()) in seen:
                continue
            seen.add((kind, content.lower()))
            importance, confidence = WEIGHTS[kind]
            if confidence < self.confidence:
                self.counters["dropped_low_conf"] += 1
            elif importance >= self.importance:
                if accepted == self.most:
                    break
                accepted += 1
                user = kind in ("preference", "fact")
                key = f"channel:{channel}:{f'user:{sender or chat}' if user else f'chat:{chat}'}"
                about = {
                    "scope_type": "user" if user else "chat",
                    "scope_key": key,
                    "channel": channel,
                    "chat_id": chat,
                }
                self.upsert(
                    {
                        **about,
                        "sender_id": sender or None,
                        "source_message_id": message_id,
                        "kind": kind,
                        "content": content,
                        "source_role": role,
                    },
                    now,
                )

    def candidates(self, text, role):
        text = " ".join(text.split())
        if any(words in text.lower() for words in UNSAFE):
            self.counters["dropped_safety"] += 1
            return []
        if len(text) < 8 or text.startswith(("$", "bash ", "sh ", "zsh ", "python ", "node ")):
            return []
        found = []
        for kind, phrases in PHRASES.items():
            if len(text) <= 300 and re.search(rf"\b(?:{phrases})\b", text, re.IGNORECASE):
                found.append((kind, text, role))
        if role == "user":
            found.append(("episodic", "User message: " + text[:180] + ("..." if len(text) > 180 else ""), role))
        return found

    def upsert(self, row, now):
        importance, confidence = WEIGHTS[row["kind"]]
        at, norm = now.isoformat(), row["content"].lower()
        name = hashlib.sha256(norm.encode()).hexdigest()
        with closing(sqlite3.connect(self.file)) as db:
            known = (self.workspace, row["scope_key"], row["kind"], name)
            live = "workspace_id = ? AND scope_key = ? AND kind = ? AND content_hash = ? AND is_deleted = 0"
            changed = db.execute(
                "UPDATE memory_entries SET importance = max(importance, ?), confidence = max(confidence, ?), updated_at = ?,"
                f" last_accessed_at = ? WHERE {live}",
                (importance, confidence, at, at, *known),
            ).rowcount
            self.counters["deduped" if changed else "saved"] += 1
            if not changed:
                days = 90 if row["kind"] == "episodic" else 3650
                made = {
                    "id": str(uuid.uuid4()),
                    "workspace_id": self.workspace,
                    "content_norm": norm,
                    "content_hash": name,
                }
                made |= {
                    "importance": importance,
                    "confidence": confidence,
                    "source": "auto_heuristic",
                    "created_at": at,
                }
                made |= {"updated_at": at, "expires_at": (now + timedelta(days=days)).isoformat()}
                golden.insert(db, {**row, **made, "is_deleted": 0})
            db.commit()
