from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from memory.bots import families
from memory.dialects.kenobot import sample
from memory.text.markdown.entries import log_facts

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def test_sample_is_the_same_for_the_same_moment_and_moves_with_the_day():
    assert sample.files(NOW) == sample.files(NOW)
    assert set(sample.files(NOW)) != set(sample.files(NOW + timedelta(days=1)))


def test_sample_has_something_for_every_screen():
    files = sample.files(NOW)
    paths = [path.removeprefix("memory/") for path in files if path.startswith("memory/")]
    kenobot = families.dialect("kenobot")
    kinds = {(place.kind, place.tier) for path in paths if (place := kenobot.describe(path))}
    assert {str(kind) for kind, _ in kinds} == {"long-term", "daily", "working"}
    assert {str(tier) for _, tier in kinds} == {"global", "chat", "working"}
    old = (NOW - timedelta(days=30)).date().isoformat()
    days = {path[:10] for path in paths if path.startswith("20")}
    assert min(days) < old < max(days) == "2026-11-21"
    ages = {NOW - written for path, (_, written) in files.items() if "/working/" in path}
    assert min(ages) < timedelta(days=1) < timedelta(days=7) < max(ages)
    assert all(written <= NOW for _, written in files.values())


def test_sample_logs_are_read_as_the_entries_that_were_written():
    facts = [
        fact
        for path, (text, _) in sample.files(NOW).items()
        if path.rsplit("/", 1)[1].startswith("20")
        for fact in log_facts(text)
    ]
    assert len(facts) == len(sample.TOLD["notes"])
    assert any("\n" in fact.text for fact in facts)


def test_sample_transcripts_are_lines_of_json_in_order():
    for path, (text, _) in sample.files(NOW).items():
        if path.startswith("sessions/"):
            stamps = [json.loads(line)["timestamp"] for line in text.splitlines()]
            assert stamps == sorted(stamps)
            assert len(stamps) >= 2


def test_sample_is_written_once_and_keeps_what_was_changed(tmp_path):
    roots = sample.write(tmp_path, NOW)
    (roots["memory"] / "MEMORY.md").write_text("mine")
    assert sample.write(tmp_path, NOW + timedelta(days=9)) == roots
    assert (roots["memory"] / "MEMORY.md").read_text() == "mine"
    assert len(list(roots["sessions"].iterdir())) == 3
