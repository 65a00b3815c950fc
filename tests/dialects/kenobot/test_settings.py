"""A KenoBot's settings: the table, its defaults and what it refuses."""

from __future__ import annotations

from dataclasses import asdict, fields

import pytest

from memory.dialects.kenobot import KenoBot
from memory.dialects.kenobot.settings import FIELDS, Settings


def test_fields_and_dataclass_say_the_same():
    assert [field.name for field in FIELDS] == [field.name for field in fields(Settings)]
    assert KenoBot().settings({}) == Settings()
    assert {field.name: field.default for field in FIELDS} == asdict(Settings())


def test_fields_keep_the_bots_names_defaults_and_ranges():
    numbers = {field.env: (field.default, field.least, field.most) for field in FIELDS if field.env}
    assert numbers == {
        "MEMORY_DAYS": (3, 0, 30),
        "MEMORY_RETENTION_DAYS": (30, 1, 365),
        "WORKING_MEMORY_STALE_DAYS": (7, 1, 30),
        "SESSION_HISTORY_LIMIT": (20, 0, 200),
    }


def test_settings_take_numbers_texts_and_blanks():
    found = KenoBot().settings(
        {"memory_days": "0", "memory_retention_days": 365, "working_memory_stale_days": "", "dedupe": None}
    )
    assert found == Settings(memory_days=0, memory_retention_days=365)
    assert KenoBot().settings({"keep_logs": "on", "capture": "observe", "version": "0.7"}) == Settings(
        keep_logs=True, capture="observe", version="0.7"
    )
    assert KenoBot().settings({"keep_logs": False}).keep_logs is False


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"memory_days": 31}, "memory_days must be a whole number from 0 to 30, not 31."),
        ({"memory_days": "7abc"}, "memory_days must be a whole number from 0 to 30, not '7abc'."),
        ({"memory_days": -1}, "memory_days must"),
        ({"memory_days": "²"}, "memory_days must"),
        ({"memory_days": 3.5}, "memory_days must"),
        ({"memory_retention_days": 0}, "memory_retention_days must be a whole number from 1 to 365"),
        ({"memory_retention_days": True}, "memory_retention_days must"),
        ({"working_memory_stale_days": "9" * 5000}, "working_memory_stale_days must"),
        ({"dedupe": "fuzzy"}, "dedupe must be same or substring, not 'fuzzy'."),
        ({"capture": 1}, "capture must be write or observe"),
        ({"keep_logs": "maybe"}, "keep_logs must be yes or no"),
        ({"memory_dayz": 3}, "No setting is named 'memory_dayz'."),
    ],
)
def test_settings_refuse_with_a_sentence_that_names_them(values, said):
    with pytest.raises(ValueError, match="^" + said.split("'")[0].replace(".", r"\.")):
        KenoBot().settings(values)
